//! frost-core's types, under the names used here.

use frost_core::{Ciphersuite, Field, Scalar};

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

/// The integer, if it is below 2^64.
pub(super) fn small<C: Ciphersuite>(scalar: &Scalar<C>) -> Option<u64> {
    let bytes = <<C::Group as frost_core::Group>::Field>::little_endian_serialize(scalar);
    let (low, high) = bytes.as_ref().split_first_chunk()?;
    high.iter().all(|byte| *byte == 0).then_some(u64::from_le_bytes(*low))
}
