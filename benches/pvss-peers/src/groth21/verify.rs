//! Verification.

use ff::{Field, PrimeField};
use group::{prime::PrimeCurveAffine, Group};
use muster_threshold::pairing_curve::{sum_g1, sum_g2, Fr, G1Affine, G2Affine};

use super::{base_g, base_y, powers, scalar, wide, Dealing, Setup, SUMS};

impl Setup {
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
