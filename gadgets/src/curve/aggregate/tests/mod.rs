//! Sums of points, against halo2curves.

mod prime_sums;
mod quadratic_sums;

use halo2curves::{
    bls12_381, bn256,
    group::{Curve, Group},
    CurveAffine,
};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use muster_schemes::curve::aggregate::native::{Element, Step};
use super::*;
use muster_schemes::curve::aggregate::*;
use super::samples::*;
