//! What a transcript is made of: fixed parts in a fixed order, without length prefixes.

use std::ops::Range;

use super::{field::Field, shape::Shape, Variant};
use crate::pairing_curve::{G1_BYTES, G2_BYTES};

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

impl Shape {
    /// Bytes of a transcript, without the dealer's signature.
    pub fn transcript_bytes(&self) -> usize {
        Layout::new(self).length
    }

    /// Bytes of a sum of transcripts, without the header and the set of dealers.
    pub fn subtranscript_bytes(&self) -> usize {
        let points = self.total_chunks() + self.slots() * self.chunks();
        G2_BYTES * (self.shares() + 1) + G1_BYTES * points
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
