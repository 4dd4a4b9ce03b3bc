//! The native side: points, walks and witnesses.

mod drawn;
mod native;
mod towers;

pub(super) use super::samples::*;
use super::{extension::Extension, witness::RawPair, *};
use crate::field::ExtensionField;
use ff::{Field, PrimeField};
use halo2curves::{bls12_381, bn256, group::Curve};
use num_bigint::BigUint;
use rand_chacha::ChaCha20Rng;
