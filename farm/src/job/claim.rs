//! What a proof must show.

use muster_prover::{encoding::from_hex, ProofKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{JobName, StatedJob};
use crate::digest::Digest;

/// What a proof is to show, under which key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Digest of the verifying key, as `muster keygen` prints it. Keys are taken by this alone.
    pub key: Digest,
    /// The format of the proof, `fast` or `compact`: that of the key.
    #[schemars(with = "String")]
    pub kind: ProofKind,
    /// The statement.
    pub statement: StatedJob,
}

impl Claim {
    /// The name of the job that proves it, made from the kind of job, key, kind of proof, root, threshold, message and signers.
    pub fn name(&self) -> JobName {
        let StatedJob { key_set_root, threshold, message, signers } = &self.statement;
        // Hex digits may have either case; what is not hex is refused elsewhere.
        let message = from_hex(message).unwrap_or_else(|_| message.clone().into_bytes());
        let numbers = |numbers: &[usize]| -> Vec<u8> {
            numbers.iter().flat_map(|number| (*number as u64).to_le_bytes()).collect()
        };
        let mut parts: Vec<Vec<u8>> = vec![
            self.key.0.into(),
            self.kind.name().into(),
            key_set_root.0.into(),
            threshold.to_le_bytes().into(),
            message,
        ];
        parts.extend(signers.as_deref().map(numbers));
        JobName::of("prove", parts)
    }
}
