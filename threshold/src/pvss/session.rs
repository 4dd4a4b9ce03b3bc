//! What all players agree on before anybody deals.

use std::sync::{Arc, OnceLock};

use ff::{Field as _, PrimeField};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    error::KeyKind, layout::Layout, low_degree, parameters::Parameters, Error, KeyBundle,
    PlayerKeys, SecretKeys, Variant,
};
use crate::pairing_curve::{domain_size, Fr, G1Affine, Multiples, Transform};

/// Most players of a session.
pub const MOST_PLAYERS: usize = 1 << 16;
/// Most shares of a session.
pub const MOST_SHARES: usize = 1 << 16;
/// Bits of a scalar.
const SCALAR_BITS: u32 = 255;
const TAG: &[u8] = b"muster-pvss-session-v1";

/// Numbers of players, shares and chunks: all that sizes follow from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    variant: Variant,
    chunk_bits: u32,
    threshold: usize,
    weights: Vec<u32>,
    /// Shares before each player's, and all shares.
    offsets: Vec<usize>,
}

/// A chunk's place in a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkPlace {
    /// The player, from 0.
    pub(super) player: usize,
    /// The player's share and the slot of randomness, from 0.
    pub(super) slot: usize,
    /// The chunk of the share, from 0.
    pub(super) chunk: usize,
}

impl Shape {
    /// `threshold` shares reconstruct, one at least; player i holds `weights[i]` of them.
    ///
    /// # Errors
    ///
    /// [`Error::Players`], [`Error::Shares`], [`Error::Threshold`] or [`Error::ChunkBits`].
    pub fn new(
        variant: Variant,
        chunk_bits: u32,
        threshold: usize,
        weights: &[u32],
    ) -> Result<Self, Error> {
        if !matches!(chunk_bits, 8 | 16 | 32) {
            return Err(Error::ChunkBits { bits: chunk_bits });
        }
        if !(1..=MOST_PLAYERS).contains(&weights.len()) {
            return Err(Error::Players { players: weights.len(), most: MOST_PLAYERS });
        }
        let mut offsets = vec![0usize];
        for weight in weights {
            let sum = offsets.last().and_then(|sum| sum.checked_add(*weight as usize));
            offsets.push(sum.unwrap_or(usize::MAX));
        }
        let shares = offsets.last().copied().unwrap_or(0);
        if !(1..=MOST_SHARES).contains(&shares) {
            return Err(Error::Shares { shares, most: MOST_SHARES });
        }
        if !(1..=shares).contains(&threshold) {
            return Err(Error::Threshold { threshold, shares });
        }
        Ok(Self { variant, chunk_bits, threshold, weights: weights.to_vec(), offsets })
    }

    /// How the ciphertexts are proved.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// ℓ, the bits of a chunk.
    pub fn chunk_bits(&self) -> u32 {
        self.chunk_bits
    }

    /// Shares that reconstruct: t + 1.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// The players' weights.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// n.
    pub fn players(&self) -> usize {
        self.weights.len()
    }

