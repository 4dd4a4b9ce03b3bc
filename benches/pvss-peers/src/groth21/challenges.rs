//! Fiat–Shamir: what was sent is hashed before the next challenge is drawn.

use ff::PrimeField;
use muster_threshold::pairing_curve::Fr;
use sha2::{Digest, Sha256};

use super::{powers, scalar, Dealing, Setup, SUMS};

impl Setup {
    /// e_ijk, by k and then i and j.
    pub(super) fn challenges(&self, dealing: &Dealing) -> Vec<Vec<u8>> {
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
    pub(super) fn weights(&self, challenges: &[Vec<u8>], x: Fr) -> Vec<Fr> {
        let powers: Vec<Fr> = powers(x).take(SUMS).collect();
        let weight = |place: usize| -> Fr {
            let own = challenges.iter().zip(&powers);
            own.map(|(e, power)| Fr::from(u64::from(e[place])) * power).sum()
        };
        (0..challenges[0].len()).map(weight).collect()
    }
}

impl Dealing {
    /// After the statement and the sums' commitments.
    pub(super) fn first_challenge(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.secret.to_compressed());
        self.shares.iter().for_each(|point| hash.update(point.to_compressed()));
        let parts = [&self.ciphertexts, &self.randomness, &self.sums_randomness, &self.sums];
        parts.into_iter().flatten().for_each(|point| hash.update(point.to_compressed()));
        hash.finalize().into()
    }

    /// After the answers and the nonces: x.
    pub(super) fn second_challenge(&self) -> Fr {
        let mut bytes = self.first_challenge().to_vec();
        self.answers.iter().for_each(|answer| bytes.extend(answer.to_le_bytes()));
        self.nonces.iter().for_each(|point| bytes.extend(point.to_compressed()));
        bytes.extend(self.nonce_sum.to_compressed());
        scalar(&bytes)
    }

    /// Factors of the shares.
    pub(super) fn third_challenge(&self) -> Fr {
        let mut bytes = self.second_challenge().to_repr().to_vec();
        self.randomness_answers.iter().for_each(|answer| bytes.extend(answer.to_repr()));
        bytes.extend(self.sums_answer.to_repr());
        scalar(&bytes)
    }

    /// The sharing proof's challenge.
    pub(super) fn fourth_challenge(&self) -> Fr {
        let mut bytes = self.third_challenge().to_repr().to_vec();
        bytes.extend(self.sharing_nonce.to_compressed());
        bytes.extend(self.sharing_second.to_compressed());
        bytes.extend(self.sharing_sum.to_compressed());
        scalar(&bytes)
    }
}
