//! Absorbing and squeezing: the state after a permutation as a type, since it lacks a constant.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    AssignedValue, QuantumCell,
};

use super::{
    chip::{KeccakChip, LANES},
    sparse::{spread, Lane},
};
use crate::base::BaseContext;
use muster_schemes::hash::keccak::native::{ROUNDS, ROUND_CONSTANTS};

/// Lanes of a digest.
const DIGEST_LANES: usize = 4;

/// The state after a permutation: bits, except that the first lane lacks the constant of the last
/// round. Whatever continues from here adds it.
#[derive(Clone, Debug)]
pub struct Permuted(pub(super) Vec<AssignedValue<Fr>>);

impl Permuted {
    /// Cells that hold whatever a test wants.
    #[cfg(debug_assertions)]
    pub fn lying(cells: &[AssignedValue<Fr>]) -> Self {
        Self(cells.to_vec())
    }

    /// The state whose entry of `ends` is 1, cut to the lanes of a digest. Exactly one of `ends` must be 1, and the
    /// others 0.
    pub fn choose(ctx: &mut BaseContext, states: &[Self], ends: &[QuantumCell<Fr>]) -> Self {
        let lane = |lane: usize| {
            let lanes: Vec<_> = states.iter().map(|state| state.0[lane]).collect();
            ctx.gate.inner_product(ctx, lanes, ends.iter().copied())
        };
        Self((0..DIGEST_LANES).map(lane).collect())
    }
}

impl KeccakChip {
    /// Adds a block to the state and permutes it; a sponge begins with zeros (FIPS 202 section 4).
    ///
    /// A word that is permuted is the sum of a lane of the state, one of the block and perhaps a constant, so its
    /// digits are at most 3.
    ///
    /// # Panics
    /// If a block has more lanes than a state, or the state is one that was [chosen](Permuted::choose).
    pub fn absorb(
        &self,
        ctx: &mut BaseContext,
        state: Option<&Permuted>,
        block: &[Lane],
    ) -> Permuted {
        assert!(block.len() <= LANES, "a block is a part of a state");
        let none = QuantumCell::Constant(Fr::ZERO);
        let mut lanes: Vec<_> = block.iter().map(Lane::cell).collect();
        lanes.resize(LANES, none);
        if let Some(Permuted(state)) = state {
            assert_eq!(state.len(), LANES, "a sponge goes on from a whole state");
            for (i, (lane, before)) in lanes.iter_mut().zip(state).enumerate() {
                let constant = if i == 0 { last_constant() } else { Fr::ZERO };
                let terms =
                    [QuantumCell::Existing(*before), *lane, QuantumCell::Constant(constant)];
                let is_there =
                    |cell: &QuantumCell<Fr>| !matches!(cell, QuantumCell::Constant(Fr::ZERO));
                let terms: Vec<_> = terms.into_iter().filter(is_there).collect();
                *lane = match terms[..] {
                    [only] => only,
                    _ => ctx.gate.sum(ctx, terms).into(),
                };
            }
        }
        Permuted(self.permute_without_last_constant(&lanes))
    }

    /// The exclusive or of two lanes: the sum of two bits is at most 2.
    pub fn xor(&self, ctx: &mut BaseContext, [a, b]: [Lane; 2]) -> Lane {
        let sum = ctx.gate.add(ctx, a.cell(), b.cell());
        Lane::of_rows(self.parities(sum))
    }

    /// The first lanes of a state, which make a digest.
    pub fn squeeze(
        &self,
        ctx: &mut BaseContext,
        Permuted(state): &Permuted,
    ) -> [AssignedValue<Fr>; DIGEST_LANES] {
        let mut lanes: [_; DIGEST_LANES] = std::array::from_fn(|i| state[i]);
        let sum = ctx.gate.add(ctx, lanes[0], QuantumCell::Constant(last_constant()));
        lanes[0] = self.parities(sum);
        lanes
    }
}

fn last_constant() -> Fr {
    spread(ROUND_CONSTANTS[ROUNDS - 1])
}
