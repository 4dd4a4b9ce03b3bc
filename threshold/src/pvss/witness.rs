//! What a dealer knows, and what everybody sees of it: a polynomial, its shares in chunks, and their
//! ciphertexts.

use ark_bls12_381::Fq;
use ff::{Field as _, PrimeField};
use group::{Curve, Group};
use rand_core::CryptoRngCore;
use rayon::prelude::*;
use zeroize::Zeroizing;

use super::{
    bases,
    session::{KeyBlock, Session},
};
use crate::pairing_curve::{
    multiply_g2, Digits, Fr, G1Affine, G2Affine, G2Projective, Lane, Secret,
};

/// What a dealer knows.
pub(super) struct Witness {
    /// a₀.
    pub(super) secret: Secret<Fr>,
    /// sᵢⱼ, in the order of the shares.
    pub(super) shares: Secret<Vec<Fr>>,
    /// Chunks that the range proof is about.
    pub(super) chunks: Zeroizing<Vec<u32>>,
    /// Chunks that the ciphertexts hold: the same ones.
    pub(super) values: Secret<Vec<Fr>>,
    /// rⱼₖ, by slot and chunk.
    pub(super) randomness: Secret<Vec<Fr>>,
}

/// What is encrypted and committed to.
#[derive(Clone)]
pub(super) struct Statement {
    pub(super) secret: G2Affine,
    pub(super) shares: Vec<G2Affine>,
    pub(super) ciphertexts: Vec<G1Affine>,
    pub(super) randomness: Vec<G1Affine>,
}

impl Witness {
    /// A random polynomial with `secret` at zero, none of whose shares is zero, and fresh randomness.
    pub(super) fn draw(session: &Session, secret: &Fr, rng: &mut impl CryptoRngCore) -> Self {
        let mut coefficients = Secret::new(vec![Fr::ZERO; session.shape().threshold()]);
        loop {
            coefficients[0] = *secret;
            coefficients[1..].fill_with(|| Fr::random(&mut *rng));
            let shares = evaluate(session, &coefficients);
            // One in 2^239 polynomials has a share that is zero, which no key commits to.
            if shares.iter().all(|share| !bool::from(share.is_zero())) {
                return Self::new(session, secret, shares, rng);
            }
        }
    }

    /// Shares in chunks, with fresh randomness.
    pub(super) fn new(
        session: &Session,
        secret: &Fr,
        shares: Secret<Vec<Fr>>,
        rng: &mut impl CryptoRngCore,
    ) -> Self {
        let shape = session.shape();
        let mut chunks = Zeroizing::new(Vec::with_capacity(shape.total_chunks()));
        for share in shares.iter() {
            let bytes = Zeroizing::new(share.to_repr());
            let digits = bytes.chunks_exact(shape.chunk_bits() as usize / 8);
            let digit =
                |bytes: &[u8]| bytes.iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte));
            chunks.extend(digits.map(digit));
        }
        let values = Secret::new(chunks.iter().map(|chunk| Fr::from(u64::from(*chunk))).collect());
        let randomness = correlated(session, rng);
        Self { secret: Secret::new(*secret), shares, chunks, values, randomness }
    }
}

/// The polynomial's values at all shares. Those at the domain's other points reveal as much: they
/// are wiped here, since beyond the end of a vector they would not be.
pub(super) fn evaluate(session: &Session, coefficients: &[Fr]) -> Secret<Vec<Fr>> {
    let size = session.points.size();
    let mut padded = Secret::new(vec![Fr::ZERO; size]);
    padded[..coefficients.len()].copy_from_slice(coefficients);
    let mut values = Secret::new(vec![Fr::ZERO; size]);
    session.points.forward(&padded, &mut values);
    Secret::new(values[..session.shape().shares()].to_vec())
}

/// For each slot random rⱼₖ with Σₖ Bᵏ⁻¹ rⱼₖ = 0.
pub(super) fn correlated(session: &Session, rng: &mut impl CryptoRngCore) -> Secret<Vec<Fr>> {
    let shape = session.shape();
    let powers = shape.radix_powers();
    let mut all = Secret::new(Vec::with_capacity(shape.slots() * shape.chunks()));
    for _ in 0..shape.slots() {
        let first = all.len();
        all.push(Fr::ZERO);
        let mut sum = Fr::ZERO;
        for power in &powers[1..] {
            let random = Fr::random(&mut *rng);
            sum += random * power;
            all.push(random);
        }
        all[first] = -sum;
    }
    all
}

