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
    // A factor for each dealing, from a hash of all: errors of two dealers do not cancel.
    let mut hash = Sha256::new();
    dealings.iter().for_each(|dealt| hash.update(dealt.digest()));
    let mut challenger = Challenger::new(&hash.finalize().into());
    let factors = challenger.factors("dealings", dealings.len());
    let open =
        prepared.iter().zip(&factors).enumerate().filter_map(|(place, (prepared, factor))| {
            let prepared = prepared.as_ref().ok()?;
            Some((place, (prepared, prepared.factors.scaled(factor))))
        });
    let (places, terms): (Vec<usize>, Vec<_>) = open.unzip();
    let mut good: Vec<usize> = vec![];
    search(session, &places, &terms, &mut good);
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
    places: &[usize],
    terms: &[(&Prepared<'_>, Factors)],
    good: &mut Vec<usize>,
) {
    if places.is_empty() || hold(session, terms) {
        good.extend(places);
    } else if places.len() > 1 {
        let middle = places.len() / 2;
        search(session, &places[..middle], &terms[..middle], good);
        search(session, &places[middle..], &terms[middle..], good);
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
