//! Fiat–Shamir: a merlin transcript that absorbs the SHA-256 of canonical bytes.

use ff::{FromUniformBytes, PrimeField};
use merlin::Transcript;
use sha2::{Digest, Sha256};

use crate::pairing_curve::Fr;

/// Absorbs what was sent, and returns challenges that depend on all of it.
#[derive(Clone)]
pub(super) struct Challenger(Transcript);

impl Challenger {
    pub(super) fn new(context: &[u8; 32]) -> Self {
        let mut transcript = Transcript::new(b"muster-pvss-v1");
        transcript.append_message(b"context", context);
        Self(transcript)
    }

    pub(super) fn absorb(&mut self, label: &'static str, bytes: &[u8]) {
        self.0.append_message(label.as_bytes(), &Sha256::digest(bytes));
    }

    pub(super) fn scalar(&mut self, label: &'static str) -> Fr {
        let mut wide = [0; 64];
        self.0.challenge_bytes(label.as_bytes(), &mut wide);
        Fr::from_uniform_bytes(&wide)
    }

    pub(super) fn scalars(&mut self, label: &'static str, count: usize) -> Vec<Fr> {
        (0..count).map(|_| self.scalar(label)).collect()
    }

    /// Factors of 128 bits.
    pub(super) fn factors(&mut self, label: &'static str, count: usize) -> Vec<Fr> {
        let mut bytes = vec![0; 16 * count];
        self.0.challenge_bytes(label.as_bytes(), &mut bytes);
        let (words, _) = bytes.as_chunks();
        words.iter().map(|word| Fr::from_u128(u128::from_le_bytes(*word))).collect()
    }
}
