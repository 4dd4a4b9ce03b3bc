//! The sum over all signatures.

use std::ops::Range;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{Coefficient, ExceptionalCase, Factor, Parts, ScalarEquations};
use crate::curve::weierstrass::{
    chip_of, digits, long_digits, ratio_digits, sum_of_multiples, AssignedPoint, AssignedTable,
    Beta, CurveEquations, Endomorphism, Meeting, Term, Walk, HALF_DIGITS, SHORT_DIGITS,
};
use muster_gates::{
    foreign::{AssignedDigits, AssignedScalar, ForeignChip},
    vertical, GateContext,
};
use muster_schemes::{curve::weierstrass::Curve, field::foreign::DIGIT_BITS};

/// A signature's part of the sum: its points, its coefficient, and the scalar of its key.
pub(crate) struct Summand<'a> {
    pub(super) key: &'a AssignedPoint,
    pub(super) nonce: &'a AssignedPoint,
    pub(super) coefficient: &'a Coefficient,
    pub(super) scalar: BigUint,
}

/// The summands of all signatures, from lists of equal length.
fn summands<'a>(
    keys: &[&'a AssignedPoint],
    nonces: &[&'a AssignedPoint],
    coefficients: &'a [Coefficient],
    scalars: &[BigUint],
) -> Vec<Summand<'a>> {
    let parts = keys.iter().zip(nonces).zip(coefficients).zip(scalars);
    parts
        .map(|(((key, nonce), coefficient), scalar)| {
            let scalar = scalar.clone();
            Summand { key, nonce, coefficient, scalar }
        })
        .collect()
}

/// The scalars of a sum.
pub(crate) struct Multiples {
    /// Scalars of the keys.
    pub(crate) keys: Vec<Parts>,
    /// Coefficients of the nonce points.
    pub(crate) nonces: Vec<Factor>,
    /// Scalar of the generator.
    pub(crate) generator: Parts,
}

/// The scalars of a sum as the prover has them, not bound yet: those of the keys, and the generator's.
pub(crate) trait Scalars {
    fn of_keys(&self) -> &[BigUint];
    fn of_generator(&self) -> &BigUint;
}

/// A sum as it was recorded.
pub(crate) struct Multiplied<H> {
    pub(crate) multiples: Multiples,
    /// The choice that was taken.
    pub(crate) hints: H,
    /// Whether there is a witness.
    pub(crate) verdict: Result<(), ExceptionalCase>,
}

/// Constrains `Σ zᵢ·Rᵢ + Σ tᵢ·Aᵢ + g·G = 0`, times the cofactor of the curve, for coefficients `z`, and scalars `t` and
/// `g` that the caller binds. Takes the first of the `choices` with which no sum meets its addend. If there is none,
/// the same constraints are recorded, and they do not hold.
pub(crate) fn multiply<'a, H: Scalars>(
    ctx: &mut GateContext,
    equations: (&CurveEquations, &ScalarEquations),
    (keys, nonces): (&[&'a AssignedPoint], &[&'a AssignedPoint]),
    choices: impl IntoIterator<Item = (Vec<Coefficient>, H)>,
) -> Multiplied<H> {
    let (curve, scalars) = (equations.0.curve(), equations.1);
    let mut choices = choices.into_iter();
    let (mut z, mut hints) = choices.next().expect("there is a choice");
    let first = summands(keys, nonces, &z, hints.of_keys());
    let chip = chip_of(ctx.chips, curve);
    let mut sum = Sum::new(chip, equations.0, &first);
    let settled = loop {
        let summands = summands(keys, nonces, &z, hints.of_keys());
        sum.put_all(scalars, &summands, hints.of_generator());
        if chip.counts_only() {
            break Ok(Walk::of_zeros(curve, &sum.terms));
        }
        match sum.settle((curve, scalars), &summands, hints.of_generator()) {
            Ok(walk) => break Ok(walk),
            Err(met) => match choices.next() {
                Some(next) => (z, hints) = next,
                None => break Err(met),
            },
        }
    };
    let (walk, verdict) = match settled {
        Ok(walk) => (walk, Ok(())),
        Err(met) => (Walk::regardless(curve, &sum.terms), Err(met)),
    };
    let summands = summands(keys, nonces, &z, hints.of_keys());
    let multiples = sum.constrain(ctx, equations, &summands, &walk);
    Multiplied { multiples, hints, verdict }
}

/// The terms of a sum while it is put together.
#[derive(Default)]
pub(super) struct Sum {
    pub(super) terms: Vec<Term>,
    /// Terms whose scalar is 1.
    pub(super) ones: Vec<usize>,
    /// The places of each key's scalar and of its nonce point's, one term per part.
    signatures: Vec<(Range<usize>, Range<usize>)>,
    /// The places of each part of the generator's scalar, the highest digits first.
    generator: Vec<Range<usize>>,
}

