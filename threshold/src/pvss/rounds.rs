//! The rounds of a dealing's proofs: what is absorbed before which challenge.
//!
//! Every message is absorbed before the next challenge is drawn. In particular all evaluations come before
//! the factors that batch their opening: a dealer that knew those first could fit evaluations to them.

use super::{challenge::Challenger, field::Field, session::Session, transcript::Parts, Variant};
use crate::pairing_curve::Fr;

/// All challenges of a dealing.
#[derive(Clone, Debug)]
pub(super) struct Challenges {
    /// e of the proof that Ĉ and C differ by known masks.
    pub(super) masks: Fr,
    /// β and βⱼ.
    pub(super) beta: Fr,
    pub(super) betas: Vec<Fr>,
    /// ζ.
    pub(super) zeta: Fr,
    /// μ, μ_h and μⱼ: in the order of the evaluations.
    pub(super) mus: Vec<Fr>,
    /// e of the Σ-protocol over the ciphertexts. In the compact variant the masks' e is the same.
    pub(super) link: Fr,
}

/// A transcript in the making.
pub(super) struct Rounds {
    challenger: Challenger,
    variant: Variant,
    bits: usize,
}

impl Rounds {
    pub(super) fn new(session: &Session, dealer: usize) -> Self {
        let mut challenger = Challenger::new(session.digest());
        challenger.absorb("dealer", &(dealer as u64).to_le_bytes());
        let shape = session.shape();
        Self { challenger, variant: shape.variant(), bits: shape.chunk_bits() as usize }
    }

    fn absorb(&mut self, source: &Parts, fields: &[Field]) {
        for field in fields {
            self.challenger.absorb(field.label(), source.bytes_of(*field));
        }
    }

    fn is_compact(&self) -> bool {
        self.variant == Variant::Compact
    }

    /// After the statement and the shifted commitment: e of the masks, where that has its own proof.
    pub(super) fn masks(&mut self, source: &Parts) -> Option<Fr> {
        use Field::{Ciphertexts, Commitment, MasksNonce, Randomness, Secret, Shares, Shifted};
        self.absorb(source, &[Secret, Shares, Ciphertexts, Randomness, Commitment, Shifted]);
        if self.is_compact() {
            return None;
        }
        self.absorb(source, &[MasksNonce]);
        Some(self.challenger.scalar("masks"))
    }

    /// After the commitments to bits: β and βⱼ.
    pub(super) fn bits(&mut self, source: &Parts) -> (Fr, Vec<Fr>) {
        if !self.is_compact() {
            self.absorb(source, &[Field::MasksResponses]);
        }
        self.absorb(source, &[Field::Bits]);
        (self.challenger.scalar("beta"), self.challenger.scalars("betas", self.bits))
    }

    /// After the quotient: ζ.
    pub(super) fn point(&mut self, source: &Parts) -> Fr {
        self.absorb(source, &[Field::Quotient]);
        self.challenger.scalar("zeta")
    }

    /// After the evaluations (and, in the compact variant, the nonces): μ, μ_h and μⱼ; in the
    /// compact variant e, too.
    pub(super) fn opening(&mut self, source: &Parts) -> (Vec<Fr>, Option<Fr>) {
        self.absorb(source, &[Field::Evaluations]);
        let mut link = None;
        if self.is_compact() {
            let nonces = [Field::MasksNonce, Field::RandomnessNonces, Field::BindingNonce];
            self.absorb(source, &nonces);
            link = Some(self.challenger.scalar("link"));
        }
        (self.challenger.scalars("mu", self.bits + 2), link)
    }

    /// After the opening and all nonces: e, for the published variants.
    pub(super) fn link(&mut self, source: &Parts) -> Fr {
        use Field::{CiphertextNonces, CommitmentNonce, Opening, RandomnessNonces, ShareNonces};
        self.absorb(source, &[Opening, CiphertextNonces, RandomnessNonces]);
        self.absorb(source, &[CommitmentNonce, ShareNonces]);
        self.challenger.scalar("link")
    }
}

impl Challenges {
    /// The challenges that belong to what a dealer sent.
    pub(super) fn replay(session: &Session, dealer: usize, dealt: &Parts) -> Self {
        let mut rounds = Rounds::new(session, dealer);
        let masks = rounds.masks(dealt);
        let (beta, betas) = rounds.bits(dealt);
        let zeta = rounds.point(dealt);
        let (mus, link) = rounds.opening(dealt);
        let link = link.unwrap_or_else(|| rounds.link(dealt));
        Self { masks: masks.unwrap_or(link), beta, betas, zeta, mus, link }
    }
}
