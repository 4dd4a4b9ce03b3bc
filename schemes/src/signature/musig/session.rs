//! The two rounds of MuSig2: nonces, then partial signatures.

use ff::PrimeField;
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use rayon::prelude::*;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::native::{challenge, KeyAggregation, Musig, MusigError};
use crate::curve::edwards::{msm_vartime, AffinePoint, Point, Scalar, SubgroupPoint};
use crate::hash::poseidon;
use crate::signature::schnorr::SecretKey;
use crate::signature::{edwards::hedged_nonce, Signature, SignatureScheme};

/// Label of the tag of the nonce coefficient.
pub const NONCE_DOMAIN: &str = "muster.musig.nonce.v1";

const NONCE_LABELS: [&str; 2] = ["muster.musig.k1.v1", "muster.musig.k2.v1"];

/// The two secret nonces of a signer. Signing consumes them, and they are wiped when dropped.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SecretNonce {
    k: [Scalar; 2],
    #[zeroize(skip)]
    public: PublicNonce,
    #[zeroize(skip)]
    public_key: SubgroupPoint,
}

/// The commitments R₁ and R₂ to a signer's nonces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicNonce([SubgroupPoint; 2]);

/// The sums of all signers' commitments. Either may be the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AggregateNonce([AffinePoint; 2]);

/// A signer's share of the response, sᵢ = k₁ + b·k₂ + c·aᵢ·xᵢ modulo l.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialSignature(Scalar);

impl SecretNonce {
    /// Draws nonces for one session.
    ///
    /// The secret key, the aggregate key and the message, if already known, enter the derivation,
    /// so a poor generator alone gives nothing away. It must still never repeat itself: with the
    /// same message twice, cosigners who send different nonces the second time learn the key. Never
    /// keep or copy a state from which this call would be repeated.
    pub fn generate(
        secret_key: &SecretKey,
        keys: &KeyAggregation,
        message: Option<&Fr>,
        rng: &mut (impl RngCore + CryptoRng),
    ) -> Self {
        let public_key = secret_key.public_key();
        let (own, aggregate) = (public_key.to_bytes(), keys.aggregate().to_bytes());
        let (known, message) =
            ([u8::from(message.is_some())], message.copied().unwrap_or_default().to_repr());
        let context: [&[u8]; 4] = [&own, &aggregate, &known, message.as_ref()];
        let draw = |label| *hedged_nonce(label, secret_key.scalar(), rng, &context);
        let k = NONCE_LABELS.map(draw);
        let commit =
            |k: Scalar| SubgroupPoint::mul_generator(&k).expect("hedged nonces are not zero");
        Self { k, public: PublicNonce(k.map(commit)), public_key }
    }

    /// The commitments to send to the cosigners.
    pub fn public(&self) -> PublicNonce {
        self.public
    }
}

impl std::fmt::Debug for SecretNonce {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretNonce").field("public", &self.public).finish_non_exhaustive()
    }
}

impl PublicNonce {
    /// R₁ and R₂, packed: 64 bytes.
    pub fn to_bytes(&self) -> [u8; 64] {
        let halves = self.0.map(|commitment| commitment.to_bytes());
        halves.as_flattened().try_into().expect("two halves of 32 bytes")
    }

    /// Reads [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`MusigError::WrongLength`] or [`MusigError::Nonce`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MusigError> {
        if bytes.len() != 64 {
            return Err(MusigError::WrongLength { expected: 64, found: bytes.len() });
        }
        let read = |half| SubgroupPoint::from_bytes(half).map_err(MusigError::Nonce);
        Ok(Self([read(&bytes[..32])?, read(&bytes[32..])?]))
    }
}

impl AggregateNonce {
    /// Adds up the nonces of all signers.
    pub fn new(nonces: &[PublicNonce]) -> Self {
        let sum = |i: usize| nonces.iter().map(|n| Point::from(n.0[i])).sum::<Point>().to_affine();
        Self([sum(0), sum(1)])
    }

    /// The sums of the first and of the second commitments.
    pub fn points(&self) -> [AffinePoint; 2] {
        self.0
    }
}

impl PartialSignature {
    /// The share as an integer modulo l.
    pub fn scalar(&self) -> Scalar {
        self.0
    }

    /// 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Reads [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`MusigError::WrongLength`] or [`MusigError::ScalarNotReduced`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MusigError> {
        let bytes: &[u8; 32] = bytes
            .try_into()
            .map_err(|_| MusigError::WrongLength { expected: 32, found: bytes.len() })?;
        Scalar::from_bytes(bytes).map(Self).ok_or(MusigError::ScalarNotReduced)
    }
}

/// The coefficient b of the second nonce as hashed, before it is reduced modulo l.
pub fn nonce_coefficient(
    aggregate: impl Into<AffinePoint>,
    nonce: &AggregateNonce,
    message: &Fr,
) -> Fr {
    let (key, [r1, r2]) = (aggregate.into(), nonce.0);
    let inputs = [key.x(), key.y(), r1.x(), r1.y(), r2.x(), r2.y(), *message];
    poseidon::hash_with_domain(poseidon::domain(NONCE_DOMAIN), &inputs)
}

/// What all signers of one message agree on once the nonces are known.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    keys: &'a KeyAggregation,
    message: Fr,
    b: Scalar,
    c: Scalar,
    r: SubgroupPoint,
}

