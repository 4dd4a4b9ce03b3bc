//! halo2-base's Poseidon, as the root of a binary tree: what a committee's commitment costs there.

use halo2_base::gates::circuit::builder::BaseCircuitBuilder;
use halo2_base::gates::GateChip;
use halo2_base::halo2_proofs::arithmetic::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use halo2_base::poseidon::hasher::{spec::OptimizedPoseidonSpec, PoseidonHasher};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::Statement;
use crate::sample::SEED;

/// Width 4: the library pads a message that fills the rate with one permutation more, so at width 3 a
/// node of two children would take two permutations.
const WIDTH: usize = 4;
const RATE: usize = 3;
const FULL_ROUNDS: usize = 8;
/// The count for width 4 at 128 bits (Poseidon paper, table for x^5 over 254 bits).
const PARTIAL_ROUNDS: usize = 56;

/// The root of a binary tree over private leaves; public: the root.
pub(crate) struct PoseidonTree {
    leaves: Vec<Fr>,
}

impl PoseidonTree {
    /// Random leaves, a power of two of them.
    pub(crate) fn sample(leaves: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(SEED);
        Self { leaves: (0..leaves.next_power_of_two()).map(|_| Fr::random(&mut rng)).collect() }
    }
}

impl Statement for PoseidonTree {
    fn fill(&self, builder: &mut BaseCircuitBuilder<Fr>) {
        let gate = GateChip::default();
        let ctx = builder.main(0);
        let spec =
            OptimizedPoseidonSpec::<Fr, WIDTH, RATE>::new::<FULL_ROUNDS, PARTIAL_ROUNDS, 0>();
        let mut hasher = PoseidonHasher::new(spec);
        hasher.initialize_consts(ctx, &gate);

        let mut level = ctx.assign_witnesses(self.leaves.iter().copied());
        while level.len() > 1 {
            level =
                level.chunks(2).map(|pair| hasher.hash_fix_len_array(ctx, &gate, pair)).collect();
        }
        builder.assigned_instances[0] = level;
    }
}
