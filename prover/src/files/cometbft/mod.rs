//! What a CometBFT node answers on `/validators` and `/commit`, as a committee and its signatures; and precommits in
//! files of their own.

mod bls;
mod commit;
mod entry;
mod import;
mod together;
mod validators;

pub use commit::Commit;
pub use entry::{Unheld, Voter};
pub use import::Cometbft;

use std::path::Path;

use muster_schemes::signature::cometbft::Precommit;
use serde::Deserialize;
use serde_json::Value;

use super::COMMITTEE_LIMIT;
use crate::{input, Error};

/// Name of the file with the precommit.
pub const MESSAGE_FILE: &str = "message.json";
/// Greatest length of a precommit's file.
const PRECOMMIT_LIMIT: u64 = 1 << 16;

/// An answer of the RPC. Its other fields, here and further in, are of no use to us.
#[derive(Deserialize)]
struct Answer<T> {
    result: Option<T>,
    error: Option<Value>,
}

/// Reads the result of an answer.
fn result<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, Error> {
    let bytes = input::read(path, COMMITTEE_LIMIT)?;
    let Answer { result, error } = input::parse(path, &bytes)?;
    if let Some(error) = error {
        let reason = format!("no `result`: the node answered with an error, {error}");
        return Err(Error::field(path, "error", reason));
    }
    result.ok_or_else(|| Error::file(path, "missing field `result`"))
}

/// Reads a precommit: `{"height": "…", "round": 0, "block_id": {"hash": "…", "parts": {"total": 1, "hash": "…"}},
/// "chain_id": "…"}`.
///
/// # Errors
///
/// [`Error::File`] or [`Error::Field`], or those of reading a file.
pub fn read_precommit(path: &Path) -> Result<Precommit, Error> {
    input::parse(path, &input::read(path, PRECOMMIT_LIMIT)?)
}
