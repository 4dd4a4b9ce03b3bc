//! What all players agree on before anybody deals.

use std::sync::{Arc, OnceLock};

use ff::PrimeField;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    error::KeyKind,
    low_degree,
    parameters::Parameters,
    shape::{ChunkPlace, Layout, Shape},
    Error, KeyBundle, PlayerKeys, SecretKeys,
};
use crate::pairing_curve::{Fr, G1Affine, Multiples, Transform};

const TAG: &[u8] = b"muster-pvss-session-v1";

/// Who takes part, with which weights, for which threshold and purpose. Every proof is bound to all
/// of it.
#[derive(Clone, Debug)]
pub struct Session {
    shape: Shape,
    pub(super) layout: Layout,
    parameters: Arc<Parameters>,
    players: Vec<PlayerKeys>,
    epoch: u64,
    label: Vec<u8>,
    digest: [u8; 32],
    pub(super) places: Vec<ChunkPlace>,
    /// Transforms of the shares' points: powers of a root of unity of the least order that is enough.
    pub(super) points: Transform,
    /// λ₀ for the point 0, and then λᵢ of the shares: the dual code's factors.
    pub(super) dual: Vec<Fr>,
    key_blocks: OnceLock<Vec<KeyBlock>>,
}

/// Tables of the encryption keys of some players.
#[derive(Clone, Debug)]
pub(super) struct KeyBlock {
    pub(super) players: std::ops::Range<usize>,
    pub(super) multiples: Multiples,
}

/// Most players of a block of tables: enough lanes for the inversions to cost little.
const BLOCK: usize = 64;

impl Session {
    /// A session of players with these keys.
    ///
    /// # Errors
    ///
    /// [`Error::Weights`] if there are not as many keys as weights, [`Error::Key`] or
    /// [`Error::Possession`], [`Error::SameKey`], [`Error::SrsSize`] for parameters for another
    /// domain.
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
        Self::over(shape, keys, parameters, epoch, label)
    }

    /// The same over whatever domain the parameters have, to measure it.
    pub(super) fn over(
        shape: Shape,
        keys: &[KeyBundle],
        parameters: Arc<Parameters>,
        epoch: u64,
        label: &[u8],
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

    /// SHA-256 of the whole session.
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

    /// Checks that secret keys belong to a player.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownPlayer`] or [`Error::OtherKey`].
    pub fn check_keys(&self, player: usize, keys: &SecretKeys) -> Result<(), Error> {
        let own = self.player(player)?;
        if own.encryption != keys.encryption_key() {
            return Err(Error::OtherKey { player, kind: KeyKind::Encryption });
        }
        let is_own = own.bytes[1] == keys.signing_key();
        is_own.then_some(()).ok_or(Error::OtherKey { player, kind: KeyKind::Signing })
    }

    pub(super) fn encryption_keys(&self) -> Vec<G1Affine> {
        self.players.iter().map(|player| player.encryption).collect()
    }

    /// The session as it is before the first dealing.
    pub(super) fn without_tables(&self) -> Self {
        Self { key_blocks: OnceLock::new(), ..self.clone() }
    }

    /// Tables of all encryption keys, made by the first dealing and kept.
    pub(super) fn key_blocks(&self) -> &[KeyBlock] {
        self.key_blocks.get_or_init(|| {
            let keys = self.encryption_keys();
            // The same number for each thread.
            let threads = rayon::current_num_threads();
            let blocks = keys.len().div_ceil(BLOCK).next_multiple_of(threads);
            let size = keys.len().div_ceil(blocks);
            let block = |(block, keys): (usize, &[G1Affine])| {
                let first = block * size;
                KeyBlock { players: first..first + keys.len(), multiples: Multiples::new(keys) }
            };
            keys.par_chunks(size).enumerate().map(block).collect()
        })
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
    hash.update([shape.variant() as u8, shape.chunk_bits() as u8]);
    hash.update(parameters.digest());
    for number in [shape.domain(), shape.threshold(), shape.players()] {
        hash.update((number as u64).to_le_bytes());
    }
    hash.update(epoch.to_le_bytes());
    hash.update((label.len() as u64).to_le_bytes());
    hash.update(label);
    for (weight, player) in shape.weights().iter().zip(players) {
        hash.update(weight.to_le_bytes());
        player.bytes.iter().for_each(|key| hash.update(key));
    }
    hash.finalize().into()
}

const _: () = assert!(Fr::S >= 17, "roots of unity for all shares");
