//! frost-core's types, under the names used here, and the share of a signature.

use frost_core::{round2, Ciphersuite, Field, Scalar};

use super::{error::FrostError, package::PackageDigest, suite::Suite};

/// A participant's number: a nonzero scalar, 1 to n unless somebody chose others.
pub type Identifier<C> = frost_core::Identifier<C>;
/// What a member keeps secret: its share of the key, with the group's public key.
pub type KeyShare<C> = frost_core::keys::KeyPackage<C>;
/// What everybody may know about a group: its public key, the threshold, and each member's public
/// share.
pub type Group<C> = frost_core::keys::PublicKeyPackage<C>;
/// A member's secret nonces for one signature.
pub type Nonces<C> = frost_core::round1::SigningNonces<C>;
/// The signature of a group.
pub type Signature<C> = frost_core::Signature<C>;

/// A member's share of a signature, and the package that it belongs to: a coordinator that has
/// another package cannot judge the share, and must not call its maker a cheater.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureShare<C: Suite> {
    share: round2::SignatureShare<C>,
    package: PackageDigest,
}

impl<C: Suite> SignatureShare<C> {
    /// The share of frost-core's type, for this package.
    pub fn new(share: round2::SignatureShare<C>, package: PackageDigest) -> Self {
        Self { share, package }
    }

    /// The share in frost-core's type.
    pub fn inner(&self) -> &round2::SignatureShare<C> {
        &self.share
    }

    /// The package that it belongs to.
    pub fn package(&self) -> &PackageDigest {
        &self.package
    }

    /// The digest of the package, and the scalar.
    pub fn serialize(&self) -> Vec<u8> {
        [&self.package.0, self.share.serialize().as_slice()].concat()
    }

    /// Reads what [`serialize`](Self::serialize) wrote.
    ///
    /// # Errors
    ///
    /// [`FrostError::Protocol`] if there are too few bytes or too many, or if they are not a
    /// scalar.
    pub fn deserialize(bytes: &[u8]) -> Result<Self, FrostError> {
        let short = || FrostError::Protocol("the signature share ends early".into());
        let (package, scalar) = bytes.split_first_chunk().ok_or_else(short)?;
        let share = round2::SignatureShare::deserialize(scalar)?;
        Ok(Self { share, package: PackageDigest(*package) })
    }
}

/// The integer, if it is below 2^64.
pub(super) fn small<C: Ciphersuite>(scalar: &Scalar<C>) -> Option<u64> {
    let bytes = <<C::Group as frost_core::Group>::Field>::little_endian_serialize(scalar);
    let (low, high) = bytes.as_ref().split_first_chunk()?;
    high.iter().all(|byte| *byte == 0).then_some(u64::from_le_bytes(*low))
}
