//! Sums of many multiples by buckets (Pippenger; Bernstein, Doumen, Lange, Oosterwijk, "Faster batch
//! forgery identification", ePrint 2012/549, section 4).
//!
//! The sum is taken on the isomorphic curve -x² + y² = 1 + d'·x²·y², with x scaled by √(-a) and
//! d' = -d/a: there an addition of a prepared affine point takes seven multiplications. -1 and a are
//! squares and d is not, so d' is not one either, and the addition is complete there too.

use std::sync::LazyLock;

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::point::{batch_normalize, AffinePoint, Point, A, D};
use super::scalar::Scalar;

/// Bits of a scalar, which is below 2^251, and one for the last carry.
const BITS: usize = 252;
/// Multiplications of field elements for an addition of a prepared point, and for any other.
const MIXED: usize = 7;
const FULL: usize = 9;

/// The constants of the isomorphic curve.
struct Twist {
    /// √(-a).
    root: Fr,
    /// Its inverse.
    inverse: Fr,
    /// 2·d'.
    k: Fr,
}

static TWIST: LazyLock<Twist> = LazyLock::new(|| {
    let root = (-A).sqrt().into_option().expect("-1 and a are squares");
    let inverse = root.invert().into_option().expect("a is not zero");
    // d' = -d/a, and the root's square is -a.
    Twist { root, inverse, k: (D * inverse.square()).double() }
});

/// An affine point of the isomorphic curve as y - x, y + x and 2·d'·x·y.
#[derive(Clone, Copy)]
struct Prepared {
    difference: Fr,
    sum: Fr,
    product: Fr,
}

impl Prepared {
    fn new(point: &AffinePoint) -> Self {
        let (x, y) = (point.x() * TWIST.root, point.y());
        Self { difference: y - x, sum: y + x, product: TWIST.k * x * y }
    }

    fn negated(&self) -> Self {
        Self { difference: self.sum, sum: self.difference, product: -self.product }
    }
}

/// A point of the isomorphic curve in extended coordinates.
#[derive(Clone, Copy)]
struct Twisted {
    x: Fr,
    y: Fr,
    z: Fr,
    t: Fr,
}

impl Twisted {
    const IDENTITY: Self = Self { x: Fr::ZERO, y: Fr::ONE, z: Fr::ONE, t: Fr::ZERO };

    /// X = E·F, Y = G·H, Z = F·G, T = E·H with E = b - a, F = d - c, G = d + c, H = b + a.
    fn from_terms(a: Fr, b: Fr, c: Fr, d: Fr) -> Self {
        let (e, f, g, h) = (b - a, d - c, d + c, b + a);
        Self { x: e * f, y: g * h, z: f * g, t: e * h }
    }

    fn add_prepared(&self, other: &Prepared) -> Self {
        let a = (self.y - self.x) * other.difference;
        let b = (self.y + self.x) * other.sum;
        Self::from_terms(a, b, self.t * other.product, self.z.double())
    }

    fn add(&self, other: &Self) -> Self {
        let a = (self.y - self.x) * (other.y - other.x);
        let b = (self.y + self.x) * (other.y + other.x);
        Self::from_terms(a, b, self.t * TWIST.k * other.t, (self.z * other.z).double())
    }

    fn double(&self) -> Self {
        let (xx, yy) = (self.x.square(), self.y.square());
        let e = (self.x + self.y).square() - xx - yy;
        let (g, h) = (yy - xx, -xx - yy);
        let f = g - self.z.square().double();
        Self { x: e * f, y: g * h, z: f * g, t: e * h }
    }

    /// The point of Baby Jubjub itself: x and x·y lose the factor √(-a).
    fn untwist(&self) -> Point {
        let inverse = TWIST.inverse;
        Point::from_extended(self.x * inverse, self.y, self.z, self.t * inverse)
    }
}

/// The sum of scalar times point over all pairs, in time that depends on the scalars.
pub(super) fn msm_vartime(pairs: &[(Scalar, Point)]) -> Point {
    let width = width(pairs.len());
    let windows = BITS.div_ceil(width);
    let points: Vec<Point> = pairs.iter().map(|(_, point)| *point).collect();
    let points: Vec<_> = batch_normalize(&points).iter().map(Prepared::new).collect();
    let digits: Vec<_> =
        pairs.iter().flat_map(|(scalar, _)| signed_digits(scalar, width, windows)).collect();
    let mut buckets = vec![Twisted::IDENTITY; 1 << (width - 1)];
    let mut sum = Twisted::IDENTITY;
    for window in (0..windows).rev() {
        for _ in 0..width {
            sum = sum.double();
        }
        let row = digits.iter().skip(window).step_by(windows);
        sum = sum.add(&add_window(&mut buckets, &points, row));
    }
    sum.untwist()
}

/// The sum of digit times point. Buckets are left empty.
fn add_window<'a>(
    buckets: &mut [Twisted],
    points: &[Prepared],
    digits: impl Iterator<Item = &'a i16>,
) -> Twisted {
    for (point, digit) in points.iter().zip(digits) {
        let Some(bucket) = usize::from(digit.unsigned_abs()).checked_sub(1) else { continue };
        let point = if *digit < 0 { point.negated() } else { *point };
        buckets[bucket] = buckets[bucket].add_prepared(&point);
    }
    // Bucket b is counted b + 1 times: once for each running sum that it is in.
    let (mut running, mut total) = (Twisted::IDENTITY, Twisted::IDENTITY);
    for bucket in buckets.iter_mut().rev() {
        running = running.add(bucket);
        total = total.add(&running);
        *bucket = Twisted::IDENTITY;
    }
    total
}

/// The width of windows with the fewest multiplications.
fn width(points: usize) -> usize {
    let cost = |w: &usize| BITS.div_ceil(*w) * (points * MIXED + (1 << w) * FULL);
    (3..=13).min_by_key(cost).expect("the range is not empty")
}

/// Digits between -2^(w-1) and 2^(w-1), least significant first.
fn signed_digits(scalar: &Scalar, width: usize, windows: usize) -> Vec<i16> {
    let bytes = scalar.to_repr().0;
    let bit = |i: usize| bytes.get(i / 8).map_or(0, |byte| i16::from(byte >> (i % 8) & 1));
    let mut carry = 0;
    let digit = |window: usize| {
        let value = (0..width).rev().fold(0, |acc, i| acc << 1 | bit(window * width + i)) + carry;
        carry = i16::from(value > 1 << (width - 1));
        value - (carry << width)
    };
    (0..windows).map(digit).collect()
}
