//! Relations together with their results.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use super::PairingEquations;
use muster_gates::foreign::{
    AssignedLimbs, Equation, ForeignChip,
    Operand::{self, Constant, Element},
};

/// Both parts of an element of `Fp²`.
pub(super) type AssignedPair = [AssignedLimbs; 2];

/// The foreign gate with the equations of a pairing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic<'a> {
    pub(super) chip: &'a ForeignChip,
    pub(super) equations: &'a PairingEquations,
}

impl Arithmetic<'_> {
    /// `Σ aᵢ·bᵢ·fᵢ + Σ cᵢ·gᵢ + d`, reduced.
    pub(super) fn value(
        &self,
        products: &[(i64, Operand, Operand)],
        linear: &[(i64, Operand)],
        constant: i64,
    ) -> BigUint {
        let mut sum = BigInt::from(constant);
        for (factor, a, b) in products {
            sum += BigInt::from(number(a) * number(b)) * *factor;
        }
        for (factor, a) in linear {
            sum += BigInt::from(number(a).clone()) * *factor;
        }
        let p = BigInt::from(self.equations.curve().parameters().p.clone());
        sum.mod_floor(&p).magnitude().clone()
    }

    /// `a·b`.
    #[track_caller]
    pub(super) fn product(&self, a: Operand, b: Operand) -> AssignedLimbs {
        let value = self.value(&[(1, a, b)], &[], 0);
        self.chip.relate(&self.equations.product, &[a, b], &value)
    }

    /// `a·b + c`.
    #[track_caller]
    pub(super) fn product_and(&self, a: Operand, b: Operand, c: Operand) -> AssignedLimbs {
        let value = self.value(&[(1, a, b)], &[(1, c)], 0);
        self.chip.relate(&self.equations.product_and, &[a, b, c], &value)
    }

    /// `a·b + c·d`.
    #[track_caller]
    pub(super) fn products(&self, [a, b, c, d]: [Operand; 4]) -> AssignedLimbs {
        let value = self.value(&[(1, a, b), (1, c, d)], &[], 0);
        self.chip.relate(&self.equations.products, &[a, b, c, d], &value)
    }

    /// `factor·(a·b + c·d) + sign·e`, by the equation for it.
    #[track_caller]
    pub(super) fn mixed(
        &self,
        equation: &Equation,
        (factor, sign): (i64, i64),
        operands: [Operand; 5],
    ) -> AssignedLimbs {
        let [a, b, c, d, e] = operands;
        let value = self.value(&[(factor, a, b), (factor, c, d)], &[(sign, e)], 0);
        self.chip.relate(equation, &operands, &value)
    }

    /// `a·b + c·d - e`.
    #[track_caller]
    pub(super) fn products_less(&self, operands: [Operand; 5]) -> AssignedLimbs {
        self.mixed(&self.equations.products_less, (1, -1), operands)
    }

    /// `Σ coefficientᵢ·factorᵢ`; the first factor is 1 and is not given.
    ///
    /// # Panics
    /// If there is not one factor fewer than coefficients.
    #[track_caller]
    pub(super) fn dot(&self, coefficients: &[Operand], factors: &[Operand]) -> AssignedLimbs {
        assert_eq!(coefficients.len(), factors.len() + 1, "the first factor is 1");
        let mut products: Vec<_> =
            coefficients[1..].iter().zip(factors).flat_map(|(a, b)| [*a, *b]).collect();
        let rest = products.split_off(products.len().min(4));
        products.resize(4, Constant(&BigUint::ZERO));
        let operands = [products[0], products[1], products[2], products[3], coefficients[0]];
        let mut sum = self.mixed(&self.equations.products_and, (1, 1), operands);
        for products in rest.chunks(6) {
            let mut operands = [Constant(&BigUint::ZERO); 6];
            operands[..products.len()].copy_from_slice(products);
            let [a, b, c, d, e, f] = operands;
            let value = self.value(&[(1, a, b), (1, c, d), (1, e, f)], &[(1, Element(&sum))], 0);
            let mut cursor = self.chip.below(&[&sum]);
            sum = cursor.relate(&self.equations.more_products, &operands, &value);
        }
        sum
    }
}

/// The number of an operand.
///
/// # Panics
/// If it has signs.
fn number<'a>(operand: &Operand<'a>) -> &'a BigUint {
    match operand {
        Element(element) => element.value(),
        Constant(number) => number,
        Operand::Signed(_) => panic!("nothing here has signs"),
    }
}
