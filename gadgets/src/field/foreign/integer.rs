//! Elements as the integers that their limbs make, and constants.

use num_bigint::BigUint;
use num_traits::One;

use muster_gates::foreign::{
    AssignedLimbs, Equation, ForeignChip, Form,
    Operand::Element,
    Source::{Operand, Result},
};

/// Equations over the integers.
#[derive(Clone, Debug)]
pub struct Integer;

impl Integer {
    /// Nothing but the range of an element.
    pub fn any() -> Equation {
        Equation::free()
    }

    /// `A₀ + R = bound`: hence `A₀ ≤ bound`.
    pub fn at_most(bound: &BigUint) -> Equation {
        Equation::zero(&BigUint::ZERO, Operand(0) + Result - bound)
    }

    /// `A₀ = 2·R`: hence `A₀` is even.
    pub fn even() -> Equation {
        Equation::zero(&BigUint::ZERO, Operand(0) - 2 * Result)
    }

    /// The equations that a layout must have room for.
    pub fn all(bits: usize) -> Vec<Equation> {
        let top = (BigUint::one() << bits) - 1u8;
        vec![Self::any(), Self::at_most(&top), Self::even()]
    }
}

/// `R ≡ c`.
pub fn constant(modulus: &BigUint, value: &BigUint) -> Equation {
    Equation::result(modulus, Form::from(value))
}

/// Witnesses an element, which is one modulo a prime or an integer, as the equations take it. Only
/// its range is constrained.
#[track_caller]
pub fn element(chip: &ForeignChip, value: &BigUint) -> AssignedLimbs {
    chip.relate(&Integer::any(), &[], value)
}

/// Constrains `element ≤ bound` as integers.
#[track_caller]
pub fn assert_at_most(chip: &ForeignChip, element: &AssignedLimbs, bound: &BigUint) {
    // Any number that fits an element will do: a witness that does not satisfy the equation is
    // refused by it.
    let rest = if element.value() <= bound { bound - element.value() } else { BigUint::ZERO };
    chip.relate(&Integer::at_most(bound), &[Element(element)], &rest);
}

/// An element whose number is below its prime: the least of all numbers that represent it.
#[derive(Clone, Debug)]
pub struct Canonical {
    element: AssignedLimbs,
    prime: BigUint,
}

impl Canonical {
    /// Constrains the number of `element` to be below `prime`.
    #[track_caller]
    pub fn new(chip: &ForeignChip, element: &AssignedLimbs, prime: &BigUint) -> Self {
        assert_at_most(chip, element, &(prime - 1u8));
        Self::shown(element, prime)
    }

    /// An element whose number is already constrained to be below `prime`.
    pub(super) fn shown(element: &AssignedLimbs, prime: &BigUint) -> Self {
        Self { element: element.clone(), prime: prime.clone() }
    }

    /// Its limbs.
    pub fn limbs(&self) -> &AssignedLimbs {
        &self.element
    }

    /// The same cells with 1 more in a limb; only copy constraints can tell.
    #[cfg(test)]
    pub(crate) fn lying_limb(&self, limb: usize) -> Self {
        Self { element: self.element.lying_limb(limb), prime: self.prime.clone() }
    }

    /// The prime.
    pub fn prime(&self) -> &BigUint {
        &self.prime
    }
}

/// Constrains an element's number to be even. For an element that is not canonical this would mean
/// nothing: with the prime added it is odd.
#[track_caller]
pub fn assert_even(chip: &ForeignChip, Canonical { element, .. }: &Canonical) {
    chip.relate(&Integer::even(), &[Element(element)], &(element.value() >> 1u8));
}
