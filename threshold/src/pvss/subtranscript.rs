//! What remains of dealings once they have verified: commitments and ciphertexts, which can be
//! added.

use group::{prime::PrimeCurveAffine, Curve};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    session::Session,
    transcript::{decode_key, points},
    verify::Verified,
    Error, Field, MOST_PLAYERS,
};
use crate::pairing_curve::{
    add_in_lanes, decode_g1, G1Affine, G2Affine, Lane, LaneField, G1_BYTES, G2_BYTES,
};

const MAGIC: &[u8; 16] = b"muster-pvss-sum1";
/// What comes before the set of dealers: the magic bytes, the session and the number of dealings.
const HEADER: usize = 16 + 32 + 8;

/// The sum of verified dealings by different dealers: a dealing of the sum of their secrets. It is
/// as large as one dealing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtranscript {
    session: [u8; 32],
    /// Ascending, from 1; as many as dealings.
    dealers: Vec<usize>,
    pub(super) secret: G2Affine,
    pub(super) shares: Vec<G2Affine>,
    pub(super) ciphertexts: Vec<G1Affine>,
    pub(super) randomness: Vec<G1Affine>,
}

impl From<&Verified> for Subtranscript {
    fn from(verified: &Verified) -> Self {
        let dealt = verified.dealt();
        let parts = dealt.parts();
        Self {
            session: dealt.session(),
            dealers: vec![dealt.dealer()],
            secret: parts.g2(Field::Secret)[0],
            shares: parts.g2(Field::Shares).to_vec(),
            ciphertexts: parts.g1(Field::Ciphertexts).to_vec(),
            randomness: parts.g1(Field::Randomness).to_vec(),
        }
    }
}

impl Subtranscript {
    /// The sum of verified dealings, in any order.
    ///
    /// # Errors
    ///
    /// As [`Self::add`] or [`Self::check`]; [`Error::Dealers`] for no dealings.
    pub fn sum(dealings: &[Verified]) -> Result<Self, Error> {
        let (first, others) = dealings.split_first().ok_or(Error::Dealers)?;
        let mut sum = Self::from(first);
        others.iter().try_for_each(|dealing| sum.add(&Self::from(dealing)))?;
        sum.check()?;
        Ok(sum)
    }

    /// Checks that no commitment is the identity, which is not a key.
    ///
    /// No dealing has one, but a player knows the shares that others dealt to it: if it deals last,
    /// or colludes with the player that does, it can make their sum any point, even the identity,
    /// and no key can be made from that.
    ///
    /// # Errors
    ///
    /// [`Error::ZeroShare`] or [`Error::ZeroSecret`].
    pub fn check(&self) -> Result<(), Error> {
        let is_zero = |point: &G2Affine| bool::from(point.is_identity());
        match self.shares.iter().position(is_zero) {
            Some(share) => Err(Error::ZeroShare { share: share + 1 }),
            None if is_zero(&self.secret) => Err(Error::ZeroSecret),
            None => Ok(()),
        }
    }

    /// Adds another one from the same session, by other dealers. Intermediate sums may be anything:
    /// [`Self::check`] the final one.
    ///
    /// # Errors
    ///
    /// [`Error::OtherSession`] or [`Error::DuplicateDealer`].
    pub fn add(&mut self, other: &Self) -> Result<(), Error> {
        if self.session != other.session {
            return Err(Error::OtherSession);
        }
        let double = other.dealers.iter().find(|dealer| self.dealers.contains(dealer));
        if let Some(dealer) = double {
            return Err(Error::DuplicateDealer { dealer: *dealer });
        }
        self.dealers.extend(&other.dealers);
        self.dealers.sort_unstable();
        self.add_elements(other);
        Ok(())
    }

    /// The sum with another one, without checking who dealt them: for measurements.
    pub(super) fn plus_unchecked(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.dealers.extend(&other.dealers);
        sum.add_elements(other);
        sum
    }

    fn add_elements(&mut self, other: &Self) {
        self.secret = (self.secret.to_curve() + other.secret).to_affine();
        add_points(&mut self.shares, &other.shares);
        add_points(&mut self.ciphertexts, &other.ciphertexts);
        add_points(&mut self.randomness, &other.randomness);
    }

    /// Whose dealings it is the sum of, ascending.
    pub fn dealers(&self) -> &[usize] {
        &self.dealers
    }

    /// How many dealings were added: chunks are below that times 2^ℓ.
    pub fn dealings(&self) -> u64 {
        self.dealers.len() as u64
    }

