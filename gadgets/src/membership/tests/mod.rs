//! Trees of every shape, and paths that must not open.

mod chip;

use ff::Field;
use halo2curves::bn256::Fr;
use num_bigint::BigUint;
use proptest::prelude::*;
use super::*;
use muster_schemes::membership::*;
use muster_schemes::curve::{edwards::{Scalar, SubgroupPoint}, weierstrass::{Address, Curve, Point}};
use crate::{hash::poseidon, signature::bip340};
