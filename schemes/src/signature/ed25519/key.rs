//! Secret and public keys.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use curve25519_dalek::scalar::{clamp_integer, Scalar};
use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{
    point::{EncodedPoint, WIDTH},
    rule,
};
use crate::{
    hash::poseidon,
    signature::{Rule, SignatureError},
};

/// Label of the tag under which an encoded key is hashed to one field element.
pub const NAME_DOMAIN: &str = "muster.key.ed25519.v1";

/// A public key: 32 bytes that encode a point of the curve which is not of small order, as every rule asks.
/// [`Self::check`] checks what else a rule asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(EncodedPoint);

impl PublicKey {
    /// Reads 32 bytes (RFC 8032, section 5.1.2).
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::Ed25519Key`] if they are not the encoding
    /// of a point, or if its order is small.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes: &[u8; WIDTH] = bytes
            .try_into()
            .map_err(|_| SignatureError::WrongLength { expected: WIDTH, found: bytes.len() })?;
        let key = EncodedPoint::decode(bytes).map(Self).map_err(SignatureError::Ed25519Key)?;
        key.check(Rule::Zip215)?;
        Ok(key)
    }

    /// The bytes that the key was read from.
    pub fn to_bytes(&self) -> [u8; WIDTH] {
        *self.0.bytes()
    }

    /// The bytes with their point.
    pub fn encoded(&self) -> &EncodedPoint {
        &self.0
    }

    /// Checks whether a set under this rule may hold the key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Ed25519Key`]: not canonical, under every rule but [`Rule::Zip215`]; outside
    /// the subgroup of order l, under [`Rule::Strict`].
    pub fn check(&self, rule: Rule) -> Result<(), SignatureError> {
        rule::check_key(rule, &self.0).map_err(SignatureError::Ed25519Key)
    }

    /// The field element under which a leaf of a key set names this key: the Poseidon of the high and
    /// the low 128 bits of the bytes as a little-endian integer, and of three zeros, with the tag
    /// [`NAME_DOMAIN`] in the capacity lane. The zeros make the permutation the same as for leaves. Two
    /// encodings of one point are two keys, as they are in a challenge.
    pub fn name(&self) -> Fr {
        let (low, high) = self.0.bytes().split_at(WIDTH / 2);
        let [high, low] = [high, low].map(|half| {
            let value = half.iter().rev().fold(0, |value, byte| value << 8 | u128::from(*byte));
            Fr::from_u128(value)
        });
        let inputs = [high, low, Fr::ZERO, Fr::ZERO, Fr::ZERO];
        poseidon::hash_with_domain(poseidon::domain(NAME_DOMAIN), &inputs)
    }
}

impl Hash for PublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.bytes().hash(state);
    }
}

/// A seed of 32 bytes (RFC 8032, section 5.1.5) and what follows from it. It is wiped when dropped.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretKey {
    seed: [u8; WIDTH],
    scalar: Scalar,
    nonce_key: [u8; WIDTH],
    #[zeroize(skip)]
    public_key: PublicKey,
}

impl SecretKey {
    /// The key of a seed of any 32 bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`].
    pub fn from_bytes(seed: &[u8]) -> Result<Self, SignatureError> {
        let seed: &[u8; WIDTH] = seed
            .try_into()
            .map_err(|_| SignatureError::WrongLength { expected: WIDTH, found: seed.len() })?;
        Ok(Self::from_seed(seed))
    }

    /// The key of a seed.
    pub fn from_seed(seed: &[u8; WIDTH]) -> Self {
        let digest = Zeroizing::new(<[u8; 2 * WIDTH]>::from(Sha512::digest(seed)));
        let [mut clamped, mut nonce_key] = [Zeroizing::new([0; WIDTH]), Zeroizing::new([0; WIDTH])];
        clamped.copy_from_slice(&digest[..WIDTH]);
        nonce_key.copy_from_slice(&digest[WIDTH..]);
        *clamped = clamp_integer(*clamped);
        let scalar = Scalar::from_bytes_mod_order(*clamped);
        // Multiples of l and 8 are multiples of 8·l, which is above 2^255: no clamped integer is one. So the
        // point is not the identity, and its order is l.
        let public_key = PublicKey(EncodedPoint::of_scalar(&scalar));
        Self { seed: *seed, scalar, nonce_key: *nonce_key, public_key }
    }

    /// The seed, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; WIDTH]> {
        Zeroizing::new(self.seed)
    }

    /// The public key.
    pub fn public_key(&self) -> PublicKey {
        self.public_key
    }

    pub(super) fn scalar(&self) -> &Scalar {
        &self.scalar
    }

    pub(super) fn nonce_key(&self) -> &[u8; WIDTH] {
        &self.nonce_key
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}
