//! The parts of a transcript, by name.

use std::fmt;

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
    /// A₁, the nonce for the difference between Ĉ and C.
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
