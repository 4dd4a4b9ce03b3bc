//! What is to be done: a job, as files and the engine hold it.

mod name;
mod statement;
mod task;
#[cfg(test)]
mod tests;

use std::fmt;

use muster_prover::TranscriptKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;

pub use name::JobName;
pub use statement::StatedJob;
pub use task::Task;

/// Version of the format. A worker refuses jobs of another.
pub const VERSION: u32 = 1;
/// Inputs up to this length travel in the job itself; longer ones are in the store.
pub const INLINE_LIMIT: usize = 64 << 10;

/// A proof that is asked for.
///
/// Kind, key, transcript and statement say *what* is to be proven, and make its [name](Job::name). The others say from
/// what, and for whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Version of this format: 1.
    pub version: u32,
    /// What is to be done.
    pub kind: Kind,
    /// Digest of the verifying key, as `muster keygen` prints it. Keys are taken by this alone.
    pub key: Digest,
    /// Digest of the SRS that the keys were made from.
    pub srs: Digest,
    /// What is to be proven.
    pub statement: StatedJob,
    /// The hash of the proof's challenges.
    #[schemars(with = "String")]
    pub transcript: TranscriptKind,
    /// The committee's file.
    pub committee: Input,
    /// The file of signatures. It shows who signed.
    pub signatures: Input,
    /// Who asks, for quotas and for those who look.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Makes a proof.
    Prove,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prove => "prove",
        })
    }
}

/// A file that a job needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Its text.
    Inline(String),
    /// Its SHA-256; the store has it.
    Stored(Digest),
}

impl Job {
    /// Its name: what is proven, whoever asks for it, however often, and from whatever files.
    pub fn name(&self) -> JobName {
        let (kind, transcript) = (self.kind.to_string(), self.transcript.name());
        JobName::of((&kind, transcript), &self.key, &self.statement)
    }

    /// Checks what the types do not say.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn check(&self) -> Result<(), String> {
        if self.version != VERSION {
            return Err(format!("version: {} is unknown; this is {VERSION}", self.version));
        }
        let inputs = [("committee", &self.committee), ("signatures", &self.signatures)];
        for (field, input) in inputs {
            if let Input::Inline(text) = input {
                if text.len() > INLINE_LIMIT {
                    let length = text.len();
                    return Err(format!(
                        "{field}: {length} bytes are more than {INLINE_LIMIT}: store them"
                    ));
                }
            }
        }
        self.statement.check()
    }
}
