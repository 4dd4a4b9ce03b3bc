//! What a transcript is made of: fixed parts in a fixed order, without length prefixes.

use std::{fmt, ops::Range};

use super::{session::Shape, Variant};
use crate::pairing_curve::{G1_BYTES, G2_BYTES};

/// A part of a transcript: some points of one group, or some scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// V₀, the commitment to the secret.
    Secret,
    /// Vᵢⱼ, the commitments to the shares.
    Shares,
    /// Cᵢⱼₖ, the chunks' ciphertexts.
    Ciphertexts,
    /// Rⱼₖ, their randomness.
    Randomness,
    /// C, the range commitment.
    Commitment,
    /// Ĉ, the same with a value at 1.
    Shifted,
    /// A₁, the nonce for what Ĉ and C differ by.
    MasksNonce,
    /// The answers for it (Chunky, Chunky2: before the bits).
    MasksResponses,
    /// Cⱼ, the commitments to bits.
    Bits,
    /// D, the commitment to the quotient.
    Quotient,
    /// v, v_h and vⱼ, the polynomials' values at ζ.
    Evaluations,
    /// π₁ and π₂, the opening at ζ.
    Opening,
    /// Aⱼₖ, the nonces of the randomness.
    RandomnessNonces,
    /// A₃, the nonce for the ciphertexts' value at ζ (compact).
    BindingNonce,
    /// Aᵢⱼₖ, the nonces of the ciphertexts (Chunky, Chunky2).
    CiphertextNonces,
    /// A_C, the nonce of the range commitment (Chunky, Chunky2).
    CommitmentNonce,
    /// A^V, the nonces of the shares (Chunky2).
    ShareNonces,
    /// The answers for the randomness.
    RandomnessResponses,
    /// The answers for the chunks (Chunky, Chunky2).
    ChunkResponses,
    /// The answer for the range commitment's blinder (Chunky, Chunky2).
    BlinderResponse,
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.label())
    }
}

impl Field {
    /// Its name, in errors and in the transcript of challenges.
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Secret => "commitment to the secret",
            Self::Shares => "commitments to shares",
            Self::Ciphertexts => "ciphertexts",
            Self::Randomness => "randomness",
            Self::Commitment => "range commitment",
            Self::Shifted => "shifted range commitment",
            Self::MasksNonce => "nonce of the masks",
            Self::MasksResponses => "responses for the masks",
            Self::Bits => "commitments to bits",
            Self::Quotient => "commitment to the quotient",
            Self::Evaluations => "evaluations",
            Self::Opening => "opening",
            Self::RandomnessNonces => "nonces of the randomness",
            Self::BindingNonce => "nonce of the binding",
            Self::CiphertextNonces => "nonces of the ciphertexts",
            Self::CommitmentNonce => "nonce of the range commitment",
            Self::ShareNonces => "nonces of the shares",
            Self::RandomnessResponses => "responses for the randomness",
            Self::ChunkResponses => "responses for the chunks",
            Self::BlinderResponse => "response for the blinder",
        }
    }

    pub(super) const ALL: [Self; 20] = [
        Self::Secret,
        Self::Shares,
        Self::Ciphertexts,
        Self::Randomness,
        Self::Commitment,
        Self::Shifted,
        Self::MasksNonce,
        Self::MasksResponses,
        Self::Bits,
        Self::Quotient,
        Self::Evaluations,
        Self::Opening,
        Self::RandomnessNonces,
        Self::BindingNonce,
        Self::CiphertextNonces,
        Self::CommitmentNonce,
        Self::ShareNonces,
        Self::RandomnessResponses,
        Self::ChunkResponses,
        Self::BlinderResponse,
    ];

    /// What it is made of.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Secret | Self::Shares | Self::ShareNonces => Kind::G2,
            Self::MasksResponses
            | Self::Evaluations
            | Self::RandomnessResponses
            | Self::ChunkResponses
            | Self::BlinderResponse => Kind::Scalar,
            _ => Kind::G1,
        }
    }

    /// How many there are in a transcript of that shape.
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

/// The kind of a part's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    G1,
    G2,
    Scalar,
}

impl Kind {
    /// Bytes of an element.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::G1 => G1_BYTES,
            Self::G2 => G2_BYTES,
            Self::Scalar => 32,
        }
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
    parts: Vec<Part>,
    length: usize,
    elements: [usize; 3],
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

    /// Bytes of a transcript, but for the dealer's signature.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Points of both groups and scalars.
    pub(super) fn elements(&self) -> [usize; 3] {
        self.elements
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(super) fn part(&self, field: Field) -> &Part {
        // `ALL` is in the order of the variants.
        &self.parts[field as usize]
    }
}
