//! The schemes `bls-…`: members sign under their own keys, and all signatures are added up to one.

mod complement;
mod instructions;
mod message;
#[cfg(test)]
mod tests;

pub(crate) use instructions::{assign_entry, assign_name, residues, walk, Elements, RawKey};
pub use instructions::{AssignedKey, AssignedMessage};
pub use message::CiphersuiteChip;
