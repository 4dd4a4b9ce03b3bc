//! ECDSA over secp256k1 and P-256, on a 32-byte digest (FIPS 186-5, section 6.4; SEC 1 version 2.0, section 4.1).
//!
//! With the generator G of order n, the secret key d, the public key A = d·G and the digest z as a
//! big-endian integer, a signature is (r, s) with r = x(k·G) mod n and s = (z + r·d)/k mod n. It
//! verifies if R = (z/s)·G + (r/s)·A is not the identity and x(R) = r modulo n.
//!
//! ```
//! use muster_schemes::{
//!     hash::keccak::keccak256,
//!     signature::{
//!         ecdsa::{EcdsaP256, EcdsaSecp256k1, SecretKey},
//!         SignatureScheme,
//!     },
//! };
//! use rand::rngs::OsRng;
//!
//! let digest = keccak256(b"pay 5 to Bob");
//!
//! // Over secp256k1, the signature tells the key, and with it the address.
//! let secret = SecretKey::from_bytes(&hex::decode("00".repeat(31) + "01").unwrap()).unwrap();
//! let (signature, id) = EcdsaSecp256k1::sign_recoverable(&secret, &digest);
//! let key = EcdsaSecp256k1::recover(&digest, &signature, id).unwrap();
//! assert_eq!(key.address().to_string(), "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
//!
//! // Over P-256.
//! let secret = EcdsaP256::keygen(&mut OsRng);
//! let signature = EcdsaP256::sign(&secret, &digest, &mut OsRng);
//! assert!(EcdsaP256::verify(&EcdsaP256::public_key(&secret), &digest, &signature).is_ok());
//! ```

mod signature;
mod suite;

#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "tests/vectors.rs"]
pub(crate) mod vectors;

use signature::LENGTH;
pub use signature::{decode_recoverable, encode_recoverable, RecoveryId, Signature};
use suite::point_of;
pub use suite::{Ecdsa, EcdsaP256, EcdsaSecp256k1, SecretKey, Suite};

use k256::ecdsa::hazmat::SignPrimitive;
use k256::elliptic_curve::{
    ff::PrimeField,
    group::{Curve as _, Group},
    ops::{Invert, LinearCombination, Reduce},
    sec1::{EncodedPoint, FromEncodedPoint},
    AffinePoint, FieldBytes, ProjectivePoint, Scalar,
};
use num_bigint::BigUint;
use rand_core::{CryptoRng, RngCore};
use zeroize::Zeroizing;

use crate::curve::weierstrass::{to_bytes, Curve, Point};
use crate::signature::{
    error::recovery_in_words, scheme, Description, KeyKind, Rule, SignatureError, SignatureScheme,
};

impl<C: Suite> Ecdsa<C> {
    /// The curve.
    pub const CURVE: Curve = C::CURVE;
    /// The rule of [`SignatureScheme::verify`].
    pub const RULE: Rule = C::RULES[0];

    /// Checks a signature on a digest under a rule, in variable time.
    ///
    /// # Errors
    ///
    /// [`SignatureError::Key`] or [`SignatureError::WrongCurve`] for the other curve,
    /// [`SignatureError::HighS`], [`SignatureError::Equation`].
    pub fn verify_with(
        rule: Rule,
        public_key: &Point,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        Self::accepted_nonce(rule, public_key, message, signature).map(|_| ())
    }

