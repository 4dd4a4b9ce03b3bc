//! The curves of the scheme, and secret keys.

use std::marker::PhantomData;

use k256::ecdsa::hazmat::{DigestPrimitive, SignPrimitive};
use k256::elliptic_curve::{
    self,
    consts::U32,
    sec1::{Coordinates, FromEncodedPoint, ToEncodedPoint},
    AffinePoint, CurveArithmetic, FieldBytes, PrimeCurve,
};
use rand_core::{CryptoRng, RngCore};

use crate::curve::weierstrass::{Curve, Point};
use crate::signature::{
    secret::{self, Secret},
    Choices, KeyKind, Rule,
};

/// What a curve from the RustCrypto crates needs for a scheme.
pub trait Suite:
    PrimeCurve<FieldBytesSize = U32>
    + DigestPrimitive
    + CurveArithmetic<
        Scalar: SignPrimitive<Self>,
        AffinePoint: FromEncodedPoint<Self> + ToEncodedPoint<Self>,
    >
{
    /// The name of the scheme on the command line and in files.
    const NAME: &'static str;
    /// The curve.
    const CURVE: Curve;
    /// The rules by which the scheme may accept signatures, the default first.
    const RULES: [Rule; 2];
    /// How a set can name its members. Ethereum addresses are those of keys over secp256k1.
    const KEY_KINDS: &'static [KeyKind];
}

impl Suite for k256::Secp256k1 {
    const NAME: &'static str = "ecdsa-secp256k1";
    const CURVE: Curve = Curve::Secp256k1;
    const RULES: [Rule; 2] = [Rule::LowS, Rule::AnyS];
    const KEY_KINDS: &'static [KeyKind] = &[KeyKind::Coordinates, KeyKind::Address];
}

impl Suite for p256::NistP256 {
    const NAME: &'static str = "ecdsa-p256";
    const CURVE: Curve = Curve::P256;
    const RULES: [Rule; 2] = [Rule::AnyS, Rule::LowS];
    const KEY_KINDS: &'static [KeyKind] = &[KeyKind::Coordinates];
}

/// ECDSA over a curve, under a rule and with a way to name members.
#[derive(Clone, Copy, Debug)]
pub struct Ecdsa<C> {
    choices: Choices,
    curve: PhantomData<C>,
}

impl<C: Suite> Ecdsa<C> {
    /// The scheme with these choices.
    pub fn new(choices: Choices) -> Self {
        Self { choices, curve: PhantomData }
    }

    /// The choices.
    pub fn choices(&self) -> Choices {
        self.choices
    }

    /// The rule by which signatures are accepted.
    pub fn rule(&self) -> Rule {
        self.choices.rule().unwrap_or(C::RULES[0])
    }
}

/// The scheme `ecdsa-secp256k1`.
pub type EcdsaSecp256k1 = Ecdsa<k256::Secp256k1>;
/// The scheme `ecdsa-p256`.
pub type EcdsaP256 = Ecdsa<p256::NistP256>;

/// Converts a point of the crates to ours; `None` for the identity.
pub(super) fn point_of<C: Suite>(point: &AffinePoint<C>) -> Option<Point> {
    match point.to_encoded_point(false).coordinates() {
        Coordinates::Uncompressed { x, y } => {
            Point::from_coordinates(C::CURVE, x.as_ref(), y.as_ref()).ok()
        }
        _ => None,
    }
}

/// A secret scalar between 1 and n - 1, with its public key. It is wiped when dropped.
pub type SecretKey<C> = secret::SecretKey<Ecdsa<C>>;

impl<C: Suite> Secret for Ecdsa<C> {
    type Inner = elliptic_curve::SecretKey<C>;
    type PublicKey = Point;
    const LABELS: &'static [&'static str] = &["muster.ecdsa.key.v1", C::NAME];

    fn random(rng: &mut (impl RngCore + CryptoRng)) -> Self::Inner {
        elliptic_curve::SecretKey::random(rng)
    }

    fn read(bytes: &[u8; 32]) -> Option<Self::Inner> {
        elliptic_curve::SecretKey::from_bytes(FieldBytes::<C>::from_slice(bytes)).ok()
    }

    fn bytes(inner: &Self::Inner) -> [u8; 32] {
        inner.to_bytes().into()
    }

    fn public_key(inner: &Self::Inner) -> Point {
        let point = point_of::<C>(inner.public_key().as_affine());
        point.expect("a secret key is not zero")
    }
}
