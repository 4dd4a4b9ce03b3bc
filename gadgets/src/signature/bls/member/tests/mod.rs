//! Keys with their proofs, and signatures by all members.

use ff::Field;
use halo2curves::{bls12_381::Fr, bn256, group::Curve};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use super::*;
use muster_schemes::signature::bls::member::*;
use crate::curve::pairing::samples::outside;
use muster_schemes::{curve::pairing::PairingCurve, hash::to_curve::{hash_to_curve, Bn254G1, Tag}, membership::{MemberKey, PublicKey, PublishedSecret}, signature::{bls::{BlsError, Bn254, Bn254Possession, Groups, HashedMessage, MinPublicKey, MinSignature, ProvenBn254, ProvenPublicKey, ProvenSignature, PublicKeyPossession, SecretKey, Signature, SignedPoint, Suite}, Rule, SignatureError, SignatureScheme}};

/// Runs a test of every suite.
macro_rules! each {
    ($test:ident) => {
        $test::<ProvenPublicKey>();
        $test::<ProvenSignature>();
        $test::<ProvenBn254>();
        $test::<Bn254PublicKey>();
    };
}

mod circuit;
mod differential;
mod messages;
mod together;

fn secret<S: MemberSuite>(number: u8) -> SecretKey<S> {
    Bls::<S>::secret_key_from_seed(&[number; 32]).expect("not 0")
}

fn key<S: MemberSuite>(number: u8) -> OwnedKey<S> {
    OwnedKey::of(&secret(number))
}
