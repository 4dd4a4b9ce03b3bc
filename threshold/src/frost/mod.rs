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
mod share;
mod suite;
mod types;

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
pub(crate) use lagrange::at_zero as lagrange_at_zero;
pub use package::{identifier, unique, Commitment, Package, PackageDigest};
pub use share::SignatureShare;
pub use suite::{Suite, SuiteName, SuiteVisitor};
pub use types::{Group, Identifier, KeyShare, Nonces, Signature};
