//! Equations modulo the order of the group.

use num_bigint::{BigInt, BigUint};

use crate::{
    curve::weierstrass::{
        digits, other_whole_digits, residue, whole_digits, Endomorphism, HALF_DIGITS,
    },
    field::foreign::integer::constant,
};
use muster_gates::foreign::{
    above, AssignedLimbs, Cursor, Equation, ForeignChip,
    Operand::{Element, Signed},
    SignedLimbs,
    Source::Operand,
};
use muster_schemes::curve::weierstrass::Curve;

/// A scalar in signed parts: one, or two for `t₁ + λ·t₂`.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// The parts make the scalar.
    Whole(Vec<SignedLimbs>),
    /// The parts with 1 added to each make the scalar.
    Less(Vec<SignedLimbs>),
}

/// Relations between scalars.
#[derive(Clone, Debug)]
pub(crate) struct ScalarEquations {
    curve: Curve,
    /// `R·A₁ = -A₀`, for a signed `A₀`.
    pub(crate) negated_quotient: Equation,
    /// `R = B₁·A₁`, for the result above.
    pub(crate) product_of_result: Equation,
    /// `R = A₀·A₁`.
    pub(crate) product: Equation,
    /// `R = A₀·A₁`, for a signed `A₀`.
    pub(crate) signed_product: Equation,
    /// `R = B₁ - A₀·A₁`, for a signed `A₀` and the result above.
    pub(crate) less_product: Equation,
    /// `R = A₀ + A₁`.
    pub(crate) sum: Equation,
    /// `R·A₁ = 1`.
    inverse: Equation,
    /// The result two above is `A₁ + λ·A₀` with the `λ` above, or the result above is `A₀`.
    split: Equation,
    /// The same with 1 added to each part.
    split_next: Equation,
}

impl ScalarEquations {
    pub(crate) fn new(curve: Curve) -> Self {
        let n = curve.n();
        let [a, b] = [Operand(0), Operand(1)];
        let endomorphism = Endomorphism::of(curve);
        // `ones` is what 1 more in each part adds to the scalar.
        let split = |ones: BigUint| match endomorphism {
            Some(_) => above(|[lambda, scalar]| {
                Equation::zero(n, lambda * a + b - scalar + &ones).signed(0).signed(1)
            }),
            None => above(|[scalar]| Equation::zero(n, a - scalar + &ones).signed(0)),
        };
        let ones = endomorphism.map_or(BigUint::ZERO, |found| found.lambda.clone()) + 1u8;
        Self {
            curve,
            negated_quotient: Equation::result(n, -a / b).signed(0),
            product_of_result: above(|[result]| Equation::result(n, result * b)),
            product: Equation::multiply(n),
            signed_product: Equation::multiply(n).signed(0),
            less_product: above(|[sum]| Equation::result(n, -a * b + sum).signed(0)),
            sum: Equation::result(n, a + b),
            inverse: Equation::result(n, 1 / b),
            split_next: split(ones),
            split: split(BigUint::ZERO),
        }
    }

    /// The curve.
    pub(super) fn curve(&self) -> Curve {
        self.curve
    }

    /// What a layout must have room for.
    pub(crate) fn all(&self) -> Vec<Equation> {
        vec![
            self.negated_quotient.clone(),
            self.product_of_result.clone(),
            self.product.clone(),
            self.signed_product.clone(),
            self.less_product.clone(),
            self.sum.clone(),
            self.inverse.clone(),
            self.split.clone(),
            self.split_next.clone(),
            constant(self.curve.n(), &(self.curve.n() - 1u8)),
        ]
    }

    /// The digits of each part of a scalar: two halves, or the scalar itself.
    pub(crate) fn digits(&self, scalar: &BigUint) -> Vec<Vec<i8>> {
        match Endomorphism::of(self.curve) {
            Some(endomorphism) => {
                let (first, second) = endomorphism.halves(scalar);
                [first, second].map(|half| digits(&half, HALF_DIGITS)).to_vec()
            }
            None => vec![whole_digits(scalar, self.curve)],
        }
    }

    /// Other digits that make the same scalar.
    pub(super) fn other_digits(&self, scalar: BigUint) -> impl Iterator<Item = Vec<Vec<i8>>> {
        let halves = Endomorphism::of(self.curve).into_iter().flat_map({
            let scalar = scalar.clone();
            move |endomorphism| endomorphism.other_halves(&scalar)
        });
        let halves = halves
            .map(|(first, second)| [first, second].map(|half| digits(&half, HALF_DIGITS)).to_vec());
        let whole = match Endomorphism::of(self.curve) {
            Some(_) => None,
            None => Some(other_whole_digits(&scalar, self.curve)),
        };
        halves.chain(whole.into_iter().flatten().map(|whole| vec![whole]))
    }

    /// Constrains the result of the last block to be the scalar of these parts.
    pub(crate) fn assert_parts(&self, chip: &ForeignChip, scalar: &AssignedLimbs, parts: &Parts) {
        let (mut cursor, none) = (chip.below(&[scalar]), BigUint::ZERO);
        let (split, parts) = match parts {
            Parts::Whole(parts) => (&self.split, parts),
            Parts::Less(parts) => (&self.split_next, parts),
        };
        match (Endomorphism::of(self.curve), &parts[..]) {
            (Some(Endomorphism { lambda, .. }), [first, second]) => {
                self.lambda_of_hint(&mut cursor, lambda, lambda);
                cursor.relate(split, &[Signed(second), Signed(first)], &none);
            }
            (None, [whole]) => drop(cursor.relate(split, &[Signed(whole)], &none)),
            _ => unreachable!("a scalar has as many parts as its digits"),
        }
    }

    /// The factor of the endomorphism as the result of a block, from a hint of it.
    pub(super) fn lambda_of_hint(&self, cursor: &mut Cursor, lambda: &BigUint, hint: &BigUint) {
        cursor.relate(&constant(self.curve.n(), lambda), &[], hint);
    }

    /// Constrains an element not to be a multiple of the order.
    pub(crate) fn assert_not_zero(&self, chip: &ForeignChip, element: &AssignedLimbs) {
        let n = self.curve.n();
        let inverse = (element.value() % n).modinv(n).unwrap_or_default();
        chip.relate(&self.inverse, &[Element(element), Element(element)], &inverse);
    }

    /// The sum of all terms, from hints of the partial sums.
    pub(crate) fn sum_all(
        &self,
        chip: &ForeignChip,
        terms: &[AssignedLimbs],
        sums: &[BigUint],
    ) -> AssignedLimbs {
        let mut rest = terms.iter().zip(sums);
        let (first, _) = rest.next().expect("there are terms");
        rest.fold(first.clone(), |sum, (term, value)| {
            chip.relate(&self.sum, &[Element(&sum), Element(term)], value)
        })
    }

    /// The residue of an integer.
    pub(crate) fn residue(&self, integer: &BigInt) -> BigUint {
        residue(integer, self.curve.n())
    }
}
