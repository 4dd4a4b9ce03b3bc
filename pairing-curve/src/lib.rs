//! BLS12-381 as sharing needs it: points from `blstrs`, and what that library lacks.
//!
//! Points, pairings, encodings and sums are `blst`'s, through `blstrs` (both safe). Where there are
//! thousands of additions at once, they are done in lanes ([`Lane`]): affine, with one inversion
//! for all, on the base field of arkworks, whose limbs are public and the same as blst's. Scalars
//! are halo2curves'.

mod decode;
mod endomorphism;
mod lanes;
mod points;
mod secret;
mod sum;
mod tables;
#[cfg(test)]
mod tests;
mod transform;

pub use ark_bls12_381::{Fq, Fq2};
pub use blstrs::{G1Affine, G1Projective, G2Affine, G2Prepared, G2Projective};
pub use decode::{
    all_in_g1, decode_g1, decode_g2, decode_on_curve, decode_uncompressed_on_curve, PointFault,
    G1_BYTES, G1_UNCOMPRESSED_BYTES, G2_BYTES,
};
pub use halo2curves::bls12_381::Fr;
pub use lanes::{add_each, add_in_lanes, differences, double_in_lanes, Lane, LaneField, Plain};
pub use points::{
    hash_to_g1, multiply_g1, multiply_g2, normalize_g1, normalize_g2, pairings_cancel,
    prepared_pairings_cancel, scalar, scalar_bytes, sum_points_g1,
};
pub use secret::{Secret, Wipe};
pub use sum::{sum_g1, sum_g1_short, sum_g2, StoredBases};
pub use tables::{Digits, FixedBase, Multiples, Offsets};
pub use transform::{domain_size, Transform, ODD_FACTORS};

/// Its example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
