//! Sums of many multiples over secp256k1 and P-256: buckets of affine points.
//!
//! An addition of affine points takes six multiplications if inversions are shared, half of what
//! a complete one takes. So the buckets of many windows are filled at once: as long as one has
//! more than one point, neighbours in all of them are added, with one inversion for the round.
//! The crates' points have no public coordinates but the affine ones, and their fields are not
//! public, so the arithmetic is that of halo2curves.

use std::ops::Range;

use ff::{BatchInvert, Field, PrimeField};
use frost_core::{Element, Scalar};
use halo2curves::{
    group::{Curve, Group},
    Coordinates, CurveAffine,
};
use k256::elliptic_curve::{
    sec1::{self, EncodedPoint, FromEncodedPoint, ModulusSize, ToEncodedPoint},
    CurveArithmetic, FieldBytesSize,
};

use super::{
    msm::{self, signed, significant},
    Suite,
};

/// Multiplications for an addition of affine points, and for one of others.
const AFFINE: usize = 6;
const COMPLETE: usize = 12;
/// Points in buckets at once, but for windows that alone have more.
const AT_ONCE: usize = 1 << 16;

/// Below that the points' tables are cheaper.
const FEW: usize = 48;

/// The sum of scalar times point over all pairs, in variable time. `E` is the suite's curve, `H` the
/// same one of halo2curves; `normalize` gives the affine coordinates of points.
pub(super) fn msm<C, E, H>(
    scalars: &[Scalar<C>],
    points: &[Element<C>],
    normalize: impl FnOnce(&[Element<C>]) -> Vec<E::AffinePoint>,
) -> Element<C>
where
    C: Suite,
    C::Group: frost_core::Group<Element = E::ProjectivePoint>,
    E: CurveArithmetic,
    E::AffinePoint: ToEncodedPoint<E> + FromEncodedPoint<E>,
    FieldBytesSize<E>: ModulusSize,
    H: CurveAffine,
{
    if points.len() < FEW {
        return msm::generic::<C>(scalars, points);
    }
    let points: Vec<H> = normalize(points)
        .iter()
        .map(|point| read::<E, H>(&point.to_encoded_point(false)))
        .collect();
    write::<E, H>(sum(&msm::little_endian::<C>(scalars), &points).to_affine())
}

/// The coordinates of a point other than the identity, of which the library says (0, 0).
fn coordinates<H: CurveAffine>(point: &H) -> Option<(H::Base, H::Base)> {
    let found = Option::<Coordinates<H>>::from(point.coordinates())?;
    (!bool::from(point.is_identity())).then(|| (*found.x(), *found.y()))
}

/// The point in the other library's coordinates.
fn read<E, H>(point: &EncodedPoint<E>) -> H
where
    E: CurveArithmetic,
    FieldBytesSize<E>: ModulusSize,
    H: CurveAffine,
{
    let base = |bytes: &[u8]| {
        let mut repr = <H::Base as PrimeField>::Repr::default();
        repr.as_mut().iter_mut().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
        H::Base::from_repr(repr).into_option()
    };
    match point.coordinates() {
        sec1::Coordinates::Uncompressed { x, y } => base(x)
            .zip(base(y))
            .and_then(|(x, y)| H::from_xy(x, y).into_option())
            .expect("both libraries have one curve"),
        _ => H::identity(),
    }
}

fn write<E, H>(point: H) -> E::ProjectivePoint
where
    E: CurveArithmetic,
    E::AffinePoint: FromEncodedPoint<E>,
    FieldBytesSize<E>: ModulusSize,
    H: CurveAffine,
{
    let bytes =
        |value: &H::Base| -> Vec<u8> { value.to_repr().as_ref().iter().rev().copied().collect() };
    let sec1 = match coordinates(&point) {
        None => vec![0],
        Some((x, y)) => [vec![4], bytes(&x), bytes(&y)].concat(),
    };
    let encoded = EncodedPoint::<E>::from_bytes(sec1).expect("a tag and what belongs to it");
    let point = E::AffinePoint::from_encoded_point(&encoded).into_option();
    point.expect("both libraries have one curve").into()
}

/// The sum over all pairs.
fn sum<H: CurveAffine>(scalars: &[Vec<u8>], points: &[H]) -> H::Curve {
    // One bit for the last carry.
    let bits = 8 * scalars.iter().map(|bytes| significant(bytes)).max().unwrap_or(0) + 1;
    let width = width(points.len(), bits);
    let windows = bits.div_ceil(width);
    let digits: Vec<_> = scalars.iter().map(|bytes| signed(bytes, width, windows)).collect();
    let at_once = (AT_ONCE / points.len().max(1)).clamp(1, windows);
    let starts: Vec<_> = (0..windows).step_by(at_once).collect();
    let mut sum = H::Curve::identity();
    for start in starts.into_iter().rev() {
        let range = start..windows.min(start + at_once);
        let mut buckets = Buckets::new(points, &digits, range.clone(), 1 << (width - 1));
        while buckets.add_neighbours(&H::a()) {}
        for window in (0..range.len()).rev() {
            (0..width).for_each(|_| sum = sum.double());
            sum += buckets.weigh::<H>(window);
        }
    }
    sum
}

