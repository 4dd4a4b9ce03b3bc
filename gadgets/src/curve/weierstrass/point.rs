//! A point, its odd multiples, and their images under the endomorphism.

use num_bigint::BigUint;

use super::{Beta, CurveEquations};
use crate::field::foreign::integer::element;
use muster_gates::foreign::{
    AssignedLimbs,
    Coordinate::{Constant, Element},
    Cursor, ForeignChip, Operand,
};
use muster_schemes::curve::weierstrass::Curve;

/// Entries of a table: the multiples by 1, 3, …, 15.
pub(super) const ENTRIES: usize = 8;

/// Affine coordinates of a witness, not checked.
pub(super) type Pair = (BigUint, BigUint);

/// Multiples that digits can look up.
#[derive(Clone, Debug)]
pub struct AssignedTable {
    /// Its number in the lookup.
    pub(super) number: usize,
    /// The multiples by 1, 3, …, 15.
    pub(super) entries: Vec<Pair>,
}

/// A point of the curve, not the identity, and its table.
#[derive(Clone, Debug)]
pub struct AssignedPoint {
    coordinates: [AssignedLimbs; 2],
    multiples: Vec<[AssignedLimbs; 2]>,
    table: AssignedTable,
}

/// A slope, and the sum that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) slope: BigUint,
    pub(super) sum: Pair,
}

/// Arithmetic of hints: quotients whose divisor is 0 are 0, since a prover may hint what it likes.
pub(super) struct Hints(pub(super) Curve);

impl Hints {
    fn less(&self, a: &BigUint, b: &BigUint) -> BigUint {
        let p = self.0.p();
        (a + (p - b % p)) % p
    }

    /// Twice a point.
    pub(super) fn doubled(&self, point: &Pair) -> Step {
        let slope = self.tangent(point);
        let sum = self.third(&slope, point, &point.0);
        Step { slope, sum }
    }

    /// The sum of two points that do not [meet](Self::meet).
    pub(super) fn added(&self, point: &Pair, addend: &Pair) -> Step {
        let slope = self.chord(point, addend);
        let sum = self.third(&slope, point, &addend.0);
        Step { slope, sum }
    }

    /// Whether two points have the same first coordinate.
    pub(super) fn meet(&self, (x1, _): &Pair, (x2, _): &Pair) -> bool {
        self.less(x1, x2) == BigUint::ZERO
    }

    fn tangent(&self, (x, y): &Pair) -> BigUint {
        let inverse = (y << 1u8).modinv(self.0.p()).unwrap_or_default();
        (x * x * 3u8 + self.0.a()) * inverse % self.0.p()
    }

    fn chord(&self, (x1, y1): &Pair, (x2, y2): &Pair) -> BigUint {
        let inverse = self.less(x1, x2).modinv(self.0.p()).unwrap_or_default();
        self.less(y1, y2) * inverse % self.0.p()
    }

    /// The reflected third point of the line through `(x₁, y₁)` and a point at `x₂`.
    fn third(&self, slope: &BigUint, (x1, y1): &Pair, x2: &BigUint) -> Pair {
        let x = self.less(&(slope * slope), &(x1 + x2));
        let y = self.less(&(slope * self.less(x1, &x)), y1);
        (x, y)
    }

    pub(super) fn negated(&self, y: &BigUint) -> BigUint {
        self.less(&BigUint::ZERO, y)
    }
}

impl AssignedTable {
    /// The odd multiples of a constant point, in the operands of blocks to come.
    ///
    /// # Panics
    /// If the point is the identity.
    pub fn constant(chip: &ForeignChip, curve: Curve, point: &Pair) -> Self {
        let (number, parameters) = (chip.table(), curve.parameters());
        let doubled = parameters.double(&Some(point.clone()));
        let next = |entry: &Pair| parameters.add(&Some(entry.clone()), &doubled);
        let entries = std::iter::successors(Some(point.clone()), next).take(ENTRIES);
        let entries: Vec<_> = entries.collect();
        for ((x, y), digit) in entries.iter().zip((1..).step_by(2)) {
            chip.enter((number, digit), [Constant(x), Constant(y)]);
        }
        Self { number, entries }
    }
}

impl AssignedPoint {
    /// Witnesses a point: on the curve, and not the identity, which has no coordinates. Its
    /// coordinates are not canonical.
    pub fn new(chip: &ForeignChip, equations: &CurveEquations, point: &Pair) -> Self {
        Self::doubled(chip, equations, point, 0)
    }

