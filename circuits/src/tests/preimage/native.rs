//! The scheme outside a circuit.

use std::fmt;

use blake2::{Blake2b512, Digest};
use ff::{Field, FromUniformBytes, PrimeField};
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use muster_gadgets::signature::batch::HASH_WIDTH;
use muster_schemes::hash::poseidon;
use muster_schemes::{
    curve::edwards::PointError,
    membership::{MemberKey, PublishedSecret, MAX_PUBLISHED_SECRET},
    signature::{Description, MemberSignature, SignatureError, SignatureScheme},
};

/// Label of the tag that the hash starts with.
pub(super) const DOMAIN: &str = "muster.toy.preimage.v1";
/// Elements hashed after the secret, all 0.
pub(super) const ZEROS: usize = HASH_WIDTH - 2;

/// The scheme `toy-preimage`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Preimage;

/// An element that nobody else knows. It is wiped when dropped.
pub(crate) struct SecretKey(Zeroizing<[u8; 32]>);

/// The hash of a secret; never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PublicKey(Fr);

/// A revealed secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Opening(Fr);

impl SecretKey {
    fn secret(&self) -> Fr {
        Fr::from_repr(*self.0).expect("it was made of an element")
    }
}

impl From<Fr> for SecretKey {
    fn from(secret: Fr) -> Self {
        Self(Zeroizing::new(secret.to_repr()))
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

impl PublicKey {
    /// The key of a secret.
    pub(super) fn new(secret: Fr) -> Self {
        let mut inputs = [Fr::ZERO; 1 + ZEROS];
        inputs[0] = secret;
        Self(poseidon::hash_with_domain(poseidon::domain(DOMAIN), &inputs))
    }

    pub(super) fn digest(&self) -> Fr {
        self.0
    }
}

impl MemberKey for PublicKey {
    fn name(&self) -> Fr {
        self.0
    }

    fn published_secret(&self) -> Option<PublishedSecret> {
        let mut numbers = 0..=MAX_PUBLISHED_SECRET;
        let secret = numbers.find(|secret| Self::new(Fr::from(*secret as u64)) == *self);
        secret.map(PublishedSecret::Number)
    }
}

impl Opening {
    pub(super) fn secret(&self) -> Fr {
        self.0
    }
}

impl MemberSignature for Opening {
    fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.0)
    }
}

impl SignatureScheme for Preimage {
    const NAME: &'static str = "toy-preimage";
    type SecretKey = SecretKey;
    type PublicKey = PublicKey;
    type Message = Fr;
    type Signature = Opening;

    fn description() -> Description {
        Description {
            curve: "none",
            public_key: "32 bytes: the hash, big-endian".into(),
            message: "any element of the BN254 scalar field: it is not looked at",
            signature: "32 bytes: the secret, big-endian".into(),
            equation: format!("A = Poseidon(x, 0, 0, 0, 0) under the tag {DOMAIN}"),
            key_rules: "canonical, not 0",
            signature_rules: "canonical".into(),
            elsewhere: "a signature of anything is one of everything: a toy for tests".into(),
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey {
        Fr::random(rng).into()
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey, SignatureError> {
        let hash = Blake2b512::new_with_prefix(DOMAIN).chain_update(seed).finalize();
        Ok(Fr::from_uniform_bytes(&hash.into()).into())
    }

    fn encode_secret_key(secret_key: &SecretKey) -> Zeroizing<[u8; 32]> {
        secret_key.0.clone()
    }

    fn public_key(secret_key: &SecretKey) -> PublicKey {
        PublicKey::new(secret_key.secret())
    }

    fn sign(secret_key: &SecretKey, _: &Fr, _: &mut (impl RngCore + CryptoRng)) -> Opening {
        Opening(secret_key.secret())
    }

    fn verify(key: &PublicKey, _: &Fr, signature: &Opening) -> Result<(), SignatureError> {
        if PublicKey::new(signature.0) != *key {
            return Err(SignatureError::Equation);
        }
        Ok(())
    }

    fn encode_public_key(key: &PublicKey) -> Vec<u8> {
        to_bytes(&key.0)
    }

    fn decode_public_key(bytes: &[u8]) -> Result<PublicKey, SignatureError> {
        let digest = element(bytes, SignatureError::PublicKey(PointError::NonCanonical))?;
        if digest.is_zero_vartime() {
            return Err(SignatureError::PublicKey(PointError::Identity));
        }
        Ok(PublicKey(digest))
    }

    fn decode_signature(bytes: &[u8]) -> Result<Opening, SignatureError> {
        element(bytes, SignatureError::ScalarNotReduced).map(Opening)
    }
}

fn to_bytes(element: &Fr) -> Vec<u8> {
    element.to_repr().into_iter().rev().collect()
}

/// Reads 32 big-endian bytes of an integer below the modulus.
fn element(bytes: &[u8], otherwise: SignatureError) -> Result<Fr, SignatureError> {
    let wrong = |_| SignatureError::WrongLength { expected: 32, found: bytes.len() };
    let mut bytes: [u8; 32] = bytes.try_into().map_err(wrong)?;
    bytes.reverse();
    Fr::from_repr(bytes).into_option().ok_or(otherwise)
}
