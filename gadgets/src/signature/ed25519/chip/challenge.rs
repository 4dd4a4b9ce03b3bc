//! A digest of 512 bits as a number modulo the order.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};
use num_bigint::BigUint;
use num_traits::One;

use crate::field::foreign::{
    integer::constant,
    regroup::{element_bits, elements},
};
use muster_gates::{
    foreign::{above, AssignedLimbs, Equation, ForeignChip, Operand::Element, Source::Operand},
    GateContext,
};
use muster_schemes::curve::edwards25519::CURVE;

/// Bits of a word of SHA-512.
const WORD: usize = 64;

/// Reduces digests modulo the order. A digest is `e₀ + 2^b·e₁ + 2^2b·e₂` for elements of whole limbs.
pub(super) struct ChallengeEquations<'a> {
    chip: &'a ForeignChip,
    reduce: Equation,
    /// `2^b` and `2^2b` modulo the order.
    powers: [AssignedLimbs; 2],
}

impl<'a> ChallengeEquations<'a> {
    /// Loads its constants.
    pub(super) fn new(chip: &'a ForeignChip) -> Self {
        let n = CURVE.n();
        let power = |count: usize| {
            let power = (BigUint::one() << (count * element_bits(chip))) % n;
            chip.relate(&constant(n, &power), &[], &power)
        };
        Self { chip, reduce: Self::reduce(), powers: [1, 2].map(power) }
    }

    /// `R = B₃ + B₂·A₀ + B₁·A₁`
    pub(super) fn reduce() -> Equation {
        let value = |[high, middle, low]: [_; 3]| high * Operand(1) + middle * Operand(0) + low;
        Equation::result(CURVE.n(), above(value))
    }

    /// The number of a digest modulo the order, not necessarily the least residue. The words determine its
    /// elements, and with them the number.
    pub(super) fn challenge(
        &self,
        ctx: &mut GateContext,
        digest: &[AssignedValue<Fr>; 8],
    ) -> AssignedLimbs {
        let parts = elements(ctx, self.chip, digest, WORD);
        let [low, middle, high] = &parts[..] else { panic!("a digest takes three elements") };
        let [second, third] = &self.powers;
        let number = low.value() + middle.value() * second.value() + high.value() * third.value();
        let mut cursor = self.chip.below(&[low, middle, high]);
        let operands = [Element(second), Element(third)];
        cursor.relate(&self.reduce, &operands, &(number % CURVE.n()))
    }
}
