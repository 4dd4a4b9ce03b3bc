//! ECDSA.
