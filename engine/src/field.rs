use halo2curves::{
    bn256::{Fq, Fr},
    ff::PrimeField,
    serde::SerdeObject,
};

mod sealed {
    pub trait Sealed {}
}

/// A field of BN254: [`Fr`], the scalars, or [`Fq`], the coordinates.
///
/// The library keeps an element `x` as four little-endian words of the integer `x·2^256 mod p`.
pub trait Field: PrimeField + SerdeObject + sealed::Sealed {
    /// The prime `p`, in four little-endian words.
    const WORDS: [u64; 4];
}

impl sealed::Sealed for Fr {}

impl Field for Fr {
    const WORDS: [u64; 4] =
        [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];
}

impl sealed::Sealed for Fq {}

impl Field for Fq {
    const WORDS: [u64; 4] =
        [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
}

/// `first`, `first·base`, `first·base²` and so on.
pub(crate) fn powers<F: PrimeField>(first: F, base: F) -> impl Iterator<Item = F> {
    std::iter::successors(Some(first), move |power| Some(*power * base))
}
