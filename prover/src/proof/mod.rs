//! Making proofs and checking them.

mod create;
mod fault;
pub(crate) mod transcript;
mod verify;

#[cfg(test)]
pub(crate) use create::Job;
pub use create::{prove, prove_profiled, prove_with, ProverKind};
pub use fault::{BatchError, VerifyError};
pub use transcript::TranscriptKind;

/// A proof: its bytes, and the transcript that reads them.
///
/// It does not say what it proves. Whoever verifies it says what they expect; see
/// [`VerifierKey::verify`](crate::VerifierKey::verify).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    transcript: TranscriptKind,
    bytes: Vec<u8>,
}

impl Proof {
    /// A proof from bytes that anyone may have written.
    pub fn new(transcript: TranscriptKind, bytes: impl Into<Vec<u8>>) -> Self {
        Self { transcript, bytes: bytes.into() }
    }

    /// The hash that makes its challenges.
    pub fn transcript(&self) -> TranscriptKind {
        self.transcript
    }

    /// The bytes, if contracts can read them, that is, if the proof has the Keccak transcript.
    pub fn keccak_bytes(&self) -> Option<&[u8]> {
        (self.transcript == TranscriptKind::Keccak).then_some(self.bytes())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
