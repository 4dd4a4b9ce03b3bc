//! What importers read: binary files, from the front, with nothing allocated that the file is too short for, and answers of
//! JSON-RPC, as nodes of several networks give them.

use std::path::Path;

use serde::{
    de::{DeserializeOwned, IgnoredAny},
    Deserialize,
};

use crate::{input, Error};

/// What is left of a file.
pub(super) struct Reader<'a> {
    path: &'a Path,
    /// What the file is, in words.
    what: &'static str,
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// All of `bytes`; errors name the file and what it is.
    pub(super) fn new(path: &'a Path, what: &'static str, bytes: &'a [u8]) -> Self {
        Self { path, what, rest: bytes }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next bytes, which are this field; an error if there are too few.
    pub(super) fn take<const N: usize>(&mut self, field: &str) -> Result<[u8; N], Error> {
        let (first, rest) = self.rest.split_first_chunk::<N>().ok_or_else(|| self.ends(field))?;
        self.rest = rest;
        Ok(*first)
    }

    /// The next `count` bytes.
    pub(super) fn bytes(&mut self, count: usize, field: &str) -> Result<&'a [u8], Error> {
        self.rest.split_off(..count).ok_or_else(|| self.ends(field))
    }

    /// A number of 8 bytes, the lowest first.
    pub(super) fn number(&mut self, field: &str) -> Result<u64, Error> {
        self.take(field).map(u64::from_le_bytes)
    }

    /// How long a list is, as BCS has it: ULEB128 in its shortest form. Each item takes a byte at least, so that the file may be too
    /// short for the list.
    pub(super) fn length(&mut self, field: &str) -> Result<usize, Error> {
        let mut length = 0usize;
        for place in 0..5 {
            let [byte] = self.take(field)?;
            length |= usize::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                if place > 0 && byte == 0 {
                    return Err(self.bad(field, "its length is not in its shortest form"));
                }
                let fits = length <= self.rest.len();
                return fits.then_some(length).ok_or_else(|| self.ends(field));
            }
        }
        Err(self.bad(field, "its length takes more than 5 bytes"))
    }

    /// Whether something optional is there, as BCS has it: 0 or 1.
    pub(super) fn is_there(&mut self, field: &str) -> Result<bool, Error> {
        match self.take(field)? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => {
                Err(self.bad(field, format!("{other}, where 0 or 1 says whether it is there")))
            }
        }
    }

    /// The error for a field.
    pub(super) fn bad(&self, field: &str, reason: impl ToString) -> Error {
        Error::field(self.path, field, reason.to_string())
    }

    fn ends(&self, field: &str) -> Error {
        self.bad(field, format!("{} ends before it", self.what))
    }
}

/// What a node answered, or the result alone.
pub(super) fn answer<T: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<T, Error> {
    #[derive(Deserialize)]
    struct Answer<T> {
        result: T,
    }
    let is_list = input::text(path, bytes)?.trim_start().starts_with('[');
    if !is_list && input::parse::<Answer<Option<IgnoredAny>>>(path, bytes)?.result.is_some() {
        return input::parse(path, bytes).map(|Answer { result }| result);
    }
    input::parse(path, bytes)
}
