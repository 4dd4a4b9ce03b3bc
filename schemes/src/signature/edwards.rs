//! What the schemes over Baby Jubjub share: the signature pair (R, s), and secret nonces.

use blake2::{Blake2b512, Digest};
use ff::Field;
use halo2curves::bn256::Fr;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use super::{Description, MemberSignature, SignatureError};
use crate::curve::edwards::{msm_vartime, AffinePoint, Point, Scalar, SubgroupPoint};

/// Bytes of an encoded signature: R packed, then s little-endian, as iden3 writes EdDSA.
const LENGTH: usize = 64;

/// A pair (R, s): R is in the prime-order subgroup and not the identity, and s is below l. Zero is
/// a valid s if the equation holds for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    r: SubgroupPoint,
    s: Scalar,
}

impl Signature {
    /// The pair (R, s).
    pub fn new(r: SubgroupPoint, s: Scalar) -> Self {
        Self { r, s }
    }

    /// The nonce commitment R.
    pub fn r(&self) -> SubgroupPoint {
        self.r
    }

    /// The response s.
    pub fn s(&self) -> Scalar {
        self.s
    }

    /// R packed in 32 bytes, then s in 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; LENGTH] {
        [self.r.to_bytes(), self.s.to_bytes()]
            .as_flattened()
            .try_into()
            .expect("two halves of 32 bytes")
    }

    /// Reads [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongLength`], [`SignatureError::Nonce`] or
    /// [`SignatureError::ScalarNotReduced`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SignatureError> {
        let [r, s] = SignatureError::check_halves(bytes)?;
        let s = Scalar::from_bytes(&s).ok_or(SignatureError::ScalarNotReduced)?;
        Ok(Self { r: SubgroupPoint::from_bytes(&r).map_err(SignatureError::Nonce)?, s })
    }

    /// Checks s·B = R + c·A. In the prime-order subgroup this is the cofactored equation too.
    pub(super) fn check(&self, c: &Scalar, a: &SubgroupPoint) -> Result<(), SignatureError> {
        let generator = Point::from(AffinePoint::generator());
        let expected = msm_vartime(&[(self.s, generator), (-*c, (*a).into())]);
        (expected == self.r.into()).then_some(()).ok_or(SignatureError::Equation)
    }
}

impl MemberSignature for Signature {
    fn to_bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }
}

/// The description of a scheme with such signatures. `signers` says whose signature it is.
pub(super) fn description(equation: String, signers: &str, elsewhere: String) -> Description {
    Description {
        curve: "Baby Jubjub (EIP-2494, circomlib): twisted Edwards over the BN254 scalar field",
        public_key:
            "32 bytes, circomlib's packPoint: y little-endian, top bit set if x > (r - 1)/2"
                .to_owned(),
        message: "32 bytes: an element of the BN254 scalar field, big-endian, below the modulus",
        signature: format!("{LENGTH} bytes {signers}: R packed, then s little-endian"),
        equation,
        key_rules: "canonical, on the curve, in the prime-order subgroup, not the identity",
        signature_rules: "R as for a key; s below the group order l (zero is allowed)".to_owned(),
        elsewhere,
    }
}

/// A signature that has not been checked: what a file or an attacker brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawSignature {
    /// The x coordinate of R.
    pub x: Fr,
    /// The y coordinate of R.
    pub y: Fr,
    /// s, little-endian.
    pub s: [u8; 32],
}

impl From<Signature> for RawSignature {
    fn from(signature: Signature) -> Self {
        Self { x: signature.r.x(), y: signature.r.y(), s: signature.s.to_bytes() }
    }
}

impl TryFrom<RawSignature> for Signature {
    type Error = SignatureError;

    fn try_from(raw: RawSignature) -> Result<Self, SignatureError> {
        signature_from_parts(raw.x, raw.y, &raw.s)
    }
}

/// Checks the coordinates of R and the little-endian integer s.
///
/// # Errors
///
/// [`SignatureError::Nonce`] or [`SignatureError::ScalarNotReduced`].
pub fn signature_from_parts(x: Fr, y: Fr, s: &[u8; 32]) -> Result<Signature, SignatureError> {
    let s = Scalar::from_bytes(s).ok_or(SignatureError::ScalarNotReduced)?;
    Ok(Signature { r: SubgroupPoint::from_coordinates(x, y).map_err(SignatureError::Nonce)?, s })
}

/// A secret nonce that is not zero: Blake2b-512 of the label, the secret key, 32 fresh bytes and
/// the context, reduced modulo l from 512 bits so that its bias is below 2^-250.
///
/// The nonce is hedged: with a random number generator that repeats itself it is still a secret
/// that differs from context to context, so `context` must hold everything the challenge depends
/// on. All parts have fixed lengths for one label.
pub(super) fn hedged_nonce(
    label: &str,
    secret: &Scalar,
    rng: &mut (impl RngCore + CryptoRng),
    context: &[&[u8]],
) -> Zeroizing<Scalar> {
    loop {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.fill_bytes(fresh.as_mut());
        let mut hash = Blake2b512::new_with_prefix(label);
        hash.update(Zeroizing::new(secret.to_bytes()));
        hash.update(fresh);
        context.iter().for_each(|part| hash.update(part));
        let digest = Zeroizing::new(<[u8; 64]>::from(hash.finalize()));
        let nonce = Zeroizing::new(Scalar::from_wide(&digest));
        if !bool::from(nonce.is_zero()) {
            return nonce;
        }
    }
}
