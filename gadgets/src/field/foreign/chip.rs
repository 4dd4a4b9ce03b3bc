//! Arithmetic with single elements. Where many relations follow one another, as in the curves, they
//! are recorded directly, and use the results above them.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{
    halves::{below, power},
    integer::{constant, element, Canonical, Integer},
};
use muster_gates::{
    chain,
    foreign::{AssignedLimbs, Equation, ForeignChip, Operand::Element, Source::Operand},
    GateContext,
};

/// Bits of a byte.
const BYTE: usize = 8;

/// The equations of one prime.
#[derive(Clone, Debug)]
pub struct ForeignField {
    modulus: BigUint,
    sum: Equation,
    difference: Equation,
    product: Equation,
    quotient: Equation,
    inverse: Equation,
    equal: Equation,
}

impl ForeignField {
    /// The integers modulo a prime.
    pub fn new(modulus: &BigUint) -> Self {
        let [a, b] = [Operand(0), Operand(1)];
        Self {
            modulus: modulus.clone(),
            sum: Equation::result(modulus, a + b),
            difference: Equation::result(modulus, a - b),
            product: Equation::multiply(modulus),
            quotient: Equation::result(modulus, a / b),
            inverse: Equation::result(modulus, 1 / b),
            equal: Equation::zero(modulus, a - b),
        }
    }

