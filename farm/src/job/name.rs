//! Names of jobs.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::digest::Digest;

/// Separates these digests from all others.
const DOMAIN: &str = "muster farm job 1";

/// What a job is called, wherever it is asked for. Two jobs with the same name have the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobName(Digest);

impl JobName {
    /// SHA-256 of domain, kind and parts, each after its length, so that no two lists of them give the same text.
    pub(super) fn of(kind: &str, parts: Vec<Vec<u8>>) -> Self {
        let mut hasher = Sha256::new();
        for part in
            [DOMAIN.as_bytes(), kind.as_bytes()].into_iter().chain(parts.iter().map(Vec::as_slice))
        {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(Digest(hasher.finalize().into()))
    }

    /// The hex digits without `0x`, for file names.
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
