//! Verification of dealings from their bytes alone.

use sha2::{Digest, Sha256};

use super::{
    challenge::Challenger,
    equations::{culprit, hold, Factors, Prepared},
    range::{quotient_holds, AtPoint},
    rounds::Challenges,
    session::Session,
    Dealt, Equation, Error, Field, Place,
};
use crate::pairing_curve::Fr;

/// A dealing that verified, in the session that it was verified in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified(Dealt);

impl Verified {
    /// The dealing.
    pub fn dealt(&self) -> &Dealt {
        &self.0
    }
}

/// Verifies a dealing.
///
/// # Errors
///
/// [`Error::OtherSession`], or [`Error::Refused`] with the equation that does not hold, and where.
pub fn verify(session: &Session, dealt: &Dealt) -> Result<Verified, Error> {
    let prepared = prepare(session, dealt)?;
    if hold(session, &[(&prepared, prepared.factors.clone())]) {
        Ok(Verified(dealt.clone()))
    } else {
        Err(refuse(session, dealt, &prepared))
    }
}

/// Verifies many dealings of a session at once; each has its own verdict.
///
/// All equations of all dealings are merged. A set that fails is halved, so that a few bad dealings cost a
/// few more checks.
pub fn verify_all(session: &Session, dealings: &[Dealt]) -> Vec<Result<Verified, Error>> {
    use rayon::prelude::*;
    let prepared: Vec<Result<Prepared<'_>, Error>> =
        dealings.par_iter().map(|dealt| prepare(session, dealt)).collect();
    let mut good: Vec<usize> = vec![];
    let open: Vec<usize> = (0..dealings.len()).filter(|i| prepared[*i].is_ok()).collect();
    // A factor for each dealing, from a hash of all: errors of two dealers do not cancel.
    let mut hash = Sha256::new();
    dealings.iter().for_each(|dealt| hash.update(dealt.digest()));
    let mut challenger = Challenger::new(&hash.finalize().into());
    let factors = challenger.factors("dealings", dealings.len());
    search(session, &prepared, &factors, &open, &mut good);
    let verdict = |(index, prepared): (usize, Result<Prepared<'_>, Error>)| {
        let prepared = prepared?;
        match good.binary_search(&index) {
            Ok(_) => Ok(Verified(dealings[index].clone())),
            Err(_) => Err(refuse(session, &dealings[index], &prepared)),
        }
    };
    prepared.into_iter().enumerate().map(verdict).collect()
}

/// Adds the dealings of a set whose equations hold, in ascending order.
fn search(
    session: &Session,
    prepared: &[Result<Prepared<'_>, Error>],
    factors: &[Fr],
    set: &[usize],
    good: &mut Vec<usize>,
) {
    let terms: Vec<_> = set
        .iter()
        .filter_map(|index| {
            let prepared = prepared[*index].as_ref().ok()?;
            Some((prepared, prepared.factors.scaled(&factors[*index])))
        })
        .collect();
    if set.is_empty() || hold(session, &terms) {
        good.extend(set);
    } else if set.len() > 1 {
        let (left, right) = set.split_at(set.len() / 2);
        search(session, prepared, factors, left, good);
        search(session, prepared, factors, right, good);
    }
}

/// Replays the challenges, checks the equation of the scalars, and draws factors.
pub(super) fn prepare<'a>(session: &Session, dealt: &'a Dealt) -> Result<Prepared<'a>, Error> {
    if !dealt.is_of(session) {
        return Err(Error::OtherSession);
    }
    let challenges = Challenges::replay(session, dealt.dealer(), dealt.parts());
    let (dealer, equation, place) = (dealt.dealer(), Equation::Range, Place::default());
    let refused = Error::Refused { dealer, equation, place };
    let transform = &session.parameters().transform;
    let at = AtPoint::new(transform, &challenges.zeta).ok_or_else(|| refused.clone())?;
    let evaluations = dealt.parts().scalars(Field::Evaluations);
    let Challenges { beta, betas, zeta, .. } = &challenges;
    if !quotient_holds(&at, zeta, beta, betas, evaluations) {
        return Err(refused);
    }
    // From every byte, including all responses.
    let mut challenger = Challenger::new(session.digest());
    challenger.absorb("dealer", &(dealer as u64).to_le_bytes());
    challenger.absorb("dealing", &dealt.digest());
    let factors = Factors::draw(session, challenger);
    Ok(Prepared { parts: dealt.parts(), challenges, at, factors })
}

fn refuse(session: &Session, dealt: &Dealt, prepared: &Prepared<'_>) -> Error {
    let (equation, place) = culprit(session, prepared);
    Error::Refused { dealer: dealt.dealer(), equation, place }
}
