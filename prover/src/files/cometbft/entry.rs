//! What a node answers, and the entries of a commit in it: what each validator did.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{files::COMMITTEE_LIMIT, input, Error};

/// Where the commit is in an answer.
pub(super) const COMMIT: &str = "result.signed_header.commit";
/// `BlockIDFlagAbsent` of CometBFT's `types/block.go`.
pub(super) const ABSENT: u64 = 1;

/// A field of an entry, and what is wrong with it.
pub(super) type Bad = (&'static str, String);

/// A validator whose signature is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Voter {
    /// Their place in the committee.
    pub member: usize,
    /// Their address, in upper-case hex.
    pub address: String,
}

/// A validator whose key no set can hold, so that it does not matter what they did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unheld {
    /// Their place among the validators.
    pub validator: usize,
    /// Their empty place in the committee; `None` if they are left out of it.
    pub member: Option<usize>,
    /// Their address, in upper-case hex; for keys of secp256k1, as the node gives it.
    pub address: String,
    /// Their power, which counts in the total.
    pub power: u64,
    /// Why no set can hold the key.
    pub reason: String,
}

/// How many of these are left out of the committee.
pub(super) fn not_members(unheld: &[Unheld]) -> usize {
    unheld.iter().filter(|one| one.member.is_none()).count()
}

#[derive(Deserialize)]
pub(super) struct RawSignature {
    pub(super) block_id_flag: u64,
    pub(super) validator_address: String,
    pub(super) timestamp: String,
    pub(super) signature: Option<String>,
}

/// Reads the result of an answer of the RPC. Its other fields, here and further in, are of no use to us.
pub(super) fn result<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Answer<T> {
        result: Option<T>,
        error: Option<Value>,
    }
    let bytes = input::read(path, COMMITTEE_LIMIT)?;
    let Answer { result, error } = input::parse(path, &bytes)?;
    if let Some(error) = error {
        let reason = format!("no `result`: the node answered with an error, {error}");
        return Err(Error::field(path, "error", reason));
    }
    result.ok_or_else(|| Error::file(path, "missing field `result`"))
}
