//! What the light client would not take.

use super::TOTAL_WEIGHT_BITS;

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
    /// A handover to an epoch other than the next.
    #[error("epoch {found}, but the next epoch after the committee in office is {expected}")]
    NotNextEpoch {
        /// The epoch after the one in office.
        expected: u64,
        /// The epoch given.
        found: u64,
    },
    /// A key-set root of zero means that there is none.
    #[error("the key-set root is zero")]
    ZeroRoot,
    /// A sum of weights that is too large to be proven.
    #[error("the total weight {0} is not below 2^{TOTAL_WEIGHT_BITS}")]
    TotalWeight(u64),
    /// A threshold of zero, or one that nobody can reach.
    #[error("{threshold} is not between 1 and the set's weight of {total_weight}")]
    Threshold {
        /// The threshold.
        threshold: u64,
        /// Sum of all weights.
        total_weight: u64,
    },
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
