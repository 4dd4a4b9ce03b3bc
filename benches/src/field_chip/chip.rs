//! The chip.

use std::{marker::PhantomData, sync::Mutex};

use halo2_base::{
    gates::{GateInstructions, RangeInstructions},
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint, modulus, BigPrimeField},
    AssignedValue, Context,
    QuantumCell::Constant,
};
use halo2_ecc::fields::{FieldChip, Selectable};
use muster_gadgets::field::foreign::chip::ForeignField;
use muster_gates::{
    foreign::{AssignedLimbs, Equation, ForeignChip, Operand::Element as Limbs, Source::Operand},
    GateContext, Gates,
};
use muster_schemes::field::foreign::Format;
use num_bigint::{BigInt, BigUint};

use super::Range;

/// Bits that surely fit a native element.
const NATIVE_BITS: usize = 252;
/// The largest factor, in magnitude, of a sum; the others are constants to multiply by.
const LARGEST: i64 = 1 << 16;

/// An element with as many bits as the prime and no more. Not canonical.
#[derive(Clone, Debug)]
pub struct Element(pub(super) AssignedLimbs);

impl From<&Self> for Element {
    fn from(element: &Self) -> Self {
        element.clone()
    }
}

/// An element below its prime.
#[derive(Clone, Debug)]
pub struct Reduced(Element);

impl From<Reduced> for Element {
    fn from(reduced: Reduced) -> Self {
        reduced.0
    }
}

/// halo2-ecc's field chip over [`ForeignField`] and the gate of foreign primes.
#[derive(Clone, Debug)]
pub struct Foreign<'a, Fp> {
    range: Range<'a>,
    field: ForeignField,
    format: Format,
    modulus: BigUint,
    native: BigUint,
    _marker: PhantomData<Fp>,
}

/// `R = f·A₀ + g·A₁ + c`
pub(super) fn sum(p: &BigUint, (f, g): (i64, i64), constant: &BigUint) -> Equation {
    Equation::result(p, f * Operand(0) + g * Operand(1) + constant)
}

/// `R = ±A₀/A₁`
pub(super) fn quotient(p: &BigUint, sign: i64) -> Equation {
    Equation::result(p, sign * Operand(0) / Operand(1))
}

/// The widest of the chip's own equations.
pub(super) fn equations(p: &BigUint) -> impl Iterator<Item = Equation> + '_ {
    let factors = [LARGEST, -LARGEST].into_iter().flat_map(|f| [(f, 1), (f, -1)]);
    let sums = factors.map(move |factors| sum(p, factors, &(p - 1u8)));
    sums.chain([1, -1].map(move |sign| quotient(p, sign)))
}

impl<'a, Fp: BigPrimeField> Foreign<'a, Fp> {
    /// Over the chips of `gates`, whose layout has a [`super::foreign_layout`] of `Fp`.
    pub(super) fn new(gates: &'a Mutex<Gates>) -> Self {
        let (range, modulus) = (Range::new(gates), modulus::<Fp>());
        let format = range.with_chips(|chips| chips.foreign().block().format().clone());
        let (field, native) = (ForeignField::new(&modulus), format.native().clone());
        Self { range, field, format, modulus, native, _marker: PhantomData }
    }

    /// What `work` records in the gate.
    pub(super) fn with<T>(&self, work: impl FnOnce(&ForeignField, &ForeignChip) -> T) -> T {
        self.range.with_chips(|chips| work(&self.field, chips.foreign()))
    }

    fn residue(&self, number: BigInt) -> BigUint {
        let p = BigInt::from(self.modulus.clone());
        (((number % &p) + &p) % &p).magnitude().clone()
    }

    /// `f·a + g·b + c`; the factors are small.
    fn sum(&self, (f, a): (i64, &Element), (g, b): (i64, &Element), c: BigUint) -> Element {
        let term = |factor: i64, x: &Element| BigInt::from(x.0.value().clone()) * factor;
        let hint = self.residue(term(f, a) + term(g, b) + BigInt::from(c.clone()));
        let equation = sum(&self.modulus, (f, g), &c);
        Element(self.with(|_, chip| chip.relate(&equation, &[Limbs(&a.0), Limbs(&b.0)], &hint)))
    }

    /// `±a/b`, where there is such a number.
    fn quotient(&self, a: &Element, b: &Element, sign: i64) -> Element {
        let inverse = (b.0.value() % &self.modulus).modinv(&self.modulus).unwrap_or_default();
        let hint = self.residue(BigInt::from(a.0.value() * inverse) * sign);
        let equation = quotient(&self.modulus, sign);
        Element(self.with(|_, chip| chip.relate(&equation, &[Limbs(&a.0), Limbs(&b.0)], &hint)))
    }

