//! Signature schemes.
