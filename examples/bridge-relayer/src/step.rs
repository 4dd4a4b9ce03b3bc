//! What there is to do, and who says so.

use alloy_primitives::{Address, Bytes};

use crate::fault::Fault;

/// What takes a client, or an application, one step further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// In words.
    pub(crate) what: String,
    /// Who is called.
    pub(crate) to: Address,
    /// With what.
    pub(crate) calldata: Bytes,
}

/// A network that is followed. It remembers nothing that the chain with the client does not know: what is asked after a
/// step was taken, or after the relayer was killed, is what the chain says then.
pub(crate) trait Follower {
    /// What there is to do next, if anything, with its proofs.
    ///
    /// # Errors
    ///
    /// A [`Fault`]; one that may pass leads to another question.
    fn next(&mut self) -> Result<Option<Step>, Fault>;

    /// The chain refuses this step, and nothing was sent.
    fn refused(&mut self, step: &Step);
}
