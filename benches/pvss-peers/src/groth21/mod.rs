//! A plain Groth21 (ePrint 2021/339, without its forward secrecy): chunked ElGamal, an approximate range
//! proof by 32 sums with small challenges, and a proof that chunks and commitments share.
//!
//! Its range proof shows that every chunk times some challenge difference lies in a range far wider than the
//! chunk's: a dealer can put a chunk of up to Z/E there, and the player has to search for it.

use ff::{Field, PrimeField};
use group::prime::PrimeCurveAffine;
use muster_threshold::pairing_curve::{
    hash_to_g1, FixedBase, Fq, Fq2, Fr, G1Affine, G2Affine, Lane,
};
use rand::RngCore;
use sha2::{Digest, Sha256};

mod challenges;
mod deal;
#[cfg(test)]
mod tests;
mod verify;

/// Sums of the range proof.
pub const SUMS: usize = 32;
/// E: challenges are below it. 2^(256 / 32).
const CHALLENGES: u64 = 256;
const BITS: u32 = 255;

/// Players and chunks.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// n, every one with one share.
    pub players: usize,
    /// Shares that reconstruct.
    pub threshold: usize,
    /// ℓ.
    pub chunk_bits: u32,
}

impl Shape {
    /// m.
    pub fn chunks(&self) -> usize {
        BITS.div_ceil(self.chunk_bits) as usize
    }

    /// S = n m (B − 1)(E − 1), the largest honest sum.
    pub fn largest_sum(&self) -> u128 {
        let radix = 1u128 << self.chunk_bits;
        (self.players * self.chunks()) as u128 * (radix - 1) * u128::from(CHALLENGES - 1)
    }

    /// Z = 2 τ S: answers are below it.
    pub fn bound(&self) -> u128 {
        2 * SUMS as u128 * self.largest_sum()
    }

    /// The chunk that a cheater gets past the range proof, with σ = 0: no honest search finds it.
    pub fn largest_chunk(&self) -> u128 {
        (self.bound() - 1 - self.largest_sum()) / u128::from(CHALLENGES - 1)
    }

    /// Values of a search for one chunk after the attack, and how many searches a share may take.
    pub fn longest_search(&self) -> (u128, u128) {
        (2 * self.bound() - 1, self.chunks() as u128 * u128::from(CHALLENGES - 1))
    }

    /// Bytes of a dealing.
    pub fn bytes(&self) -> usize {
        let (n, m) = (self.players, self.chunks());
        let points = n * m + m + 2 * SUMS + n + 2 + 1 + 2;
        let scalars = SUMS + n + 1 + 2;
        48 * points + 96 * (n + 1 + 1) + 32 * scalars
    }
}

/// What players and verifiers know.
pub struct Setup {
    shape: Shape,
    keys: Vec<G1Affine>,
    base: FixedBase<Fq>,
    second: FixedBase<Fq2>,
    points: Vec<Fr>,
}

/// A dealing.
#[derive(Clone)]
pub struct Dealing {
    secret: G2Affine,
    shares: Vec<G2Affine>,
    ciphertexts: Vec<G1Affine>,
    randomness: Vec<G1Affine>,
    // Chunking.
    sums_randomness: Vec<G1Affine>,
    sums: Vec<G1Affine>,
    nonces: Vec<G1Affine>,
    nonce_sum: G1Affine,
    answers: Vec<u128>,
    randomness_answers: Vec<Fr>,
    sums_answer: Fr,
    // Sharing.
    sharing_nonce: G1Affine,
    sharing_second: G2Affine,
    sharing_sum: G1Affine,
    sharing_answers: [Fr; 2],
}

/// What a dealer puts into a dealing.
pub struct Witness {
    /// Coefficients.
    pub polynomial: Vec<Fr>,
    /// Chunks by player; an honest dealer's are those of the shares.
    pub chunks: Vec<u128>,
    /// Whether σ = 0 is taken, as a cheater does.
    pub no_masks: bool,
}

fn base_g() -> G1Affine {
    hash_to_g1(b"chunks", b"MUSTER-GROTH21-BASE-G")
}

/// The second base of the sums.
fn base_y() -> G1Affine {
    hash_to_g1(b"sums", b"MUSTER-GROTH21-BASE-Y")
}

fn random(rng: &mut impl RngCore) -> Fr {
    Fr::random(rng)
}

fn scalar(hash: &[u8]) -> Fr {
    let mut bytes: [u8; 32] = Sha256::digest(hash).into();
    bytes[31] &= 0x1f;
    Fr::from_repr(bytes).unwrap_or(Fr::ONE)
}

fn wide(value: u128) -> Fr {
    Fr::from_u128(value)
}

fn affine(lanes: &[Lane<Fq>]) -> Vec<G1Affine> {
    lanes.iter().map(G1Affine::from).collect()
}

fn powers(x: Fr) -> impl Iterator<Item = Fr> {
    std::iter::successors(Some(x), move |power| Some(*power * x))
}

impl Setup {
    /// Keys of players, and tables.
    pub fn new(shape: Shape, rng: &mut impl RngCore) -> (Self, Vec<Fr>) {
        let base = FixedBase::new(&base_g(), 32);
        let secrets: Vec<Fr> = (0..shape.players).map(|_| random(rng)).collect();
        let keys = affine(&base.multiply(&secrets));
        let points = (1..=shape.players as u64).map(Fr::from).collect();
        let second = FixedBase::new(&G2Affine::generator(), 32);
        (Self { shape, keys, base, second, points }, secrets)
    }

    /// An honest dealer's polynomial and chunks.
    pub fn witness(&self, rng: &mut impl RngCore) -> Witness {
        let polynomial: Vec<Fr> = (0..self.shape.threshold).map(|_| random(rng)).collect();
        let bytes = self.shape.chunk_bits as usize / 8;
        let mut chunks = vec![];
        for point in &self.points {
            let share = polynomial.iter().rev().fold(Fr::ZERO, |sum, c| sum * point + c);
            let digits = share.to_repr();
            chunks.extend(
                digits
                    .chunks_exact(bytes)
                    .map(|d| d.iter().rev().fold(0u128, |n, byte| n << 8 | u128::from(*byte))),
            );
        }
        Witness { polynomial, chunks, no_masks: false }
    }

    fn radix_powers(&self) -> Vec<Fr> {
        let radix = Fr::from(1u64 << self.shape.chunk_bits);
        std::iter::successors(Some(Fr::ONE), |power| Some(*power * radix))
            .take(self.shape.chunks())
            .collect()
    }
}

impl Dealing {
    fn empty() -> Self {
        Self {
            secret: G2Affine::identity(),
            shares: vec![],
            ciphertexts: vec![],
            randomness: vec![],
            sums_randomness: vec![],
            sums: vec![],
            nonces: vec![],
            nonce_sum: G1Affine::identity(),
            answers: vec![],
            randomness_answers: vec![],
            sums_answer: Fr::ZERO,
            sharing_nonce: G1Affine::identity(),
            sharing_second: G2Affine::identity(),
            sharing_sum: G1Affine::identity(),
            sharing_answers: [Fr::ZERO; 2],
        }
    }
}
