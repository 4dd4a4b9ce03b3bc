//! Committees whose members are groups that sign by FROST.

#[cfg(test)]
mod tests;

use std::{fmt, str::FromStr};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
use muster_circuits::{Message, Scheme, Signatures};
use muster_prover::sample::{Plan, Sample, Source};
use muster_schemes::decimal;
use muster_schemes::signature::schnorr::Schnorr;
use muster_threshold::frost::babyjubjub::sign_by_group;
use rayon::prelude::*;

use crate::Error;

/// How many members of a group sign, and how many there are, written `threshold/members`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quorum {
    threshold: u16,
    members: u16,
}

impl Quorum {
    /// `threshold` of `members`, or `None` unless 2 ≤ threshold ≤ members.
    pub(crate) fn new(threshold: u16, members: u16) -> Option<Self> {
        (2 <= threshold && threshold <= members).then_some(Self { threshold, members })
    }

    /// How many sign.
    pub(crate) fn threshold(self) -> u16 {
        self.threshold
    }

    /// How many members there are.
    pub(crate) fn members(self) -> u16 {
        self.members
    }
}

impl fmt::Display for Quorum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.threshold, self.members)
    }
}

impl FromStr for Quorum {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let parts = parts.and_then(|(t, n)| Some((decimal::read(t).ok()?, decimal::read(n).ok()?)));
        let (threshold, members) = parts.ok_or("a group is threshold/members, for example 7/10")?;
        let wrong = || {
            format!(
                "{threshold} of {members}: {threshold} must be at least 2, and at most {members}"
            )
        };
        Self::new(threshold, members).ok_or_else(wrong)
    }
}

/// Makes a sample of the scheme `schnorr-babyjubjub` whose members are groups: each key is dealt to the members of a
/// group, and for each signature random ones of them run both rounds. Other schemes are refused.
pub(crate) fn sample(plan: &Plan, quorum: Quorum, source: Source) -> Result<Sample, Error> {
    if plan.scheme != Scheme::Schnorr {
        let reason = format!("groups sign only {}, not {}", Scheme::Schnorr, plan.scheme);
        return Err(Error::usage(reason));
    }
    let mut sample = Sample::new(plan, source.clone())?;
    let Message::Field(message) = sample.message else {
        return Err(muster_circuits::Error::WrongMessage(plan.scheme).into());
    };
    let sign = |member: &usize| {
        let signature = signed(&source, *member, quorum, &message)?;
        Ok((*member, signature.into()))
    };
    let members = sample.signatures.members();
    let list = members.par_iter().map(sign).collect::<Result<_, Error>>()?;
    sample.signatures = Signatures::Independent(list);
    Ok(sample)
}

/// A group's signature. The group's key is the committee member's, dealt.
fn signed(
    source: &Source,
    member: usize,
    quorum: Quorum,
    message: &Fr,
) -> Result<muster_schemes::signature::Signature, Error> {
    let mut rng = source.nonces(member);
    let secret = source.secret_key::<Schnorr>(member)?;
    let mut bytes = message.to_repr();
    bytes.reverse();
    let Quorum { threshold, members } = quorum;
    Ok(sign_by_group(&secret, threshold, members, &bytes, &mut rng)?)
}