    /// The same, and returns R with both coordinates.
    pub fn accepted_nonce(
        rule: Rule,
        public_key: &Point,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<Point, SignatureError> {
        public_key.on(C::CURVE).map_err(SignatureError::Key)?;
        check_curve::<C>(signature)?;
        if rule != Rule::AnyS && signature.is_high() {
            return Err(SignatureError::HighS);
        }
        let nonce = nonce_point_over::<C>(public_key, message, signature);
        nonce.ok_or(SignatureError::Equation)
    }

    /// Signs a digest with the nonce of RFC 6979, and returns which point R is. Over secp256k1, s
    /// is low.
    pub fn sign_recoverable(
        secret_key: &SecretKey<C>,
        message: &[u8; 32],
    ) -> (Signature, RecoveryId) {
        // RFC 6979 seeds its generator with the digest modulo n (bits2octets, section 2.3.4), and
        // the signature depends on no more of the digest.
        let digest = scalar_of::<C>(message).to_repr();
        let scalar = Zeroizing::new(secret_key.inner().to_nonzero_scalar());
        let (signature, id) = scalar
            .try_sign_prehashed_rfc6979::<C::Digest>(&digest, &[])
            .expect("no digest is known whose nonce gives r = 0 or s = 0");
        let id = id.expect("both curves tell it");
        let id = RecoveryId { is_odd: id.is_y_odd(), is_above_order: id.is_x_reduced() };
        let signature = Signature::from_bytes(C::CURVE, &signature.to_bytes());
        let signature = signature.expect("r and s are not zero");
        if Self::RULE == Rule::LowS && signature.is_high() {
            return (signature.negate(), id.negate());
        }
        (signature, id)
    }

    /// The key under which a signature on a digest verifies, in variable time. It is the only one
    /// whose R is the one that `id` names. No rule on s is applied.
    ///
    /// # Errors
    ///
    /// [`SignatureError::WrongCurve`], or [`SignatureError::NotRecoverable`] if there is no such R,
    /// or its key would be the identity.
    pub fn recover(
        message: &[u8; 32],
        signature: &Signature,
        id: RecoveryId,
    ) -> Result<Point, SignatureError> {
        check_curve::<C>(signature)?;
        let nonce = lift(signature, id).ok_or(SignatureError::NotRecoverable)?;
        // From s·R = z·G + r·A follows A = (s/r)·R - (z/r)·G.
        let inverse = inverse::<C>(&signature.r());
        let u1 = -(scalar_of::<C>(message) * inverse);
        let u2 = scalar_of::<C>(&signature.s()) * inverse;
        combine::<C>(&u1, &nonce, &u2).ok_or(SignatureError::NotRecoverable)
    }
}

/// R = (z/s)·G + (r/s)·A with both coordinates, if (r, s) is a signature on the digest z by A under
/// [`Rule::AnyS`]: then R is not the identity, and x(R) is r or, rarely, r + n. In variable time.
pub fn nonce_point(public_key: &Point, message: &[u8; 32], signature: &Signature) -> Option<Point> {
    if public_key.curve() != signature.curve() {
        return None;
    }
    match signature.curve() {
        Curve::Secp256k1 => nonce_point_over::<k256::Secp256k1>(public_key, message, signature),
        Curve::P256 => nonce_point_over::<p256::NistP256>(public_key, message, signature),
        Curve::Edwards25519 => None,
    }
}

fn nonce_point_over<C: Suite>(
    public_key: &Point,
    message: &[u8; 32],
    signature: &Signature,
) -> Option<Point> {
    let inverse = inverse::<C>(&signature.s());
    let u1 = scalar_of::<C>(message) * inverse;
    let u2 = scalar_of::<C>(&signature.r()) * inverse;
    let nonce = combine::<C>(&u1, public_key, &u2)?;
    (scalar_of::<C>(&nonce.x()).to_repr()[..] == signature.r()).then_some(nonce)
}

fn check_curve<C: Suite>(signature: &Signature) -> Result<(), SignatureError> {
    let (expected, found) = (C::CURVE, signature.curve());
    (found == expected).then_some(()).ok_or(SignatureError::WrongCurve { expected, found })
}

/// The point that a recovery byte stands for, if there is one.
fn lift(signature: &Signature, id: RecoveryId) -> Option<Point> {
    let curve = signature.curve();
    let mut x = BigUint::from_bytes_be(&signature.r());
    if id.is_above_order {
        x += curve.n();
    }
    (&x < curve.p()).then(|| Point::from_x(curve, &to_bytes(&x), id.is_odd).ok())?
}

/// u1·G + u2·P, unless it is the identity.
pub(crate) fn combine<C: Suite>(u1: &Scalar<C>, point: &Point, u2: &Scalar<C>) -> Option<Point> {
    let generator = ProjectivePoint::<C>::generator();
    let sum = ProjectivePoint::<C>::lincomb(&generator, u1, &affine_of::<C>(point).into(), u2);
    point_of::<C>(&sum.to_affine())
}

/// Big-endian bytes as an integer modulo n.
pub(crate) fn scalar_of<C: Suite>(bytes: &[u8; 32]) -> Scalar<C> {
    Reduce::<C::Uint>::reduce_bytes(FieldBytes::<C>::from_slice(bytes))
}

/// The inverse modulo n of an integer between 1 and n - 1.
fn inverse<C: Suite>(bytes: &[u8; 32]) -> Scalar<C> {
    let inverse = scalar_of::<C>(bytes).invert_vartime();
    Option::from(inverse).expect("a signature holds no zero")
}

fn affine_of<C: Suite>(point: &Point) -> AffinePoint<C> {
    let (x, y) = (point.x(), point.y());
    let encoded = EncodedPoint::<C>::from_affine_coordinates(&x.into(), &y.into(), false);
    Option::from(AffinePoint::<C>::from_encoded_point(&encoded)).expect("a point of the curve")
}

impl<C: Suite> SignatureScheme for Ecdsa<C> {
    const NAME: &'static str = C::NAME;
    const KEY_KINDS: &'static [KeyKind] = C::KEY_KINDS;
    /// Compressed, or not.
    const KEY_LENGTHS: &'static [usize] = &[33, 65];
    const RULES: &'static [Rule] = &C::RULES;
    type SecretKey = SecretKey<C>;
    type PublicKey = Point;
    type Message = [u8; 32];
    type Signature = Signature;

