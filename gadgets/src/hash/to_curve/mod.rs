//! Hashes to curves: RFC 9380 for BLS12-381 and BN254, and the search for a point as in EigenLayer's contracts.

pub mod chip;
