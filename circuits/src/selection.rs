//! Which signatures a circuit is filled with, if there are more than it has slots.

use std::{borrow::Cow, cmp::Reverse, collections::HashSet};

use crate::{verify::signing_weight, Committee, Error, Signatures};

/// Signatures that a circuit has slots for.
#[derive(Clone, Debug)]
pub struct Selection<'a> {
    signatures: Cow<'a, Signatures>,
    left_out: Vec<usize>,
}

impl<'a> Selection<'a> {
    /// All signatures, if they are no more than `slots`. Else as few as reach the threshold: the
    /// heaviest first, and of the same weight those of lower index. Signatures are not verified here.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for a signer who is no member or signs twice. [`Error::TooFewSlots`] if
    /// the heaviest do not reach the threshold, and [`Error::TooManySigners`] for an aggregate,
    /// which is of all its signers.
    pub fn new(
        slots: usize,
        threshold: u64,
        committee: &Committee,
        signatures: &'a Signatures,
    ) -> Result<Self, Error> {
        let mut signers = signatures.members();
        signing_weight(committee, &signers)?;
        if signers.len() <= slots {
            return Ok(Self { signatures: Cow::Borrowed(signatures), left_out: vec![] });
        }
        let Signatures::Independent(list) = signatures else {
            return Err(Error::TooManySigners { signers: signers.len(), slots });
        };
        let weight_of = |member: usize| committee.members()[member].weight;
        signers.sort_by_key(|&member| (Reverse(weight_of(member)), member));
        let mut weight = 0;
        let needed = signers.iter().take(slots).position(|&member| {
            weight += weight_of(member);
            weight >= threshold
        });
        let Some(last) = needed else {
            return Err(Error::TooFewSlots { signers: signers.len(), slots, weight, threshold });
        };
        let mut left_out = signers.split_off(last + 1);
        left_out.sort_unstable();
        let taken: HashSet<_> = signers.into_iter().collect();
        let list = list.iter().filter(|(member, _)| taken.contains(member)).copied();
        let signatures = Cow::Owned(Signatures::Independent(list.collect()));
        Ok(Self { signatures, left_out })
    }

    /// The signatures that are taken, in the order in which they were given.
    pub fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    /// Indices of the members whose signatures are taken, in increasing order.
    pub fn taken(&self) -> Vec<usize> {
        let mut members = self.signatures.members();
        members.sort_unstable();
        members
    }

    /// Indices of the members whose signatures are not taken, in increasing order.
    pub fn left_out(&self) -> &[usize] {
        &self.left_out
    }
}
