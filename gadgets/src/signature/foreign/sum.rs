//! The sum over all signatures.

use std::ops::Range;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{AssignedKey, AssignedNonce, Coefficient, Factor, Parts, ScalarEquations};
use crate::{
    curve::weierstrass::{
        chip::{
            digits, ratio_digits, sum_of_multiples, AssignedPoint, AssignedTable, CurveEquations,
            Endomorphism, Term, SHORT_DIGITS,
        },
        Curve,
    },
    field::foreign::DIGIT_BITS,
    gate::{
        foreign::{AssignedLimbs, AssignedScalar, ForeignChip},
        vertical, Chips,
    },
};

/// A signature's part of the sum: its points, its coefficient, and the scalar of its key.
pub(in super::super) type Summand<'a> =
    (&'a AssignedKey, &'a AssignedNonce, &'a Coefficient, BigUint);

/// The parts of all signatures, from as many of each.
pub(in super::super) fn summands<'a>(
    keys: &'a [AssignedKey],
    nonces: impl Iterator<Item = &'a AssignedNonce>,
    coefficients: &'a [Coefficient],
    scalars: &[BigUint],
) -> Vec<Summand<'a>> {
    let factors = coefficients.iter().zip(scalars);
    let parts = keys.iter().zip(nonces).zip(factors);
    parts.map(|((key, nonce), (z, scalar))| (key, nonce, z, scalar.clone())).collect()
}

/// The scalars of a sum.
pub(in super::super) struct Multiples {
    /// Of each key.
    pub(in super::super) keys: Vec<Parts>,
    /// Coefficients of the nonce points.
    pub(in super::super) nonces: Vec<Factor>,
    /// Of the generator.
    pub(in super::super) generator: Parts,
}

/// Constrains `Σ zᵢ·Rᵢ + Σ tᵢ·Aᵢ + g·G = 0` for the coefficients `z`, and hints `t` and `g` that
/// the caller binds.
pub(in super::super) fn multiply(
    ctx: &mut Context<Fr>,
    chips: &Chips,
    equations: (&CurveEquations, &ScalarEquations),
    summands: &[Summand],
    generator: &BigUint,
) -> Multiples {
    let sum = Sum::new(chips.foreign(), equations, summands, generator);
    sum.constrain(ctx, chips, equations, summands)
}

/// Terms as they are put together.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) terms: Vec<Term>,
    /// Terms whose scalar is 1.
    pub(super) ones: Vec<usize>,
    /// The places of each key's scalar and of its nonce point's.
    signatures: Vec<(Range<usize>, Range<usize>)>,
    /// The places of each part of the generator's scalar, the highest digits first.
    generator: Vec<Range<usize>>,
}

impl Sum {
    /// The terms of all signatures, and of the generator.
    pub(super) fn new(
        chip: &ForeignChip,
        (curve, scalars): (&CurveEquations, &ScalarEquations),
        summands: &[Summand],
        generator: &BigUint,
    ) -> Self {
        let beta = curve.endomorphism().map(|endomorphism| curve.beta(chip, endomorphism));
        let mut sum = Self::default();
        for summand in summands {
            let places = sum.signature(chip, (curve, scalars), beta.as_ref(), summand);
            sum.signatures.push(places);
        }
        sum.generator = sum.generator(chip, curve.curve(), scalars.digits(generator));
        sum
    }

    /// Constrains the sum to be the identity; gives its scalars, those of coefficients bound.
    pub(super) fn constrain(
        &self,
        ctx: &mut Context<Fr>,
        chips: &Chips,
        (curve, scalars): (&CurveEquations, &ScalarEquations),
        summands: &[Summand],
    ) -> Multiples {
        let chip = chips.foreign();
        let found = sum_of_multiples(chip, curve, &self.terms);
        self.assert_ones(ctx, &found);

        let mut limbs = |scalar: &AssignedScalar| scalar.limbs(ctx, chip.block());
        let keys = self.signatures.iter().zip(summands).map(|((key, _), (_, _, z, _))| {
            let parts = found[key.clone()].iter().map(&mut limbs).collect();
            match z {
                Coefficient::Squeezed(_) => Parts::Whole(parts),
                Coefficient::Chosen(_) => Parts::Less(parts),
            }
        });
        let keys = keys.collect();
        let mut whole = |places: &Range<usize>| {
            let parts = found[places.clone()].iter().cloned();
            let joined = parts.reduce(|above, low| AssignedScalar::join(ctx, above, low));
            joined.expect("a scalar has digits").limbs(ctx, chip.block())
        };
        let generator = Parts::Whole(self.generator.iter().map(&mut whole).collect());
        let nonces =
            self.signatures.iter().zip(summands).map(|((_, nonce), (_, _, z, _))| {
                z.bind(ctx, chips, scalars, &found[nonce.clone()])
            });
        Multiples { nonces: nonces.collect(), keys, generator }
    }

