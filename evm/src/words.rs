//! Values as words of the EVM.

use alloy_primitives::{B256, U256};
use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};

/// A number as a word.
pub(crate) fn number(value: u64) -> B256 {
    U256::from(value).into()
}

/// A field element as a word.
pub(crate) fn word(value: &Fr) -> B256 {
    let mut bytes: [u8; 32] = value.to_repr();
    bytes.reverse();
    bytes.into()
}
