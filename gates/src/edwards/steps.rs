//! What a row does with its sum and its addend, as values of fixed columns.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::PrimeField},
    plonk::Expression,
};

/// Where a row's sum goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing is added.
    #[default]
    Idle = 0,
    /// To the next row.
    Next = 1,
    /// To the row [`STRIDE`](super::STRIDE) below.
    Far = 2,
}

impl Step {
    /// Indicators of next, far and either, from the fixed column.
    pub(super) fn selectors(step: &Expression<Fr>) -> [Expression<Fr>; 3] {
        let constant = |c: u64| Expression::Constant(Fr::from(c));
        let half = Fr::TWO_INV;
        let step = || step.clone();
        [
            step() * (constant(2) - step()),
            step() * (step() - constant(1)) * half,
            step() * (constant(3) - step()) * half,
        ]
    }
}

/// What binds the addend of a row or of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Addend {
    /// Nothing here: the row above or the lookup does.
    #[default]
    Free = 0,
    /// This addend is this accumulator.
    Double = 1,
    /// The next addend is this addend.
    Keep = 2,
    /// The next addend is this accumulator.
    Take = 3,
    /// This addend and the next one are this accumulator.
    DoubleTake = 4,
}

impl Addend {
    /// Multiples of the indicators of doubling, keeping and taking, from the fixed column: each
    /// vanishes exactly where it should not hold.
    pub(super) fn selectors(addend: &Expression<Fr>) -> [Expression<Fr>; 3] {
        let less = |value: Self| addend.clone() - Expression::Constant(Fr::from(value as u64));
        let bound = || less(Self::Free);
        [
            bound() * less(Self::Keep) * less(Self::Take),
            bound() * less(Self::Double) * less(Self::Take) * less(Self::DoubleTake),
            bound() * less(Self::Double) * less(Self::Keep),
        ]
    }

    pub(super) fn is_double(self) -> bool {
        matches!(self, Self::Double | Self::DoubleTake)
    }
}
