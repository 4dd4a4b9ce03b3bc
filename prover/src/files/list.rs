//! Lists whose length anyone may have chosen.

use std::{fmt, ops::Range};

use rayon::prelude::*;
use serde::{
    de::{self, SeqAccess, Visitor},
    Deserialize, Deserializer,
};

use super::MAX_MEMBERS;

/// Entries that a thread is given at a time.
const AT_ONCE: usize = 16;

/// A list that is refused as soon as it exceeds [`MAX_MEMBERS`]: an entry may be a few bytes of text, and takes many
/// times as much memory.
pub(super) struct List<T>(pub(super) Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(vec![])
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Self::default())
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut entries: A) -> Result<Self, A::Error> {
        while let Some(entry) = entries.next_element()? {
            if self.0.len() == MAX_MEMBERS {
                return Err(<A::Error as de::Error>::custom(format!(
                    "more than {MAX_MEMBERS} entries"
                )));
            }
            self.0.push(entry);
        }
        Ok(self)
    }
}

/// Does slow work for each of `count` entries; a thread is given several at a time. The error is that of the first bad
/// entry, whichever thread finds one first.
pub(super) fn each<T: Send, E: Send>(
    count: usize,
    work: impl Fn(Range<usize>) -> Vec<Result<T, E>> + Sync,
) -> Result<Vec<T>, E> {
    let mut done = Vec::with_capacity(count);
    while done.len() < count {
        let starts = (done.len()..count).step_by(AT_ONCE).take(rayon::current_num_threads());
        let ranges: Vec<_> = starts.map(|start| start..count.min(start + AT_ONCE)).collect();
        let made: Vec<_> = ranges.into_par_iter().map(&work).collect();
        for one in made.into_iter().flatten() {
            done.push(one?);
        }
    }
    Ok(done)
}
