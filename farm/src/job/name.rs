//! Names of jobs.

use std::fmt;

use muster_prover::encoding::from_hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::StatedJob;
use crate::digest::Digest;

/// Keeps these digests apart from all others.
const DOMAIN: &str = "muster farm job 1";

/// What a job is called, wherever it is asked for. Two jobs of one name have the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobName(Digest);

impl JobName {
    /// SHA-256 of domain, kind, key, transcript, root, threshold, message and signers, each behind its length, so that
    /// no two lists of them are one text.
    pub(super) fn of(
        (kind, transcript): (&str, &str),
        key: &Digest,
        statement: &StatedJob,
    ) -> Self {
        // Case is the writer's; what is no hex is refused elsewhere.
        let message = from_hex(&statement.message);
        let message = message.unwrap_or_else(|_| statement.message.clone().into_bytes());
        let numbers = |numbers: &[usize]| -> Vec<u8> {
            numbers.iter().flat_map(|number| (*number as u64).to_le_bytes()).collect()
        };
        let mut parts: Vec<Vec<u8>> = vec![
            DOMAIN.into(),
            kind.into(),
            key.0.into(),
            transcript.into(),
            statement.key_set_root.0.into(),
            statement.threshold.to_le_bytes().into(),
            message,
        ];
        parts.extend(statement.signers.as_deref().map(numbers));
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(Digest(hasher.finalize().into()))
    }

    /// The hex digits alone, for names of files.
    pub fn digits(&self) -> String {
        self.0.digits()
    }
}

impl fmt::Display for JobName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::str::FromStr for JobName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}
