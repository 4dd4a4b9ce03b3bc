//! What all sizes follow from: the variant of the proofs, and numbers of players, shares and chunks; and
//! what a transcript is made of: fixed parts in a fixed order, without length prefixes.

use std::{fmt, ops::Range, str::FromStr};

use ff::Field as _;

use super::{error::Error, field::Field};
use crate::pairing_curve::{domain_size, Fr, G1_BYTES, G2_BYTES};

/// The most players in a session.
pub const MOST_PLAYERS: usize = 1 << 16;
/// The most shares in a session.
pub const MOST_SHARES: usize = 1 << 16;
/// Bits of a scalar.
const SCALAR_BITS: u32 = 255;

/// Numbers of players, shares and chunks, from which all sizes follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    variant: Variant,
    chunk_bits: u32,
    threshold: usize,
    weights: Vec<u32>,
    /// How many shares come before each player's, and last how many there are.
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
    /// `threshold` shares reconstruct, at least one; player i holds `weights[i]` of them.
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
        Layout::new(self).length
    }

    /// Bytes of a sum of transcripts, without the header and the set of dealers.
    pub fn subtranscript_bytes(&self) -> usize {
        let points = self.total_chunks() + self.slots() * self.chunks();
        G2_BYTES * (self.shares() + 1) + G1_BYTES * points
    }

    /// The shares of a player (from 0) among all, counted from 0.
    pub(crate) fn shares_of(&self, player: usize) -> Range<usize> {
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

/// How a dealing proves that its ciphertexts hold the chunks of its shares. A session fixes one; the
/// sum of dealings is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// A Σ-protocol for every ciphertext and the range commitment, and a pairing check of the shares.
    Chunky = 1,
    /// The same with the shares' commitments in the Σ-protocol instead of the pairing check.
    Chunky2 = 2,
    /// The range proof's own evaluation ties the ciphertexts to it. This is our own argument, which
    /// nobody else has reviewed so far.
    #[default]
    Compact = 3,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chunky, Self::Chunky2, Self::Compact];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chunky => "chunky",
            Self::Chunky2 => "chunky2",
            Self::Compact => "compact",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Variant {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|variant| variant.name() == name);
        found.ok_or_else(|| format!("{name:?} is not one of chunky, chunky2, compact"))
    }
}

/// A part's place: in the bytes, and among the elements of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) field: Field,
    pub(super) bytes: Range<usize>,
    pub(super) elements: Range<usize>,
}

/// All parts of a session's transcripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) parts: Vec<Part>,
    /// Bytes of a transcript, but for the dealer's signature.
    pub(super) length: usize,
    /// Points of both groups and scalars.
    pub(super) elements: [usize; 3],
}

impl Layout {
    pub(super) fn new(shape: &Shape) -> Self {
        let (mut parts, mut length, mut elements) = (vec![], 0, [0; 3]);
        for field in Field::ALL {
            let (kind, count) = (field.kind(), field.count(shape));
            let first = elements[kind as usize];
            let end = length + count * kind.bytes();
            parts.push(Part { field, bytes: length..end, elements: first..first + count });
            (length, elements[kind as usize]) = (end, first + count);
        }
        Self { parts, length, elements }
    }

    pub(super) fn part(&self, field: Field) -> &Part {
        // `ALL` is in the order of the variants.
        &self.parts[field as usize]
    }
}

impl Field {
    /// How many elements this part has in a transcript of that shape.
    fn count(self, shape: &Shape) -> usize {
        let published = usize::from(shape.variant() != Variant::Compact);
        let bits = shape.chunk_bits() as usize;
        let slots = shape.slots() * shape.chunks();
        match self {
            Self::Shares => shape.shares(),
            Self::Ciphertexts => shape.total_chunks(),
            Self::Randomness | Self::RandomnessNonces | Self::RandomnessResponses => slots,
            Self::Bits => bits,
            Self::Evaluations => bits + 2,
            Self::Opening | Self::MasksResponses => 2,
            Self::CiphertextNonces | Self::ChunkResponses => published * shape.total_chunks(),
            Self::CommitmentNonce | Self::BlinderResponse => published,
            Self::BindingNonce => 1 - published,
            Self::ShareNonces if shape.variant() == Variant::Chunky2 => shape.shares(),
            Self::ShareNonces => 0,
            Self::Secret | Self::Commitment | Self::Shifted | Self::MasksNonce | Self::Quotient => {
                1
            }
        }
    }
}
