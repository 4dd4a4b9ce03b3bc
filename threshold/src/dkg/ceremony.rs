//! What all players know about a key generation.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Error, Fraction};
use crate::pvss::Session;

const TAG: &[u8] = b"muster-dkg-ceremony-v1";

/// A session with its players' stakes, and how much stake must deal and attest.
#[derive(Clone, Debug)]
pub struct Ceremony {
    session: Arc<Session>,
    stakes: Vec<u64>,
    contributors: Fraction,
    attesters: Fraction,
    digest: [u8; 32],
}

impl Ceremony {
    /// A ceremony. Dealers need more than the fraction `contributors` of all stake, which the
    /// caller chooses no lower than the secrecy bound, so that one of them is honest. Attesters
    /// need more than `attesters`, for the same reason. Neither may be below a third.
    ///
    /// # Errors
    ///
    /// [`Error::Stakes`] if there are not as many stakes as players, [`Error::NoStake`], or
    /// [`Error::LowBound`].
    pub fn new(
        session: Arc<Session>,
        stakes: &[u64],
        contributors: Fraction,
        attesters: Fraction,
    ) -> Result<Self, Error> {
        let players = session.shape().players();
        if stakes.len() != players {
            return Err(Error::Stakes { stakes: stakes.len(), players });
        }
        if stakes.iter().all(|stake| *stake == 0) {
            return Err(Error::NoStake);
        }
        let third = Fraction::new(1, 3).ok_or(Error::NoStake)?;
        if let Some(bound) = [contributors, attesters].into_iter().find(|part| part.is_below(third))
        {
            return Err(Error::LowBound { bound });
        }
        let mut hash = Sha256::new();
        hash.update(TAG);
        hash.update(session.digest());
        stakes.iter().for_each(|stake| hash.update(stake.to_le_bytes()));
        for fraction in [contributors, attesters] {
            hash.update(fraction.numerator().to_le_bytes());
            hash.update(fraction.denominator().to_le_bytes());
        }
        let digest = hash.finalize().into();
        Ok(Self { session, stakes: stakes.to_vec(), contributors, attesters, digest })
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// SHA-256 of the whole ceremony.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Whether distinct players, all of whom exist, have more than a fraction of all stake.
    fn is_exceeded(&self, bound: Fraction, players: &[usize]) -> bool {
        let stake = players.iter().map(|player| u128::from(self.stakes[player - 1])).sum();
        bound.is_exceeded(stake, self.stakes.iter().map(|stake| u128::from(*stake)).sum())
    }

    /// Checks that these are players of the session, each once, in ascending order.
    pub(super) fn check_players(&self, players: &[usize]) -> Result<(), Error> {
        let ascending = players.windows(2).all(|pair| pair[0] < pair[1]);
        let known = players.first().is_some_and(|first| *first >= 1)
            && players.last().is_some_and(|last| *last <= self.stakes.len());
        (ascending && known).then_some(()).ok_or(Error::Dealers)
    }

    /// Checks that dealers are players with enough stake.
    pub(super) fn check_contributors(&self, players: &[usize]) -> Result<(), Error> {
        self.check_players(players)?;
        let enough = self.is_exceeded(self.contributors, players);
        enough.then_some(()).ok_or(Error::LightDealers { bound: self.contributors })
    }

    /// The same for attesters.
    pub(super) fn check_attesters(&self, players: &[usize]) -> Result<(), Error> {
        self.check_players(players)?;
        let enough = self.is_exceeded(self.attesters, players);
        enough.then_some(()).ok_or(Error::LightAttesters { bound: self.attesters })
    }
}
