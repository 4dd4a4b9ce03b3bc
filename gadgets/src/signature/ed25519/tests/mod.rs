//! Ed25519: what must verify and what must not, under each rule.

mod messages;

use curve25519_dalek::{edwards::EdwardsPoint, Scalar};
use rand_core::{CryptoRng, RngCore};
use muster_schemes::signature::ed25519::{native, Ed25519, EncodedPoint, PublicKey, SecretKey, Signature};
use super::vectors;
use muster_schemes::signature::{Rule, SignatureScheme};
