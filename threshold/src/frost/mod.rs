//! FROST (RFC 9591): a group of signers makes one Schnorr signature.
//!
//! A group of n members holds one key; any t of them can sign together, in two rounds, and fewer
//! can neither sign nor learn anything. A [`Suite`] is a curve and its hashes: the five of the RFC,
//! secp256k1 with BIP-340, and [`babyjubjub`], whose signatures are those of `schnorr-babyjubjub`.
//!
//! [`keys`] makes, renews and repairs shares; [`sign`] has the two rounds; [`Package`] and
//! [`aggregate`] are the coordinator's. [`ceremony`] has all steps over documents ([`files`]), in
//! the suite that these belong to. The protocol is that of the crate `frost-core`, and so are the
//! types of shares; the aggregation is our own, and results in the same bytes.

use frost_core::{Ciphersuite, Field as _, Scalar};

pub mod babyjubjub;
pub mod ceremony;
pub mod files;
pub mod keys;
pub mod sign;

mod aggregate;
mod cheaters;
mod error;
mod lagrange;
mod msm;
mod package;
mod sample;
mod suite;

#[cfg(test)]
mod tests;

pub use aggregate::{aggregate, aggregate_randomized, verify};
pub use babyjubjub::BabyJubjubPoseidon;
pub use error::{FrostError, Signer};
/// The protocol itself, and the aggregation against which ours is measured.
pub use frost_core;
pub use frost_ed25519::Ed25519Sha512;
pub use frost_ed448::Ed448Shake256;
pub use frost_p256::P256Sha256;
pub use frost_ristretto255::Ristretto255Sha512;
pub use frost_secp256k1::Secp256K1Sha256;
pub use frost_secp256k1_tr::Secp256K1Sha256TR;
pub use package::{identifier, unique, Commitment, Package, PackageDigest, SignatureShare};
pub use suite::{Suite, SuiteName, SuiteVisitor};

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

/// The integers modulo the order of a suite's group.
type F<C> = <<C as Ciphersuite>::Group as frost_core::Group>::Field;

fn zero<C: Ciphersuite>() -> Scalar<C> {
    F::<C>::zero()
}

fn one<C: Ciphersuite>() -> Scalar<C> {
    F::<C>::one()
}

/// The integer, if it is below 2^64.
fn small<C: Ciphersuite>(scalar: &Scalar<C>) -> Option<u64> {
    let bytes = F::<C>::little_endian_serialize(scalar);
    let (low, high) = bytes.as_ref().split_first_chunk()?;
    high.iter().all(|byte| *byte == 0).then_some(u64::from_le_bytes(*low))
}