    /// Whether all limbs are 0. They are not negative, and their sum does not wrap.
    fn vanishes(&self, ctx: &mut Context<Fr>, element: &Element) -> AssignedValue<Fr> {
        let sum = self.gate().sum(ctx, element.0.limbs().iter().copied());
        self.gate().is_zero(ctx, sum)
    }
}

impl<'a, Fp: BigPrimeField> FieldChip<Fr> for Foreign<'a, Fp> {
    const PRIME_FIELD_NUM_BITS: u32 = Fp::NUM_BITS;

    type UnsafeFieldPoint = Element;
    type FieldPoint = Element;
    type ReducedFieldPoint = Reduced;
    type FieldType = Fp;
    type RangeChip = Range<'a>;

    /// The native prime.
    fn native_modulus(&self) -> &BigUint {
        &self.native
    }

    fn range(&self) -> &Range<'a> {
        &self.range
    }

    fn limb_bits(&self) -> usize {
        self.format.limb_bits()
    }

    fn get_assigned_value(&self, x: &Element) -> Fp {
        biguint_to_fe(&(x.0.value() % &self.modulus))
    }

    fn load_private(&self, _: &mut Context<Fr>, value: Fp) -> Element {
        let value = fe_to_biguint(&value);
        Element(self.with(|field, chip| field.element(chip, &value)))
    }

    fn load_constant(&self, _: &mut Context<Fr>, value: Fp) -> Element {
        let value = fe_to_biguint(&value);
        Element(self.with(|field, chip| field.constant(chip, &value)))
    }

    fn add_no_carry(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        self.sum((1, &a.into()), (1, &b.into()), BigUint::ZERO)
    }

    fn add_constant_no_carry(&self, _: &mut Context<Fr>, a: impl Into<Element>, c: Fp) -> Element {
        let a = a.into();
        self.sum((1, &a), (0, &a), fe_to_biguint(&c))
    }

    fn sub_no_carry(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        self.sum((1, &a.into()), (-1, &b.into()), BigUint::ZERO)
    }

    fn negate(&self, _: &mut Context<Fr>, a: Element) -> Element {
        self.sum((-1, &a), (0, &a), BigUint::ZERO)
    }

    fn scalar_mul_no_carry(&self, ctx: &mut Context<Fr>, a: impl Into<Element>, c: i64) -> Element {
        let a = a.into();
        if c.unsigned_abs() <= LARGEST.unsigned_abs() {
            return self.sum((c, &a), (0, &a), BigUint::ZERO);
        }
        let factor = biguint_to_fe(&self.residue(c.into()));
        let factor = self.load_constant(ctx, factor);
        self.mul_no_carry(ctx, a, factor)
    }

    fn scalar_mul_and_add_no_carry(
        &self,
        ctx: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
        c: i64,
    ) -> Element {
        let (a, b) = (a.into(), b.into());
        if c.unsigned_abs() <= LARGEST.unsigned_abs() {
            return self.sum((c, &a), (1, &b), BigUint::ZERO);
        }
        let multiple = self.scalar_mul_no_carry(ctx, a, c);
        self.add_no_carry(ctx, multiple, b)
    }

    fn mul_no_carry(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        let (a, b) = (a.into(), b.into());
        Element(self.with(|field, chip| field.mul(chip, &a.0, &b.0)))
    }

    fn check_carry_mod_to_zero(&self, _: &mut Context<Fr>, a: Element) {
        let equation = Equation::zero(&self.modulus, Operand(0).into());
        self.with(|_, chip| chip.relate(&equation, &[Limbs(&a.0)], &BigUint::ZERO));
    }

    /// It has the prime's bits already.
    fn carry_mod(&self, _: &mut Context<Fr>, a: Element) -> Element {
        a
    }

    /// Elements have the prime's bits already.
    fn range_check(&self, ctx: &mut Context<Fr>, a: impl Into<Element>, max_bits: usize) {
        let widths = self.format.limb_widths(self.format.element_bits());
        for (i, (limb, width)) in a.into().0.limbs().iter().zip(widths).enumerate() {
            let bits = max_bits.saturating_sub(i * self.format.limb_bits());
            if bits < width {
                self.range.range_check(ctx, *limb, bits);
            }
        }
    }

    fn enforce_less_than(&self, _: &mut Context<Fr>, a: Element) -> Reduced {
        self.with(|field, chip| field.canonical(chip, &a.0));
        Reduced(a)
    }

    fn is_soft_zero(&self, ctx: &mut Context<Fr>, a: impl Into<Element>) -> AssignedValue<Fr> {
        self.vanishes(ctx, &a.into())
    }

    fn is_soft_nonzero(&self, ctx: &mut Context<Fr>, a: impl Into<Element>) -> AssignedValue<Fr> {
        let is_zero = self.is_zero(ctx, a);
        self.gate().not(ctx, is_zero)
    }

    /// Constrains the number to be below the prime, as `FpChip` does.
    fn is_zero(&self, ctx: &mut Context<Fr>, a: impl Into<Element>) -> AssignedValue<Fr> {
        let reduced = self.enforce_less_than(ctx, a.into());
        self.vanishes(ctx, &reduced.0)
    }

    /// As many limbs as fit a native element are compared at once.
    fn is_equal_unenforced(
        &self,
        ctx: &mut Context<Fr>,
        a: Reduced,
        b: Reduced,
    ) -> AssignedValue<Fr> {
        let bits = self.format.limb_bits();
        let together = (NATIVE_BITS / bits).max(1);
        let bases: Vec<_> =
            (0..together).map(|i| Constant(self.gate().pow_of_two[i * bits])).collect();
        let [a, b] = [&a, &b].map(|reduced| reduced.0 .0.limbs().chunks(together));
        let mut all: Option<AssignedValue<Fr>> = None;
        for (a, b) in a.zip(b) {
            let [a, b] = [a, b].map(|limbs| {
                let bases = bases[..limbs.len()].iter().copied();
                self.gate().inner_product(ctx, limbs.iter().copied(), bases)
            });
            let equal = self.gate().is_equal(ctx, a, b);
            all = Some(all.map_or(equal, |all| self.gate().and(ctx, all, equal)));
        }
        all.expect("an element has limbs")
    }

    /// In the field. `FpChip` wants both to be below the prime, too.
    fn assert_equal(&self, _: &mut Context<Fr>, a: impl Into<Element>, b: impl Into<Element>) {
        let (a, b) = (a.into(), b.into());
        self.with(|field, chip| field.assert_equal(chip, &a.0, &b.0));
    }

    fn divide(&self, _: &mut Context<Fr>, a: impl Into<Element>, b: impl Into<Element>) -> Element {
        let (a, b) = (a.into(), b.into());
        Element(self.with(|field, chip| field.div(chip, &a.0, &b.0)))
    }

    /// One relation. There is no witness for a `b` of 0 but where `a` is 0, too.
    fn divide_unsafe(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        self.quotient(&a.into(), &b.into(), 1)
    }

    fn neg_divide(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        let b = b.into();
        self.with(|field, chip| field.invert(chip, &b.0));
        self.quotient(&a.into(), &b, -1)
    }

    fn neg_divide_unsafe(
        &self,
        _: &mut Context<Fr>,
        a: impl Into<Element>,
        b: impl Into<Element>,
    ) -> Element {
        self.quotient(&a.into(), &b.into(), -1)
    }
}

