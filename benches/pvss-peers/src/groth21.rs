//! A plain Groth21 (ePrint 2021/339, without its forward secrecy): chunked ElGamal, an approximate range
//! proof by 32 sums with small challenges, and a proof that chunks and commitments share.
//!
//! Its range proof shows that every chunk times some challenge difference lies in a range far wider than the
//! chunk's: a dealer can put a chunk of up to Z/E there, and the player has to search for it.

use ff::{Field, PrimeField};
use group::{prime::PrimeCurveAffine, Curve, Group};
use muster_threshold::pairing_curve::{
    add_in_lanes, hash_to_g1, multiply_g1, sum_g1, sum_g2, Digits, FixedBase, Fq, Fq2, Fr,
    G1Affine, G1Projective, G2Affine, G2Projective, Lane, Multiples,
};
use rand::RngCore;
use sha2::{Digest, Sha256};

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

    /// Deals.
    pub fn deal(&self, witness: &Witness, rng: &mut impl RngCore) -> Dealing {
        let (n, m) = (self.shape.players, self.shape.chunks());
        let radix = self.radix_powers();
        let value = |chunks: &[u128]| -> Fr {
            chunks.iter().zip(&radix).map(|(chunk, power)| wide(*chunk) * power).sum()
        };
        let shares: Vec<Fr> = witness.chunks.chunks_exact(m).map(value).collect();
        let r: Vec<Fr> = (0..m).map(|_| random(rng)).collect();
        let digits: Vec<Digits> = r.iter().map(Digits::new).collect();
        let jobs: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..m).map(move |j| (i, j))).collect();
        let mut masked = Multiples::new(&self.keys).multiply(&jobs, &digits);
        let chunks: Vec<Fr> = witness.chunks.iter().map(|chunk| wide(*chunk)).collect();
        let plain = self.base.multiply(&chunks);
        add_in_lanes(&mut masked, |lane| plain[lane]);
        let mut all = vec![witness.polynomial[0]];
        all.extend(&shares);
        let commitments = self.second.multiply(&all);
        let commitments: Vec<G2Affine> = commitments.iter().map(G2Affine::from).collect();
        let mut dealing = Dealing {
            secret: commitments[0],
            shares: commitments[1..].to_vec(),
            ciphertexts: affine(&masked),
            randomness: affine(&self.base.multiply(&r)),
            ..Dealing::empty()
        };
        self.prove_chunks(&mut dealing, witness, &r, rng);
        self.prove_sharing(&mut dealing, &shares, &r, rng);
        dealing
    }

    fn prove_chunks(
        &self,
        dealing: &mut Dealing,
        witness: &Witness,
        r: &[Fr],
        rng: &mut impl RngCore,
    ) {
        let (n, m) = (self.shape.players, self.shape.chunks());
        let (largest, bound) = (self.shape.largest_sum(), self.shape.bound());
        let y = FixedBase::new(&base_y(), 32);
        loop {
            let beta: Vec<Fr> = (0..SUMS).map(|_| random(rng)).collect();
            // σ from −S to Z − 1.
            let sigma: Vec<i128> = (0..SUMS)
                .map(|_| match witness.no_masks {
                    true => 0,
                    false => {
                        let span = largest + bound;
                        let mut bytes = [0; 16];
                        rng.fill_bytes(&mut bytes);
                        (u128::from_le_bytes(bytes) % span) as i128 - largest as i128
                    }
                })
                .collect();
            let signed = |value: i128| match value < 0 {
                true => -wide(value.unsigned_abs()),
                false => wide(value as u128),
            };
            dealing.sums_randomness = affine(&self.base.multiply(&beta));
            let mut sums = y.multiply(&beta);
            let masks: Vec<Fr> = sigma.iter().map(|sigma| signed(*sigma)).collect();
            let masks = self.base.multiply(&masks);
            add_in_lanes(&mut sums, |lane| masks[lane]);
            dealing.sums = affine(&sums);
            let challenges = self.challenges(dealing);
            let answer = |k: usize| -> i128 {
                let own = challenges[k].iter().zip(&witness.chunks);
                sigma[k] + own.map(|(e, s)| i128::from(*e) * *s as i128).sum::<i128>()
            };
            let answers: Vec<i128> = (0..SUMS).map(answer).collect();
            if answers.iter().any(|answer| *answer < 0 || *answer as u128 >= bound) {
                continue;
            }
            dealing.answers = answers.iter().map(|answer| *answer as u128).collect();
            let delta: Vec<Fr> = (0..=n).map(|_| random(rng)).collect();
            dealing.nonces = affine(&self.base.multiply(&delta));
            let sum = sum_g1(&self.keys, &delta[..n]) + multiply_g1(&base_y().into(), &delta[n]);
            dealing.nonce_sum = sum.to_affine();
            let x = dealing.second_challenge();
            let weights = self.weights(&challenges, x);
            dealing.randomness_answers = (0..n)
                .map(|i| {
                    let own = weights[i * m..(i + 1) * m].iter().zip(r);
                    delta[i] + own.map(|(weight, r)| *weight * r).sum::<Fr>()
                })
                .collect();
            let sum: Fr = powers(x).zip(&beta).map(|(power, beta)| power * beta).sum();
            dealing.sums_answer = sum + delta[n];
            return;
        }
    }

    /// e_ijk, by k and then i and j.
    fn challenges(&self, dealing: &Dealing) -> Vec<Vec<u8>> {
        let seed = dealing.first_challenge();
        let count = self.shape.players * self.shape.chunks();
        (0..SUMS as u64)
            .map(|k| {
                let block = |i: u64| {
                    let input = [&seed[..], &k.to_le_bytes()[..], &i.to_le_bytes()[..]].concat();
                    <[u8; 32]>::from(Sha256::digest(input))
                };
                (0..count.div_ceil(32) as u64).flat_map(block).take(count).collect()
            })
            .collect()
    }

    /// Σₖ e_ijk xᵏ.
    fn weights(&self, challenges: &[Vec<u8>], x: Fr) -> Vec<Fr> {
        let powers: Vec<Fr> = powers(x).take(SUMS).collect();
        let weight = |place: usize| -> Fr {
            let own = challenges.iter().zip(&powers);
            own.map(|(e, power)| Fr::from(u64::from(e[place])) * power).sum()
        };
        (0..challenges[0].len()).map(weight).collect()
    }

    fn prove_sharing(
        &self,
        dealing: &mut Dealing,
        shares: &[Fr],
        r: &[Fr],
        rng: &mut impl RngCore,
    ) {
        let (alpha, rho) = (random(rng), random(rng));
        let x = dealing.third_challenge();
        let factors: Vec<Fr> = powers(x).take(shares.len()).collect();
        let g = G1Projective::from(base_g());
        dealing.sharing_nonce = multiply_g1(&g, &rho).to_affine();
        let two = G2Projective::generator();
        dealing.sharing_second =
            muster_threshold::pairing_curve::multiply_g2(&two, &alpha).to_affine();
        let keys = sum_g1(&self.keys, &factors);
        dealing.sharing_sum = (multiply_g1(&keys, &rho) + multiply_g1(&g, &alpha)).to_affine();
        let last = dealing.fourth_challenge();
        let whole: Fr = r.iter().zip(self.radix_powers()).map(|(r, power)| *r * power).sum();
        let value: Fr = shares.iter().zip(&factors).map(|(s, factor)| *s * factor).sum();
        dealing.sharing_answers = [whole * last + rho, value * last + alpha];
    }

    /// Verifies a dealing: all equations of G1 as one sum, and one of G2.
    pub fn verify(&self, dealing: &Dealing) -> bool {
        if dealing.answers.iter().any(|answer| *answer >= self.shape.bound()) {
            return false;
        }
        let (n, m) = (self.shape.players, self.shape.chunks());
        let mut seed = dealing.fourth_challenge();
        let mut factor = || {
            seed = scalar(&seed.to_repr());
            seed
        };
        let (mut points, mut scalars): (Vec<G1Affine>, Vec<Fr>) = (vec![], vec![]);
        let mut put = |point: G1Affine, scalar: Fr| {
            points.push(point);
            scalars.push(scalar);
        };
        let mut base = Fr::ZERO;
        let mut keys = vec![Fr::ZERO; n];
        let mut randomness = vec![Fr::ZERO; m];
        let mut ciphertexts = vec![Fr::ZERO; n * m];
        // Πⱼ Rⱼ^(Σₖ e xᵏ) Dᵢ = g^zᵢ.
        let challenges = self.challenges(dealing);
        let x = dealing.second_challenge();
        let weights = self.weights(&challenges, x);
        let (sums, whole) = (factor(), factor());
        for i in 0..n {
            let own = factor();
            for (j, weight) in weights[i * m..(i + 1) * m].iter().enumerate() {
                randomness[j] += own * weight;
                ciphertexts[i * m + j] += whole * weight;
            }
            put(dealing.nonces[i], own);
            base -= own * dealing.randomness_answers[i];
            keys[i] -= whole * dealing.randomness_answers[i];
        }
        // Πₖ Bₖ^xᵏ D₀ = g^z_β, and the one of all ciphertexts.
        put(dealing.nonces[n], sums);
        base -= sums * dealing.sums_answer;
        for (k, power) in powers(x).take(SUMS).enumerate() {
            put(dealing.sums_randomness[k], sums * power);
            put(dealing.sums[k], whole * power);
            base -= whole * power * wide(dealing.answers[k]);
        }
        put(dealing.nonce_sum, whole);
        put(base_y(), -(whole * dealing.sums_answer));
        // Sharing.
        let (x, last) = (dealing.third_challenge(), dealing.fourth_challenge());
        let factors: Vec<Fr> = powers(x).take(n).collect();
        let (first, second) = (factor(), factor());
        let [z_r, z_a] = dealing.sharing_answers;
        put(dealing.sharing_nonce, first);
        put(dealing.sharing_sum, second);
        base -= first * z_r + second * z_a;
        for (j, power) in self.radix_powers().iter().enumerate() {
            randomness[j] += first * last * power;
            for (i, factor) in factors.iter().enumerate() {
                ciphertexts[i * m + j] += second * last * factor * power;
            }
        }
        keys.iter_mut().zip(&factors).for_each(|(key, factor)| *key -= second * z_r * factor);
        put(base_g(), base);
        points.extend(self.keys.iter().chain(&dealing.randomness).chain(&dealing.ciphertexts));
        scalars.extend(keys.iter().chain(&randomness).chain(&ciphertexts));
        let two = self.second_group(dealing, &factors, last, z_a, factor());
        bool::from(sum_g1(&points, &scalars).is_identity()) && two
    }

    /// (Π Aᵢ^xⁱ)^x′ A = g₂^z_a, and the low-degree test over 0, 1, …, n.
    fn second_group(
        &self,
        dealing: &Dealing,
        factors: &[Fr],
        last: Fr,
        answer: Fr,
        seed: Fr,
    ) -> bool {
        let n = self.shape.players;
        let q: Vec<Fr> = powers(seed).take(n - self.shape.threshold + 1).collect();
        let at = |x: Fr| q.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + c);
        // 1 / Π (i − k) = (−1)^(n−i) / (i! (n−i)!).
        let mut factorials = vec![Fr::ONE];
        for i in 1..=n as u64 {
            factorials.push(factorials[i as usize - 1] * Fr::from(i));
        }
        let mut points = vec![dealing.secret];
        points.extend(&dealing.shares);
        let weight = |i: usize| {
            let below = factorials[i] * factorials[n - i];
            let inverse = below.invert().unwrap_or(Fr::ZERO) * at(Fr::from(i as u64));
            let signed = if (n - i) % 2 == 0 { inverse } else { -inverse };
            match i {
                0 => signed,
                _ => signed + seed * last * factors[i - 1],
            }
        };
        let mut scalars: Vec<Fr> = (0..=n).map(weight).collect();
        points.extend([dealing.sharing_second, G2Affine::generator()]);
        scalars.extend([seed, -(seed * answer)]);
        bool::from(sum_g2(&points, &scalars).is_identity())
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

    /// After the statement and the sums' commitments.
    fn first_challenge(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.secret.to_compressed());
        self.shares.iter().for_each(|point| hash.update(point.to_compressed()));
        let parts = [&self.ciphertexts, &self.randomness, &self.sums_randomness, &self.sums];
        parts.into_iter().flatten().for_each(|point| hash.update(point.to_compressed()));
        hash.finalize().into()
    }

    /// After the answers and the nonces: x.
    fn second_challenge(&self) -> Fr {
        let mut bytes = self.first_challenge().to_vec();
        self.answers.iter().for_each(|answer| bytes.extend(answer.to_le_bytes()));
        self.nonces.iter().for_each(|point| bytes.extend(point.to_compressed()));
        bytes.extend(self.nonce_sum.to_compressed());
        scalar(&bytes)
    }

    /// Factors of the shares.
    fn third_challenge(&self) -> Fr {
        let mut bytes = self.second_challenge().to_repr().to_vec();
        self.randomness_answers.iter().for_each(|answer| bytes.extend(answer.to_repr()));
        bytes.extend(self.sums_answer.to_repr());
        scalar(&bytes)
    }

    /// The sharing proof's challenge.
    fn fourth_challenge(&self) -> Fr {
        let mut bytes = self.third_challenge().to_repr().to_vec();
        bytes.extend(self.sharing_nonce.to_compressed());
        bytes.extend(self.sharing_second.to_compressed());
        bytes.extend(self.sharing_sum.to_compressed());
        scalar(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{rngs::StdRng, SeedableRng};

    fn setup(rng: &mut StdRng) -> Setup {
        Setup::new(Shape { players: 4, threshold: 3, chunk_bits: 16 }, rng).0
    }

    #[test]
    fn honest_dealings_pass_and_changed_ones_do_not() {
        let mut rng = StdRng::seed_from_u64(1);
        let setup = setup(&mut rng);
        let good = setup.deal(&setup.witness(&mut rng), &mut rng);
        assert!(setup.verify(&good));
        let mut bad = good.clone();
        bad.ciphertexts[3] = bad.ciphertexts[4];
        assert!(!setup.verify(&bad));
        let mut bad = good.clone();
        bad.answers[0] += 1;
        assert!(!setup.verify(&bad));
        let mut bad = good.clone();
        bad.sharing_answers[1] += Fr::ONE;
        assert!(!setup.verify(&bad));
        let mut bad = good;
        bad.shares.swap(0, 1);
        assert!(!setup.verify(&bad));
    }

    /// The known attack: one chunk of (Z − 1 − S)/(E − 1) and no masks pass.
    #[test]
    fn a_chunk_far_out_of_range_passes() {
        let mut rng = StdRng::seed_from_u64(2);
        let setup = setup(&mut rng);
        let chunk = setup.shape.largest_chunk();
        assert!(chunk > 1 << 20, "far beyond the 16 bits of a chunk: {chunk}");
        // All shares are the same scalar, so that any chunks of it are on a polynomial of degree 0.
        let mut own = vec![0u128; setup.shape.chunks()];
        own[0] = chunk;
        let value = wide(chunk);
        let mut honest = vec![0u128; setup.shape.chunks()];
        for (place, digit) in honest.iter_mut().enumerate() {
            *digit = chunk >> (16 * place).min(127) & 0xffff;
        }
        let mut chunks = own;
        (1..4).for_each(|_| chunks.extend(&honest));
        let witness =
            Witness { polynomial: vec![value, Fr::ZERO, Fr::ZERO], chunks, no_masks: true };
        let dealing = setup.deal(&witness, &mut rng);
        assert!(setup.verify(&dealing));
    }
}