impl Statement {
    pub(super) fn new(session: &Session, witness: &Witness) -> Self {
        Self {
            secret: multiply_g2(&G2Projective::generator(), &witness.secret).to_affine(),
            shares: g2_multiples(&witness.shares),
            ciphertexts: encrypt(session, witness),
            randomness: h_multiples(&witness.randomness),
        }
    }
}

/// s·H for each scalar.
pub(super) fn h_multiples(scalars: &[Fr]) -> Vec<G1Affine> {
    bases::H.multiply(scalars).iter().map(G1Affine::from).collect()
}

/// s·g₂ for each scalar.
pub(super) fn g2_multiples(scalars: &[Fr]) -> Vec<G2Affine> {
    let multiples = |scalars: &[Fr]| -> Vec<G2Affine> {
        bases::G2.multiply(scalars).iter().map(G2Affine::from).collect()
    };
    scalars.par_chunks(64).flat_map_iter(multiples).collect()
}

/// Cᵢⱼₖ = sᵢⱼₖ·G + rⱼₖ·ekᵢ.
fn encrypt(session: &Session, witness: &Witness) -> Vec<G1Affine> {
    let bits = session.shape().chunk_bits();
    let table = bases::chunk_table(bits);
    let bytes = table.bytes();
    let masked = session.key_multiples(&witness.randomness);
    let chunks = witness.chunks.par_chunks(session.shape().chunks() * 16);
    // Blocks of sixteen shares, of masks and of chunks alike.
    let masks = masked.par_chunks(session.shape().chunks() * 16);
    masks
        .zip(chunks)
        .flat_map_iter(|(masks, chunks)| {
            let mut sums = Zeroizing::new(masks.to_vec());
            // No vector of secrets may grow: it would leave a copy behind.
            let mut little = Zeroizing::new(Vec::with_capacity(chunks.len() * bytes));
            chunks.iter().for_each(|chunk| little.extend(&chunk.to_le_bytes()[..bytes]));
            table.add_multiples(&mut sums, &little);
            sums.iter().map(G1Affine::from).collect::<Vec<_>>()
        })
        .collect()
}

/// Concatenates blocks, each of which is wiped.
fn gather(blocks: Vec<Zeroizing<Vec<Lane<Fq>>>>) -> Zeroizing<Vec<Lane<Fq>>> {
    let count = blocks.iter().map(|block| block.len()).sum();
    let mut all = Zeroizing::new(Vec::with_capacity(count));
    blocks.iter().for_each(|block| all.extend(block.iter().copied()));
    all
}

impl Session {
    /// xⱼₖ·ekᵢ for all chunks in their order, with scalars x by slot and chunk.
    pub(super) fn key_multiples(&self, scalars: &[Fr]) -> Zeroizing<Vec<Lane<Fq>>> {
        let digits: Vec<Digits> = scalars.iter().map(Digits::new).collect();
        let shape = self.shape();
        let block = |block: &KeyBlock| {
            let mut jobs = vec![];
            for player in block.players.clone() {
                let slots = shape.weights()[player] as usize * shape.chunks();
                jobs.extend((0..slots).map(|scalar| (player - block.players.start, scalar)));
            }
            block.multiples.multiply(&jobs, &digits)
        };
        gather(self.key_blocks().par_iter().map(block).collect())
    }

    /// xᵢ·ekᵢ, with one scalar for each player.
    pub(super) fn key_multiples_each(&self, scalars: &[Fr]) -> Zeroizing<Vec<Lane<Fq>>> {
        let block = |block: &KeyBlock| {
            let scalars = &scalars[block.players.clone()];
            let digits: Vec<Digits> = scalars.iter().map(Digits::new).collect();
            let jobs: Vec<_> = (0..scalars.len()).map(|i| (i, i)).collect();
            block.multiples.multiply(&jobs, &digits)
        };
        gather(self.key_blocks().par_iter().map(block).collect())
    }
}
