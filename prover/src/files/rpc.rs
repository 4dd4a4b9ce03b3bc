//! Answers of JSON-RPC, as nodes of several networks give them.

use std::path::Path;

use serde::{
    de::{DeserializeOwned, IgnoredAny},
    Deserialize,
};

use crate::{input, Error};

/// An answer.
#[derive(Deserialize)]
struct Answer<T> {
    result: T,
}

/// Whether there is a result.
#[derive(Deserialize)]
struct Peek {
    result: Option<IgnoredAny>,
}

/// What a node answered, or the result alone.
///
/// # Errors
///
/// Those of [`input::parse`].
pub(super) fn answer<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, Error> {
    let is_list = input::text(path, bytes)?.trim_start().starts_with('[');
    if !is_list && input::parse::<Peek>(path, bytes)?.result.is_some() {
        return input::parse(path, bytes).map(|Answer { result }| result);
    }
    input::parse(path, bytes)
}
