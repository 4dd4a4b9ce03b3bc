//! Making proofs and checking them.

mod create;
mod fault;
mod kind;
mod verify;

#[cfg(test)]
pub(crate) use create::Job;
pub use create::{prove, prove_profiled};
pub use fault::{BatchError, VerifyError};
pub use kind::ProofKind;

/// A proof: its bytes, and the format that they are in.
///
/// It does not say what it proves. Whoever verifies it says what they expect; see
/// [`VerifierKey::verify`](crate::VerifierKey::verify).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    kind: ProofKind,
    bytes: Vec<u8>,
}

impl Proof {
    /// A proof from bytes that anyone may have written.
    pub fn new(kind: ProofKind, bytes: impl Into<Vec<u8>>) -> Self {
        Self { kind, bytes: bytes.into() }
    }

    /// The format.
    pub fn kind(&self) -> ProofKind {
        self.kind
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
