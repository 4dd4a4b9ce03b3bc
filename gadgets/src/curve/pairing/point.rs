//! Points of a curve and of its twist, and the path of a point of the twist through the loop.

use num_bigint::BigUint;

use super::{
    arithmetic::{Arithmetic, AssignedPair},
    PairingEquations,
};
use crate::{field::foreign::integer::element, hash::to_curve::AssignedStages};
use muster_gates::foreign::{
    AssignedLimbs, ForeignChip,
    Operand::{self, Constant, Element},
};
use muster_schemes::{
    curve::pairing::{
        walk::{Kind, Step},
        BasePoint, Pair, PairingCurve, Parameters, TwistPoint,
    },
    hash::to_curve::Bls12381G2,
};

/// A point of the curve, not the identity. Its coordinates are not canonical. Nothing is known of its order, which over
/// BLS12-381 need not divide `r`: `(0, 2)` has order 3, and its pairings are 1.
#[derive(Clone, Debug)]
pub struct AssignedBasePoint {
    coordinates: [AssignedLimbs; 2],
    curve: PairingCurve,
}

impl AssignedBasePoint {
    /// Witnesses a point on the curve.
    ///
    /// # Panics
    /// If a coordinate has more bits than an element of the gate, which is as long as the prime.
    pub fn new(chip: &ForeignChip, equations: &PairingEquations, point: &BasePoint) -> Self {
        let coordinates = point.each_ref().map(|coordinate| element(chip, coordinate));
        Self::of(chip, equations, coordinates)
    }

    /// The point with these coordinates, which are constrained to be those of one on the curve.
    pub fn of(
        chip: &ForeignChip,
        equations: &PairingEquations,
        coordinates: [AssignedLimbs; 2],
    ) -> Self {
        let arithmetic = Arithmetic { chip, equations };
        let [x, y] = coordinates.each_ref().map(Element);
        let square = arithmetic.product(x, x);
        chip.relate(&equations.on_curve, &[y, y, Element(&square), x], &BigUint::ZERO);
        Self::known(equations, coordinates)
    }

    /// The point with these coordinates, which was computed on the curve.
    pub(super) fn known(equations: &PairingEquations, coordinates: [AssignedLimbs; 2]) -> Self {
        Self { coordinates, curve: equations.curve() }
    }

    /// The curve.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[AssignedLimbs; 2] {
        &self.coordinates
    }

    /// The point that the coordinates claim to be, reduced modulo the prime.
    pub(super) fn point(&self, p: &BigUint) -> BasePoint {
        self.coordinates.each_ref().map(|coordinate| coordinate.value() % p)
    }
}

/// A point of the twist, not the identity. Its coordinates are not canonical, and nothing is known of its order.
#[derive(Clone, Debug)]
pub struct AssignedTwistPoint {
    coordinates: [AssignedPair; 2],
    curve: PairingCurve,
}

/// A point of the twist in the subgroup, not the identity. That it is in the subgroup is shown with a product of which it is
/// a part: only [`assert_product_is_one`](super::assert_product_is_one) hands it out, together with its verdict.
#[derive(Clone, Debug)]
pub struct AssignedSubgroupPoint(AssignedTwistPoint);

impl AssignedSubgroupPoint {
    /// The coordinates.
    pub fn coordinates(&self) -> &[[AssignedLimbs; 2]; 2] {
        &self.0.coordinates
    }
}

/// The path of a point of the twist.
#[derive(Clone, Debug)]
pub(super) struct AssignedWalk {
    pub(super) steps: Vec<AssignedStep>,
    /// What is added after the loop, by the power of `ψ`.
    pub(super) images: Vec<(usize, [AssignedPair; 2])>,
}

/// A step of a walk.
#[derive(Clone, Debug)]
pub(super) struct AssignedStep {
    pub(super) kind: Kind,
    pub(super) from: [AssignedPair; 2],
    pub(super) slope: AssignedPair,
}

impl AssignedTwistPoint {
    /// Witnesses a point on the twist.
    ///
    /// # Panics
    /// If a coordinate has more bits than an element of the gate, which is as long as the prime.
    pub fn new(chip: &ForeignChip, equations: &PairingEquations, point: &TwistPoint) -> Self {
        let pair = |pair: &Pair| pair.each_ref().map(|part| element(chip, part));
        Self::of(chip, equations, point.each_ref().map(pair))
    }

