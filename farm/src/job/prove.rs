//! A proof that is asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Claim;
use crate::digest::Digest;

/// Inputs up to this length travel in the job itself; longer ones go to the store.
pub const INLINE_LIMIT: usize = 64 << 10;

/// A proof that is asked for. The claim says *what* is to be proven, and makes the job's name. The others say from what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prove {
    /// What is to be proven.
    pub claim: Claim,
    /// Digest of the SRS that the keys were made from.
    pub srs: Digest,
    /// The committee's file.
    pub committee: Input,
    /// The file of signatures. It shows who signed.
    pub signatures: Input,
}

/// A file that a job needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Its text.
    Inline(String),
    /// Its SHA-256; the store has it.
    Stored(Digest),
    /// The same of what was encrypted with the farm's codec key.
    Sealed(Digest),
}

impl Prove {
    pub(super) fn check(&self) -> Result<(), String> {
        let inputs = [("committee", &self.committee), ("signatures", &self.signatures)];
        for (field, input) in inputs {
            if let Input::Inline(text) = input
                && text.len() > INLINE_LIMIT
            {
                let length = text.len();
                return Err(format!(
                    "{field}: {length} bytes are more than {INLINE_LIMIT}: store them"
                ));
            }
        }
        self.claim.statement.check()
    }
}