impl<'a> Session<'a> {
    /// Fixes the nonce commitment R = R₁ + b·R₂ and the challenge c.
    ///
    /// # Errors
    ///
    /// [`MusigError::AggregateNonce`] if R is the identity: a signer is cheating; draw new nonces.
    pub fn new(
        keys: &'a KeyAggregation,
        nonce: &AggregateNonce,
        message: &Fr,
    ) -> Result<Self, MusigError> {
        let key = keys.aggregate();
        let b = Scalar::from_base(&nonce_coefficient(key, nonce, message));
        let [r1, r2] = nonce.0.map(Point::from);
        let r = SubgroupPoint::from_subgroup(&(r1 + r2.mul_vartime(&b)))
            .map_err(MusigError::AggregateNonce)?;
        let c = Scalar::from_base(&challenge(r, key, message));
        Ok(Self { keys, message: *message, b, c, r })
    }

    /// The nonce commitment of the signature in the making.
    pub fn r(&self) -> SubgroupPoint {
        self.r
    }

    /// A signer's share. The nonces are gone afterwards, even if this fails.
    ///
    /// # Errors
    ///
    /// [`MusigError::NotASigner`] or [`MusigError::WrongNonce`].
    pub fn sign(
        &self,
        secret_key: &SecretKey,
        nonce: SecretNonce,
    ) -> Result<PartialSignature, MusigError> {
        let key = secret_key.public_key();
        let index = self.keys.keys().iter().position(|k| *k == key);
        let index = index.ok_or(MusigError::NotASigner)?;
        if nonce.public_key != key {
            return Err(MusigError::WrongNonce);
        }
        let weight = self.c * self.keys.coefficients()[index];
        let [k1, k2] = &nonce.k;
        Ok(PartialSignature(*k1 + self.b * k2 + weight * secret_key.scalar()))
    }

    /// Checks the share of the signer at `index`: sᵢ·B = R₁ᵢ + b·R₂ᵢ + c·aᵢ·Xᵢ.
    ///
    /// # Errors
    ///
    /// [`MusigError::UnknownSigner`] or [`MusigError::BadPartial`].
    pub fn verify_partial(
        &self,
        index: usize,
        nonce: &PublicNonce,
        partial: &PartialSignature,
    ) -> Result<(), MusigError> {
        let key = *self.keys.keys().get(index).ok_or(MusigError::UnknownSigner(index))?;
        let expected = msm_vartime(&[
            (partial.0, AffinePoint::generator().into()),
            (-self.b, nonce.0[1].into()),
            (-(self.c * self.keys.coefficients()[index]), key.into()),
        ]);
        (expected == nonce.0[0].into()).then_some(()).ok_or(MusigError::BadPartial(index))
    }

    /// Adds up the shares, given with each signer's nonce in the order of the keys, and checks the
    /// signature. Only if it fails are the shares checked one by one.
    ///
    /// # Errors
    ///
    /// [`MusigError::Contributions`], [`MusigError::BadPartial`] with the first signer whose share
    /// is bad, or [`MusigError::NonceMismatch`].
    pub fn aggregate(
        &self,
        shares: &[(PublicNonce, PartialSignature)],
    ) -> Result<Signature, MusigError> {
        let expected = self.keys.keys().len();
        if shares.len() != expected {
            return Err(MusigError::Contributions { expected, found: shares.len() });
        }
        let s = shares.iter().map(|(_, partial)| partial.0).sum();
        let signature = Signature::new(self.r, s);
        if Musig::verify(&self.keys.aggregate(), &self.message, &signature).is_ok() {
            return Ok(signature);
        }
        for (index, (nonce, partial)) in shares.iter().enumerate() {
            self.verify_partial(index, nonce, partial)?;
        }
        Err(MusigError::NonceMismatch)
    }
}

/// Both rounds of a session whose signers are all here, by their secret keys in the order of the set with the
/// root `set_root`. For samples and tests: elsewhere no machine holds more than one of the keys.
///
/// # Errors
///
/// Those of [`KeyAggregation::new`] and [`Session::new`].
pub fn sign_together<R: RngCore + CryptoRng + Send>(
    set_root: &Fr,
    signers: Vec<(SecretKey, R)>,
    message: &Fr,
) -> Result<Signature, MusigError> {
    let points: Vec<_> = signers.iter().map(|(secret, _)| secret.public_key()).collect();
    let keys = KeyAggregation::new(set_root, &points)?;
    let draw = |(secret, mut rng): (SecretKey, R)| {
        let nonce = SecretNonce::generate(&secret, &keys, Some(message), &mut rng);
        (secret, nonce)
    };
    let signers: Vec<_> = signers.into_par_iter().map(draw).collect();
    let nonces: Vec<_> = signers.iter().map(|(_, nonce)| nonce.public()).collect();
    let session = Session::new(&keys, &AggregateNonce::new(&nonces), message)?;
    let share = |(secret, nonce): (SecretKey, SecretNonce)| session.sign(&secret, nonce);
    let shares = signers.into_par_iter().map(share).collect::<Result<Vec<_>, _>>()?;
    let shares: Vec<_> = nonces.into_iter().zip(shares).collect();
    session.aggregate(&shares)
}
