//! The suites, and what the aggregation needs from them beyond frost-core's trait.

use std::{fmt, str::FromStr};

use frost_core::{Element, Group, GroupError, Scalar};
use frost_ed25519::Ed25519Sha512;
use frost_ed448::Ed448Shake256;
use frost_p256::P256Sha256;
use frost_rerandomized::RandomizedCiphersuite;
use frost_ristretto255::Ristretto255Sha512;
use frost_secp256k1::Secp256K1Sha256;
use frost_secp256k1_tr::Secp256K1Sha256TR;
use muster_schemes::curve::edwards::{batch_normalize, msm_vartime, AffinePoint};
use serde::{Deserialize, Serialize};

use super::{babyjubjub::BabyJubjubPoseidon, msm};

/// A ciphersuite with the fastest multi-scalar multiplication that its curve's library has.
pub trait Suite: RandomizedCiphersuite {
    /// Which of the suites it is.
    const NAME: SuiteName;

    /// The scalar of an integer.
    fn scalar(integer: u128) -> Scalar<Self>;

    /// The sum of scalar times point over all pairs, in time that depends on the scalars: for public
    /// data only.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn msm(scalars: &[Scalar<Self>], points: &[Element<Self>]) -> Element<Self> {
        msm::generic::<Self>(scalars, points)
    }

    /// The encodings of points, with one inversion if the curve's library allows it.
    ///
    /// # Errors
    ///
    /// [`GroupError::InvalidIdentityElement`] for the identity.
    fn encode(points: &[Element<Self>]) -> Result<Vec<Vec<u8>>, GroupError> {
        let encode = |point| Ok(Self::Group::serialize(point)?.as_ref().to_vec());
        points.iter().map(encode).collect()
    }

    /// Whether signers negate their nonces if this is the sum of the commitments. Only BIP-340 has
    /// points for which they do.
    fn negates_nonces(_commitment: &Element<Self>) -> bool {
        false
    }
}

impl Suite for Ed25519Sha512 {
    const NAME: SuiteName = SuiteName::Ed25519;

    fn scalar(integer: u128) -> Scalar<Self> {
        integer.into()
    }

    fn msm(scalars: &[Scalar<Self>], points: &[Element<Self>]) -> Element<Self> {
        use curve25519_dalek::traits::VartimeMultiscalarMul;
        Element::<Self>::vartime_multiscalar_mul(scalars, points)
    }
}

impl Suite for Ristretto255Sha512 {
    const NAME: SuiteName = SuiteName::Ristretto255;

    fn scalar(integer: u128) -> Scalar<Self> {
        integer.into()
    }

    fn msm(scalars: &[Scalar<Self>], points: &[Element<Self>]) -> Element<Self> {
        use curve25519_dalek::traits::VartimeMultiscalarMul;
        Element::<Self>::vartime_multiscalar_mul(scalars, points)
    }
}

impl Suite for Ed448Shake256 {
    const NAME: SuiteName = SuiteName::Ed448;

    fn scalar(integer: u128) -> Scalar<Self> {
        let mut bytes = [0; 56];
        bytes[..16].copy_from_slice(&integer.to_le_bytes());
        Scalar::<Self>::from_bytes(bytes)
    }
}

impl Suite for P256Sha256 {
    const NAME: SuiteName = SuiteName::P256;

    fn scalar(integer: u128) -> Scalar<Self> {
        integer.into()
    }
}

impl Suite for Secp256K1Sha256 {
    const NAME: SuiteName = SuiteName::Secp256k1;

    fn scalar(integer: u128) -> Scalar<Self> {
        integer.into()
    }

    fn encode(points: &[Element<Self>]) -> Result<Vec<Vec<u8>>, GroupError> {
        encode_secp256k1(points)
    }
}

impl Suite for Secp256K1Sha256TR {
    const NAME: SuiteName = SuiteName::Secp256k1Tr;

    fn scalar(integer: u128) -> Scalar<Self> {
        integer.into()
    }

    fn encode(points: &[Element<Self>]) -> Result<Vec<Vec<u8>>, GroupError> {
        encode_secp256k1(points)
    }

    /// BIP-340 allows only nonces whose y is even.
    fn negates_nonces(commitment: &Element<Self>) -> bool {
        use k256::elliptic_curve::point::AffineCoordinates;
        commitment.to_affine().y_is_odd().into()
    }
}

impl Suite for BabyJubjubPoseidon {
    const NAME: SuiteName = SuiteName::BabyJubjub;

