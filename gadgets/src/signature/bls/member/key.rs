//! Keys with proofs of possession.

use halo2curves::bn256::Fr;
use num_bigint::BigUint;

use crate::{
    curve::pairing::BasePoint,
    hash::poseidon,
    signature::{
        bls::{
            bls12381::{Possession, ProvenPublicKey},
            Coordinates, PublicKey, SecretKey, Signature,
        },
        Rule, SignatureError,
    },
};

/// Label of the tag under which a key is hashed to one field element.
pub const NAME_DOMAIN: &str = "muster.key.bls12-381-g1.v1";

/// Bytes of a key.
pub(super) const KEY: usize = 48;
/// Bytes of a key and the proof behind it.
pub(super) const PROVEN_KEY: usize = KEY + 96;
/// Bits of the words of a coordinate.
pub(super) const WORD: usize = 192;

/// A key in G1, and the proof that its owner knows the secret, if there is one. A proof is good wherever it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnedKey {
    key: PublicKey<ProvenPublicKey>,
    proof: Option<Signature<Possession>>,
}

/// No key is unlike itself.
impl Eq for OwnedKey {}

impl OwnedKey {
    /// The key of a secret, with a proof.
    pub fn of(secret: &SecretKey<ProvenPublicKey>) -> Self {
        let key = secret.public_key();
        Self { key, proof: Some(as_proof(secret).sign(&key.to_bytes())) }
    }

    /// Reads a compressed key of 48 bytes, with a proof of 96 bytes behind it or without one.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], [`SignatureError::BlsKey`] for a key that is no point of the subgroup, or the identity,
    /// or [`SignatureError::Possession`] for a proof that is not one of this key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        if ![KEY, PROVEN_KEY].contains(&bytes.len()) {
            return Err(SignatureError::WrongLength { expected: PROVEN_KEY, found: bytes.len() });
        }
        let (encoded, proof) = bytes.split_at(KEY);
        let key = PublicKey::from_bytes(encoded).map_err(SignatureError::BlsKey)?;
        if proof.is_empty() {
            return Ok(Self { key, proof: None });
        }
        // The same point, for which another tag is used.
        let prover =
            PublicKey::<Possession>::from_bytes(encoded).map_err(SignatureError::BlsKey)?;
        let proof = Signature::from_bytes(proof).map_err(|_| SignatureError::Possession)?;
        let is_proof = prover.verify(encoded, &proof);
        is_proof.then_some(Self { key, proof: Some(proof) }).ok_or(SignatureError::Possession)
    }

    /// The bytes that it is read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let proof = self.proof.map(|proof| proof.to_bytes());
        [self.key.to_bytes(), proof.unwrap_or_default()].concat()
    }

    /// The key.
    pub fn key(&self) -> &PublicKey<ProvenPublicKey> {
        &self.key
    }

    /// Checks whether a set under this rule may hold the key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::NoPossession`] for one without a proof, unless keys are trusted.
    pub fn check(&self, rule: Rule) -> Result<(), SignatureError> {
        if self.proof.is_some() || rule == Rule::TrustedKeys {
            Ok(())
        } else {
            Err(SignatureError::NoPossession)
        }
    }

    /// The field element under which a leaf names this key, with a proof or without.
    pub fn name(&self) -> Fr {
        name(&self.coordinates())
    }

    /// The coordinates of the sum of several keys; `None` if that is the identity.
    ///
    /// # Panics
    /// If there are no keys.
    pub fn sum<'a>(keys: impl IntoIterator<Item = &'a Self>) -> Option<BasePoint> {
        let keys: Vec<_> = keys.into_iter().map(|key| key.key).collect();
        let sum = ProvenPublicKey::sum_of_keys(&keys)?;
        Some(ProvenPublicKey::key_coordinates(&sum.0))
    }

    /// The name of such a sum.
    ///
    /// # Panics
    /// If there are no keys.
    pub fn name_of_sum<'a>(keys: impl IntoIterator<Item = &'a Self>) -> Option<Fr> {
        Self::sum(keys).map(|sum| name(&sum))
    }

    /// The coordinates.
    pub fn coordinates(&self) -> BasePoint {
        ProvenPublicKey::key_coordinates(&self.key.0)
    }
}

/// The secret, to sign with under the tag of proofs.
fn as_proof(secret: &SecretKey<ProvenPublicKey>) -> SecretKey<Possession> {
    SecretKey::from_bytes(*secret.to_bytes()).expect("it is a secret")
}

/// The field element under which a leaf of a key set names a key: the Poseidon of both coordinates, each in its words of 192
/// bits, the highest first, and of a zero, with the tag [`NAME_DOMAIN`] in the capacity lane. The zero makes the permutation the
/// same as for leaves.
pub(super) fn name(point: &BasePoint) -> Fr {
    let element = |number: BigUint| {
        let bytes = number.to_bytes_le();
        let mut repr = [0; 32];
        repr[..bytes.len()].copy_from_slice(&bytes);
        <Fr as ff::PrimeField>::from_repr(repr).expect("192 bits are below the modulus")
    };
    let low = |number: &BigUint| number % (BigUint::from(1u8) << WORD);
    let words = point.iter().flat_map(|number| [element(number >> WORD), element(low(number))]);
    let inputs: Vec<_> = words.chain([Fr::zero()]).collect();
    poseidon::hash_with_domain(poseidon::domain(NAME_DOMAIN), &inputs)
}