    /// The same for a given point that is doubled `times` times. There is no such double if its order
    /// divides `2^times`.
    pub fn doubled(
        chip: &ForeignChip,
        equations: &CurveEquations,
        (x, y): &Pair,
        times: usize,
    ) -> Self {
        let (curve, hints) = (equations.curve(), Hints(equations.curve()));
        let w = (x * x + curve.a()) % curve.p();
        let w = element(chip, &w);
        let mut cursor = chip.below(&[&w]);
        let x = cursor.relate(&equations.first_coordinate, &[], x);
        let y = cursor.relate(&equations.second_coordinate, &[], y);
        let mut coordinates = [x, y];
        for _ in 0..times {
            let step = hints.doubled(&pair(&coordinates));
            coordinates = double(&mut cursor, equations, &step);
        }
        Self::with_multiples(chip, equations, coordinates)
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &[AssignedLimbs; 2] {
        &self.coordinates
    }

    /// Its multiples.
    pub fn table(&self) -> &AssignedTable {
        &self.table
    }

    /// Adds `2P` seven times to `P`, whose coordinates are the two blocks above. No `dP` with `d` odd and
    /// below 15 has the first coordinate of `2P`: then `d + 2` or `d - 2`, which is odd and below 17, would be a
    /// multiple of the order of `P`. That is none of 3, 5, …, 15, since no order of a group here has such
    /// a factor, and 1 is the order of the identity alone. A point of order 2 cannot be doubled.
    fn with_multiples(
        chip: &ForeignChip,
        equations: &CurveEquations,
        coordinates: [AssignedLimbs; 2],
    ) -> Self {
        let (number, hints) = (chip.table(), Hints(equations.curve()));
        let enter = |digit, [x, y]: &[AssignedLimbs; 2]| {
            chip.enter((number, digit), [Element(x), Element(y)]);
        };
        enter(1, &coordinates);
        let mut cursor = chip.below(&[&coordinates[0], &coordinates[1]]);
        let doubled = double(&mut cursor, equations, &hints.doubled(&pair(&coordinates)));
        let mut multiples = vec![coordinates.clone()];
        let mut sum = pair(&doubled);
        for digit in (3..).step_by(2).take(ENTRIES - 1) {
            // 3P = 2P + P, then each odd multiple is the one before and 2P.
            let [x, y] = if digit == 3 { &coordinates } else { &doubled };
            let addend = (x.value().clone(), y.value().clone());
            let step = hints.added(&sum, &addend);
            let operands = [Operand::Element(x), Operand::Element(y)];
            cursor.relate(&equations.chord, &operands, &step.slope);
            sum = step.sum;
            let x = cursor.relate(&equations.added, &[], &sum.0);
            let y = cursor.relate(&equations.height, &[], &sum.1);
            let multiple = [x, y];
            enter(digit, &multiple);
            multiples.push(multiple);
        }
        let entries = multiples.iter().map(pair).collect();
        Self { coordinates, multiples, table: AssignedTable { number, entries } }
    }

    /// The table of the images of the multiples under the endomorphism.
    ///
    /// # Panics
    /// If the curve has none.
    pub fn images(
        &self,
        chip: &ForeignChip,
        equations: &CurveEquations,
        beta: &Beta,
    ) -> AssignedTable {
        let (number, beta) = (chip.table(), beta.limbs());
        let entry = |([x, y], digit): (&[AssignedLimbs; 2], u8)| {
            let image = x.value() * beta.value() % equations.curve().p();
            let operands = [Operand::Element(x), Operand::Element(beta)];
            let image = chip.relate(&equations.multiply, &operands, &image);
            chip.enter((number, digit), [Element(&image), Element(y)]);
            (image.value().clone(), y.value().clone())
        };
        let entries = self.multiples.iter().zip((1..).step_by(2)).map(entry).collect();
        AssignedTable { number, entries }
    }
}

fn pair([x, y]: &[AssignedLimbs; 2]) -> Pair {
    (x.value().clone(), y.value().clone())
}

/// Twice the point whose coordinates are the two blocks above. A point with `y = 0` has none: `3x² + a`
/// is not 0 there, since the curve has no singular point.
#[track_caller]
pub(super) fn double(
    cursor: &mut Cursor,
    equations: &CurveEquations,
    Step { slope, sum: (x, y) }: &Step,
) -> [AssignedLimbs; 2] {
    cursor.relate(&equations.tangent, &[], slope);
    [cursor.relate(&equations.doubled, &[], x), cursor.relate(&equations.height, &[], y)]
}
