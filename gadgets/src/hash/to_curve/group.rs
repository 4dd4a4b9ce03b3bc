//! Sums of points of a curve `y² = x³ + b` without a point of order 2. Callers pass in coordinates of points on it.

use ff::Field;
use num_bigint::BigUint;

use super::extension::{hints, value, Extension};
use crate::field::foreign::script::{At, Script, Var};
use muster_gates::foreign::{AssignedLimbs, Form, Source::Result};

/// Both coordinates of a point.
pub type AssignedPoint<const D: usize> = [[AssignedLimbs; D]; 2];

/// A point in a script: not the identity, which has no coordinates.
pub(super) type Point<const D: usize> = [[Var; D]; 2];

/// What is still to be constrained of the last slope, in a relation whose result is the first coordinate of
/// the next.
type Pending = Box<dyn Fn(At) -> Form>;

/// Additions and doublings one after another, up to [`Self::finish`]. It panics if dropped before that, since a
/// constraint would be missing.
pub(super) struct Sums<'s, 'a, F> {
    script: &'s mut Script<'a>,
    pending: Option<Pending>,
    field: std::marker::PhantomData<F>,
}

impl<'s, 'a, F> Sums<'s, 'a, F> {
    pub(super) fn new(script: &'s mut Script<'a>) -> Self {
        Self { script, pending: None, field: std::marker::PhantomData }
    }

    pub(super) fn script(&mut self) -> &mut Script<'a> {
        self.script
    }

    /// Records what is still to be constrained.
    pub(super) fn finish(mut self) {
        self.say();
    }

    fn say(&mut self) {
        if let Some(pending) = self.pending.take() {
            self.script.assert_zero(|at| pending(at));
        }
    }

    /// The element for which these forms of its coordinates vanish, with a hint of it. If there are two coordinates,
    /// the second form determines the second one, and the first form is left pending.
    fn solved<const D: usize>(
        &mut self,
        hint: F,
        forms: impl Fn(At, [Form; D]) -> [Form; D] + 'static,
    ) -> [Var; D]
    where
        F: Extension<D>,
    {
        let hints: [BigUint; D] = hints(hint);
        if D == 1 {
            return each(|i| {
                self.script.hinted(&hints[i], |at| forms(at, each(|_| Result.into()))[i].clone())
            });
        }
        assert_eq!(D, 2, "extensions are quadratic");
        let first = match self.pending.take() {
            Some(pending) => self.script.free_beside(&hints[0], |at| pending(at)),
            None => self.script.free(&hints[0]),
        };
        let second = self.script.hinted(&hints[1], |at| {
            let element = each(|i| if i == 0 { at(first).into() } else { Result.into() });
            forms(at, element)[1].clone()
        });
        let element = each(|i| if i == 0 { first } else { second });
        self.pending = Some(Box::new(move |at| forms(at, self::forms(at, element))[0].clone()));
        element
    }

    /// Twice a point.
    pub(super) fn double<const D: usize>(&mut self, [x, y]: Point<D>) -> Point<D>
    where
        F: Extension<D>,
    {
        let [at_x, at_y]: [F; 2] = [x, y].map(|one| value(self.script, one));
        let slope = at_x.square() * F::from_small(3) * inverse(at_y.double());
        let slope = self.solved(slope, move |at, slope| {
            let twice = y.map(|part| 2 * at(part));
            let square = F::multiplied(forms(at, x), forms(at, x)).map(|part| 3 * part);
            difference(F::multiplied(slope, twice), square)
        });
        self.through(slope, [x, y], x)
    }

    /// The sum of points whose first coordinates differ, the second point with this sign. There is no sum of others.
    ///
    /// The difference has an inverse. It is computed below the sum, so that the next step is near what it reads.
    pub(super) fn add<const D: usize>(
        &mut self,
        [x, y]: Point<D>,
        [x2, y2]: Point<D>,
        sign: i64,
    ) -> Point<D>
    where
        F: Extension<D>,
    {
        // What it refers to is not far above yet.
        self.say();
        let [b, b2]: [F; 2] = [y, y2].map(|one| value(self.script, one));
        let way = each(|i| self.script.result(|at| at(x2[i]) - at(x[i])));
        let over = inverse(value(self.script, way));
        let rise = if sign < 0 { -b2 - b } else { b2 - b };
        let slope = self.solved(rise * over, move |at, slope| {
            let rise = each(|i| sign * at(y2[i]) - at(y[i]));
            difference(F::multiplied(slope, forms(at, way)), rise)
        });
        let sum = self.through(slope, [x, y], x2);
        self.solved(over, move |at, inverse| F::minus_one(F::multiplied(inverse, forms(at, way))));
        sum
    }

    /// The reflected third point of the line with a slope through a point and one whose first coordinate is given.
    fn through<const D: usize>(
        &mut self,
        slope: [Var; D],
        [x, y]: Point<D>,
        x2: [Var; D],
    ) -> Point<D>
    where
        F: Extension<D>,
    {
        let new_x = each(|i| {
            self.script.result(|at| {
                let square = F::multiplied(forms(at, slope), forms(at, slope));
                square[i].clone() - at(x[i]) - at(x2[i])
            })
        });
        let new_y = each(|i| {
            self.script.result(|at| {
                let way = difference(forms(at, x), forms(at, new_x));
                F::multiplied(forms(at, slope), way)[i].clone() - at(y[i])
            })
        });
        [new_x, new_y]
    }

    /// The multiple of a point by a number whose upper two bits are 1, and twice the point.
    pub(super) fn multiple<const D: usize>(&mut self, point: Point<D>, number: u64) -> [Point<D>; 2]
    where
        F: Extension<D>,
    {
        let lower = (u64::BITS - number.leading_zeros()).saturating_sub(2);
        assert_eq!(number >> lower, 3, "the first doubling is of the point itself");
        let twice = self.double(point);
        let mut sum = self.add(twice, point, 1);
        for bit in (0..lower).rev() {
            sum = self.double(sum);
            if number >> bit & 1 == 1 {
                sum = self.add(sum, point, 1);
            }
        }
        [sum, twice]
    }
}

impl<F> Drop for Sums<'_, '_, F> {
    fn drop(&mut self) {
        let is_said = self.pending.is_none() || std::thread::panicking();
        assert!(is_said, "sums are finished");
    }
}

/// One value for each coordinate.
fn each<T, const D: usize>(mut of: impl FnMut(usize) -> T) -> [T; D] {
    let mut number = 0..D;
    [(); D].map(|()| of(number.next().expect("as many coordinates")))
}

/// The inverse, or 0 of 0. All elements are 0 while a layout is planned, and to find that 0 has no inverse takes as long as to
/// find one.
fn inverse<F: Field>(element: F) -> F {
    if bool::from(element.is_zero()) {
        return F::ZERO;
    }
    element.invert().expect("it is not 0")
}

pub(super) fn forms<const D: usize>(at: At, element: [Var; D]) -> [Form; D] {
    element.map(|part| at(part).into())
}

fn difference<const D: usize>(a: [Form; D], b: [Form; D]) -> [Form; D] {
    let mut b = b.into_iter();
    a.map(|part| part - b.next().expect("as many coordinates"))
}
