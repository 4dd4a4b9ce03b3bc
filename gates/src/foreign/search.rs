//! The search for the limbs of a gate.

use std::collections::BTreeMap;

use muster_schemes::{
    field::foreign::{Sought, Widths},
    hash::sha256::sha256,
};
use num_bigint::BigUint;

use super::equation::{Equation, Sums};

/// What a search finds. It is not trusted: bounds are derived once more, for the ranges of the gate, where an equation is
/// first recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimbWidths {
    /// Bits of a limb.
    pub limb_bits: usize,
    /// Limbs for each carry.
    pub group: usize,
    /// Bits of a quotient.
    pub quotient_bits: usize,
    /// Bits of a carry.
    pub carry_bits: usize,
    /// Carries.
    pub carries: usize,
}

/// What limbs are sought for.
pub(super) struct Search<'a> {
    native: &'a BigUint,
    /// Bits of an element.
    bits: usize,
    lookup_bits: usize,
    /// The sums of the equations.
    sums: Sums,
    /// Each relation once, by what it is.
    relations: BTreeMap<String, Sought<BigUint>>,
}

impl<'a> Search<'a> {
    /// The search for limbs that serve `equations`.
    ///
    /// # Panics
    /// If there are none.
    pub(super) fn new(native: &'a BigUint, lookup_bits: usize, equations: &[Equation]) -> Self {
        let bits = equations.iter().map(|equation| equation.modulus().bits()).max();
        let bits = bits.expect("there are equations") as usize;
        let relation = |equation: &Equation| {
            let modulo = equation.modulus().clone();
            let (relation, ranges) = (equation.relation(), equation.ranges());
            let outline = Sought { modulo, relation, ranges }.outlined();
            (described(&outline), outline)
        };
        let relations = equations.iter().map(relation).collect();
        Self { native, bits, lookup_bits, sums: Sums::of(equations), relations }
    }

    /// A hash of all that it goes by.
    pub(super) fn key(&self) -> u64 {
        let Self { native, bits, lookup_bits, .. } = self;
        let mut text = format!("{native:x} {bits} {lookup_bits} {}\n", self.sums.operands());
        self.relations.keys().for_each(|relation| text += relation);
        let [a, b, c, d, e, f, g, h, ..] = sha256(text.as_bytes());
        u64::from_be_bytes([a, b, c, d, e, f, g, h])
    }

    /// The cheapest limbs.
    ///
    /// # Panics
    /// If the bounds of the equations hold for none.
    pub(super) fn cheapest(&self) -> LimbWidths {
        let sizes = (self.bits, self.lookup_bits, self.sums.operands());
        let relations: Vec<_> = self.relations.values().cloned().collect();
        let (format, widths) = Widths::cheapest(self.native, sizes, &relations);
        let (limb_bits, group) = (format.limb_bits(), format.group());
        let Widths { quotient: quotient_bits, carry: carry_bits, carries } = widths;
        LimbWidths { limb_bits, group, quotient_bits, carry_bits, carries }
    }

    /// Bits of an element, and the sums of the equations.
    pub(super) fn elements(self) -> (usize, Sums) {
        (self.bits, self.sums)
    }
}

fn described(Sought { modulo, relation, ranges }: &Sought<BigUint>) -> String {
    format!("{modulo:x} {ranges:?} {:?} {:x}\n", relation.terms, relation.constant)
}
