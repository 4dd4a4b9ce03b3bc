//! Cells that are known to be bits or small integers. Each type is evidence: only code that proves the property can
//! make one.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! use muster_gates::{
//!     small::{Bit, OneHot},
//!     GateCircuit, Layout,
//! };
//!
//! let layout = Layout {
//!     k: 6,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     constant_rows: 8,
//!     ..Layout::default()
//! };
//! let holds = |flag: u64| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         let flag = ctx.load_witness(Fr::from(flag));
//!         Bit::checked(ctx, flag);
//!         // The one of three cells that the prover chooses: here the second.
//!         let cells = [10, 20, 30].map(|value| ctx.load_witness(Fr::from(value)));
//!         let chosen = OneHot::new(ctx, 3, 1).select(ctx, &cells);
//!         assert_eq!(*chosen.value(), Fr::from(20));
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(0) && holds(1));
//! assert!(!holds(2));
//! ```

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::fe_to_biguint,
    AssignedValue, Context,
    QuantumCell::{self, Constant, Existing},
};

use super::{base::BaseContext, chain, range::RangeChip};

#[cfg(test)]
mod tests;

/// A cell that is 0 or 1.
#[derive(Clone, Copy, Debug)]
pub struct Bit(AssignedValue<Fr>);

impl Bit {
    /// Whether `a` is not 0.
    pub fn is_not_zero(ctx: &mut BaseContext, a: AssignedValue<Fr>) -> Self {
        let is_zero = ctx.gate.is_zero(ctx, a);
        let minus_one = Constant(-Fr::one());
        Self(chain::sum(ctx, Constant(Fr::one()), &[(minus_one, Existing(is_zero))]))
    }

    /// `a`, which is constrained to be 0 or 1.
    #[track_caller]
    pub fn checked(ctx: &mut BaseContext, a: AssignedValue<Fr>) -> Self {
        ctx.gate.assert_bit(ctx, a);
        Self(a)
    }

    /// The cell.
    pub fn cell(&self) -> AssignedValue<Fr> {
        self.0
    }
}

/// Bits, exactly one of which is 1: they select one cell of a list of the same length.
#[derive(Clone, Debug)]
pub struct OneHot(Vec<AssignedValue<Fr>>);

impl OneHot {
    /// `count` bits, the one at `position` set.
    pub fn new(ctx: &mut BaseContext, count: usize, position: usize) -> Self {
        let hints: Vec<_> = (0..count).map(|i| Fr::from(u64::from(i == position))).collect();
        Self::of_hint(ctx, &hints)
    }

    /// As [`Self::new`], from the prover's hints of the bits.
    fn of_hint(ctx: &mut BaseContext, hints: &[Fr]) -> Self {
        let bit = |hint: &Fr| {
            let bit = ctx.load_witness(*hint);
            ctx.gate.assert_bit(ctx, bit);
            bit
        };
        let bits: Vec<_> = hints.iter().map(bit).collect();
        let one: QuantumCell<Fr> = Constant(Fr::one());
        let terms: Vec<_> = bits.iter().map(|bit| (one, Existing(*bit))).collect();
        chain::assert_sum(ctx, Constant(Fr::zero()), &terms, one);
        Self(bits)
    }

    /// The selected cell.
    pub fn select(&self, ctx: &mut Context<Fr>, cells: &[AssignedValue<Fr>]) -> AssignedValue<Fr> {
        chain::sum(ctx, Constant(Fr::zero()), &self.products(cells))
    }

    /// Constrains the selected cell to equal `value`.
    pub fn assert_selects(
        &self,
        ctx: &mut Context<Fr>,
        cells: &[AssignedValue<Fr>],
        value: AssignedValue<Fr>,
    ) {
        chain::assert_sum(ctx, Constant(Fr::zero()), &self.products(cells), Existing(value));
    }

    /// The bits.
    pub fn bits(&self) -> &[AssignedValue<Fr>] {
        &self.0
    }

    /// Products whose sum is the selected constant.
    ///
    /// # Panics
    /// If there is not a constant for each bit.
    pub fn constants(&self, constants: &[Fr]) -> Vec<chain::Term> {
        assert_eq!(self.0.len(), constants.len(), "there is a bit for each constant");
        let terms = self.0.iter().zip(constants).filter(|(_, constant)| **constant != Fr::zero());
        terms.map(|(bit, constant)| (Existing(*bit), Constant(*constant))).collect()
    }

    fn products(&self, cells: &[AssignedValue<Fr>]) -> Vec<chain::Term> {
        assert_eq!(self.0.len(), cells.len(), "there is a bit for each cell");
        self.0.iter().zip(cells).map(|(bit, cell)| (Existing(*bit), Existing(*cell))).collect()
    }
}

/// A cell that is an integer of few bits.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    cell: AssignedValue<Fr>,
    bits: usize,
}

impl Small {
    /// `value`, checked to have at most `bits` bits in whole lookups.
    ///
    /// # Panics
    /// As [`RangeChip::check`].
    pub fn checked(range: &RangeChip, value: AssignedValue<Fr>, bits: usize) -> Self {
        range.check(Existing(value), bits);
        Self { cell: value, bits: range.rounded(bits) }
    }

    /// The number with these digits, the lowest first, each to the base of how many bits its [`OneHot`] has.
    ///
    /// # Panics
    /// If the number could wrap around the field.
    pub fn of_digits(ctx: &mut Context<Fr>, digits: &[OneHot]) -> Self {
        let mut scale = Fr::one();
        let (mut terms, mut bits) = (vec![], 0);
        for OneHot(digit) in digits {
            let values = digit.iter().enumerate().skip(1);
            terms.extend(
                values.map(|(i, bit)| (Existing(*bit), Constant(scale * Fr::from(i as u64)))),
            );
            scale *= Fr::from(digit.len() as u64);
            bits += digit.len().next_power_of_two().ilog2() as usize;
        }
        assert!(bits < Fr::NUM_BITS as usize - 1, "no number wraps");
        Self { cell: chain::sum(ctx, Constant(Fr::zero()), &terms), bits }
    }

    /// `self` if `kept` is 1, and the integer `other` if it is 0.
    pub fn or(self, ctx: &mut Context<Fr>, kept: Bit, other: Fr) -> Self {
        let one = Constant(Fr::one());
        let shift = chain::sum(ctx, Existing(self.cell), &[(one, Constant(-other))]);
        let cell = chain::sum(ctx, Constant(other), &[(Existing(kept.cell()), Existing(shift))]);
        Self { cell, bits: self.bits.max(fe_to_biguint(&other).bits() as usize) }
    }

    /// The cell.
    pub fn cell(&self) -> AssignedValue<Fr> {
        self.cell
    }

    /// The most bits that it may have.
    pub fn bits(&self) -> usize {
        self.bits
    }
}