impl Sum {
    /// The terms of all signatures and of the generator. Their digits are put in afterwards.
    pub(super) fn new(chip: &ForeignChip, curve: &CurveEquations, summands: &[Summand]) -> Self {
        let beta = curve.endomorphism().map(|endomorphism| curve.beta(chip, endomorphism));
        let mut sum = Self::default();
        for summand in summands {
            let places = sum.signature(chip, curve, beta.as_ref(), summand);
            sum.signatures.push(places);
        }
        sum.generator = sum.generator(chip, curve.curve());
        sum
    }

    /// Puts the digits of all scalars into their places.
    pub(super) fn put_all(
        &mut self,
        scalars: &ScalarEquations,
        summands: &[Summand],
        generator: &BigUint,
    ) {
        for (i, Summand { coefficient: z, scalar, .. }) in summands.iter().enumerate() {
            let nonce = self.signatures[i].1.clone();
            let (of_key, of_nonce) = match z {
                Coefficient::Squeezed(_) => {
                    (scalars.digits(scalar), vec![digits(&z.value(), SHORT_DIGITS)])
                }
                Coefficient::Chosen(ratio) => (ratio.product_digits(), ratio.factor_digits()),
            };
            self.put(i, &of_key);
            nonce.zip(of_nonce).for_each(|(term, part)| self.put_part(term..term + 1, &part));
        }
        self.put(summands.len(), &scalars.digits(generator));
    }

    /// Puts the digits of each part of a scalar into their places: of the key of signature `owner` or,
    /// behind the last one, of the generator.
    pub(super) fn put(&mut self, owner: usize, parts: &[Vec<i8>]) {
        let places: Vec<_> = match self.signatures.get(owner) {
            Some((key, _)) => key.clone().map(|term| term..term + 1).collect(),
            None => self.generator.clone(),
        };
        assert_eq!(places.len(), parts.len(), "a scalar has as many parts as its places");
        places.into_iter().zip(parts).for_each(|(places, part)| self.put_part(places, part));
    }

    /// Cuts the digits of a part to the lengths of its terms.
    fn put_part(&mut self, places: Range<usize>, digits: &[i8]) {
        let (mut rest, mut above) = (digits, None);
        for term in &mut self.terms[places] {
            let (piece, behind) = rest.split_at(term.digits.len());
            term.digits.copy_from_slice(piece);
            term.above.clone_from(&above);
            let go_on = |sum: BigInt, digit: &i8| (sum << DIGIT_BITS) + *digit;
            above = Some(piece.iter().fold(above.unwrap_or_default(), go_on));
            rest = behind;
        }
        assert!(rest.is_empty(), "a part has as many digits as its places");
    }

    /// The owner of a term: a signature, by its number, or the generator, numbered after all of these.
    pub(super) fn owner(&self, term: usize) -> usize {
        let starts = self.signatures.iter().map(|(key, _)| key.start);
        starts.chain([self.generator[0].start]).take_while(|start| *start <= term).count() - 1
    }

    /// The number of owners: the signatures and the generator.
    pub(super) fn owners(&self) -> usize {
        self.signatures.len() + 1
    }

    /// Constrains the sum to be the identity; returns its scalars, with those of coefficients bound.
    pub(super) fn constrain(
        &self,
        ctx: &mut GateContext,
        (curve, scalars): (&CurveEquations, &ScalarEquations),
        summands: &[Summand],
        walk: &Walk,
    ) -> Multiples {
        let chip = chip_of(ctx.chips, curve.curve());
        let found = sum_of_multiples(chip, curve, &self.terms, walk);
        self.assert_ones(ctx, &found);

        let mut limbs =
            |digits: &AssignedDigits| AssignedScalar::whole(digits).limbs(ctx, chip.block());
        let keys = self.signatures.iter().zip(summands).map(|((key, _), summand)| {
            let parts = found[key.clone()].iter().map(&mut limbs).collect();
            match summand.coefficient {
                Coefficient::Squeezed(_) => Parts::Whole(parts),
                Coefficient::Chosen(_) => Parts::Less(parts),
            }
        });
        let keys = keys.collect();
        let mut whole = |places: &Range<usize>| {
            AssignedScalar::join(ctx, &found[places.clone()]).limbs(ctx, chip.block())
        };
        let generator = Parts::Whole(self.generator.iter().map(&mut whole).collect());
        let nonces = self.signatures.iter().zip(summands).map(|((_, nonce), summand)| {
            summand.coefficient.bind(ctx, scalars, &found[nonce.clone()])
        });
        Multiples { nonces: nonces.collect(), keys, generator }
    }

    /// Adds one term of `count` digits per table, all 1 until others are put in. Returns their places.
    fn add(&mut self, tables: Vec<AssignedTable>, count: usize) -> Range<usize> {
        let first = self.terms.len();
        let term = |table| Term::new(table, vec![1; count]);
        self.terms.extend(tables.into_iter().map(term));
        first..self.terms.len()
    }

    /// The same for parts that count 1 more each.
    fn add_next(&mut self, curve: Curve, tables: Vec<AssignedTable>) -> Range<usize> {
        let places = self.add(tables.clone(), ratio_digits(curve));
        let ones = self.add(tables, 1);
        self.ones.extend(ones);
        places
    }

