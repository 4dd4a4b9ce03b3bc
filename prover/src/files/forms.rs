//! The forms that a committee's file may have: a JSON object, a JSON list of keys or addresses, a text with one a line, or
//! one with a weight behind each, as in CSV.

use std::{borrow::Cow, iter, path::Path};

use muster_circuits::{KeyKind, Scheme};
use muster_schemes::{decimal, membership::KeySetError};
use serde::Deserialize;

use super::{
    list::List,
    listing::{Raw, RawNarrowed},
    members::{RawLeftOut, RawMember},
    MAX_MEMBERS,
};
use crate::{encoding::from_hex, input, number::Number, Error};

/// What the first column of a text is called in its first line, if that has names.
const COLUMNS: [&str; 3] = ["address", "public_key", "key"];
/// What the second column is called.
const WEIGHT: &str = "weight";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object<'a> {
    scheme: Scheme,
    keys: Option<KeyKind>,
    narrowed: Option<RawNarrowed>,
    #[serde(borrow, default)]
    left_out: List<RawLeftOut<'a>>,
    #[serde(borrow)]
    members: List<RawMember<'a>>,
}

impl<'a> Raw<'a> {
    /// Reads a file in any form. `scheme` is that of its keys if it is known from elsewhere: a list does not say.
    ///
    /// # Errors
    ///
    /// [`Error::NoScheme`] for a list of keys of an unknown scheme, and those of [`input::parse`].
    pub(super) fn parse(
        path: &Path,
        bytes: &'a [u8],
        scheme: Option<Scheme>,
    ) -> Result<Self, Error> {
        let text = input::text(path, bytes)?;
        let first = text.trim_start().bytes().next();
        if first == Some(b'{') {
            let Object { scheme, keys, narrowed, left_out, members } =
                input::parse(path, text.as_bytes())?;
            let keys = keys.unwrap_or_else(|| kind_of_list(&members.0));
            return Ok(Self { scheme, keys, narrowed, left_out, members });
        }
        let members = match first {
            Some(b'[') => input::parse(path, text.as_bytes())?,
            _ => List(lines(path, text)?),
        };
        if members.0.is_empty() {
            return Err(Error::field(path, "members", KeySetError::Empty));
        }
        let keys = kind_of_list(&members.0);
        let scheme = match (scheme, keys) {
            (Some(scheme), _) => scheme,
            (None, KeyKind::Address) => Scheme::EcdsaSecp256k1,
            (None, KeyKind::Coordinates) => return Err(Error::NoScheme(path.to_owned())),
        };
        Ok(Self { scheme, keys, narrowed: None, left_out: List::default(), members })
    }
}

/// How a list names its members: as the first of them.
fn kind_of_list(members: &[RawMember]) -> KeyKind {
    members.first().map(RawMember::kind).unwrap_or_default()
}

/// Reads a key or an address from each line, with a weight if there is one. The first line may name the columns.
fn lines<'a>(path: &Path, text: &'a str) -> Result<Vec<RawMember<'a>>, Error> {
    let mut members = vec![];
    for (number, line) in filled_lines(text) {
        let bad = |reason: String| Error::field(path, format!("line {number}"), reason);
        let (name, weight) = match line.split_once(',') {
            Some((name, weight)) => (cell(name), Some(cell(weight))),
            None => (cell(line), None),
        };
        let names_columns = COLUMNS.contains(&name) && weight.is_none_or(|weight| weight == WEIGHT);
        if (name.is_empty() && weight.is_none()) || (names_columns && members.is_empty()) {
            continue;
        }
        from_hex(name).map_err(|reason| {
            let what = "neither JSON nor a line of a key or an address, with a weight behind a comma if there is one";
            bad(if members.is_empty() { format!("{what}: {reason}") } else { reason.into() })
        })?;
        let weight = weight
            .map(decimal::read::<u128>)
            .transpose()
            .map_err(|error| bad(error.to_string()))?;
        if members.len() == MAX_MEMBERS {
            return Err(bad(format!("more than {MAX_MEMBERS} entries")));
        }
        members.push(RawMember::bare(Cow::Borrowed(name), weight.map(Number)));
    }
    Ok(members)
}

/// The lines that are not blank, from their first character on, with their numbers. Blank ones, of which there may be millions, are
/// passed all at once.
fn filled_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut rest, mut number) = (text, 1);
    iter::from_fn(move || {
        let start = rest.trim_start();
        let blank = &rest.as_bytes()[..rest.len() - start.len()];
        number += blank.iter().filter(|byte| **byte == b'\n').count();
        let line = start.split('\n').next().filter(|line| !line.is_empty())?;
        // The end of this line stays, and counts as a blank one before the next.
        rest = &start[line.len()..];
        Some((number, line))
    })
}

/// What a cell of a table holds.
fn cell(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_counted_and_passed() {
        let lines: Vec<_> = filled_lines("\n a\r\nb , c\n \n\n\td").collect();
        assert_eq!(lines, [(2, "a\r"), (3, "b , c"), (6, "d")]);
        for blank in ["", "\n", " \r\n\n "] {
            assert_eq!(filled_lines(blank).count(), 0, "{blank:?}");
        }
    }
}