    /// The point with these coordinates, which are constrained to be those of one on the twist.
    pub fn of(
        chip: &ForeignChip,
        equations: &PairingEquations,
        [x, y]: [[AssignedLimbs; 2]; 2],
    ) -> Self {
        let arithmetic = Arithmetic { chip, equations };
        let w = arithmetic.square(&x);
        let [[x0, x1], [y0, y1], [w0, w1]] = [&x, &y, &w].map(|pair| pair.each_ref().map(Element));
        let [re, im] = &equations.on_twist;
        chip.relate(re, &[y0, y1, w0, x0, w1, x1], &BigUint::ZERO);
        chip.relate(im, &[y0, y1, w0, x1, w1, x0], &BigUint::ZERO);
        Self { coordinates: [x, y], curve: equations.curve() }
    }

    /// The hash of a message to the twist of BLS12-381.
    ///
    /// # Panics
    /// If the equations are those of another curve.
    pub fn hashed_to_bls12381(
        equations: &PairingEquations,
        stages: &AssignedStages<Bls12381G2, 2>,
    ) -> Self {
        let curve = equations.curve();
        assert_eq!(curve, PairingCurve::Bls12381, "the hash is one to this curve");
        Self { coordinates: stages.point().clone(), curve }
    }

    /// The curve of which it is the twist.
    pub fn curve(&self) -> PairingCurve {
        self.curve
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[[AssignedLimbs; 2]; 2] {
        &self.coordinates
    }

    /// The point that the coordinates claim to be, reduced modulo the prime.
    pub(super) fn point(&self, p: &BigUint) -> TwistPoint {
        let number = |pair: &AssignedPair| pair.each_ref().map(|part| part.value() % p);
        self.coordinates.each_ref().map(number)
    }

    /// Goes through the loop, and shows by where it ends that the point is in the subgroup. The steps are hints.
    pub(super) fn walk(
        &self,
        arithmetic: &Arithmetic,
        native: &[Step],
    ) -> (AssignedWalk, AssignedSubgroupPoint) {
        let parameters = arithmetic.equations.curve().parameters();
        let images = parameters.images.iter().map(|(power, _)| {
            let coordinates = [0, 1].map(|i| arithmetic.image(parameters, self, (*power, i)));
            (*power, coordinates)
        });
        let images: Vec<_> = images.collect();
        let mut steps: Vec<AssignedStep> = vec![];
        let mut from = self.coordinates.clone();
        let mut slope = native[0].slope.each_ref().map(|part| element(arithmetic.chip, part));
        for (i, step) in native.iter().enumerate() {
            let addend = match step.kind {
                Kind::Double => None,
                Kind::Add { is_negative } => Some((&self.coordinates, is_negative)),
                Kind::AddImage { power, is_negative } => {
                    let image = images.iter().find(|(known, _)| *known == power);
                    Some((&image.expect("all images are there").1, is_negative))
                }
            };
            let next = native.get(i + 1).map(|next| &next.slope);
            let (sum, next) = arithmetic.step(&from, &slope, addend, step, next);
            steps.push(AssignedStep { kind: step.kind, from, slope });
            (from, slope) = (sum, next);
        }
        arithmetic.assert_closes(parameters, self, &from);
        (AssignedWalk { steps, images }, AssignedSubgroupPoint(self.clone()))
    }
}

impl Arithmetic<'_> {
    #[track_caller]
    fn square(&self, pair: &AssignedPair) -> AssignedPair {
        let [re, im] = pair.each_ref().map(Element);
        let [for_re, for_im] = &self.equations.square;
        let value = self.value(&[(1, re, re), (-1, im, im)], &[], 0);
        let square = self.chip.relate(for_re, &[re, im], &value);
        let value = self.value(&[(2, re, im)], &[], 0);
        [square, self.chip.relate(for_im, &[re, im], &value)]
    }

