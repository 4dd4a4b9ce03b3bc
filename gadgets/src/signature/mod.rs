//! Signature schemes in circuit: one folder each; what signers use is in [`muster_schemes::signature`].

pub mod batch;
pub mod bip340;
pub mod bls;
pub mod cometbft;
pub mod ecdsa;
pub mod ed25519;
pub mod eddsa;
pub mod embedded;
mod entry;
pub mod foreign;
pub mod instructions;
pub mod musig;
pub mod plain;
pub(crate) mod point;
pub mod schnorr;
mod signed_bytes;

pub use entry::AssignedEntry;
