//! halo2-base's range instructions over the range gate.

use std::sync::Mutex;

use halo2_base::{
    gates::{GateChip, GateInstructions, RangeInstructions},
    halo2_proofs::halo2curves::bn256::Fr,
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing},
};
use muster_gadgets::field::foreign::halves::below;
use muster_gates::{Chips, GateContext, Gates};

/// Range checks by lookups of the range gate.
#[derive(Clone, Debug)]
pub struct Range<'a> {
    gates: &'a Mutex<Gates>,
    gate: GateChip<Fr>,
    lookup_bits: usize,
}

impl<'a> Range<'a> {
    /// Over the chips of `gates`.
    pub(super) fn new(gates: &'a Mutex<Gates>) -> Self {
        let mut range = Self { gates, gate: GateChip::new(), lookup_bits: 0 };
        range.lookup_bits = range.with_chips(|chips| chips.range.rounded(1));
        range
    }

    /// What `work` does with the chips, and nobody else meanwhile.
    pub(super) fn with_chips<T>(&self, work: impl FnOnce(&Chips) -> T) -> T {
        let mut gates = self.gates.lock().expect("no thread panics while it holds the lock");
        work(gates.context().chips)
    }
}

impl RangeInstructions<Fr> for Range<'_> {
    type Gate = GateChip<Fr>;

    fn gate(&self) -> &GateChip<Fr> {
        &self.gate
    }

    fn lookup_bits(&self) -> usize {
        self.lookup_bits
    }

    /// # Panics
    /// If `bits`, rounded up to whole lookups, exceed 252.
    fn range_check(&self, ctx: &mut Context<Fr>, a: AssignedValue<Fr>, bits: usize) {
        match bits {
            0 => self.gate.assert_is_const(ctx, &a, &Fr::zero()),
            _ => {
                self.with_chips(|chips| {
                    below(&mut GateContext::new(ctx, chips), Existing(a), bits)
                });
            }
        }
    }

    fn check_less_than(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
        bits: usize,
    ) {
        let difference = self.gate.sub(ctx, b, a);
        let less_one = self.gate.sub(ctx, difference, Constant(Fr::one()));
        self.range_check(ctx, less_one, bits);
    }

    fn is_less_than(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<QuantumCell<Fr>>,
        b: impl Into<QuantumCell<Fr>>,
        bits: usize,
    ) -> AssignedValue<Fr> {
        let power = self.gate.pow_of_two[bits];
        let difference = self.gate.sub(ctx, a, b);
        let shifted = self.gate.add(ctx, difference, Constant(power));
        let is_less = fe_to_biguint(shifted.value()).bits() <= bits as u64;
        let is_less = ctx.load_witness(Fr::from(u64::from(is_less)));
        self.gate.assert_bit(ctx, is_less);
        // Of a - b and a - b + 2^n the first lies in [0, 2^n) if a is not below b, else the second.
        let rest = self.gate.mul_add(ctx, is_less, Constant(power), difference);
        self.range_check(ctx, rest, bits);
        is_less
    }
}
