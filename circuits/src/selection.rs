//! The signatures on a message, which of them fill a circuit if there are more than slots, and whom a statement names.

use std::{cmp::Reverse, collections::HashSet};

use muster_schemes::{
    membership::{Member, SignerMask},
    signature::AnySignature,
};

use crate::{
    committee::Committee,
    error::{Error, Rejection},
    statement::Statement,
    terms::Terms,
};

/// The signatures on a message.
#[derive(Clone, Debug)]
pub enum Signatures {
    /// One for each signer: the index of the member and its signature.
    Independent(Vec<(usize, AnySignature)>),
    /// One by all signers together.
    Aggregate {
        /// Indices of the members.
        members: Vec<usize>,
        /// Their signature.
        signature: AnySignature,
    },
}

impl Signatures {
    /// Indices of the signers.
    pub fn members(&self) -> Vec<usize> {
        match self {
            Self::Independent(signatures) => signatures.iter().map(|(member, _)| *member).collect(),
            Self::Aggregate { members, .. } => members.clone(),
        }
    }
}

/// A member and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weighted {
    /// The index of the member.
    pub(crate) member: usize,
    pub(crate) weight: u64,
}

/// Signers that a circuit has slots for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    taken: Vec<usize>,
    left_out: Vec<usize>,
}

impl Selection {
    /// All signers, if there are no more than `slots`. Otherwise as few as reach the threshold, the heaviest first
    /// and, at equal weight, those of lower index.
    ///
    /// # Errors
    ///
    /// [`Error::TooFewSlots`] if the heaviest do not reach the threshold, and
    /// [`Error::TooManySigners`] for an aggregate, which can leave none of its signers out.
    pub(crate) fn new(
        slots: usize,
        threshold: u64,
        signers: &[Weighted],
        is_aggregate: bool,
    ) -> Result<Self, Error> {
        let mut signers = signers.to_vec();
        let count = signers.len();
        if count > slots && is_aggregate {
            return Err(Error::TooManySigners { signers: count, slots });
        }
        let mut left_out = vec![];
        if count > slots {
            signers.sort_by_key(|signer| (Reverse(signer.weight), signer.member));
            let mut weight = 0;
            let needed = signers.iter().take(slots).position(|signer| {
                weight += signer.weight;
                weight >= threshold
            });
            let Some(last) = needed else {
                return Err(Error::TooFewSlots { signers: count, slots, weight, threshold });
            };
            left_out = signers.split_off(last + 1);
        }
        let in_order = |signers: Vec<Weighted>| {
            let mut members: Vec<_> = signers.into_iter().map(|signer| signer.member).collect();
            members.sort_unstable();
            members
        };
        Ok(Self { taken: in_order(signers), left_out: in_order(left_out) })
    }

    /// The signers that a mask names, all of whom have signed.
    ///
    /// # Errors
    ///
    /// [`Error::TooManySigners`] if there are more than `slots`.
    pub(crate) fn named(
        slots: usize,
        mask: &SignerMask,
        signers: &[Weighted],
    ) -> Result<Self, Error> {
        if mask.count() > slots {
            return Err(Error::TooManySigners { signers: mask.count(), slots });
        }
        let left_out = signers.iter().map(|signer| signer.member);
        let left_out = left_out.filter(|member| !mask.contains(*member)).collect();
        Ok(Self { taken: mask.iter().collect(), left_out })
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

impl Terms {
    /// Whom a statement on these signatures names, if its shape [says who signed](crate::Shape::mask) and has this many
    /// slots: all signers or, if these are too many, the heaviest, as few as reach the threshold. An aggregate names
    /// all its signers, whatever the slots are for; [`Witness::select`](crate::Witness::select) says whether there are
    /// enough slots. No signature is verified yet.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for a signer who is no member or signs twice, or [`Error::TooFewSlots`].
    pub fn signers(
        &self,
        slots: usize,
        committee: &Committee,
        signatures: &Signatures,
        threshold: u64,
    ) -> Result<Option<SignerMask>, Error> {
        let Some(capacity) = self.masked() else { return Ok(None) };
        let signers = distinct(committee.members(), &signatures.members())?;
        let is_aggregate = self.suite().scheme().is_aggregate();
        let slots = if is_aggregate { signers.len() } else { slots };
        let selection = Selection::new(slots, threshold, &signers, is_aggregate)?;
        Ok(Some(SignerMask::new(capacity, selection.taken)?))
    }
}

impl Committee {
    /// Checks that these are distinct members, before any of their signatures is looked at.
    ///
    /// # Errors
    ///
    /// [`Error::Rejected`] for the first who is no member, or signs twice.
    pub fn check_signers(&self, signers: &[usize]) -> Result<(), Error> {
        Ok(distinct(self.members(), signers).map(drop)?)
    }
}

/// Checks that a statement says who signed if, and only if, the terms ask for it.
pub(crate) fn check_mask(terms: &Terms, statement: &Statement) -> Result<(), Error> {
    let said = statement.signers.as_ref().map(SignerMask::capacity);
    (said == terms.masked()).then_some(()).ok_or(Error::OtherMask)
}

/// The signers with these indices, if they are distinct members.
pub(crate) fn distinct(members: &[Member], signers: &[usize]) -> Result<Vec<Weighted>, Rejection> {
    let mut seen = HashSet::new();
    let signer = |&member: &usize| {
        let entry = members.get(member);
        let entry = entry.ok_or(Rejection::NotAMember { member, members: members.len() })?;
        let is_new = seen.insert(member);
        let signer = Weighted { member, weight: entry.weight };
        is_new.then_some(signer).ok_or(Rejection::DuplicateSigner(member))
    };
    signers.iter().map(signer).collect()
}

/// The weight of the signers whom a statement names, or of all if it has no mask. Every signer of an aggregate must be
/// named.
pub(crate) fn named_weight(
    statement: &Statement,
    signers: &[Weighted],
    is_aggregate: bool,
) -> Result<u64, Rejection> {
    let mask = statement.signers.as_ref();
    let is_named = |member: usize| mask.is_none_or(|mask| mask.contains(member));
    let signing: HashSet<_> = signers.iter().map(|signer| signer.member).collect();
    let mut said = mask.into_iter().flat_map(SignerMask::iter);
    if let Some(member) = said.find(|member| !signing.contains(member)) {
        return Err(Rejection::NoSignature(member));
    }
    let (named, others): (Vec<&Weighted>, Vec<_>) =
        signers.iter().partition(|signer| is_named(signer.member));
    match others.first() {
        Some(signer) if is_aggregate => Err(Rejection::Unnamed(signer.member)),
        _ => Ok(named.iter().map(|signer| signer.weight).sum()),
    }
}
