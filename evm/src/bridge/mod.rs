//! What a committee signs for the light client of `contracts/`, and the calldata that brings a
//! proof there: the twin of `MusterDigest.sol`, which has each formula.

mod batch;
mod calldata;
mod digest;
mod fault;
mod limits;
#[cfg(test)]
mod tests;
mod types;

pub use batch::Batch;
pub use calldata::{rotate, submit, submit_batch, submit_from_batch};
pub use digest::{KeySet, Message, Scope};
pub use fault::BridgeFault;
pub use limits::TOTAL_WEIGHT_BITS;
pub use types::{BatchRoot, ChainId, Client, Epoch, MessageId};
