//! What a committee signs for the light client of `contracts/`, and the calldata that brings a
//! proof there: the twin of `MusterDigest.sol`, which has each formula.

mod batch;
mod calldata;
mod committee;
mod digest;
mod fault;
mod handover;
#[cfg(test)]
mod tests;
mod types;

pub use batch::Batch;
pub use calldata::{accept, propose, submit, submit_batch, submit_from_batch};
pub use committee::{Committee, Form};
pub use digest::{Digest, Message, Scope};
pub use fault::BridgeFault;
pub use handover::Handover;
pub use types::{BatchRoot, ChainId, Client, Epoch, MessageId, ProposalHash, Sequence, ValidUntil};
