//! Sums of points, against halo2curves.

mod walks;

use super::samples::*;
use super::*;
use halo2curves::{bls12_381, bn256, CurveAffine};
