//! Secret keys of the schemes over Weierstrass curves.

use std::fmt::{self, Debug};

use blake2::{Blake2b512, Digest};
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::SignatureError;

/// What a scheme needs for a secret key.
pub trait Secret {
    /// The key in the form of the crate that signs. It is wiped when dropped.
    type Inner: Clone;
    /// The public key.
    type PublicKey: Copy + Debug;
    /// What precedes a seed when it is hashed: a label, and whatever tells apart the schemes that
    /// share it.
    const LABELS: &'static [&'static str];

    /// A fresh key.
    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self::Inner;

    /// Reads big-endian bytes; `None` if the integer is zero or not below n.
    fn read(bytes: &[u8; 32]) -> Option<Self::Inner>;

    /// Big-endian bytes.
    fn bytes(inner: &Self::Inner) -> [u8; 32];

    /// The public key.
    fn public_key(inner: &Self::Inner) -> Self::PublicKey;
}

/// A secret scalar between 1 and n - 1, with its public key. It is wiped when dropped.
#[derive(Clone)]
pub struct SecretKey<S: Secret> {
    inner: S::Inner,
    public_key: S::PublicKey,
}

impl<S: Secret> SecretKey<S> {
    /// A fresh key.
    pub fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self {
        Self::new(S::random(rng))
    }

    /// Reads 32 big-endian bytes.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], or [`SignatureError::SecretKey`] if the integer is zero or
    /// not below n.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let bytes = SignatureError::check_length::<32>(bytes)?;
        S::read(bytes).map(Self::new).ok_or(SignatureError::SecretKey)
    }

    /// The key that a seed stands for: the first 32 bytes of the Blake2b-512 of the scheme's
    /// labels, a counter and the seed, with the least counter for which these bytes are a key.
    ///
    /// # Errors
    ///
    /// [`SignatureError::SecretKey`] if all 256 counters fail.
    pub fn from_seed(seed: &[u8; 32]) -> Result<Self, SignatureError> {
        let labels = || S::LABELS.iter().fold(Blake2b512::new(), |hash, l| hash.chain_update(l));
        (0..=u8::MAX)
            .find_map(|counter| {
                let hash = labels().chain_update([counter]).chain_update(seed).finalize();
                let digest = Zeroizing::new(<[u8; 64]>::from(hash));
                Self::from_bytes(&digest[..32]).ok()
            })
            .ok_or(SignatureError::SecretKey)
    }

    /// 32 big-endian bytes, wiped when dropped.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(S::bytes(&self.inner))
    }

    /// The public key.
    pub fn public_key(&self) -> S::PublicKey {
        self.public_key
    }

    pub(super) fn inner(&self) -> &S::Inner {
        &self.inner
    }

    fn new(inner: S::Inner) -> Self {
        let public_key = S::public_key(&inner);
        Self { inner, public_key }
    }
}

impl<S: Secret> Debug for SecretKey<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretKey").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}
