//! Keys with proofs of possession.

use halo2curves::bn256::Fr;
use num_bigint::BigUint;
use sha2::{Digest, Sha256};

use super::suite::Possession;
use crate::{
    curve::pairing::PairingCurve,
    field::element,
    hash::poseidon,
    signature::{
        bls::{PublicKey, SecretKey},
        Rule, SignatureError, KEY_WORD_BITS,
    },
};

/// Elements that are hashed at once: as many as for the root of a set.
pub const BLOCK: usize = 5;

/// A key, and the proof that its owner knows the secret, if there is one; it is always good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnedKey<S: Possession> {
    key: PublicKey<S>,
    proof: Option<S::Proof>,
}

/// Every key equals itself.
impl<S: Possession> Eq for OwnedKey<S> {}

impl<S: Possession> OwnedKey<S> {
    /// Bytes of a key followed by a proof.
    pub(super) const BYTES: usize = S::KEY_BYTES + S::PROOF_BYTES;

    /// The key of a secret, with a proof.
    pub fn of(secret: &SecretKey<S>) -> Self {
        Self { key: secret.public_key(), proof: Some(S::prove(secret)) }
    }

    /// Reads the encoding of a key, followed by a proof or not.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], [`SignatureError::BlsKey`] for a key that is no point of the subgroup, or the identity,
    /// or [`SignatureError::Possession`] for a proof that is not one of this key.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        Self::proven(Self::claimed(bytes)?)
    }

    /// Reads many keys as [`Self::from_bytes`] reads one, and checks the proofs by one sum; one by one if that fails.
    pub fn list_from_bytes(list: &[&[u8]]) -> Vec<Result<Self, SignatureError>> {
        let read: Vec<_> = list.iter().map(|bytes| Self::claimed(bytes)).collect();
        let owned = read.iter().flatten().filter_map(|owned| Some((owned.key, owned.proof?)));
        let owned: Vec<_> = owned.collect();
        if owned.is_empty() || S::are_proofs(&owned, &coefficients(list, owned.len())) {
            return read;
        }
        read.into_iter().map(|owned| Self::proven(owned?)).collect()
    }

    /// The key, if its proof is good or it has none.
    fn proven(self) -> Result<Self, SignatureError> {
        let is_proven = self.proof.is_none_or(|proof| S::are_proofs(&[(self.key, proof)], &[1]));
        is_proven.then_some(self).ok_or(SignatureError::Possession)
    }

    /// Reads bytes without checking the proof: what this returns must not leave the module.
    fn claimed(bytes: &[u8]) -> Result<Self, SignatureError> {
        if ![S::KEY_BYTES, Self::BYTES].contains(&bytes.len()) {
            return Err(SignatureError::WrongLength { expected: Self::BYTES, found: bytes.len() });
        }
        let (key, proof) = bytes.split_at(S::KEY_BYTES);
        let key = PublicKey::from_bytes(key).map_err(SignatureError::BlsKey)?;
        if proof.is_empty() {
            return Ok(Self { key, proof: None });
        }
        let proof = S::read_proof(proof).ok_or(SignatureError::Possession)?;
        Ok(Self { key, proof: Some(proof) })
    }

    /// The bytes that it is read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let proof = self.proof.as_ref().map(S::proof_to_bytes);
        [self.key.to_bytes(), proof.unwrap_or_default()].concat()
    }

    /// The key.
    pub fn key(&self) -> &PublicKey<S> {
        &self.key
    }

    /// Checks whether a set under this rule may hold the key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::NoPossession`] for one without a proof, unless keys are trusted.
    pub fn check(&self, rule: Rule) -> Result<(), SignatureError> {
        let is_admitted = self.proof.is_some() || rule == Rule::TrustedKeys;
        is_admitted.then_some(()).ok_or(SignatureError::NoPossession)
    }

    /// What a leaf holds of this key, the same with or without a proof.
    pub fn parts(&self) -> Vec<Fr> {
        parts::<S>(&self.coordinates())
    }

    /// The field element that names this key, the same with or without a proof.
    pub fn name(&self) -> Fr {
        name::<S>(&self.coordinates())
    }

    /// The name of the sum of several keys; `None` if that is the identity, or if there are none.
    pub fn name_of_sum<'a>(keys: impl IntoIterator<Item = &'a Self>) -> Option<Fr> {
        let keys: Vec<_> = keys.into_iter().map(|key| key.key).collect();
        PublicKey::sum(&keys).map(|sum| name::<S>(&S::key_coordinates(&sum.0)))
    }

    /// The coordinates.
    pub fn coordinates(&self) -> S::RawKey {
        S::key_coordinates(&self.key.0)
    }
}

