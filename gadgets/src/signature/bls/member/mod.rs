//! The scheme `bls-bls12-381`: members sign under their own keys, and all signatures are added up to one.

#[cfg(feature = "circuit")]
mod complement;
#[cfg(feature = "circuit")]
mod instructions;
mod key;
mod scheme;
#[cfg(test)]
mod tests;

#[cfg(feature = "circuit")]
pub use instructions::{AssignedKey, AssignedMessage};
pub use key::{OwnedKey, NAME_DOMAIN};
pub use scheme::{Bls12381, BlsSignature};
