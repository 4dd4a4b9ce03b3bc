//! Sums of points, against halo2curves.

mod prime_sums;
mod quadratic_sums;

use super::samples::*;
use super::*;
use halo2curves::{bls12_381, bn256, group::Curve, CurveAffine};
use muster_schemes::curve::aggregate::*;