    /// The commitment to the shared secret: the public key of the group, compressed.
    pub fn public_key(&self) -> [u8; G2_BYTES] {
        self.secret.to_compressed()
    }

    /// The commitment to a share, counted from 0.
    pub fn share_key(&self, share: usize) -> Option<[u8; G2_BYTES]> {
        self.shares.get(share).map(G2Affine::to_compressed)
    }

    pub(super) fn is_of(&self, session: &Session) -> bool {
        self.session == *session.digest()
    }

    /// SHA-256 of the encoding.
    pub fn digest(&self, session: &Session) -> [u8; 32] {
        Sha256::digest(self.to_bytes(session)).into()
    }

    /// The encoding: a header, the dealers as a bitmap, then all points.
    pub fn to_bytes(&self, session: &Session) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(self.session);
        out.extend(self.dealings().to_le_bytes());
        out.extend(bitmap(&self.dealers, session.shape().players()));
        out.extend(self.secret.to_compressed());
        self.shares.iter().for_each(|point| out.extend(point.to_compressed()));
        let points = self.ciphertexts.iter().chain(&self.randomness);
        points.for_each(|point| out.extend(point.to_compressed()));
        out
    }

    /// Reads the encoding: the exact length first, then dealers and points. Only a certificate, or
    /// adding them up again, shows that it is the sum of its dealers' dealings.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], [`Error::OtherSession`], [`Error::Dealers`], [`Error::Dealings`] or
    /// [`Error::Point`].
    pub fn from_bytes(session: &Session, bytes: &[u8]) -> Result<Self, Error> {
        let shape = session.shape();
        let map = shape.players().div_ceil(8);
        let expected = HEADER + map + shape.subtranscript_bytes();
        if bytes.len() != expected {
            return Err(Error::Length { expected, found: bytes.len() });
        }
        let (header, rest) = bytes.split_at(HEADER);
        if header[..16] != MAGIC[..] || header[16..48] != session.digest()[..] {
            return Err(Error::OtherSession);
        }
        let count = header[48..].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let (map, rest) = rest.split_at(map);
        let dealers = dealers(map, shape.players())?;
        if count != dealers.len() as u64 {
            return Err(Error::Dealings { dealings: count, most: MOST_PLAYERS as u64 });
        }
        let (in_g2, in_g1) = rest.split_at(G2_BYTES * (shape.shares() + 1));
        let (secret, shares) = in_g2.split_at(G2_BYTES);
        let (ciphertexts, randomness) = in_g1.split_at(G1_BYTES * shape.total_chunks());
        Ok(Self {
            session: *session.digest(),
            dealers,
            secret: points(Field::Secret, secret, decode_key)?[0],
            shares: points(Field::Shares, shares, decode_key)?,
            ciphertexts: points(Field::Ciphertexts, ciphertexts, decode_g1)?,
            randomness: points(Field::Randomness, randomness, decode_g1)?,
        })
    }
}

/// Adds points of either group in lanes.
fn add_points<F, P>(sum: &mut [P], other: &[P])
where
    F: LaneField,
    P: Send + Sync,
    Lane<F>: for<'a> From<&'a P>,
    P: for<'a> From<&'a Lane<F>>,
{
    let part = sum.len().div_ceil(rayon::current_num_threads()).max(64);
    sum.par_chunks_mut(part).zip(other.par_chunks(part)).for_each(|(sum, other)| {
        let mut lanes: Vec<Lane<F>> = sum.iter().map(Lane::from).collect();
        add_in_lanes(&mut lanes, |lane| Lane::from(&other[lane]));
        sum.iter_mut().zip(&lanes).for_each(|(point, lane)| *point = P::from(lane));
    });
}

/// A set of players as bits, the first player's lowest.
pub(crate) fn bitmap(players: &[usize], count: usize) -> Vec<u8> {
    let mut map = vec![0; count.div_ceil(8)];
    players.iter().for_each(|player| map[(player - 1) / 8] |= 1 << ((player - 1) % 8));
    map
}

/// The players of such a set, ascending. An empty set, or a bit beyond the last player, is an
/// error.
fn dealers(map: &[u8], count: usize) -> Result<Vec<usize>, Error> {
    let bits = (0..8 * map.len()).filter(|bit| map[bit / 8] >> (bit % 8) & 1 == 1);
    let players: Vec<usize> = bits.map(|bit| bit + 1).collect();
    match players.last() {
        Some(last) if *last <= count => Ok(players),
        _ => Err(Error::Dealers),
    }
}
