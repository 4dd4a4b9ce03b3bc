//! ECDSA over secp256k1 and P-256 (FIPS 186-5, section 6).

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/signature/ecdsa/tests/vectors.rs"]
pub(crate) mod vectors;
