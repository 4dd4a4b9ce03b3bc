//! The native side: points, walks and witnesses.

mod drawn;
mod native;
mod towers;

use ff::{Field, PrimeField};
use halo2curves::{
    bls12_381, bn256,
    group::{Curve, Group},
    CurveAffine,
};
use num_bigint::BigUint;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;
use super::{
    extension::Extension,
    group::{of_coordinates, of_twist_coordinates, OfParts},
    witness::RawPair,
    *,
};
use crate::curve::aggregate::Coefficients;
pub use super::samples::*;


