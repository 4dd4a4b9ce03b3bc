//! How large a piece is.

use std::str::FromStr;

/// The number that sizes a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// Signatures on the curve embedded in the proof system's field.
    Signatures,
    /// Signatures on a curve over a foreign field.
    ForeignSignatures,
    /// Signatures on a curve over a foreign field, and the members of the set they are from.
    Quorum,
    /// Leaves of a tree.
    Leaves,
    /// Pairings of a product.
    Pairs,
}

/// So many signatures of so many members, written `4/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quorum {
    pub(crate) signatures: usize,
    pub(crate) members: usize,
}

impl FromStr for Quorum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (signatures, members) =
            text.split_once('/').ok_or("a quorum is SIGNATURES/MEMBERS, for example 4/5")?;
        let (signatures, members) = (positive(signatures)?, positive(members)?);
        if signatures > members {
            return Err(format!("{signatures} cannot sign out of {members}"));
        }
        Ok(Self { signatures, members })
    }
}

/// A number of signatures.
pub(crate) fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(format!("{error}")),
    }
}

/// A number of pairings: one alone is 1 for the identity only.
pub(crate) fn pairs(text: &str) -> Result<usize, String> {
    match positive(text)? {
        1 => Err("must be at least 2".to_owned()),
        count => Ok(count),
    }
}

/// A number of leaves.
pub(crate) fn power_of_two(text: &str) -> Result<usize, String> {
    let count = positive(text)?;
    match count {
        2.. if count.is_power_of_two() => Ok(count),
        _ => Err("must be a power of two, at least 2".to_owned()),
    }
}
