//! Arithmetic of single elements. Where many relations follow one another, as in the curves, they are
//! recorded by themselves, and use the results above them.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint},
    AssignedValue, Context,
    QuantumCell::{Constant, Existing, Witness},
};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{
    halves::{below, power},
    integer::{assert_at_most, constant, element, Integer},
};
use crate::gate::{
    chain,
    foreign::{
        AssignedLimbs, Equation, ForeignChip,
        Operand::Element,
        Source::{Operand, Result},
    },
    Chips,
};

/// Bits of a byte.
const BYTE: usize = 8;

/// An element below its prime.
#[derive(Clone, Debug)]
pub struct Canonical(AssignedLimbs);

impl Canonical {
    /// Its limbs.
    pub fn limbs(&self) -> &AssignedLimbs {
        &self.0
    }
}

/// The equations of one prime.
#[derive(Clone, Debug)]
pub struct ForeignField {
    modulus: BigUint,
    sum: Equation,
    difference: Equation,
    product: Equation,
    quotient: Equation,
    inverse: Equation,
    root: Equation,
    equal: Equation,
}

impl ForeignField {
    /// The integers modulo a prime.
    pub fn new(modulus: &BigUint) -> Self {
        let on = || Equation::new(modulus);
        Self {
            modulus: modulus.clone(),
            sum: on().linear(&[(1, Operand(0)), (1, Operand(1)), (-1, Result)]),
            difference: on().linear(&[(1, Operand(0)), (-1, Operand(1)), (-1, Result)]),
            product: Equation::multiply(modulus),
            quotient: on().product(&[(1, Result)], &[(1, Operand(1))]).linear(&[(-1, Operand(0))]),
            inverse: on().product(&[(1, Result)], &[(1, Operand(1))]).constant(-1),
            root: on().product(&[(1, Result)], &[(1, Result)]).linear(&[(-1, Operand(0))]),
            equal: on().linear(&[(1, Operand(0)), (-1, Operand(1))]),
        }
    }

