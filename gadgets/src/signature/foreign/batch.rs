//! Batches of signatures: what all schemes do alike, and what those of `R + e·A - s·G = 0` do, BIP-340 and Ed25519.

use std::marker::PhantomData;

use num_bigint::{BigInt, BigUint};

use super::{
    choices, coefficients, multiply, Coefficient, ExceptionalCase, Multiples, Multiplied,
    ScalarEquations, Scalars,
};
use crate::{
    curve::weierstrass::{chip_of, AssignedPoint, CurveEquations},
    field::foreign::integer::constant,
};
use muster_gates::{
    foreign::{AssignedLimbs, Operand::Element},
    Chips, GateContext,
};

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

/// A signature in circuit before the batch is formed.
pub(crate) struct Opened {
    pub(crate) nonce: AssignedPoint,
    pub(crate) s: AssignedLimbs,
    /// `e`, which binds the nonce point, the key and the message.
    pub(crate) challenge: AssignedLimbs,
}

/// The signatures by keys of type `K`. The batch is `Σ zᵢ·Rᵢ + Σ zᵢ·eᵢ·Aᵢ - (Σ zᵢ·sᵢ)·G = 0`, times the
/// cofactor of the curve.
pub(crate) struct SchnorrBatch<K> {
    equations: CurveEquations,
    scalars: ScalarEquations,
    opened: Vec<Opened>,
    keys: PhantomData<fn(K)>,
}

/// The scalars as a prover has them.
#[derive(Clone)]
pub(crate) struct SchnorrHints {
    /// `zᵢ·eᵢ`, by which the keys are multiplied.
    pub(crate) keys: Vec<BigUint>,
    /// 0, then `-(z₁·s₁ + … + zᵢ·sᵢ)`; the generator is multiplied by the last.
    pub(crate) sums: Vec<BigUint>,
}

impl Scalars for SchnorrHints {
    fn of_keys(&self) -> &[BigUint] {
        &self.keys
    }

    fn of_generator(&self) -> &BigUint {
        self.sums.last().expect("there is a first sum")
    }
}

impl<K> SchnorrBatch<K> {
    pub(crate) fn new(equations: CurveEquations, opened: Vec<Opened>) -> Self {
        let scalars = ScalarEquations::new(equations.curve());
        Self { equations, scalars, opened, keys: PhantomData }
    }
}

impl<K: KeyPoint> SignatureBatch for SchnorrBatch<K> {
    type Hints = SchnorrHints;
    type Key = K;

    fn equations(&self) -> (&CurveEquations, &ScalarEquations) {
        (&self.equations, &self.scalars)
    }

    fn nonces(&self) -> Vec<&AssignedPoint> {
        self.opened.iter().map(|item| &item.nonce).collect()
    }

    fn ratios(&self) -> Vec<BigUint> {
        let n = self.equations.curve().n();
        self.opened.iter().map(|item| item.challenge.value() % n).collect()
    }

    /// The challenges and the responses: a challenge binds R, the key and the message.
    fn batched<'a>(&'a self, _: &'a [K]) -> Vec<&'a AssignedLimbs> {
        self.opened.iter().flat_map(|item| [&item.challenge, &item.s]).collect()
    }

    fn hints(&self, coefficients: &[Coefficient]) -> SchnorrHints {
        let product = |z: &Coefficient, element: &AssignedLimbs| {
            z.value() * BigInt::from(element.value().clone())
        };
        let (mut keys, mut sums) = (vec![], vec![BigUint::ZERO]);
        let mut sum = BigInt::ZERO;
        for (z, item) in coefficients.iter().zip(&self.opened) {
            keys.push(self.scalars.residue(&product(z, &item.challenge)));
            sum -= product(z, &item.s);
            sums.push(self.scalars.residue(&sum));
        }
        SchnorrHints { keys, sums }
    }

    fn bind(&self, chips: &Chips, multiples: &Multiples, hints: &SchnorrHints) {
        let (chip, scalars) = (chip_of(chips, self.equations.curve()), &self.scalars);
        let found = multiples.nonces.iter().zip(&multiples.keys);
        for ((item, (z, parts)), scalar) in self.opened.iter().zip(found).zip(&hints.keys) {
            let operands = [z.operand(), Element(&item.challenge)];
            let scalar = chip.relate(&scalars.signed_product, &operands, scalar);
            scalars.assert_parts(chip, &scalar, parts);
        }
        let (first, rest) = hints.sums.split_first().expect("there is a first sum");
        let zero = constant(self.equations.curve().n(), &BigUint::ZERO);
        let mut sum = chip.relate(&zero, &[], first);
        let mut cursor = chip.below(&[&sum]);
        for ((item, z), next) in self.opened.iter().zip(&multiples.nonces).zip(rest) {
            sum = cursor.relate(&scalars.less_product, &[z.operand(), Element(&item.s)], next);
        }
        scalars.assert_parts(chip, &sum, &multiples.generator);
    }
}
