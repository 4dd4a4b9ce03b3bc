//! What is refused, and why. Players count from 1.

use super::Fraction;
use crate::{bls, pvss};

/// Errors of key generation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A sharing that is refused.
    #[error(transparent)]
    Sharing(#[from] pvss::Error),
    /// A group that can not be.
    #[error("{0}")]
    Group(String),
    /// A node without keys neither deals nor attests.
    #[error("the node is nobody's")]
    Observer,
    /// No players, or too many.
    #[error("{players} players, from 1 to {most} are possible", most = pvss::MOST_PLAYERS)]
    Players {
        /// Players found.
        players: usize,
    },
    /// No stake at all.
    #[error("nobody has a stake")]
    NoStake,
    /// Bounds out of order.
    #[error(
        "secrecy {secrecy} and reconstruction {reconstruction}: not 1/3 < secrecy < \
             reconstruction ≤ 2/3"
    )]
    Bounds {
        /// No set up to this part of the stake reconstructs.
        secrecy: Fraction,
        /// Every set above this part does.
        reconstruction: Fraction,
    },
    /// Another number of stakes than of players.
    #[error("{stakes} stakes for {players} players")]
    Stakes {
        /// Stakes found.
        stakes: usize,
        /// Players of the session.
        players: usize,
    },
    /// Dealers or attesters of whom nobody need be honest.
    #[error("dealers and attesters need more than a third of the stake at least, not {bound}")]
    LowBound {
        /// The bound.
        bound: Fraction,
    },
    /// A player that has sent no dealing, or none that this node holds.
    #[error("no dealing of player {dealer} that verified is here")]
    MissingDealing {
        /// The player.
        dealer: usize,
    },
    /// A player whose dealing is another one than the proposal's.
    #[error("the dealing of player {dealer} is not the proposed one")]
    OtherDealing {
        /// The player.
        dealer: usize,
    },
    /// A player that signed two different dealings.
    #[error("player {dealer} has signed two dealings")]
    Equivocator {
        /// The player.
        dealer: usize,
    },
    /// Dealers that are not players, come twice, or are out of order.
    #[error("the dealers are not players in ascending order")]
    Dealers,
    /// Dealers with too little stake.
    #[error("the dealers' stake is not above {bound} of all")]
    LightDealers {
        /// The bound.
        bound: Fraction,
    },
    /// Attesters with too little stake.
    #[error("the attesters' stake is not above {bound} of all")]
    LightAttesters {
        /// The bound.
        bound: Fraction,
    },
    /// Another epoch, session or policy than the ceremony's.
    #[error("of another epoch, session or policy")]
    OtherCeremony,
    /// A sum that is not the proposed one.
    #[error("the sum of the dealings is not the proposed one")]
    OtherSum,
    /// An attestation whose signature does not verify.
    #[error("player {player}: the attestation does not verify")]
    Attestation {
        /// The player.
        player: usize,
    },
    /// A certificate whose signature does not verify.
    #[error("the certificate does not verify")]
    Certificate,
    /// Two dealings that are no proof of misbehaviour.
    #[error("not two different dealings signed by one player")]
    NoEquivocation,
}

impl From<bls::Error> for Error {
    fn from(error: bls::Error) -> Self {
        Self::Group(error.to_string())
    }
}
