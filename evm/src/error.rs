//! What can go wrong.

/// An error of this crate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A verifying key that no contract can be written for, or a contract that does not do what it
    /// should.
    #[error("contract: {0}")]
    Contract(String),
    /// A proof that is not one of the statement beside it.
    #[error("proof: {0}")]
    Proof(String),
    /// A contract that no chain accepts. Keys with a layout for the least gas make a smaller one.
    #[error("contract: {size} bytes of code, more than the {limit} that {what}")]
    TooLarge {
        /// Bytes of code.
        size: usize,
        /// The greatest number of them.
        limit: usize,
        /// What has that limit.
        what: &'static str,
    },
    /// The Solidity compiler is not the right one, or it refuses a contract.
    #[error("solc: {0}")]
    Compiler(String),
}