impl<Fp: BigPrimeField> Selectable<Fr, Element> for Foreign<'_, Fp> {
    fn select(
        &self,
        ctx: &mut Context<Fr>,
        a: Element,
        b: Element,
        sel: AssignedValue<Fr>,
    ) -> Element {
        Element(self.range.with_chips(|chips| {
            chips.foreign().select(&mut GateContext::new(ctx, chips), sel, &a.0, &b.0)
        }))
    }

    /// The limbs of the sum are those of a new element, which has its ranges: whatever `coeffs` are,
    /// the result has the prime's bits.
    fn select_by_indicator(
        &self,
        ctx: &mut Context<Fr>,
        a: &impl AsRef<[Element]>,
        coeffs: &[AssignedValue<Fr>],
    ) -> Element {
        let a = a.as_ref();
        let chosen = a.iter().zip(coeffs).find(|(_, coeff)| *coeff.value() != Fr::zero());
        let value = chosen.map_or(&BigUint::ZERO, |(element, _)| element.0.value());
        let new = self.with(|field, chip| field.element(chip, value));
        for (i, limb) in new.limbs().iter().enumerate() {
            let (limbs, coeffs) = (a.iter().map(|x| x.0.limbs()[i]), coeffs.iter().copied());
            // By its full name: halo2-ecc's trait has a method of this name for all types.
            let sum = GateInstructions::select_by_indicator(self.gate(), ctx, limbs, coeffs);
            ctx.constrain_equal(&sum, limb);
        }
        Element(new)
    }
}
