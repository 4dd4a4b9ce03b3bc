//! Sets of signers.

use super::Error;

/// The most signers of a committee: roots of unity of that order exist, and no index overflows.
pub const MOST_SIGNERS: usize = 1 << 24;

/// Different signers of a committee, in ascending order. Each index is within 1..=n: none of them is
/// the point of the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signers {
    indices: Vec<u32>,
    committee: usize,
}

impl Signers {
    /// Signers of a committee of `committee`, in any order.
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`], [`Error::NoSigners`], [`Error::ZeroIndex`], [`Error::UnknownIndex`] or
    /// [`Error::DuplicateIndex`].
    pub fn new(mut indices: Vec<u32>, committee: usize) -> Result<Self, Error> {
        if !(1..=MOST_SIGNERS).contains(&committee) {
            return Err(Error::CommitteeSize { signers: committee });
        }
        indices.sort_unstable();
        let (Some(first), Some(last)) = (indices.first(), indices.last()) else {
            return Err(Error::NoSigners);
        };
        if *first == 0 {
            return Err(Error::ZeroIndex);
        }
        if *last as usize > committee {
            return Err(Error::UnknownIndex { index: *last, signers: committee });
        }
        if let Some(pair) = indices.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateIndex { index: pair[0] });
        }
        Ok(Self { indices, committee })
    }

    /// Their indices, ascending.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// How many there are, at least one.
    pub fn count(&self) -> usize {
        self.indices.len()
    }

    /// Size of their committee.
    pub fn committee(&self) -> usize {
        self.committee
    }
}