    fn scalar(integer: u128) -> Scalar<Self> {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&integer.to_le_bytes());
        Scalar::<Self>::from_bytes(&bytes).expect("128 bits are below the order")
    }

    fn msm(scalars: &[Scalar<Self>], points: &[Element<Self>]) -> Element<Self> {
        assert_eq!(scalars.len(), points.len(), "each point has a scalar");
        let pairs: Vec<_> = scalars.iter().zip(points).map(|(s, p)| (*s, p.point())).collect();
        Element::<Self>::from_sum(msm_vartime(&pairs))
    }

    fn encode(points: &[Element<Self>]) -> Result<Vec<Vec<u8>>, GroupError> {
        let points: Vec<_> = points.iter().map(Element::<Self>::point).collect();
        let affine = batch_normalize(&points);
        if affine.iter().any(AffinePoint::is_identity) {
            Err(GroupError::InvalidIdentityElement)
        } else {
            Ok(affine.iter().map(|point| point.to_bytes().to_vec()).collect())
        }
    }
}

fn encode_secp256k1(points: &[k256::ProjectivePoint]) -> Result<Vec<Vec<u8>>, GroupError> {
    use k256::elliptic_curve::{sec1::ToEncodedPoint, BatchNormalize};
    let encode = |point: &k256::AffinePoint| {
        let encoded = point.to_encoded_point(true);
        if encoded.is_identity() {
            Err(GroupError::InvalidIdentityElement)
        } else {
            Ok(encoded.as_bytes().to_vec())
        }
    };
    k256::ProjectivePoint::batch_normalize(points).iter().map(encode).collect()
}

/// The suites by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteName {
    /// FROST(Ed25519, SHA-512), RFC 9591, section 6.1.
    Ed25519,
    /// FROST(ristretto255, SHA-512), section 6.2.
    Ristretto255,
    /// FROST(Ed448, SHAKE256), section 6.3.
    Ed448,
    /// FROST(P-256, SHA-256), section 6.4.
    P256,
    /// FROST(secp256k1, SHA-256), section 6.5.
    Secp256k1,
    /// FROST(secp256k1, SHA-256) with the keys and signatures of BIP-340 and BIP-341.
    Secp256k1Tr,
    /// FROST(Baby Jubjub, Poseidon), whose signatures are those of `schnorr-babyjubjub`.
    #[serde(rename = "babyjubjub")]
    BabyJubjub,
}

/// Does work in the suite with a name: `$work`, compiled for each suite, has its type as `$C`.
macro_rules! in_suite {
    ($name:expr, $C:ident, $work:expr) => {
        in_suite!(
            $name, $C, $work,
            Ed25519 = Ed25519Sha512,
            Ristretto255 = Ristretto255Sha512,
            Ed448 = Ed448Shake256,
            P256 = P256Sha256,
            Secp256k1 = Secp256K1Sha256,
            Secp256k1Tr = Secp256K1Sha256TR,
            BabyJubjub = BabyJubjubPoseidon
        )
    };
    ($name:expr, $C:ident, $work:expr, $($suite:ident = $type:ident),+) => {
        match $name {
            $($crate::frost::SuiteName::$suite => {
                type $C = $crate::frost::$type;
                $work
            })+
        }
    };
}
pub(super) use in_suite;

/// Work that is generic over the suite, for [`SuiteName::visit`].
pub trait SuiteVisitor {
    /// What the work returns.
    type Output;

    /// Does the work in the suite `C`.
    fn visit<C: Suite>(self) -> Self::Output;
}

impl SuiteName {
    /// All suites.
    pub const ALL: [Self; 7] = [
        Self::Ed25519,
        Self::Ristretto255,
        Self::Ed448,
        Self::P256,
        Self::Secp256k1,
        Self::Secp256k1Tr,
        Self::BabyJubjub,
    ];

    /// The name in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ed25519 => "ed25519",
            Self::Ristretto255 => "ristretto255",
            Self::Ed448 => "ed448",
            Self::P256 => "p256",
            Self::Secp256k1 => "secp256k1",
            Self::Secp256k1Tr => "secp256k1-tr",
            Self::BabyJubjub => "babyjubjub",
        }
    }

    /// Does the work in this suite.
    pub fn visit<V: SuiteVisitor>(self, visitor: V) -> V::Output {
        in_suite!(self, C, visitor.visit::<C>())
    }
}

impl fmt::Display for SuiteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for SuiteName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|suite| suite.as_str() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("there is no suite {name}; the suites are {names}")
        })
    }
}