/// Coefficients for `count` proofs among these bytes, from which they are hashed: whoever looks for bad proofs that
/// pass has 2^128 lists to try.
fn coefficients(list: &[&[u8]], count: usize) -> Vec<u128> {
    let mut hash = Sha256::new_with_prefix("muster.possession.v1");
    for bytes in list {
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    }
    let coefficient = |number: usize| {
        let digest = hash.clone().chain_update((number as u64).to_be_bytes()).finalize();
        let (low, _) = digest.split_first_chunk().expect("32 bytes");
        u128::from_be_bytes(*low)
    };
    (0..count).map(coefficient).collect()
}

/// The name of a key: the Poseidon of its coordinates, each number in its [words](word_bits), the highest first, with the
/// suite's tag in the capacity lane.
pub(super) fn name<S: Possession>(point: &S::RawKey) -> Fr {
    let bits = word_bits(S::CURVE);
    let low = |number: &BigUint| number % (BigUint::from(1u8) << bits);
    let words =
        S::key_numbers(point).iter().flat_map(|n| [element(&(n >> bits)), element(&low(n))]);
    let hash = |block: &[Fr]| poseidon::hash_with_domain(poseidon::domain(S::NAME_DOMAIN), block);
    chained(words.collect(), Fr::zero(), hash, |digest| digest)
}

/// The elements that hold a key in a leaf: its coordinates, one after another in [so many bits](number_bits) each, as
/// words of [`KEY_WORD_BITS`] bits, the lowest first.
pub fn parts<S: Possession>(point: &S::RawKey) -> Vec<Fr> {
    let place = |number, next: &BigUint| (number << number_bits(S::CURVE)) + next;
    let mut rest = S::key_numbers(point).iter().rev().fold(BigUint::ZERO, place);
    let modulus = BigUint::from(1u8) << KEY_WORD_BITS;
    let mut word = || {
        let word = element(&(&rest % &modulus));
        rest >>= KEY_WORD_BITS;
        word
    };
    (0..S::LEAF.elements()).map(|_| word()).collect()
}

/// Bits that a number of a key takes in a leaf: whole machine words, so that limbs of 64 bits stay whole.
pub fn number_bits(curve: PairingCurve) -> usize {
    match curve {
        PairingCurve::Bn254 => 256,
        PairingCurve::Bls12381 => 384,
    }
}

/// Bits of the lower word of a number: each has two.
pub fn word_bits(curve: PairingCurve) -> usize {
    match curve {
        PairingCurve::Bn254 => 128,
        PairingCurve::Bls12381 => 192,
    }
}

/// Hashes words block by block: the first block is full of words, each later one has the digest before it and then
/// words. Zeros fill the last block, so that the permutation is the same as for the root of a set. Each suite has a
/// fixed number of words.
pub fn chained<T: Clone, D>(
    words: Vec<T>,
    zero: T,
    hash: impl Fn(&[T]) -> D,
    input: impl Fn(D) -> T,
) -> D {
    let (first, rest) = words.split_at(BLOCK.min(words.len()));
    let filled = |mut block: Vec<T>| {
        block.resize(BLOCK, zero.clone());
        hash(&block)
    };
    let next = |digest, words: &[T]| filled([&[input(digest)], words].concat());
    rest.chunks(BLOCK - 1).fold(filled(first.to_vec()), next)
}
