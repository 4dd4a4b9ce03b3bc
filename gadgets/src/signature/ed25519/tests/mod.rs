//! Ed25519: what must verify and what must not, under each rule.

mod messages;

use curve25519_dalek::{edwards::EdwardsPoint, Scalar};
use rand_core::{CryptoRng, RngCore};
use super::{native, rule, vectors, Ed25519, EncodedPoint, PublicKey, SecretKey, Signature};
use crate::signature::{Rule, SignatureScheme};