    /// A table a part. Gives their places.
    fn add(&mut self, tables: Vec<AssignedTable>, digits: Vec<Vec<i8>>) -> Range<usize> {
        let first = self.terms.len();
        let terms = tables.into_iter().zip(digits).map(|(table, digits)| Term::new(table, digits));
        self.terms.extend(terms);
        first..self.terms.len()
    }

    /// The same for parts of which each counts 1 more.
    fn add_next(
        &mut self,
        curve: Curve,
        tables: Vec<AssignedTable>,
        parts: &[BigInt],
    ) -> Range<usize> {
        let count = ratio_digits(curve);
        let ones = vec![digits(&BigInt::one(), 1); parts.len()];
        let parts = parts.iter().map(|part| digits(part, count)).collect();
        let places = self.add(tables.clone(), parts);
        let ones = self.add(tables, ones);
        self.ones.extend(ones);
        places
    }

    /// The places of a key's scalar and of a nonce point's.
    fn signature(
        &mut self,
        chip: &ForeignChip,
        (curve, scalars): (&CurveEquations, &ScalarEquations),
        beta: Option<&AssignedLimbs>,
        (key, nonce, z, scalar): &Summand,
    ) -> (Range<usize>, Range<usize>) {
        let tables = |point: &AssignedPoint| {
            let images = beta.map(|beta| point.images(chip, curve, beta));
            [point.table().clone()].into_iter().chain(images).collect()
        };
        let of_key = tables(&key.point);
        match z {
            Coefficient::Squeezed(_) => {
                let z = vec![digits(&z.value(), SHORT_DIGITS)];
                let key = self.add(of_key, scalars.digits(scalar));
                (key, self.add(vec![nonce.0.table().clone()], z))
            }
            Coefficient::Chosen(ratio) => {
                let of_nonce = tables(&nonce.0);
                let key = self.add_next(curve.curve(), of_key, &ratio.product);
                (key, self.add_next(curve.curve(), of_nonce, &ratio.factor))
            }
        }
    }

    /// The generator by parts that are cut to the length of the other terms, each cut by a multiple
    /// of its own. Gives the places of each part, the highest digits first.
    fn generator(
        &mut self,
        chip: &ForeignChip,
        curve: Curve,
        parts: Vec<Vec<i8>>,
    ) -> Vec<Range<usize>> {
        let room = self.terms.iter().map(|term| term.digits.len()).max().expect("there are terms");
        let parameters = curve.parameters();
        let images =
            scalars_of_parts(curve).map(|scalar| parameters.mul(&parameters.generator(), &scalar));
        let cut = |(digits, point): (Vec<i8>, Option<(BigUint, BigUint)>)| {
            let (first, mut above) = (self.terms.len(), None);
            let mut behind = digits.len();
            for piece in digits.rchunks(room).rev() {
                behind -= piece.len();
                let factor = BigUint::one() << (DIGIT_BITS * behind);
                let multiple = parameters
                    .mul(&point, &factor)
                    .expect("a power of two is no multiple of the order");
                let table = AssignedTable::constant(chip, curve, &multiple);
                self.terms.push(Term { table, digits: piece.to_vec(), above: above.clone() });
                let go_on = |sum: BigInt, digit: &i8| (sum << DIGIT_BITS) + *digit;
                above = Some(piece.iter().fold(above.unwrap_or_default(), go_on));
            }
            first..self.terms.len()
        };
        parts.into_iter().zip(images).map(cut).collect()
    }

    fn assert_ones(&self, ctx: &mut Context<Fr>, found: &[AssignedScalar]) {
        for place in &self.ones {
            let one = vertical::load_constant(ctx, Fr::one());
            vertical::assert_equal(ctx, &found[*place].cell(), &one);
        }
    }
}

/// What a part of a scalar counts: 1 and, with an endomorphism, `λ`.
fn scalars_of_parts(curve: Curve) -> impl Iterator<Item = BigUint> {
    let lambda = Endomorphism::of(curve);
    [BigUint::one()].into_iter().chain(lambda.map(|found| found.lambda.clone()))
}
