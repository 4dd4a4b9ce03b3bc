//! Key-set commitment.
