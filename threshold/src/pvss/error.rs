//! What is refused, and why.

use std::fmt;

use super::field::Field;
use crate::pairing_curve::PointFault;

/// The equations that a transcript satisfies. Those that only some variants have say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum Equation {
    /// The shares' commitments lie on a polynomial of the session's degree.
    #[error("the shares are not on a polynomial of the session's degree")]
    LowDegree,
    /// Σₖ Bᵏ⁻¹ Rⱼₖ = 0: the randomness of a slot adds up to zero.
    #[error("the randomness of the chunks does not add up to zero")]
    Randomness,
    /// Σₖ Bᵏ⁻¹ Cᵢⱼₖ is the commitment to the share, in the other group (not Chunky2).
    #[error("the chunks are not those of the committed share")]
    Share,
    /// The dealer knows the masks by which the shifted range commitment differs from the first.
    #[error("the proof that the range commitment was shifted by known masks is bad")]
    Masks,
    /// v_h Z*(ζ) = β (v − Σ 2ʲ vⱼ) + Σ βⱼ vⱼ (vⱼ − 1): chunks are made of bits.
    #[error("the committed chunks are not in their range")]
    Range,
    /// The range proof's polynomials have the values that it states.
    #[error("the range proof's values are not those of its polynomials")]
    Opening,
    /// The dealer knows the randomness of Rⱼₖ.
    #[error("the proof of the randomness is bad")]
    Correlation,
    /// The range commitment's value at ζ is that of the ciphertexts (compact).
    #[error("the range commitment does not hold the chunks of the ciphertexts")]
    Binding,
    /// The dealer knows the chunk and the randomness of a ciphertext (Chunky, Chunky2).
    #[error("the proof of the ciphertext's chunk is bad")]
    Ciphertext,
    /// The range commitment holds the chunks of the ciphertexts (Chunky, Chunky2).
    #[error("the proof that the range commitment holds the chunks is bad")]
    Commitment,
    /// The share's commitment holds the chunks of the ciphertexts (Chunky2).
    #[error("the proof that the share consists of its chunks is bad")]
    ShareChunks,
}

impl Equation {
    /// Equations in groups, which are merged with factors.
    pub(super) const MERGED: [Self; 10] = [
        Self::LowDegree,
        Self::Randomness,
        Self::Masks,
        Self::Opening,
        Self::Correlation,
        Self::Binding,
        Self::Ciphertext,
        Self::Commitment,
        Self::ShareChunks,
        Self::Share,
    ];
}

/// Where in a transcript, as far as an equation is about one place. All numbers count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The player.
    pub player: Option<usize>,
    /// The player's share, or the slot of randomness.
    pub share: Option<usize>,
    /// The chunk of the share.
    pub chunk: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("player", self.player), ("share", self.share), ("chunk", self.chunk)];
        for (name, number) in parts.iter().filter_map(|(name, at)| at.map(|at| (name, at))) {
            write!(out, "{name} {number}: ")?;
        }
        Ok(())
    }
}

/// Which of a player's two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// The key that shares are encrypted under.
    Encryption,
    /// The key that dealings and attestations are signed with.
    Signing,
}

impl fmt::Display for KeyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Encryption => "encryption key",
            Self::Signing => "signing key",
        })
    }
}

