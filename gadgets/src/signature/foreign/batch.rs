//! A batch of signatures: what all schemes do alike.

use num_bigint::BigUint;

use super::{
    choices, coefficients, multiply, Coefficient, ExceptionalCase, Multiples, Multiplied,
    ScalarEquations, Scalars,
};
use crate::curve::weierstrass::{AssignedPoint, CurveEquations};
use muster_gates::{foreign::AssignedLimbs, Chips, GateContext};

/// A key in circuit.
pub(crate) trait KeyPoint {
    /// The point by whose multiples sums are made.
    fn point(&self) -> &AssignedPoint;
}

/// Signatures that are checked for all but their equations, before they enter one sum of points. A
/// scheme provides what differs: which numbers the coefficients depend on, which scalars the points are
/// multiplied by, and how these are bound to the signatures.
pub(crate) trait SignatureBatch {
    /// The scalars as a prover has them: the sum is made from them, then they are bound.
    type Hints: Scalars;

    /// A key of the scheme.
    type Key: KeyPoint;

    fn equations(&self) -> (&CurveEquations, &ScalarEquations);

    /// The nonce points.
    fn nonces(&self) -> Vec<&AssignedPoint>;

    /// The scalars of the keys for coefficients of 1.
    fn ratios(&self) -> Vec<BigUint>;

    /// What the coefficients are squeezed from: it binds the digest, the keys and the signatures.
    fn batched<'a>(&'a self, keys: &'a [Self::Key]) -> Vec<&'a AssignedLimbs>;

    fn hints(&self, coefficients: &[Coefficient]) -> Self::Hints;

    /// Constrains the scalars of the sum to be those of the signatures.
    fn bind(&self, chips: &Chips, multiples: &Multiples, hints: &Self::Hints);

    fn coefficients(
        &self,
        ctx: &mut GateContext,
        keys: &[Self::Key],
        ratios: &[BigUint],
    ) -> Vec<Coefficient> {
        let curve = self.equations().0.curve();
        coefficients(ctx, curve, &self.batched(keys), ratios)
    }

    /// The sum, with scalars that are not bound yet.
    fn multiply(
        &self,
        ctx: &mut GateContext,
        keys: &[Self::Key],
        choices: impl IntoIterator<Item = (Vec<Coefficient>, Self::Hints)>,
    ) -> Multiplied<Self::Hints> {
        let keys: Vec<_> = keys.iter().map(KeyPoint::point).collect();
        multiply(ctx, self.equations(), (&keys, &self.nonces()), choices)
    }

    /// Constrains all signatures.
    ///
    /// # Errors
    /// [`ExceptionalCase`], if the keys were made for it. The same constraints are recorded, and the witness does
    /// not satisfy them.
    fn assert_all(&self, ctx: &mut GateContext, keys: &[Self::Key]) -> Result<(), ExceptionalCase> {
        let coefficients = self.coefficients(ctx, keys, &self.ratios());
        let choices = choices(coefficients, |coefficients| self.hints(coefficients));
        let Multiplied { multiples, hints, verdict } = self.multiply(ctx, keys, choices);
        self.bind(ctx.chips, &multiples, &hints);
        verdict
    }
}
