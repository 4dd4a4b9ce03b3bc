//! What the light client would not take.

/// Why the light client would not accept something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeFault {
    /// Text that is not an address.
    #[error("not an address: {0}")]
    Address(String),
    /// Text that is not a chain identifier.
    #[error("not a chain id: expected decimal digits or 0x hex, below 2^256")]
    ChainId,
    /// Epoch zero means that there is no committee.
    #[error("epoch 0: the first committee serves epoch 1 or later")]
    EpochZero,
    /// The last epoch has no next.
    #[error("epoch {}: there is none after it", u64::MAX)]
    LastEpoch,
    /// Sequence zero is less than that of any proposal.
    #[error("sequence 0: the first proposal has sequence 1 or more")]
    SequenceZero,
    /// Keys under which a light client takes no proofs.
    #[error(
        "a light client needs the signed digest itself to be public and nothing else, but here {0}"
    )]
    Unfit(String),
    /// Text that is not a form.
    #[error("{0:?} is not a form: expected element or digest")]
    Form(String),
    /// A key-set root of zero means that there is none.
    #[error("the key-set root is zero")]
    ZeroRoot,
    /// A threshold of zero, or one that cannot be proven.
    #[error("{0} is not from 1 to 2^60 - 1")]
    Threshold(u64),
    /// An empty batch.
    #[error("no messages")]
    EmptyBatch,
    /// A message twice in one batch: it could be delivered only once.
    #[error("the same nonce and payload as messages[{first}]")]
    DuplicateMessage {
        /// Where it is first.
        first: usize,
        /// Where it is again.
        second: usize,
    },
}