/// Errors of sharing. Players, shares and chunks count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A session without players, or with more than an index can count.
    #[error("{players} players: must be from 1 to {most}")]
    Players {
        /// Players found.
        players: usize,
        /// The most that are possible.
        most: usize,
    },
    /// Not as many weights as players.
    #[error("{weights} weights for {players} players")]
    Weights {
        /// Weights found.
        weights: usize,
        /// Players found.
        players: usize,
    },
    /// No shares at all, or too many.
    #[error("the weights add up to {shares}: must be from 1 to {most}")]
    Shares {
        /// Sum of the weights, or the greatest number if it overflows.
        shares: usize,
        /// The most that are possible.
        most: usize,
    },
    /// A threshold of no shares, or of more than there are.
    #[error("a threshold of {threshold} of {shares} shares is out of range")]
    Threshold {
        /// Shares that reconstruct.
        threshold: usize,
        /// Shares in all.
        shares: usize,
    },
    /// A number of bits that chunks cannot have.
    #[error("chunks of {bits} bits: must be 8, 16 or 32")]
    ChunkBits {
        /// Bits found.
        bits: u32,
    },
    /// A reference string with too few powers, or parameters for another size.
    #[error("the reference string's domain has {found} points, but {needed} are needed")]
    SrsSize {
        /// Points that the session needs.
        needed: usize,
        /// Points found.
        found: usize,
    },
    /// A reference string that is not consistent.
    #[error("reference string: {reason}")]
    Srs {
        /// Why.
        reason: &'static str,
    },
    /// A proof of possession that does not verify.
    #[error("player {player}: the {kind} has no valid proof of possession")]
    Possession {
        /// The player.
        player: usize,
        /// The key.
        kind: KeyKind,
    },
    /// Bytes that are not a key.
    #[error("player {player}: the {kind} is invalid: {fault}")]
    Key {
        /// The player.
        player: usize,
        /// The key.
        kind: KeyKind,
        /// What is wrong.
        fault: PointFault,
    },
    /// Two players with one key.
    #[error("players {first} and {second} have the same {kind}")]
    SameKey {
        /// The first of them.
        first: usize,
        /// The other one.
        second: usize,
        /// The key.
        kind: KeyKind,
    },
    /// A player that the session does not have.
    #[error("player {player}: the session has only {players}")]
    UnknownPlayer {
        /// The player.
        player: usize,
        /// Players of the session.
        players: usize,
    },
    /// A secret key that does not belong to the player.
    #[error("player {player}: the secret key does not belong to the session's {kind}")]
    OtherKey {
        /// The player.
        player: usize,
        /// The key.
        kind: KeyKind,
    },
    /// A secret scalar that is zero or not below the order.
    #[error("the secret is zero or not below the order of the group")]
    BadSecret,
    /// A length other than that of the session's transcripts. Nothing was decoded.
    #[error("{found} bytes, but in this session there must be {expected}")]
    Length {
        /// The length.
        expected: usize,
        /// The length found.
        found: usize,
    },
    /// Bytes that are not a point, or a point that is not allowed here.
    #[error("{field}, number {index}: {fault}")]
    Point {
        /// The part of the transcript.
        field: Field,
        /// Which of its points, from 1.
        index: usize,
        /// What is wrong.
        fault: PointFault,
    },
    /// A scalar that is not below the order.
    #[error("{field}, number {index}: not below the order of the field")]
    Scalar {
        /// The part of the transcript.
        field: Field,
        /// Which of its scalars, from 1.
        index: usize,
    },
    /// The dealer's signature does not verify.
    #[error("dealer {dealer}: not the dealer's signature on this transcript in this session")]
    Signature {
        /// The dealer.
        dealer: usize,
    },
    /// A dealing that no player of the session signed.
    #[error("no player of the session signed it")]
    Unsigned,
    /// An equation that does not hold.
    #[error("dealer {dealer}: {place}{equation}")]
    Refused {
        /// The dealer.
        dealer: usize,
        /// The equation.
        equation: Equation,
        /// Where.
        place: Place,
    },
    /// Transcripts of another session.
    #[error("a transcript for another session")]
    OtherSession,
    /// A dealer that occurs twice in a sum.
    #[error("dealer {dealer} is already in the sum")]
    DuplicateDealer {
        /// The dealer.
        dealer: usize,
    },
    /// Dealers that are not in ascending order, or none.
    #[error("the dealers are not in ascending order, or there are none")]
    Dealers,
    /// A sum in which a share is zero: only the player that holds it could have caused that.
    #[error("share {share} of the sum is zero")]
    ZeroShare {
        /// The share, from 1.
        share: usize,
    },
    /// A sum whose secret is zero.
    #[error("the secret of the sum is zero")]
    ZeroSecret,
    /// More dealings in a sum than its encoding can count.
    #[error("{dealings} dealings in a sum: must be from 1 to {most}")]
    Dealings {
        /// Dealings found.
        dealings: u64,
        /// The most that are possible.
        most: u64,
    },
    /// Chunks that are not those of the committed share, or none at all.
    #[error("the shares of player {player} cannot be decrypted")]
    Decryption {
        /// The player.
        player: usize,
    },
    /// Shares that are too few, not distinct, or not those of the session.
    #[error("{found} different shares of the session, but {needed} are needed")]
    TooFewShares {
        /// Different shares found.
        found: usize,
        /// Shares that reconstruct.
        needed: usize,
    },
    /// A share that is not the one committed to.
    #[error("share {share}: not the one that was committed to")]
    WrongShare {
        /// The share, from 1.
        share: usize,
    },
    /// The shares are those committed to, but the secret is not.
    #[error("the shares do not give the secret that was committed to")]
    WrongSecret,
    /// Lagrange points from a file that are not those of the reference string.
    #[error("Lagrange points: {reason}: remove the file, and it will be made again")]
    Lagrange {
        /// Why.
        reason: &'static str,
    },
    /// Not a table of logarithms, or one of another size.
    #[error("table of logarithms: {reason}")]
    Table {
        /// Why.
        reason: &'static str,
    },
}
