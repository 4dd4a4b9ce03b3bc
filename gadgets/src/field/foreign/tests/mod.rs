mod chip;
mod halves;
mod pack;
mod regroup;
mod script;

use muster_testing::sampled;
use num_bigint::{BigInt, BigUint, RandBigInt};
use num_traits::{One, ToPrimitive, Zero};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use muster_schemes::field::foreign::relation::{BoundError, Operands};
use super::*;
use muster_schemes::field::foreign::*;