/// The width of windows with the fewest multiplications.
fn width(points: usize, bits: usize) -> usize {
    let cost = |w: &usize| bits.div_ceil(*w) * (points * AFFINE + (1 << w) * COMPLETE);
    (3..=15).min_by_key(cost).expect("the range is not empty")
}

/// An affine point; the identity has zeros, which are on neither curve.
#[derive(Clone, Copy)]
struct Affine<F> {
    x: F,
    y: F,
}

impl<F: Field> Affine<F> {
    const IDENTITY: Self = Self { x: F::ZERO, y: F::ZERO };

    fn is_identity(&self) -> bool {
        self.x == F::ZERO && self.y == F::ZERO
    }

    /// What the slope of the line through two points is divided by: zero if there is no such line.
    /// The order of the curves is odd: no point is its own inverse.
    fn below(&self, other: &Self) -> F {
        match (self.is_identity() || other.is_identity(), self.x == other.x) {
            (true, _) => F::ZERO,
            (false, true) => self.y + other.y,
            (false, false) => other.x - self.x,
        }
    }

    /// The sum, with the inverse of [`Self::below`] or zero.
    fn add(&self, other: &Self, inverse: &F, a: &F) -> Self {
        if *inverse == F::ZERO {
            return match (self.is_identity(), other.is_identity()) {
                (true, _) => *other,
                (_, true) => *self,
                _ => Self::IDENTITY,
            };
        }
        let above = match self.x == other.x {
            true => self.x.square().double() + self.x.square() + a,
            false => other.y - self.y,
        };
        let slope = above * inverse;
        let x = slope.square() - self.x - other.x;
        Self { x, y: slope * (self.x - x) - self.y }
    }
}

/// The points of each bucket of some windows, one bucket's behind the other's.
struct Buckets<F> {
    points: Vec<Affine<F>>,
    starts: Vec<usize>,
    lengths: Vec<usize>,
    /// Buckets of a window.
    each: usize,
}

impl<F: Field> Buckets<F> {
    fn new<H: CurveAffine<Base = F>>(
        points: &[H],
        digits: &[Vec<i32>],
        windows: Range<usize>,
        each: usize,
    ) -> Self {
        let bucket = |window: usize, digit: i32| {
            let number = (digit.unsigned_abs() as usize).checked_sub(1)?;
            Some((window - windows.start) * each + number)
        };
        let mut lengths = vec![0; windows.len() * each];
        for digits in digits {
            let filled = windows.clone().filter_map(|window| bucket(window, digits[window]));
            filled.for_each(|bucket| lengths[bucket] += 1);
        }
        let mut starts = Vec::with_capacity(lengths.len());
        let total = lengths.iter().fold(0, |total, length| {
            starts.push(total);
            total + length
        });
        let mut buckets = Self { points: vec![Affine::IDENTITY; total], starts, lengths, each };
        let mut next = buckets.starts.clone();
        for (point, digits) in points.iter().zip(digits) {
            // The identity keeps its places, which hold it already.
            let Affine { x, y } =
                coordinates(point).map_or(Affine::IDENTITY, |(x, y)| Affine { x, y });
            for window in windows.clone() {
                let Some(bucket) = bucket(window, digits[window]) else { continue };
                let y = if digits[window] < 0 { -y } else { y };
                buckets.points[next[bucket]] = Affine { x, y };
                next[bucket] += 1;
            }
        }
        buckets
    }

    /// Adds neighbours in all buckets; whether one has still more than one point.
    fn add_neighbours(&mut self, a: &F) -> bool {
        let pairs = |start: usize, length: usize| (start..start + length / 2 * 2).step_by(2);
        let buckets = || self.starts.iter().copied().zip(self.lengths.iter().copied());
        let mut inverses: Vec<_> = buckets()
            .flat_map(|(start, length)| pairs(start, length))
            .map(|first| self.points[first].below(&self.points[first + 1]))
            .collect();
        inverses.iter_mut().batch_invert();
        let mut inverses = inverses.iter();
        for (start, length) in self.starts.iter().zip(&mut self.lengths) {
            let sums = pairs(*start, *length).zip(&mut inverses).enumerate();
            for (number, (first, inverse)) in sums {
                let sum = self.points[first].add(&self.points[first + 1], inverse, a);
                self.points[start + number] = sum;
            }
            if *length % 2 == 1 {
                self.points[start + *length / 2] = self.points[start + *length - 1];
            }
            *length = length.div_ceil(2);
        }
        self.lengths.iter().any(|length| *length > 1)
    }

    /// The sum of a window's buckets: bucket b is counted b + 1 times, once for each running sum that
    /// it is in.
    fn weigh<H: CurveAffine<Base = F>>(&self, window: usize) -> H::Curve {
        let (mut running, mut sum) = (H::Curve::identity(), H::Curve::identity());
        for bucket in (window * self.each..(window + 1) * self.each).rev() {
            if self.lengths[bucket] > 0 {
                let Affine { x, y } = self.points[self.starts[bucket]];
                if !(Affine { x, y }).is_identity() {
                    running += H::from_xy(x, y).expect("sums of points of the curve");
                }
            }
            sum += running;
        }
        sum
    }
}