    fn description() -> Description {
        let (mut public_key, mut signature) = (
            "33 or 65 bytes (SEC 1, compressed or not)".to_owned(),
            format!("{LENGTH} bytes per signer: r, then s, big-endian (IEEE P1363)"),
        );
        if C::KEY_KINDS.contains(&KeyKind::Address) {
            public_key += "; with --keys address, the 20 bytes of an address (EIP-55)";
            signature +=
                &format!("; with --keys address, {}: then v, {}", LENGTH + 1, recovery_in_words());
        }
        let rule = |rule: Rule| {
            let default = if rule == Self::RULE { ", the default" } else { "" };
            format!("{} (--rule {}{default})", rule.words(), rule.name())
        };
        Description {
            curve: scheme::origin(C::CURVE),
            public_key,
            message: scheme::DIGEST,
            signature,
            equation:
                "R = (m/s)·G + (r/s)·A is not the identity, and R.x = r modulo n (FIPS 186-5)"
                    .to_owned(),
            key_rules: scheme::ON_CURVE,
            signature_rules: format!(
                "r and s from 1 to n - 1; {}",
                [Rule::LowS, Rule::AnyS].map(rule).join(" or ")
            ),
            elsewhere:
                "count if the 32 bytes are the same: only the digest is signed. Sign digests \
                        with a prefix of your own"
                    .to_owned(),
        }
    }

    fn keygen(rng: &mut (impl RngCore + CryptoRng)) -> SecretKey<C> {
        SecretKey::random(rng)
    }

    fn secret_key_from_seed(seed: &[u8; 32]) -> Result<SecretKey<C>, SignatureError> {
        SecretKey::from_seed(seed)
    }

    fn encode_secret_key(secret_key: &SecretKey<C>) -> Zeroizing<[u8; 32]> {
        secret_key.to_bytes()
    }

    fn public_key(secret_key: &SecretKey<C>) -> Point {
        secret_key.public_key()
    }

    fn sign(
        secret_key: &SecretKey<C>,
        message: &[u8; 32],
        _: &mut (impl RngCore + CryptoRng),
    ) -> Signature {
        Self::sign_recoverable(secret_key, message).0
    }

    fn verify(
        public_key: &Point,
        message: &[u8; 32],
        signature: &Signature,
    ) -> Result<(), SignatureError> {
        Self::verify_with(Self::RULE, public_key, message, signature)
    }

    fn encode_public_key(public_key: &Point) -> Vec<u8> {
        public_key.to_sec1().to_vec()
    }

    fn decode_public_key(bytes: &[u8]) -> Result<Point, SignatureError> {
        Point::from_sec1(C::CURVE, bytes).map_err(SignatureError::Key)
    }

    fn decode_signature(bytes: &[u8]) -> Result<Signature, SignatureError> {
        Signature::from_bytes(C::CURVE, bytes)
    }
}
