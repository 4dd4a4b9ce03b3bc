//! Secret and public keys, and seeds that are in print, or that anyone would try first.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use curve25519_dalek::scalar::{clamp_integer, Scalar};
use ff::Field;
use halo2curves::bn256::Fr;
use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{
    point::{EncodedPoint, WIDTH},
    rule,
};
use crate::{
    field::halves,
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
        let bytes = SignatureError::check_length::<WIDTH>(bytes)?;
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
        name_of(self.0.bytes(), [Fr::ZERO; 3])
    }
}

/// What names 32 bytes with more behind them: that of a key has zeros there, so nothing else has the name of a key.
pub(crate) fn name_of(bytes: &[u8; WIDTH], more: [Fr; 3]) -> Fr {
    let mut big_endian = *bytes;
    big_endian.reverse();
    let ([high, low], [third, fourth, fifth]) = (halves(&big_endian), more);
    let inputs = [high, low, third, fourth, fifth];
    poseidon::hash_with_domain(poseidon::domain(NAME_DOMAIN), &inputs)
}

/// Whether 32 bytes encode a point of small order, canonically or not.
pub(crate) fn is_small_order(bytes: &[u8; WIDTH]) -> bool {
    EncodedPoint::decode(bytes).is_ok_and(|point| point.is_small_order())
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
        let seed = SignatureError::check_length::<WIDTH>(seed)?;
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

/// The secret keys of RFC 8032: the five of section 7.1, of which the last is that of section 7.3 as well, and the two
/// of section 7.2.
const RFC_8032: [&str; 7] = [
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
    "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
    "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560",
];

/// Those of RFC 8032, one byte 32 times, and the numbers that fit in a byte, in either byte order.
pub(crate) fn published_seeds() -> impl Iterator<Item = [u8; WIDTH]> {
    let plain = (0..=u8::MAX).flat_map(|byte| {
        let [mut first, mut last] = [[0; WIDTH]; 2];
        (first[0], last[WIDTH - 1]) = (byte, byte);
        [[byte; WIDTH], first, last]
    });
    let read = |text: &str| {
        let mut seed = [0; WIDTH];
        hex::decode_to_slice(text, &mut seed).expect("32 bytes in hex");
        seed
    };
    RFC_8032.into_iter().map(read).chain(plain)
}
