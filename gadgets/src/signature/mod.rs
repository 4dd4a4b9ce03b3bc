//! Signature schemes in circuit, one folder each, and what they share.

pub mod batch;
pub mod bip340;
pub mod bls;
pub mod cometbft;
pub mod ecdsa;
pub mod ed25519;
pub mod embedded;
pub mod foreign;
pub mod instructions;
pub mod musig;
pub mod plain;
pub(crate) mod point;
mod signed_bytes;

pub use instructions::AssignedLeafEntry;