    /// The places of a key's scalar and of a nonce point's.
    fn signature(
        &mut self,
        chip: &ForeignChip,
        curve: &CurveEquations,
        beta: Option<&Beta>,
        Summand { key, nonce, coefficient, .. }: &Summand,
    ) -> (Range<usize>, Range<usize>) {
        let tables = |point: &AssignedPoint| {
            let images = beta.map(|beta| point.images(chip, curve, beta));
            [point.table().clone()].into_iter().chain(images).collect()
        };
        let of_key = tables(key);
        match coefficient {
            Coefficient::Squeezed(_) => {
                let key = self.add(of_key, scalar_digits(curve.curve()));
                (key, self.add(vec![nonce.table().clone()], SHORT_DIGITS))
            }
            Coefficient::Chosen(_) => {
                let of_nonce = tables(nonce);
                let key = self.add_next(curve.curve(), of_key);
                (key, self.add_next(curve.curve(), of_nonce))
            }
        }
    }

    /// The generator by parts. Each is cut into pieces no longer than the other terms, and each piece has its own
    /// multiple of the generator. Returns the places of each part, the highest digits first.
    fn generator(&mut self, chip: &ForeignChip, curve: Curve) -> Vec<Range<usize>> {
        let room = self.terms.iter().map(|term| term.digits.len()).max().expect("there are terms");
        let parameters = curve.parameters();
        let images =
            scalars_of_parts(curve).map(|scalar| parameters.mul(&parameters.generator(), &scalar));
        let cut = |point: Option<(BigUint, BigUint)>| {
            let first = self.terms.len();
            let mut behind = scalar_digits(curve);
            while behind > 0 {
                // The first piece, with the highest digits, takes what is left over.
                let count = match behind % room {
                    0 => room,
                    rest => rest,
                };
                behind -= count;
                let factor = BigUint::one() << (DIGIT_BITS * behind);
                let multiple = parameters
                    .mul(&point, &factor)
                    .expect("a power of two is no multiple of the order");
                self.add(vec![AssignedTable::constant(chip, curve, &multiple)], count);
            }
            first..self.terms.len()
        };
        images.map(cut).collect()
    }

    fn assert_ones(&self, ctx: &mut Context<Fr>, found: &[AssignedDigits]) {
        for place in &self.ones {
            let scalar = AssignedScalar::whole(&found[*place]);
            let one = vertical::load_constant(ctx, Fr::one());
            vertical::assert_equal(ctx, &scalar.cell(), &one);
        }
    }
}

/// Digits of a part of a scalar.
fn scalar_digits(curve: Curve) -> usize {
    match Endomorphism::of(curve) {
        Some(_) => HALF_DIGITS,
        None => long_digits(curve),
    }
}

/// The factor of each part of a scalar: 1 and, with an endomorphism, `λ`.
fn scalars_of_parts(curve: Curve) -> impl Iterator<Item = BigUint> {
    let lambda = Endomorphism::of(curve);
    [BigUint::one()].into_iter().chain(lambda.map(|found| found.lambda.clone()))
}

/// Digits of each part of a scalar.
type Digits = Vec<Vec<i8>>;

/// The choices left for a scalar, which are found only when they are needed.
type UntriedDigits<'a> = Option<Box<dyn Iterator<Item = Digits> + 'a>>;

impl Sum {
    /// Takes other digits where the sum meets an addend until it meets none. Every choice is tried
    /// once, and a scalar has a few dozen of them.
    pub(super) fn settle(
        &mut self,
        (curve, scalars): (Curve, &ScalarEquations),
        summands: &[Summand],
        generator: &BigUint,
    ) -> Result<Walk, ExceptionalCase> {
        let of_key = |summand: &Summand| -> UntriedDigits<'_> {
            match summand.coefficient {
                Coefficient::Squeezed(_) => {
                    Some(Box::new(scalars.other_digits(summand.scalar.clone())))
                }
                Coefficient::Chosen(_) => None,
            }
        };
        let mut rests: Vec<_> = summands.iter().map(of_key).collect();
        rests.push(Some(Box::new(scalars.other_digits(generator.clone()))));
        loop {
            let meeting = match Walk::new(curve, &self.terms) {
                Ok(walk) => return Ok(walk),
                Err(meeting) => meeting,
            };
            let other = self.summed(meeting).into_iter().rev().find_map(|owner| {
                let rest = rests[owner].as_mut()?;
                Some((owner, rest.next()?))
            });
            match other {
                Some((owner, digits)) => self.put(owner, &digits),
                None => return Err(self.met(meeting, summands.len())),
            }
        }
    }

    /// The owners that are summed up where the meeting is: signatures by number, then the generator;
    /// the one that is met comes last.
    fn summed(&self, Meeting { window, term }: Meeting) -> Vec<usize> {
        let met = self.owner(term);
        // In the first window, the terms that follow are not added yet.
        let after = if window > 0 { met + 1..self.owners() } else { 0..0 };
        after.chain(0..=met).collect()
    }

    fn met(&self, meeting: Meeting, count: usize) -> ExceptionalCase {
        let mut signatures = self.summed(meeting);
        signatures.retain(|owner| *owner < count);
        signatures.sort_unstable();
        ExceptionalCase { signatures }
    }
}
