//! The range proof: DeKART's univariate form with bits, over a hiding KZG commitment.
//!
//! A commitment has f(ω^a) = z_a and f(1) = 0. With random values r, rⱼ at 1, f̂ = f + r·L₀ and fⱼ
//! with the bits of z at ω^a, the equations f̂ = Σ 2ʲ fⱼ and fⱼ (fⱼ − 1) = 0 all hold on the domain
//! except at 1. This is shown by the following h being a polynomial:
//!
//! ```text
//! h = [β (f̂ − Σ 2ʲ fⱼ) + Σ βⱼ fⱼ (fⱼ − 1)] / Z*,   Z* = (X^M − 1) / (X − 1)
//! ```
//!
//! It is opened at one point ζ, together with f̂ and all fⱼ.

use ff::{BatchInvert, Field as _};
use group::{Curve, Group};
use rand_core::CryptoRngCore;
use rayon::prelude::*;
use subtle::ConditionallySelectable;
use zeroize::Zeroizing;

use super::parameters::Parameters;
use crate::pairing_curve::{
    multiply_g1, normalize_g1, FixedBase, Fr, G1Affine, G1Projective, Lane, Secret, Transform,
};

/// Values at a point outside the domain.
pub(super) struct AtPoint {
    /// L_a(ζ).
    pub(super) lagrange: Vec<Fr>,
    /// 1 / (ζ − ω^a).
    pub(super) inverses: Vec<Fr>,
    /// ζ^M − 1.
    pub(super) vanishing: Fr,
}

impl AtPoint {
    /// Nothing for a point of the domain.
    pub(super) fn new(transform: &Transform, zeta: &Fr) -> Option<Self> {
        let vanishing = ff::Field::pow_vartime(zeta, [transform.size() as u64]) - Fr::ONE;
        if bool::from(vanishing.is_zero()) {
            return None;
        }
        let mut inverses: Vec<Fr> = transform.roots().iter().map(|root| *zeta - root).collect();
        inverses.iter_mut().batch_invert();
        let scale = vanishing * transform.scale();
        let values = transform.roots().iter().zip(&inverses);
        let lagrange = values.map(|(root, inverse)| scale * root * inverse).collect();
        Some(Self { lagrange, inverses, vanishing })
    }
}

/// Whether v_h Z*(ζ) = β (v − Σ 2ʲ vⱼ) + Σ βⱼ vⱼ (vⱼ − 1), for values in the order v, v_h, v₀, ….
pub(super) fn quotient_holds(
    at: &AtPoint,
    zeta: &Fr,
    beta: &Fr,
    betas: &[Fr],
    evaluations: &[Fr],
) -> bool {
    let (value, quotient, bits) = (evaluations[0], evaluations[1], &evaluations[2..]);
    let sum = bits.iter().rev().fold(Fr::ZERO, |sum, bit| sum.double() + bit);
    let products = bits.iter().zip(betas).map(|(bit, beta)| *beta * bit * (*bit - Fr::ONE));
    let right = *beta * (value - sum) + products.sum::<Fr>();
    // Z* = (ζ^M − 1) / (ζ − 1), and ζ is not 1.
    quotient * at.vanishing == right * (*zeta - Fr::ONE)
}

/// The dealer's proof in the making. All its values are secret.
pub(super) struct RangeProver<'a> {
    parameters: &'a Parameters,
    chunks: &'a [u32],
    bits: usize,
    /// ρ, Δ and r.
    blinder: Secret<Fr>,
    shift: Secret<Fr>,
    first: Secret<Fr>,
    /// rⱼ and ρⱼ.
    bit_firsts: Secret<Vec<Fr>>,
    bit_blinders: Secret<Vec<Fr>>,
    /// h on the domain, and ρ_h.
    quotient: Secret<Vec<Fr>>,
    quotient_blinder: Secret<Fr>,
}

/// C, Ĉ and Cⱼ.
pub(super) struct Commitments {
    pub(super) commitment: G1Affine,
    pub(super) shifted: G1Affine,
    pub(super) bits: Vec<G1Affine>,
}

pub(super) fn random_scalars(count: usize, rng: &mut impl CryptoRngCore) -> Secret<Vec<Fr>> {
    Secret::new((0..count).map(|_| Fr::random(&mut *rng)).collect())
}

fn points(table: &FixedBase<ark_bls12_381::Fq>, scalars: &[Fr]) -> Vec<G1Projective> {
    let to_point = |lane: &Lane<_>| G1Projective::from(G1Affine::from(lane));
    table.multiply(scalars).iter().map(to_point).collect()
}

/// `value` if the bit is set, without a branch.
fn masked(value: &Fr, word: u32, bit: usize) -> Fr {
    let choice = subtle::Choice::from((word >> bit & 1) as u8);
    Fr::conditional_select(&Fr::ZERO, value, choice)
}

