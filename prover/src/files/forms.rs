//! The forms that a committee's file may have: a JSON object, a JSON list of keys or addresses, a text with one a line, or
//! one with a weight behind each, as in CSV.

use std::{borrow::Cow, iter, path::Path};

use muster_circuits::{KeyKind, Scheme};
use muster_schemes::{decimal, membership::KeySetError};

use super::{list::List, listing::Raw, members::RawMember, MAX_MEMBERS};
use crate::{encoding::from_hex, input, number::Number, Error};

/// What the first column of a text is called in its first line, if that has names.
const COLUMNS: [&str; 3] = ["address", "public_key", "key"];
/// What the second column is called.
const WEIGHT: &str = "weight";

impl<'a> Raw<'a> {
    /// Reads a file in any form. `scheme` is that of its keys if it is known from elsewhere: a list does not say.
    pub(super) fn parse(
        path: &Path,
        bytes: &'a [u8],
        scheme: Option<Scheme>,
    ) -> Result<Self, Error> {
        let text = input::text(path, bytes)?;
        let first = text.trim_start().bytes().next();
        let members: List<RawMember> = match first {
            Some(b'{') => return input::parse(path, text.as_bytes()),
            Some(b'[') => input::parse(path, text.as_bytes())?,
            _ => List(lines(path, text)?),
        };
        let Some(first) = members.0.first() else {
            return Err(Error::field(path, "members", KeySetError::Empty));
        };
        let scheme = match (scheme, first.kind()) {
            (Some(scheme), _) => scheme,
            (None, KeyKind::Address) => Scheme::EcdsaSecp256k1,
            (None, KeyKind::Coordinates) => return Err(Error::NoScheme(path.to_owned())),
        };
        Ok(Self { scheme, keys: None, narrowed: None, left_out: List::default(), members })
    }
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
        let weight = weight.map(decimal::read).transpose();
        let weight = weight.map_err(|error| bad(error.to_string()))?;
        if members.len() == MAX_MEMBERS {
            return Err(bad(format!("more than {MAX_MEMBERS} entries")));
        }
        members.push(RawMember::bare(Cow::Borrowed(name), weight.map(Number)));
    }
    Ok(members)
}

/// The lines that are not blank, from their first character on, with their numbers. Blank ones, of which there may be millions, are
/// passed all at once.
pub(super) fn filled_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
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
