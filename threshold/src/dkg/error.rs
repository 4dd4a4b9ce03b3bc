//! What is refused, and why. Players are numbered from 1.

use super::Fraction;
use crate::{bls, pvss};

/// Errors of key generation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A sharing that is refused.
    #[error(transparent)]
    Sharing(#[from] pvss::Error),
    /// A group that cannot exist.
    #[error("{0}")]
    Group(String),
    /// A node without keys neither deals nor attests.
    #[error("the node has no keys: it can only observe")]
    Observer,
    /// No players, or too many.
    #[error("{players} players: must be from 1 to {most}", most = pvss::MOST_PLAYERS)]
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
        /// No set up to this fraction of the stake reconstructs.
        secrecy: Fraction,
        /// Every set above this fraction does.
        reconstruction: Fraction,
    },
    /// Not as many stakes as players.
    #[error("{stakes} stakes for {players} players")]
    Stakes {
        /// Stakes found.
        stakes: usize,
        /// Players of the session.
        players: usize,
    },
    /// A bound that lets all dealers or attesters be dishonest.
    #[error(
        "the bound for dealers and attesters must be at least a third of the stake, not {bound}"
    )]
    LowBound {
        /// The bound.
        bound: Fraction,
    },
    /// A player whose dealing this node does not hold.
    #[error("there is no verified dealing by player {dealer}")]
    MissingDealing {
        /// The player.
        dealer: usize,
    },
    /// A player whose dealing differs from the proposal's.
    #[error("player {dealer}'s dealing is not the proposed one")]
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
    /// Dealers that are not players, occur twice, or are out of order.
    #[error("the dealers are not players in ascending order")]
    Dealers,
    /// Dealers with too little stake.
    #[error("the dealers' stake is not above {bound} of the total")]
    LightDealers {
        /// The bound.
        bound: Fraction,
    },
    /// Attesters with too little stake.
    #[error("the attesters' stake is not above {bound} of the total")]
    LightAttesters {
        /// The bound.
        bound: Fraction,
    },
    /// An epoch, session or policy other than the ceremony's.
    #[error("for another epoch, session or policy")]
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
    /// Two dealings that do not prove misbehaviour.
    #[error("not two different dealings signed by one player")]
    NoEquivocation,
}

impl From<bls::Error> for Error {
    fn from(error: bls::Error) -> Self {
        Self::Group(error.to_string())
    }
}