impl<'a> RangeProver<'a> {
    /// Commits to chunks of `bits` bits.
    pub(super) fn new(
        parameters: &'a Parameters,
        chunks: &'a [u32],
        bits: usize,
        rng: &mut impl CryptoRngCore,
    ) -> (Self, Commitments) {
        let prover = Self {
            parameters,
            chunks,
            bits,
            blinder: Secret::new(Fr::random(&mut *rng)),
            shift: Secret::new(Fr::random(&mut *rng)),
            first: Secret::new(Fr::random(&mut *rng)),
            bit_firsts: random_scalars(bits, rng),
            bit_blinders: random_scalars(bits, rng),
            quotient: Secret::new(vec![]),
            quotient_blinder: Secret::new(Fr::random(&mut *rng)),
        };
        let made = prover.commit();
        (prover, made)
    }

    /// The bits of all chunks at one position, eight per byte.
    fn column(&self, bit: usize) -> Vec<u8> {
        let groups = self.parameters.subsets().groups();
        let byte = |chunks: &[u32]| {
            chunks.iter().rev().fold(0, |byte, chunk| byte << 1 | (chunk >> bit & 1) as u8)
        };
        let mut column = vec![0; groups];
        column.iter_mut().zip(self.chunks.chunks(8)).for_each(|(to, chunks)| *to = byte(chunks));
        column
    }

    fn commit(&self) -> Commitments {
        let columns: Vec<Zeroizing<Vec<u8>>> =
            (0..self.bits).map(|bit| Zeroizing::new(self.column(bit))).collect();
        let rows: Vec<&[u8]> = columns.iter().map(|column| column.as_slice()).collect();
        let part = self.bits.div_ceil(rayon::current_num_threads()).max(8);
        let subsets = self.parameters.subsets();
        let parts: Vec<Secret<Vec<G1Projective>>> =
            rows.par_chunks(part).map(|rows| subsets.sum(rows)).collect();
        // No vector of secrets may grow: it would leave a copy behind.
        let mut sums = Secret::new(Vec::with_capacity(self.bits));
        parts.iter().for_each(|part| sums.extend(part.iter().copied()));
        // Σ z_a L_a = Σ 2ʲ Σ bitⱼ(z_a) L_a.
        let chunks =
            sums.iter().rev().fold(G1Projective::identity(), |sum, bit| sum.double() + bit);
        let with = |each: &[Fr], more: &[Fr]| Secret::new([each, more].concat());
        let blinders = with(&self.bit_blinders, &[*self.blinder, *self.shift]);
        let blinded = points(self.parameters.xi_table(), &blinders);
        let firsts = with(&self.bit_firsts, &[*self.first]);
        let first = points(self.parameters.first_table(), &firsts);
        let mut all: Vec<G1Projective> =
            (0..self.bits).map(|bit| sums[bit] + first[bit] + blinded[bit]).collect();
        let commitment = chunks + blinded[self.bits];
        all.extend([commitment, commitment + blinded[self.bits + 1] + first[self.bits]]);
        let mut bits = normalize_g1(&all);
        let last = bits.split_off(self.bits);
        Commitments { commitment: last[0], shifted: last[1], bits }
    }

    /// ρ, the blinder of C.
    pub(super) fn blinder(&self) -> &Fr {
        &self.blinder
    }

    /// r and Δ, by which Ĉ and C differ.
    pub(super) fn masks(&self) -> [&Fr; 2] {
        [&self.first, &self.shift]
    }

    /// D, the commitment to h.
    ///
    /// f̂ − Σ 2ʲ fⱼ is a multiple of L₀ = Z*/M, which leaves a constant. fⱼ (fⱼ − 1) is zero on the
    /// domain except at 1, where Z* is M; at the other points h is a quotient of derivatives, (ω^a
    /// − 1)/M · Σ βⱼ ω^a fⱼ′(ω^a) (2fⱼ − 1)(ω^a), and 2fⱼ − 1 is a sign.
    pub(super) fn quotient(&mut self, beta: &Fr, betas: &[Fr]) -> G1Affine {
        let transform = &self.parameters.transform;
        let size = transform.size();
        let scale = transform.scale();
        // k/M²: of the derivative, of the inverse transform and of h.
        let factors: Vec<Fr> = (0..size).map(|k| Fr::from(k as u64) * scale.square()).collect();
        let slopes = |bits: std::ops::Range<usize>| {
            let mut sum = Secret::new(vec![Fr::ZERO; size]);
            for bit in bits {
                self.add_slopes(bit, &betas[bit], &factors, &mut sum);
            }
            sum
        };
        let part = self.bits.div_ceil(rayon::current_num_threads()).max(1);
        let starts: Vec<usize> = (0..self.bits).step_by(part).collect();
        let sums: Vec<_> =
            starts.par_iter().map(|start| slopes(*start..(start + part).min(self.bits))).collect();
        // Σ 2ʲ rⱼ.
        let bits = self.bit_firsts.iter().rev();
        let composed = bits.fold(Fr::ZERO, |sum, first| sum.double() + first);
        let constant = *beta * (*self.first - composed) * scale;
        let firsts = self.bit_firsts.iter().zip(betas);
        let at_one: Fr = firsts.map(|(first, beta)| *beta * first * (*first - Fr::ONE)).sum();
        let mut values = Secret::new(vec![Fr::ZERO; size]);
        for (a, value) in values.iter_mut().enumerate() {
            let slope: Fr = sums.iter().map(|sum| sum[a]).sum();
            *value = constant
                + match a {
                    0 => at_one * scale,
                    _ => slope * (transform.roots()[a] - Fr::ONE),
                };
        }
        let sum = self.parameters.lagrange_sum(0, &values);
        self.quotient = values;
        (sum + multiply_g1(&self.parameters.xi_g1.into(), &self.quotient_blinder)).to_affine()
    }