    /// What a layout must have room for.
    pub fn all(&self) -> Vec<Equation> {
        let top = &self.modulus - 1u8;
        [
            &self.sum,
            &self.difference,
            &self.product,
            &self.quotient,
            &self.inverse,
            &self.root,
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
        let negative = &self.modulus - b.value() % &self.modulus;
        let difference = (a.value() + negative) % &self.modulus;
        chip.relate(&self.difference, &[Element(a), Element(b)], &difference)
    }

    /// `a·b`.
    #[track_caller]
    pub fn mul(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        let product = a.value() * b.value() % &self.modulus;
        chip.relate(&self.product, &[Element(a), Element(b)], &product)
    }

    /// `1/a`; there is no witness for an `a` of 0.
    #[track_caller]
    pub fn invert(&self, chip: &ForeignChip, a: &AssignedLimbs) -> AssignedLimbs {
        chip.relate(&self.inverse, &[Element(a), Element(a)], &self.inverse_of(a.value()))
    }

    /// `a/b`; there is no witness for a `b` of 0.
    #[track_caller]
    pub fn div(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) -> AssignedLimbs {
        // Of 0/0 the quotient alone says nothing.
        self.invert(chip, b);
        let quotient = a.value() * self.inverse_of(b.value()) % &self.modulus;
        chip.relate(&self.quotient, &[Element(a), Element(b)], &quotient)
    }

    fn inverse_of(&self, value: &BigUint) -> BigUint {
        (value % &self.modulus).modinv(&self.modulus).unwrap_or_default()
    }

    /// One of the roots of `a`, of which `root` is a hint.
    #[track_caller]
    pub fn square_root(
        &self,
        chip: &ForeignChip,
        a: &AssignedLimbs,
        root: &BigUint,
    ) -> AssignedLimbs {
        chip.relate(&self.root, &[Element(a)], root)
    }

    /// Constrains `a = b` in the field.
    #[track_caller]
    pub fn assert_equal(&self, chip: &ForeignChip, a: &AssignedLimbs, b: &AssignedLimbs) {
        chip.relate(&self.equal, &[Element(a), Element(b)], &BigUint::zero());
    }

    /// Constrains an element's number to be below the prime.
    #[track_caller]
    pub fn canonical(&self, chip: &ForeignChip, a: &AssignedLimbs) -> Canonical {
        assert_at_most(chip, a, &(&self.modulus - 1u8));
        Canonical(a.clone())
    }

    /// Whether an element is 0, as a bit. Limbs are not negative and their sum does not wrap, so it
    /// vanishes with all of them.
    pub fn is_zero(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        a: &Canonical,
    ) -> AssignedValue<Fr> {
        let one = Constant(Fr::one());
        let limbs: Vec<_> = a.0.limbs().iter().map(|limb| (one, Existing(*limb))).collect();
        let sum = chain::sum(ctx, Constant(Fr::zero()), &limbs);
        chips.gate.is_zero(ctx, sum)
    }

    /// Whether two elements are equal in the field, as a bit.
    pub fn is_equal(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        a: &AssignedLimbs,
        b: &AssignedLimbs,
    ) -> AssignedValue<Fr> {
        let difference = self.sub(chips.foreign(), a, b);
        let difference = self.canonical(chips.foreign(), &difference);
        self.is_zero(ctx, chips, &difference)
    }

    /// The lowest bit of an element's number: its sign, where `p - a` is the negative (FIPS 186-5,
    /// SEC 1, RFC 8032).
    pub fn is_odd(&self, ctx: &mut Context<Fr>, chips: &Chips, a: &Canonical) -> AssignedValue<Fr> {
        let limb = a.0.limbs()[0];
        let number = fe_to_biguint(limb.value());
        let bit = ctx.load_witness(Fr::from(u64::from(number.bit(0))));
        chips.gate.assert_bit(ctx, bit);
        let bits = chips.foreign().block().format().limb_bits() - 1;
        let half = below(ctx, chips, Witness(biguint_to_fe(&(number >> 1u8))), bits);
        let doubled = [(Constant(Fr::from(2)), Existing(half))];
        chain::assert_sum(ctx, Existing(bit), &doubled, Existing(limb));
        bit
    }

    /// The bytes of an element's number, the lowest first.
    ///
    /// # Panics
    /// If limbs are no whole bytes.
    pub fn bytes(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        a: &Canonical,
    ) -> Vec<AssignedValue<Fr>> {
        let format = chips.foreign().block().format();
        assert!(format.limb_bits().is_multiple_of(BYTE), "limbs are whole bytes");
        let widths = format.limb_widths(format.element_bits());
        let parts = a.0.limbs().iter().zip(widths);
        parts.flat_map(|(limb, width)| digits(ctx, chips, *limb, width, BYTE)).collect()
    }

    /// The bits of an element's number, the lowest first.
    pub fn bits(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        a: &Canonical,
    ) -> Vec<AssignedValue<Fr>> {
        let format = chips.foreign().block().format();
        let widths = format.limb_widths(format.element_bits());
        let parts = a.0.limbs().iter().zip(widths);
        parts.flat_map(|(limb, width)| chips.gate.num_to_bits(ctx, *limb, width)).collect()
    }
}

/// The digits of a cell of `width` bits, the lowest first.
fn digits(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    cell: AssignedValue<Fr>,
    width: usize,
    bits: usize,
) -> Vec<AssignedValue<Fr>> {
    let number = fe_to_biguint(cell.value());
    let mask = (BigUint::one() << bits) - 1u8;
    let digits: Vec<_> = (0..width.div_ceil(bits))
        .map(|i| {
            let digit: Fr = biguint_to_fe(&((&number >> (bits * i)) & &mask));
            below(ctx, chips, Witness(digit), bits)
        })
        .collect();
    let terms: Vec<_> = digits
        .iter()
        .enumerate()
        .skip(1)
        .map(|(i, digit)| (Existing(*digit), Constant(power(bits * i))))
        .collect();
    chain::assert_sum(ctx, Existing(digits[0]), &terms, Existing(cell));
    digits
}