    /// W.
    pub fn shares(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// w*, the largest weight: slots of randomness.
    pub fn slots(&self) -> usize {
        self.weights.iter().max().map_or(0, |weight| *weight as usize)
    }

    /// m = ⌈255 / ℓ⌉, the chunks of a share.
    pub fn chunks(&self) -> usize {
        SCALAR_BITS.div_ceil(self.chunk_bits) as usize
    }

    /// N = W m.
    pub fn total_chunks(&self) -> usize {
        self.shares() * self.chunks()
    }

    /// M, the least order of a domain for N + 1 values.
    pub fn domain(&self) -> usize {
        domain_size(self.total_chunks() + 1)
    }

    /// Bytes of a transcript, without the dealer's signature.
    pub fn transcript_bytes(&self) -> usize {
        Layout::new(self).length()
    }

    /// Bytes of a sum of transcripts, without what says whose it is.
    pub fn subtranscript_bytes(&self) -> usize {
        use crate::pairing_curve::{G1_BYTES, G2_BYTES};
        let points = self.total_chunks() + self.slots() * self.chunks();
        G2_BYTES * (self.shares() + 1) + G1_BYTES * points
    }

    /// The shares of a player (from 0) among all, counted from 0.
    pub(crate) fn shares_of(&self, player: usize) -> std::ops::Range<usize> {
        self.offsets[player]..self.offsets[player + 1]
    }

    /// The owner of a share and its slot.
    pub(crate) fn owner(&self, share: usize) -> (usize, usize) {
        let player = self.offsets.partition_point(|offset| *offset <= share) - 1;
        (player, share - self.offsets[player])
    }

    /// All chunks in their order.
    pub(super) fn places(&self) -> Vec<ChunkPlace> {
        let mut places = Vec::with_capacity(self.total_chunks());
        for player in 0..self.players() {
            for slot in 0..self.weights[player] as usize {
                places.extend((0..self.chunks()).map(|chunk| ChunkPlace { player, slot, chunk }));
            }
        }
        places
    }

    /// The slot and chunk of a place: the number of its randomness.
    pub(super) fn randomness(&self, place: &ChunkPlace) -> usize {
        place.slot * self.chunks() + place.chunk
    }

    /// Bᵏ⁻¹ for all chunks of a share.
    pub(super) fn radix_powers(&self) -> Vec<Fr> {
        let radix = Fr::from(1u64 << self.chunk_bits);
        let powers = std::iter::successors(Some(Fr::ONE), |power| Some(*power * radix));
        powers.take(self.chunks()).collect()
    }
}

/// Who takes part, with what weights, for which threshold and purpose. All of it is bound by every proof.
#[derive(Clone, Debug)]
pub struct Session {
    shape: Shape,
    layout: Layout,
    parameters: Arc<Parameters>,
    players: Vec<PlayerKeys>,
    epoch: u64,
    label: Vec<u8>,
    digest: [u8; 32],
    places: Vec<ChunkPlace>,
    points: Transform,
    /// λ₀ for the point 0, and then λᵢ of the shares: the dual code's factors.
    dual: Vec<Fr>,
    key_blocks: OnceLock<Vec<KeyBlock>>,
}

/// Tables of the encryption keys of some players.
#[derive(Clone, Debug)]
pub(super) struct KeyBlock {
    pub(super) players: std::ops::Range<usize>,
    pub(super) multiples: Multiples,
}

/// Most players of a block of tables: enough lanes for the inversions to count for little.
const BLOCK: usize = 64;

/// What a session is told apart by, besides its players.
pub(super) struct Setting<'a> {
    pub(super) parameters: Arc<Parameters>,
    pub(super) epoch: u64,
    pub(super) label: &'a [u8],
}

impl Session {
    /// A session of players with these keys.
    ///
    /// # Errors
    ///
    /// [`Error::Weights`] for another number of keys than of weights, [`Error::Key`] or
    /// [`Error::Possession`], [`Error::SameKey`], [`Error::SrsSize`] for parameters of another domain.
    pub fn new(
        shape: Shape,
        keys: &[KeyBundle],
        parameters: Arc<Parameters>,
        epoch: u64,
        label: &[u8],
    ) -> Result<Self, Error> {
        if parameters.domain() != shape.domain() {
            let (needed, found) = (shape.domain(), parameters.domain());
            return Err(Error::SrsSize { needed, found });
        }
        Self::over(shape, keys, Setting { parameters, epoch, label })
    }

    /// The same over whatever domain the parameters have, for measurements of it.
    pub(super) fn over(
        shape: Shape,
        keys: &[KeyBundle],
        Setting { parameters, epoch, label }: Setting<'_>,
    ) -> Result<Self, Error> {
        if keys.len() != shape.players() {
            return Err(Error::Weights { weights: shape.players(), players: keys.len() });
        }
        let verify = |(index, key): (usize, &KeyBundle)| key.verify(index + 1);
        let players: Vec<PlayerKeys> =
            keys.iter().enumerate().map(verify).collect::<Result<_, _>>()?;
        for (place, kind) in [KeyKind::Encryption, KeyKind::Signing].into_iter().enumerate() {
            distinct(&players, place, kind)?;
        }
        let digest = digest(&shape, &players, &parameters, epoch, label);
        let points = Transform::new(shape.shares().next_power_of_two());
        Ok(Self {
            layout: Layout::new(&shape),
            places: shape.places(),
            dual: low_degree::dual_factors(&points, shape.shares()),
            points,
            key_blocks: OnceLock::new(),
            shape,
            parameters,
            players,
            epoch,
            label: label.to_vec(),
            digest,
        })
    }