    /// The sum that a step leads to, and the next step's slope, which is not constrained yet: it is the result of the
    /// blocks that constrain this step's slope, which leave their own results free.
    pub(super) fn step(
        &self,
        from: &[AssignedPair; 2],
        slope: &AssignedPair,
        addend: Option<(&[AssignedPair; 2], bool)>,
        native: &Step,
        next: Option<&Pair>,
    ) -> ([AssignedPair; 2], AssignedPair) {
        let (chip, equations) = (self.chip, self.equations);
        let next = next.cloned().unwrap_or_default();
        let [[x0, x1], [y0, y1]] = from.each_ref().map(|pair| pair.each_ref().map(Element));
        let [l0, l1] = slope.each_ref().map(Element);
        let next = match addend {
            None => {
                let [re, im] = &equations.tangent;
                [
                    chip.relate(re, &[x0, x1, l0, y0, l1, y1], &next[0]),
                    chip.relate(im, &[x0, x1, l0, y1, l1, y0], &next[1]),
                ]
            }
            Some(([other_x, other_y], is_negative)) => {
                let [a0, a1] = other_x.each_ref().map(Element);
                let differences = [(x0, a0), (x1, a1)].map(|(x, a)| self.difference(x, a));
                let [d0, d1] = differences.each_ref().map(Element);
                let [b0, b1] = other_y.each_ref().map(Element);
                let [re, im] = &equations.chord[usize::from(is_negative)];
                [
                    chip.relate(re, &[y0, b0, l0, d0, l1, d1], &next[0]),
                    chip.relate(im, &[y1, b1, l0, d1, l1, d0], &next[1]),
                ]
            }
        };
        let [new_x, new_y] = &native.sum;
        let (equation, others) = match addend {
            None => (&equations.doubled, [vec![x0], vec![x1]]),
            Some(([other, _], _)) => {
                let [a0, a1] = other.each_ref().map(Element);
                (&equations.added, [vec![x0, a0], vec![x1, a1]])
            }
        };
        let [for_re, for_im] = others.map(|others| [vec![l0, l1], others].concat());
        let re = chip.relate(&equation[0], &for_re, &new_x[0]);
        let im = chip.relate(&equation[1], &for_im, &new_x[1]);
        let [for_re, for_im] = &equations.height;
        let mut cursor = chip.below(&[&re, &im]);
        let sum_y = [
            cursor.relate(for_re, &[y0, y0, l0, x0, l1, x1], &new_y[0]),
            cursor.relate(for_im, &[y1, y1, l0, x1, l1, x0], &new_y[1]),
        ];
        ([[re, im], sum_y], next)
    }

    #[track_caller]
    fn difference(&self, a: Operand, b: Operand) -> AssignedLimbs {
        let value = self.value(&[], &[(1, a), (-1, b)], 0);
        self.chip.relate(&self.equations.difference, &[a, b], &value)
    }

    /// The factors of both parts of a coordinate in each part of its image.
    fn image_factors(parameters: &Parameters, (power, coordinate): (usize, usize)) -> [Pair; 2] {
        let [re, im] = &parameters.images_of[power - 1][coordinate];
        let negative = |part: &BigUint| (&parameters.p - part) % &parameters.p;
        if power % 2 == 1 {
            [[re.clone(), im.clone()], [im.clone(), negative(re)]]
        } else {
            [[re.clone(), negative(im)], [im.clone(), re.clone()]]
        }
    }

    /// A coordinate of `ψⁱ(Q)`.
    fn image(
        &self,
        parameters: &Parameters,
        point: &AssignedTwistPoint,
        (power, coordinate): (usize, usize),
    ) -> AssignedPair {
        let [re, im] = point.coordinates[coordinate].each_ref().map(Element);
        let factors = Self::image_factors(parameters, (power, coordinate));
        factors
            .each_ref()
            .map(|[of_re, of_im]| self.products([re, Constant(of_re), im, Constant(of_im)]))
    }

    /// Constrains the end of a walk to be `-ψⁱ(Q)`.
    pub(super) fn assert_closes(
        &self,
        parameters: &Parameters,
        point: &AssignedTwistPoint,
        end: &[AssignedPair; 2],
    ) {
        for (coordinate, equation) in self.equations.closing.iter().enumerate() {
            let [re, im] = point.coordinates[coordinate].each_ref().map(Element);
            let factors = Self::image_factors(parameters, (parameters.closing, coordinate));
            for (part, [of_re, of_im]) in end[coordinate].iter().zip(&factors) {
                let operands = [re, Constant(of_re), im, Constant(of_im), Element(part)];
                self.chip.relate(equation, &operands, &BigUint::ZERO);
            }
        }
    }
}