    /// The equations that a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let top = &self.modulus - 1u8;
        [
            &self.sum,
            &self.difference,
            &self.product,
            &self.quotient,
            &self.inverse,
            &self.equal,
            &Integer::any(),
            &Integer::at_most(&top),
            &constant(&self.modulus, &top),
        ]
        .map(Clone::clone)
        .to_vec()
    }

    /// Witnesses an element.
    #[track_caller]
    pub fn element(&self, chip: &ForeignChip, value: &BigUint) -> AssignedLimbs {
        element(chip, value)
    }

    /// A constant.
    #[track_caller]
    pub fn constant(&self, chip: &ForeignChip, value: &BigUint) -> AssignedLimbs {
        chip.relate(&constant(&self.modulus, value), &[], &(value % &self.modulus))
    }

    /// `a + b`.
    #[track_caller]
    pub fn add(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        let sum = (a.value() + b.value()) % &self.modulus;
        chip.relate(&self.sum, &[Element(a), Element(b)], &sum)
    }

    /// `a - b`.
    #[track_caller]
    pub fn sub(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        let difference = self.less(a.value(), b.value());
        chip.relate(&self.difference, &[Element(a), Element(b)], &difference)
    }

    fn less(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + (&self.modulus - b % &self.modulus)) % &self.modulus
    }

    /// `a·b`.
    #[track_caller]
    pub fn mul(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        let product = a.value() * b.value() % &self.modulus;
        chip.relate(&self.product, &[Element(a), Element(b)], &product)
    }

    /// `1/a`; there is no witness if `a` is 0.
    #[track_caller]
    pub fn invert(&self, chip: &ForeignChip, a: &AssignedLimbs) -> AssignedLimbs {
        chip.relate(&self.inverse, &[Element(a), Element(a)], &self.inverse_of(a.value()))
    }

    /// `a/b`; there is no witness if `b` is 0.
    #[track_caller]
    pub fn div(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        // For 0/0 the equation of the quotient constrains nothing.
        self.invert(chip, b);
        let quotient = a.value() * self.inverse_of(b.value()) % &self.modulus;
        chip.relate(&self.quotient, &[Element(a), Element(b)], &quotient)
    }

    fn inverse_of(&self, value: &BigUint) -> BigUint {
        (value % &self.modulus).modinv(&self.modulus).unwrap_or_default()
    }

    /// Constrains `a = b` in the field.
    #[track_caller]
    pub fn assert_equal(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) {
        chip.relate(&self.equal, &[Element(a), Element(b)], &BigUint::zero());
    }

    /// Constrains an element's number to be below the prime.
    #[track_caller]
    pub fn canonical(&self, chip: &ForeignChip, a: &AssignedLimbs) -> Canonical {
        Canonical::new(chip, a, &self.modulus)
    }

    /// The limbs of an element that is canonical in this field.
    ///
    /// # Panics
    /// If it is one of another field.
    fn limbs<'a>(&self, a: &'a Canonical) -> &'a AssignedLimbs {
        assert_eq!(a.prime(), &self.modulus, "it is canonical in this field");
        a.limbs()
    }

    /// Whether an element is 0, as a bit. Limbs are not negative and their sum does not wrap, so it
    /// vanishes only if all of them do.
    pub fn is_zero(&self, ctx: &mut GateContext, a: &Canonical) -> AssignedValue<Fr> {
        let one = Constant(Fr::one());
        let limbs: Vec<_> =
            self.limbs(a).limbs().iter().map(|limb| (one, Existing(*limb))).collect();
        let sum = chain::sum(ctx, Constant(Fr::zero()), &limbs);
        ctx.gate.is_zero(ctx, sum)
    }

    /// Whether two elements are equal in the field, as a bit.
    pub fn is_equal(
        &self,
        ctx: &mut GateContext,
        a: &AssignedLimbs,
        b: &AssignedLimbs,
    ) -> AssignedValue<Fr> {
        let hint = self.less(a.value(), b.value());
        self.is_equal_of_hint(ctx, (a, b), &hint)
    }

    /// The same with a hint of the difference. Since that is canonical, there is only one way for
    /// it to be 0.
    pub(super) fn is_equal_of_hint(
        &self,
        ctx: &mut GateContext,
        (a, b): (&AssignedLimbs, &AssignedLimbs),
        difference: &BigUint,
    ) -> AssignedValue<Fr> {
        let chip = ctx.chips.foreign_of(a.shape().element_bits);
        let difference = chip.relate(&self.difference, &[Element(a), Element(b)], difference);
        let difference = self.canonical(chip, &difference);
        self.is_zero(ctx, &difference)
    }

    /// The lowest bit of an element's number: its sign, where `p - a` is the negative (FIPS 186-5,
    /// SEC 1, RFC 8032).
    pub fn is_odd(&self, ctx: &mut GateContext, a: &Canonical) -> AssignedValue<Fr> {
        let number = fe_to_biguint(self.limbs(a).limbs()[0].value());
        let hints = [Fr::from(u64::from(number.bit(0))), biguint_to_fe(&(number >> 1u8))];
        self.is_odd_of_hint(ctx, a, hints)
    }

    /// The same with hints of the bit and of the lowest limb without it: a bit and a short half make the limb in one
    /// way only. A half in whole lookups is short enough: twice as much does not wrap, and the limb is short itself.
    pub(super) fn is_odd_of_hint(
        &self,
        ctx: &mut GateContext,
        a: &Canonical,
        [bit, half]: [Fr; 2],
    ) -> AssignedValue<Fr> {
        let limbs = self.limbs(a);
        let (limb, bits) = (limbs.limbs()[0], limbs.shape().limb_bits - 1);
        let bit = ctx.load_witness(bit);
        ctx.gate.assert_bit(ctx, bit);
        let half = below(ctx, Witness(half), bits);
        let doubled = [(Constant(Fr::from(2)), Existing(half))];
        chain::assert_sum(ctx, Existing(bit), &doubled, Existing(limb));
        bit
    }

    /// The bytes of an element's number, the lowest first.
    ///
    /// # Panics
    /// If limbs are not whole bytes.
    pub fn bytes(&self, ctx: &mut GateContext, a: &Canonical) -> Vec<AssignedValue<Fr>> {
        let limbs = self.limbs(a);
        assert!(limbs.shape().limb_bits.is_multiple_of(BYTE), "limbs are whole bytes");
        let parts = limbs.limbs().iter().zip(limbs.shape().widths());
        parts.flat_map(|(limb, width)| digits(ctx, *limb, width, BYTE)).collect()
    }

    /// The bits of an element's number, the lowest first.
    pub fn bits(&self, ctx: &mut GateContext, a: &Canonical) -> Vec<AssignedValue<Fr>> {
        let limbs = self.limbs(a);
        let parts = limbs.limbs().iter().zip(limbs.shape().widths());
        parts.flat_map(|(limb, width)| ctx.gate.num_to_bits(ctx, *limb, width)).collect()
    }
}

/// The digits of a cell of `width` bits, the lowest first.
fn digits(
    ctx: &mut GateContext,
    cell: AssignedValue<Fr>,
    width: usize,
    bits: usize,
) -> Vec<AssignedValue<Fr>> {
    let number = fe_to_biguint(cell.value());
    let mask = (BigUint::one() << bits) - 1u8;
    let digit = |i: usize| biguint_to_fe(&((&number >> (bits * i)) & &mask));
    let hints: Vec<_> = (0..width.div_ceil(bits)).map(digit).collect();
    digits_of_hint(ctx, cell, bits, &hints)
}

/// The same with hints of the digits.
pub(super) fn digits_of_hint(
    ctx: &mut GateContext,
    cell: AssignedValue<Fr>,
    bits: usize,
    hints: &[Fr],
) -> Vec<AssignedValue<Fr>> {
    let digits: Vec<_> = hints.iter().map(|digit| below(ctx, Witness(*digit), bits)).collect();
    let terms: Vec<_> = digits
        .iter()
        .enumerate()
        .skip(1)
        .map(|(i, digit)| (Existing(*digit), Constant(power(bits * i))))
        .collect();
    chain::assert_sum(ctx, Existing(digits[0]), &terms, Existing(cell));
    digits
}
