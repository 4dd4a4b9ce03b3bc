//! Where a string ends, and the next one begins.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing},
};
use num_traits::ToPrimitive;

use super::{
    assert_bits,
    string::{Text, HALF_BITS, LOOSE_BITS},
};
use crate::hash::padding::{byte_power, HALF};
use muster_gates::{
    chain::{self, Term},
    small::OneHot,
    GateContext,
};

/// Bits of a number of bytes within a half.
const PLACE_BITS: usize = 4;
const _: () = assert!(1 << PLACE_BITS == HALF);

/// Bits of the bytes of a half that move to the next one, at most 15 of them, and bits that their range check may leave
/// them.
const MOVED_BITS: usize = 8 * (HALF - 1);
const LOOSE_MOVED_BITS: usize = 124;

/// A decomposed number of bytes: `16·(first + j) + r`, where bit `j` of `halves` is 1 and `r` is below 16.
#[derive(Clone, Debug)]
pub(super) struct Shift {
    /// The least number of whole halves.
    first: usize,
    halves: Vec<AssignedValue<Fr>>,
    /// `256^r`.
    up: AssignedValue<Fr>,
    /// `256^(16 - r)`.
    down: AssignedValue<Fr>,
}

/// What a prover claims about a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    /// The number of whole halves.
    pub(super) halves: usize,
    /// Bits of the bytes in the next half, the lowest first.
    pub(super) bits: [Fr; PLACE_BITS],
    /// `256` to the power of the bytes that are left in it.
    pub(super) down: Fr,
}

impl Hint {
    pub(super) fn new(bytes: &Fr) -> Self {
        let bytes = fe_to_biguint(bytes).to_usize().unwrap_or(0);
        let rest = bytes % HALF;
        let bit = |i: usize| Fr::from((rest >> i & 1) as u64);
        let bits = std::array::from_fn(bit);
        Self { halves: bytes / HALF, bits, down: byte_power(HALF - rest) }
    }
}

impl Shift {
    /// A shift by this number of bytes, from `least` to `most`. The bounds are only shown in whole
    /// halves.
    pub(super) fn new(
        ctx: &mut GateContext,
        bytes: AssignedValue<Fr>,
        bounds: (usize, usize),
    ) -> Self {
        Self::of_hint(ctx, bytes, (bounds, &Hint::new(bytes.value())))
    }

    /// The same with a hint.
    pub(super) fn of_hint(
        ctx: &mut GateContext,
        bytes: AssignedValue<Fr>,
        ((least, most), hint): ((usize, usize), &Hint),
    ) -> Self {
        let (first, count) = (least / HALF, most / HALF - least / HALF + 1);
        let halves = OneHot::new(ctx, count, hint.halves.wrapping_sub(first));
        let bits = hint.bits.map(|bit| {
            let bit = ctx.load_witness(bit);
            ctx.gate.assert_bit(ctx, bit);
            bit
        });
        let whole = |j: usize| Fr::from((HALF * (first + j)) as u64);
        let mut terms = halves.constants(&(0..count).map(whole).collect::<Vec<_>>());
        let weighted = bits.iter().enumerate();
        terms.extend(weighted.map(|(i, bit)| (Existing(*bit), Constant(Fr::from(1 << i)))));
        chain::assert_sum(ctx, Constant(Fr::ZERO), &terms, Existing(bytes));
        // 256^(2^i) for a bit that is 1, and 1 for one that is 0.
        let factors: Vec<_> = bits
            .iter()
            .enumerate()
            .map(|(i, bit)| {
                let more = Constant(byte_power(1 << i) - Fr::ONE);
                chain::sum(ctx, Constant(Fr::ONE), &[(Existing(*bit), more)])
            })
            .collect();
        let up = factors[1..].iter().fold(factors[0], |up, next| ctx.gate.mul(ctx, up, *next));
        let down = ctx.load_witness(hint.down);
        let both = (Existing(up), Existing(down));
        chain::assert_sum(ctx, Constant(Fr::ZERO), &[both], Constant(byte_power(HALF)));
        Self { first, halves: halves.bits().to_vec(), up, down }
    }

    /// All cells, to select one of several shifts with the same bounds.
    pub(super) fn cells(&self) -> Vec<AssignedValue<Fr>> {
        self.halves.iter().copied().chain([self.up, self.down]).collect()
    }

    /// The shift with these cells, selected from several.
    pub(super) fn with_cells(&self, cells: &[AssignedValue<Fr>]) -> Self {
        let [halves @ .., up, down] = cells else { panic!("a shift has two powers") };
        assert_eq!(halves.len(), self.halves.len(), "the shifts have the same bounds");
        Self { first: self.first, halves: halves.to_vec(), up: *up, down: *down }
    }

    /// The halves of `text` after `r` zero bytes, one more than it has.
    pub(super) fn moved(&self, ctx: &mut GateContext, text: &Text) -> Vec<AssignedValue<Fr>> {
        let up = fe_to_biguint(self.up.value());
        let moved = |half: &AssignedValue<Fr>| biguint_to_fe(&(fe_to_biguint(half.value()) % &up));
        let hints: Vec<Fr> = text.cells().halves.iter().map(moved).collect();
        self.moved_of_hints(ctx, (text, &hints))
    }

    /// The same with hints of what moves to the next half: `half = 256^r·kept + moved`.
    ///
    /// `kept` is below `2^132` and `moved` below `2^124`, so that nothing wraps, here or in `moved·256^(16 - r)`. What is
    /// returned is a sum of integers; if it is below `2^128`, `moved` is below `256^r`, so this is the division of the half
    /// with its remainder.
    pub(super) fn moved_of_hints(
        &self,
        ctx: &mut GateContext,
        (text, hints): (&Text, &[Fr]),
    ) -> Vec<AssignedValue<Fr>> {
        let inverse = self.up.value().invert().unwrap_or(Fr::ZERO);
        let mut before: Option<AssignedValue<Fr>> = None;
        let mut halves = vec![];
        for (half, hint) in text.cells().halves.iter().zip(hints) {
            let moved = ctx.load_witness(*hint);
            let kept = ctx.load_witness((*half.value() - hint) * inverse);
            assert_bits(ctx, kept, (HALF_BITS, LOOSE_BITS));
            assert_bits(ctx, moved, (MOVED_BITS, LOOSE_MOVED_BITS));
            let product = (Existing(self.up), Existing(kept));
            chain::assert_sum(ctx, Existing(moved), &[product], Existing(*half));
            halves.push(match before {
                None => kept,
                Some(before) => {
                    chain::sum(ctx, Existing(kept), &[(Existing(before), Existing(self.down))])
                }
            });
            before = Some(moved);
        }
        halves.extend(before.map(|before| ctx.gate.mul(ctx, before, self.down)));
        halves
    }

    /// The terms of `half` once the moved halves begin where the shift says.
    pub(super) fn terms(&self, moved: &[AssignedValue<Fr>], half: usize) -> Vec<Term> {
        let begins = self.halves.iter().enumerate().map(|(j, bit)| (self.first + j, bit));
        let inside = begins.filter_map(|(begin, bit)| {
            let moved = half.checked_sub(begin).and_then(|i| moved.get(i))?;
            Some((Existing(*bit), Existing(*moved)))
        });
        inside.collect()
    }

    /// The number of halves up to the last one that moved halves may reach.
    pub(super) fn reach(&self, moved: &[AssignedValue<Fr>]) -> usize {
        self.first + self.halves.len() - 1 + moved.len()
    }
}
