//! The operands of relations: elements, scalars, and digits.

use halo2_base::{
    halo2_proofs::{halo2curves::bn256::Fr, plonk::Assigned},
    utils::bigint_to_fe,
    AssignedValue, Context, QuantumCell,
};
use num_bigint::{BigInt, BigUint};

use super::{block::Block, power};
use crate::{chain, vertical};
use muster_schemes::field::foreign::{LimbShape, DIGIT_BITS};

/// An element of a foreign field: range-checked limbs with as many bits as the prime or, for a witness outside a block,
/// as whole lookups. Not canonical.
#[derive(Clone, Debug)]
pub struct AssignedLimbs {
    pub(super) limbs: Vec<AssignedValue<Fr>>,
    pub(super) value: BigUint,
    /// The lengths that the lookups show its limbs to have.
    pub(super) shape: LimbShape,
    /// The block whose result it is, if it is one.
    pub(super) home: Option<usize>,
}

impl AssignedLimbs {
    /// The limbs, the lowest first.
    pub fn limbs(&self) -> &[AssignedValue<Fr>] {
        &self.limbs
    }

    /// The lengths of the limbs.
    pub fn shape(&self) -> LimbShape {
        self.shape
    }

    /// The number that the limbs make.
    pub fn value(&self) -> &BigUint {
        &self.value
    }

    /// The same cells with another number: whatever takes it computes with that number, and only the copies contradict
    /// it.
    #[cfg(debug_assertions)]
    pub fn lying(&self, value: &BigUint) -> Self {
        Self { value: value.clone(), ..self.clone() }
    }

    /// The same with 1 more in a limb, for the vertical gate, which computes with the limbs.
    #[cfg(debug_assertions)]
    pub fn lying_limb(&self, limb: usize) -> Self {
        let mut lying = self.clone();
        let AssignedValue { value, .. } = &mut lying.limbs[limb];
        *value = Assigned::Trivial(value.evaluate() + Fr::one());
        lying
    }
}

/// Signed digits under construction, the highest first: those of a scalar, or those of its lower part, which continue
/// others. An [`AssignedScalar`] is made of them.
#[derive(Clone, Debug, Default)]
pub struct AssignedDigits {
    /// The running sums after each digit.
    pub(super) sums: Vec<AssignedValue<Fr>>,
    /// The running sum that the first digit continues, if that is not 0. Not bound yet.
    pub(super) start: Option<AssignedValue<Fr>>,
    pub(super) value: BigInt,
}

impl AssignedDigits {
    /// Digits that continue others of the value `above`.
    pub fn below(above: &BigInt) -> Self {
        let start = AssignedValue { value: Assigned::Trivial(bigint_to_fe(above)), cell: None };
        Self { start: Some(start), value: above.clone(), sums: vec![] }
    }

    /// The value of the digits, with those above.
    pub fn value(&self) -> &BigInt {
        &self.value
    }
}

/// A scalar made of signed digits, whose running sums go from 0 to the scalar without a gap.
#[derive(Clone, Debug)]
pub struct AssignedScalar {
    /// The running sums after each digit.
    sums: Vec<AssignedValue<Fr>>,
}

impl AssignedScalar {
    /// The scalar of these digits.
    ///
    /// # Panics
    /// If they continue others, or there are none.
    pub fn whole(digits: &AssignedDigits) -> Self {
        assert!(digits.start.is_none(), "a scalar starts at 0");
        assert!(!digits.sums.is_empty(), "a scalar has digits");
        Self { sums: digits.sums.clone() }
    }

    /// The scalar of all digits of `parts`, the highest first: each continues the one before.
    ///
    /// # Panics
    /// If one but the first was not made by [`AssignedDigits::below`], or the first was, or one has no digits.
    #[track_caller]
    pub fn join(ctx: &mut Context<Fr>, parts: &[AssignedDigits]) -> Self {
        let (first, others) = parts.split_first().expect("a scalar has digits");
        let mut scalar = Self::whole(first);
        for low in others {
            let start = low.start.expect("it goes on from another");
            assert!(!low.sums.is_empty(), "a part of a scalar has digits");
            vertical::assert_equal(ctx, &start, &scalar.cell());
            scalar.sums.extend(&low.sums);
        }
        scalar
    }

    /// The scalar, as a residue of the native prime.
    pub fn cell(&self) -> AssignedValue<Fr> {
        *self.sums.last().expect("a scalar has digits")
    }

    /// The scalar in limbs of `block`, each the difference of two running sums: it has `b/4` digits, so it is below
    /// `2^b` in magnitude.
    ///
    /// # Panics
    /// If it has too many digits.
    pub fn limbs(&self, ctx: &mut Context<Fr>, block: &Block) -> SignedLimbs {
        let digits = block.format().limb_bits() / DIGIT_BITS;
        assert!(block.format().limb_bits().is_multiple_of(DIGIT_BITS), "limbs are whole digits");
        let fits = self.sums.len() * DIGIT_BITS <= block.format().element_bits();
        assert!(fits, "a scalar has no more bits than an element");
        let count = self.sums.len();
        let limb = |end: usize| match end.checked_sub(digits).filter(|start| *start > 0) {
            Some(start) => {
                let shift = QuantumCell::Constant(-power(block.format().limb_bits()));
                let above = QuantumCell::Existing(self.sums[start - 1]);
                let sum = QuantumCell::Existing(self.sums[end - 1]);
                chain::sum(ctx, sum, &[(shift, above)])
            }
            None => self.sums[end - 1],
        };
        let limbs: Vec<_> = (1..=count).rev().step_by(digits).map(limb).collect();
        let values = limbs.iter().map(|cell| signed(cell.value())).collect();
        SignedLimbs { limbs, values, shape: block.format().limb_shape() }
    }
}

/// The integer of least magnitude that `value` is the residue of.
pub(super) fn signed(value: &Fr) -> BigInt {
    let magnitude = |value: &Fr| BigInt::from(halo2_base::utils::fe_to_biguint(value));
    let (plus, minus) = (magnitude(value), magnitude(&-value));
    if plus <= minus {
        plus
    } else {
        -minus
    }
}

/// A number in signed limbs, each no longer than that of an element. The upper ones may be missing.
#[derive(Clone, Debug)]
pub struct SignedLimbs {
    pub(super) limbs: Vec<AssignedValue<Fr>>,
    pub(super) values: Vec<BigInt>,
    /// The shape of an element's limbs.
    pub(super) shape: LimbShape,
}

#[cfg(test)]
impl SignedLimbs {
    /// As [`AssignedLimbs::lying`].
    pub(crate) fn lying(&self, values: Vec<BigInt>) -> Self {
        Self { values, ..self.clone() }
    }
}

/// An operand of an equation. The results of blocks above, which it may also read, are none.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// An element.
    Element(&'a AssignedLimbs),
    /// A scalar; the equation must declare the operand [signed](super::Equation::signed).
    Signed(&'a SignedLimbs),
    /// A number that is the same in every circuit.
    Constant(&'a BigUint),
}

/// The entry of a table that a digit asks for, whose coordinates are the operands.
#[derive(Clone, Debug)]
pub struct Digit {
    /// The table.
    pub table: usize,
    /// An odd digit between -15 and 15.
    pub digit: i8,
    /// The coordinates of the entry: what is looked up if the digit is right.
    pub entry: (BigUint, BigUint),
}
