//! Keys with their proofs, and signatures by all members.

use super::*;
use muster_schemes::signature::bls::member::*;
use muster_schemes::{
    curve::pairing::PairingCurve,
    membership::PublicKey,
    signature::{
        bls::{
            BlsError, Ciphersuite, HashedMessage, MinPkPopBls12381, MinSigPopBls12381,
            MinSigPopBn254, SecretKey, SignedPoint,
        },
        SignatureError, SignatureScheme,
    },
};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

/// Runs a test of every suite.
macro_rules! each {
    ($test:ident) => {
        $test::<MinPkPopBls12381>();
        $test::<MinSigPopBls12381>();
        $test::<MinSigPopBn254>();
        $test::<MinPkBn254>();
    };
}

mod circuit;
mod differential;
mod messages;
mod together;

fn secret<S: Possession>(number: u8) -> SecretKey<S> {
    Bls::<S>::secret_key_from_seed(&[number; 32]).expect("not 0")
}

fn key<S: Possession>(number: u8) -> OwnedKey<S> {
    OwnedKey::of(&secret(number))
}