    /// Adds βⱼ X fⱼ′ (2fⱼ − 1) / M on the domain except at 1.
    fn add_slopes(&self, bit: usize, beta: &Fr, factors: &[Fr], sum: &mut [Fr]) {
        let transform = &self.parameters.transform;
        let mut values = Secret::new(vec![Fr::ZERO; transform.size()]);
        let mut other = values.clone();
        let mut bits = Zeroizing::new(vec![0; transform.size()]);
        for (own, chunk) in bits[1..].iter_mut().zip(self.chunks) {
            *own = (chunk >> bit & 1) as u8;
        }
        transform.inverse_bits_unscaled(&bits, beta, &mut other);
        // The value at 1 is added to all coefficients.
        let first = Secret::new(self.bit_firsts[bit] * beta);
        let scale = |(value, factor): (&mut Fr, &Fr)| *value = (*value + *first) * factor;
        other.iter_mut().zip(factors).for_each(scale);
        transform.forward(&other, &mut values);
        let chunks = self.chunks.iter().copied().chain(std::iter::repeat(0));
        for ((sum, value), chunk) in sum[1..].iter_mut().zip(&values[1..]).zip(chunks) {
            let choice = subtle::Choice::from((chunk >> bit & 1) as u8);
            *sum += Fr::conditional_select(&-*value, value, choice);
        }
    }

    /// v, v_h and vⱼ.
    pub(super) fn evaluate(&self, at: &AtPoint) -> Vec<Fr> {
        let lagrange = &at.lagrange;
        let chunks = || lagrange[1..].iter().zip(self.chunks);
        let bit = |bit: usize| {
            let sum: Fr = chunks().map(|(value, chunk)| masked(value, *chunk, bit)).sum();
            sum + self.bit_firsts[bit] * lagrange[0]
        };
        let bits: Vec<Fr> = (0..self.bits).into_par_iter().map(bit).collect();
        let chunks: Fr = chunks().map(|(value, chunk)| *value * Fr::from(u64::from(*chunk))).sum();
        let quotient = self.quotient.iter().zip(lagrange).map(|(h, value)| *h * value).sum();
        let mut all = vec![chunks + *self.first * lagrange[0], quotient];
        all.extend(bits);
        all
    }

    /// π₁ and π₂: u = μf̂ + μ_h h + Σ μⱼ fⱼ has the value that it has at ζ.
    pub(super) fn open(
        &self,
        at: &AtPoint,
        zeta: &Fr,
        mus: &[Fr],
        evaluations: &[Fr],
        rng: &mut impl CryptoRngCore,
    ) -> [G1Affine; 2] {
        let value: Fr = mus.iter().zip(evaluations).map(|(mu, value)| *mu * value).sum();
        let (mu, mu_h, bit_mus) = (mus[0], mus[1], &mus[2..]);
        let chunks = self.chunks.iter().copied().chain(std::iter::repeat(0));
        let mut quotients = Secret::new(Vec::with_capacity(self.quotient.len()));
        let first: Fr = bit_mus.iter().zip(self.bit_firsts.iter()).map(|(mu, f)| *mu * f).sum();
        quotients.push(mu * *self.first + mu_h * self.quotient[0] + first);
        for (h, chunk) in self.quotient[1..].iter().zip(chunks) {
            let bits: Fr = bit_mus.iter().enumerate().map(|(bit, mu)| masked(mu, chunk, bit)).sum();
            quotients.push(mu * Fr::from(u64::from(chunk)) + mu_h * h + bits);
        }
        // (u(ω^a) − u(ζ)) / (ω^a − ζ).
        for (quotient, inverse) in quotients.iter_mut().zip(&at.inverses) {
            *quotient = (value - *quotient) * inverse;
        }
        let blinders = self.bit_blinders.iter().zip(bit_mus).map(|(rho, mu)| *mu * rho);
        let blinder = Secret::new(
            mu * (*self.blinder + *self.shift)
                + mu_h * *self.quotient_blinder
                + blinders.sum::<Fr>(),
        );
        let mask = Secret::new(Fr::random(rng));
        let parameters = self.parameters;
        let one = G1Projective::generator();
        let opening =
            parameters.lagrange_sum(0, &quotients) + multiply_g1(&parameters.xi_g1.into(), &mask);
        // ρ_u − s(τ − ζ).
        let other = multiply_g1(&one, &(*blinder + *mask * zeta))
            - multiply_g1(&parameters.tau_g1.into(), &mask);
        [opening.to_affine(), other.to_affine()]
    }
}
