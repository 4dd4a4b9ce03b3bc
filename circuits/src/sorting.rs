//! Signatures that do not count. Whoever gathers signatures sets them aside, so that they stop no others.

use std::{collections::HashSet, slice};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_gadgets::signature::instructions::SignatureInstructions;
use muster_schemes::signature::{AnySignature, Message, SignedMessage};
use rayon::prelude::*;

use crate::{
    committee::Committee,
    error::{Error, Rejection},
    scheme::{SchemeVisitor, Suite},
    selection::Signatures,
    terms::Terms,
    witness::{check_form, rejected},
};

/// A signature that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Its place in the list.
    pub place: usize,
    /// The index of its member, as it was given; `None` if it is not known whose it is.
    pub member: Option<usize>,
    /// Why: [`Error::Rejected`] or [`Error::SignatureLength`].
    pub reason: Error,
}

/// Signatures by one member each.
type Signed = Vec<(usize, AnySignature)>;

impl Terms {
    /// Sorts out the signatures that do not count, as [`Suite::sort_out`] does. A signature by all signers together stays:
    /// it holds or fails as a whole.
    ///
    /// This is no evidence: [`Self::verify`] checks again what stays.
    ///
    /// # Errors
    ///
    /// Those of [`Self::tree`] and [`Suite::sort_out`], and [`Error::OtherForm`], [`Error::LongMessage`] or
    /// [`Error::Precommit`] for a message that no circuit of these terms takes.
    pub fn sort_out(
        &self,
        committee: &Committee,
        message: &Message,
        signatures: Signatures,
    ) -> Result<(Signatures, Vec<Dropped>), Error> {
        let Signatures::Independent(list) = signatures else { return Ok((signatures, vec![])) };
        check_form(self.suite(), message)?;
        // It says who cannot be in a set.
        self.tree(committee)?;
        let (good, dropped) = self.suite().sort_out(committee, message, list)?;
        Ok((Signatures::Independent(good), dropped))
    }
}

impl Suite {
    /// Sorts out the signatures that do not count: those by nobody in the committee, those that do not hold, and all but
    /// the first good one by a member.
    ///
    /// # Errors
    ///
    /// [`Error::WrongMessage`]; [`Error::WrongKind`] for signatures or keys of another scheme, or if the signers of this
    /// one can only sign together.
    pub fn sort_out(
        &self,
        committee: &Committee,
        message: &Message,
        signed: Signed,
    ) -> Result<(Signed, Vec<Dropped>), Error> {
        let verdicts = self.visit(Judge { suite: self, committee, message, signed: &signed })?;
        let (mut seen, mut good, mut dropped) = (HashSet::new(), vec![], vec![]);
        for (place, ((member, signature), verdict)) in signed.into_iter().zip(verdicts).enumerate()
        {
            // A bad signature in a member's name takes nothing from a good one.
            let verdict = verdict.and_then(|()| {
                let is_new = seen.insert(member);
                is_new.then_some(()).ok_or(Rejection::DuplicateSigner(member).into())
            });
            match verdict {
                Ok(()) => good.push((member, signature)),
                Err(reason) => dropped.push(Dropped { place, member: Some(member), reason }),
            }
        }
        Ok((good, dropped))
    }
}

/// Judges each signature by itself.
struct Judge<'a> {
    suite: &'a Suite,
    committee: &'a Committee,
    message: &'a Message,
    signed: &'a [(usize, AnySignature)],
}

impl SchemeVisitor for Judge<'_> {
    type Output = Result<Vec<Result<(), Error>>, Error>;

    fn visit<S: SignatureInstructions>(self, scheme: S) -> Self::Output {
        let Self { suite, committee, message, signed } = self;
        let name = suite.scheme();
        let message = S::Message::of(message).ok_or(Error::WrongMessage(name))?;
        if S::AGGREGATE && scheme.adds_keys().is_none() {
            return Err(Error::WrongKind(name));
        }
        let members = committee.members();
        let verdict = |(member, signature): &(usize, AnySignature)| {
            let nobody = Rejection::NotAMember { member: *member, members: members.len() };
            let key = &members.get(*member).ok_or(nobody)?.public_key;
            let one = slice::from_ref(signature);
            let verdict = match scheme.adds_keys() {
                Some(adds_keys) => adds_keys.add_up(&[key], &message, one).map(drop),
                // Only those who sign together sign something of the root.
                None => {
                    let verified =
                        scheme.verify_all(&Fr::ZERO, slice::from_ref(key), &message, one);
                    verified.map(drop)
                }
            };
            verdict.map_err(|refusal| rejected(name, &[*member], refusal))
        };
        let verdicts: Vec<_> = signed.par_iter().map(verdict).collect();
        // Whoever mixes schemes has made a mistake; no signer can.
        let mixed = verdicts.contains(&Err(Error::WrongKind(name)));
        (!mixed).then_some(verdicts).ok_or(Error::WrongKind(name))
    }
}