    /// Numbers of players, shares and chunks.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// What the session is for.
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// SHA-256 of all of it.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The reference string's points.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The keys of a player, from 1.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPlayer`].
    pub fn player(&self, player: usize) -> Result<&PlayerKeys, Error> {
        let place = player.checked_sub(1).and_then(|place| self.players.get(place));
        place.ok_or(Error::UnknownPlayer { player, players: self.players.len() })
    }

    /// That secret keys are those of a player.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPlayer`] or [`Error::OtherKey`].
    pub fn check_keys(&self, player: usize, keys: &SecretKeys) -> Result<(), Error> {
        let own = self.player(player)?;
        if own.encryption != keys.encryption_key() {
            return Err(Error::OtherKey { player, kind: KeyKind::Encryption });
        }
        match own.bytes[1] == keys.signing_key() {
            true => Ok(()),
            false => Err(Error::OtherKey { player, kind: KeyKind::Signing }),
        }
    }

    pub(super) fn encryption_keys(&self) -> Vec<G1Affine> {
        self.players.iter().map(|player| player.encryption).collect()
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn places(&self) -> &[ChunkPlace] {
        &self.places
    }

    /// Transforms of the shares' points: powers of a root of unity of the least order that is enough.
    pub(super) fn points(&self) -> &Transform {
        &self.points
    }

    /// The session as it is before the first dealing.
    pub(super) fn without_tables(&self) -> Self {
        Self { key_blocks: OnceLock::new(), ..self.clone() }
    }

    /// Tables of all encryption keys, made by the first dealing and kept.
    pub(super) fn key_blocks(&self) -> &[KeyBlock] {
        self.key_blocks.get_or_init(|| {
            let keys = self.encryption_keys();
            // As many for each thread.
            let threads = rayon::current_num_threads();
            let blocks = keys.len().div_ceil(BLOCK).next_multiple_of(threads);
            let size = keys.len().div_ceil(blocks);
            let starts: Vec<usize> = (0..keys.len()).step_by(size).collect();
            let block = |start: &usize| {
                let players = *start..(start + size).min(keys.len());
                KeyBlock { multiples: Multiples::new(&keys[players.clone()]), players }
            };
            starts.par_iter().map(block).collect()
        })
    }

    pub(super) fn dual(&self) -> &[Fr] {
        &self.dual
    }
}

fn distinct(players: &[PlayerKeys], place: usize, kind: KeyKind) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|player| players[*player].bytes[place]);
    let same = |pair: &&[usize]| players[pair[0]].bytes[place] == players[pair[1]].bytes[place];
    match order.windows(2).find(same) {
        // The sort is stable: the first of two equal ones has the lower index.
        Some(pair) => Err(Error::SameKey { first: pair[0] + 1, second: pair[1] + 1, kind }),
        None => Ok(()),
    }
}

fn digest(
    shape: &Shape,
    players: &[PlayerKeys],
    parameters: &Parameters,
    epoch: u64,
    label: &[u8],
) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update((TAG.len() as u64).to_le_bytes());
    hash.update(TAG);
    hash.update([shape.variant as u8, shape.chunk_bits as u8]);
    hash.update(parameters.digest());
    for number in [shape.domain(), shape.threshold, shape.players()] {
        hash.update((number as u64).to_le_bytes());
    }
    hash.update(epoch.to_le_bytes());
    hash.update((label.len() as u64).to_le_bytes());
    hash.update(label);
    for (weight, player) in shape.weights.iter().zip(players) {
        hash.update(weight.to_le_bytes());
        player.bytes.iter().for_each(|key| hash.update(key));
    }
    hash.finalize().into()
}

const _: () = assert!(Fr::S >= 17, "roots of unity for all shares");
