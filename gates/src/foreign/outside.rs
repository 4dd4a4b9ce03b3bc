//! Elements that are not the result of a block.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{bigint_to_fe, biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;

use super::{assigned::AssignedLimbs, chip::ForeignChip, power};
use crate::{base::BaseContext, chain, vertical};

/// The most bits that a range check may have.
const MOST_BITS: usize = 252;
/// Bits of a native element.
const NATIVE_BITS: usize = 254;
/// The least bits of a challenge.
const LEAST_CHALLENGE: usize = 192;

impl ForeignChip {
    /// Witnesses an element outside a block, by range checks alone: its top limb is near its bound, so only operands
    /// that are declared [`near`](super::Equation::near) accept it.
    ///
    /// # Panics
    /// If the number has more bits than an element, or the checks have lookups of another width than the gate.
    #[track_caller]
    pub fn witness(&self, ctx: &mut BaseContext, value: &BigUint) -> AssignedLimbs {
        let format = self.block.format();
        let fits = value.bits() as usize <= format.element_bits();
        assert!(fits, "a witness is as short as an element");
        assert_eq!(ctx.range.rounded(1), format.lookup_bits(), "the lookups of the gate");
        let mut limbs = vec![];
        for (limb, width) in self.split(value).iter().zip(format.limb_shape().widths()) {
            let limb = ctx.range.check_near(Witness(bigint_to_fe(limb)), width);
            let spare = format.lookup_bits().saturating_sub(width);
            if spare > 0 {
                // A top limb shorter than a lookup: its multiple that fills one is checked, too.
                let factor = Constant(power(spare));
                let multiple = chain::sum(ctx, Constant(Fr::zero()), &[(factor, Existing(limb))]);
                ctx.range.check(Existing(multiple), format.lookup_bits());
            } else {
                let bound = format.near_bound(width);
                assert_eq!(
                    ctx.range.near_bound(width),
                    bound,
                    "what is derived is what is checked"
                );
            }
            limbs.push(limb);
        }
        AssignedLimbs { limbs, value: value.clone(), shape: format.near_shape(), home: None }
    }

    /// The lowest bits of a native element, in whole limbs, as an element.
    ///
    /// They are the lowest bits of a number that is congruent to the native element and has 254 bits, rounded up to
    /// whole lookups. With lookups of `t > 1` bits there are fewer than `2^t` such numbers, 6 at most with 16 bits, and
    /// the prover chooses one of them. So if other challenges depend on this one, these bits must be absorbed, not the
    /// native element.
    ///
    /// # Panics
    /// If the limbs are so long that the whole ones that fit a range check have fewer than 192 bits, or if an element
    /// has no more limbs than these.
    pub fn lowest(&self, ctx: &mut BaseContext, cell: AssignedValue<Fr>) -> AssignedLimbs {
        let number = fe_to_biguint(cell.value());
        let count = MOST_BITS / self.block.format().limb_bits();
        let bits = count * self.block.format().limb_bits();
        assert!(bits >= LEAST_CHALLENGE, "a challenge has {LEAST_CHALLENGE} bits");
        let low = &number % (BigUint::from(1u8) << bits);
        self.lowest_of_hint(ctx, cell, [low, number >> bits])
    }

    /// As [`Self::lowest`], from hints of the lowest bits and of those above.
    pub(super) fn lowest_of_hint(
        &self,
        ctx: &mut BaseContext,
        cell: AssignedValue<Fr>,
        [low, high]: [BigUint; 2],
    ) -> AssignedLimbs {
        let (format, bits) = (self.block.format(), self.block.format().limb_bits());
        let count = MOST_BITS / bits;
        // The top limb of an element may have fewer bits than the others, whose length is checked here.
        assert!(count < format.limbs(), "what is taken is shorter than an element");
        let (mut limbs, mut terms) = (vec![], vec![]);
        for (i, limb) in format.split(&low, count).iter().enumerate() {
            let limb = ctx.range.check(Witness(biguint_to_fe(limb)), bits);
            terms.push((Constant(power(bits * i)), Existing(limb)));
            limbs.push(limb);
        }
        let above = ctx.range.check(Witness(biguint_to_fe(&high)), NATIVE_BITS - bits * count);
        terms.push((Constant(power(bits * count)), Existing(above)));
        let (_, start) = terms.remove(0);
        chain::assert_sum(ctx, start, &terms, Existing(cell));
        let zero = vertical::load_zero(ctx);
        limbs.resize(format.limbs(), zero);
        AssignedLimbs { limbs, value: low, shape: format.limb_shape(), home: None }
    }
}
