//! Dealing.

use group::{Curve, Group};
use muster_threshold::pairing_curve::{
    add_in_lanes, multiply_g1, multiply_g2, sum_g1, Digits, FixedBase, Fr, G1Projective, G2Affine,
    G2Projective, Multiples,
};
use rand::RngCore;

use super::{affine, base_g, base_y, powers, random, wide, Dealing, Setup, Witness, SUMS};

impl Setup {
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

    /// σ from −S to Z − 1, or none.
    fn mask(&self, witness: &Witness, rng: &mut impl RngCore) -> i128 {
        if witness.no_masks {
            return 0;
        }
        let largest = self.shape.largest_sum();
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        (u128::from_le_bytes(bytes) % (largest + self.shape.bound())) as i128 - largest as i128
    }

    fn prove_chunks(
        &self,
        dealing: &mut Dealing,
        witness: &Witness,
        r: &[Fr],
        rng: &mut impl RngCore,
    ) {
        let (n, m) = (self.shape.players, self.shape.chunks());
        let bound = self.shape.bound();
        let y = FixedBase::new(&base_y(), 32);
        loop {
            let beta: Vec<Fr> = (0..SUMS).map(|_| random(rng)).collect();
            let sigma: Vec<i128> = (0..SUMS).map(|_| self.mask(witness, rng)).collect();
            let signed = |value: i128| {
                if value < 0 {
                    -wide(value.unsigned_abs())
                } else {
                    wide(value as u128)
                }
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
        dealing.sharing_second = multiply_g2(&two, &alpha).to_affine();
        let keys = sum_g1(&self.keys, &factors);
        dealing.sharing_sum = (multiply_g1(&keys, &rho) + multiply_g1(&g, &alpha)).to_affine();
        let last = dealing.fourth_challenge();
        let whole: Fr = r.iter().zip(self.radix_powers()).map(|(r, power)| *r * power).sum();
        let value: Fr = shares.iter().zip(&factors).map(|(s, factor)| *s * factor).sum();
        dealing.sharing_answers = [whole * last + rho, value * last + alpha];
    }
}
