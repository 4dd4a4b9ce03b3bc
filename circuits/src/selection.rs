//! Which signatures a circuit is filled with if there are more than it has slots.

use std::cmp::Reverse;

use crate::error::Error;

/// Signers that a circuit has slots for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    taken: Vec<usize>,
    left_out: Vec<usize>,
}

impl Selection {
    /// All signers, members with their weights, if they are no more than `slots`. Else as few as reach
    /// the threshold: the heaviest first, and of the same weight those of lower index.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewSlots`] if the heaviest do not reach the threshold, and
    /// [`Error::TooManySigners`] for an aggregate, which is of all its signers.
    pub(crate) fn new(
        slots: usize,
        threshold: u64,
        signers: &[(usize, u64)],
        is_aggregate: bool,
    ) -> Result<Self, Error> {
        let mut signers = signers.to_vec();
        let count = signers.len();
        if count > slots && is_aggregate {
            return Err(Error::TooManySigners { signers: count, slots });
        }
        let mut left_out = vec![];
        if count > slots {
            signers.sort_by_key(|&(member, weight)| (Reverse(weight), member));
            let mut weight = 0;
            let needed = signers.iter().take(slots).position(|(_, more)| {
                weight += more;
                weight >= threshold
            });
            let Some(last) = needed else {
                return Err(Error::TooFewSlots { signers: count, slots, weight, threshold });
            };
            left_out = signers.split_off(last + 1);
        }
        let in_order = |signers: Vec<(usize, u64)>| {
            let mut members: Vec<_> = signers.into_iter().map(|(member, _)| member).collect();
            members.sort_unstable();
            members
        };
        Ok(Self { taken: in_order(signers), left_out: in_order(left_out) })
    }

    /// Indices of the members whose signatures are taken, in increasing order.
    pub fn taken(&self) -> &[usize] {
        &self.taken
    }

    /// Indices of the members whose signatures are not taken, in increasing order.
    pub fn left_out(&self) -> &[usize] {
        &self.left_out
    }
}
