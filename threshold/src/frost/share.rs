//! A member's share of a signature.

use frost_core::round2;

use super::{error::FrostError, package::PackageDigest, suite::Suite};

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
