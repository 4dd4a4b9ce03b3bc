//! EdDSA.
