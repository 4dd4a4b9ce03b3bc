use halo2curves::{
    bn256::{Fq, G1Affine, G1},
    ff::{Field, WithSmallOrderMulGroup},
    group::{prime::PrimeCurveAffine, Curve},
};

use crate::{
    elements::invert_all,
    lanes::{Points, LANES},
};

/// A point in a line of the processor's caches. Allocators would let each lie in two, and sums fetch points from anywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Point(pub(super) G1Affine);

impl Point {
    /// Points, each in a line.
    pub(super) fn all(points: &[G1Affine]) -> Vec<Self> {
        points.iter().copied().map(Self).collect()
    }
}

/// The places of two points to add; the sum takes the place of the left one. To double a point, both are its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) left: usize,
    pub(super) right: usize,
}

/// Chains of products that grow side by side, as in inversion.
const CHAINS: usize = 4;

/// Adds pairs of points, eight side by side; all share one inversion.
pub(super) struct Round<'a, L> {
    lanes: L,
    points: &'a mut [Point],
    pairs: &'a [Pair],
    /// Whether each pair is a point with itself.
    doubles: bool,
    /// The points in lanes without a pair.
    padding: [G1Affine; 2],
}

impl<'a, L: Points> Round<'a, L> {
    /// A round that adds the points of each pair. No point is in two pairs.
    pub(super) fn new(lanes: L, points: &'a mut [Point], pairs: &'a [Pair]) -> Self {
        // Any two points with different x: x enters the curve's equation only as x³, so a cube root of unity leads to
        // another point.
        let generator = G1Affine::generator();
        let padding = [generator, G1Affine { x: Fq::ZETA, y: generator.y }];
        Self { lanes, points, pairs, doubles: false, padding }
    }

    /// A round that doubles the point of each pair.
    pub(super) fn doubling(lanes: L, points: &'a mut [Point], pairs: &'a [Pair]) -> Self {
        Self { doubles: true, ..Self::new(lanes, points, pairs) }
    }

    /// Writes the sum of each pair.
    pub(super) fn add(mut self) {
        let mut before = Vec::with_capacity(self.pairs.len().div_ceil(LANES));
        let mut products = [[Fq::ONE; LANES]; CHAINS];
        let exceptions = self.lanes.vectorize(
            #[inline(always)]
            || self.multiply_up(&mut before, &mut products),
        );
        invert_all(products.as_flattened_mut());
        let lanes = self.lanes;
        lanes.vectorize(
            #[inline(always)]
            || self.add_down(&before, &products, &exceptions),
        );
        self.add_exceptions(&exceptions);
    }

    /// Multiplies the slopes' denominators: `before` gets the products before each octet, `products` those of
    /// all. Octets that the formula does not fit are left out, and returned.
    #[inline(always)]
    fn multiply_up(
        &self,
        before: &mut Vec<L::Multiplier>,
        products: &mut [[Fq; LANES]; CHAINS],
    ) -> Vec<usize> {
        let lanes = self.lanes;
        let mut running = [lanes.splat(lanes.factor(&Fq::ONE)); CHAINS];
        let mut exceptions = vec![];
        for (i, pairs) in self.pairs.chunks(LANES).enumerate() {
            let running = &mut running[i % CHAINS];
            before.push(*running);
            let Some(denominator) = self.checked_denominator(pairs) else {
                exceptions.push(i);
                continue;
            };
            *running = lanes.chain(*running, lanes.to_multiplier(denominator));
        }
        let one = lanes.load(&[Fq::ONE; LANES]);
        for (running, product) in running.into_iter().zip(products) {
            lanes.store_small(lanes.mul(one, running), product);
        }
        exceptions
    }

    /// Adds, starting with the last octet: `inverses` are those of the products of all.
    #[inline(always)]
    fn add_down(
        &mut self,
        before: &[L::Multiplier],
        inverses: &[[Fq; LANES]; CHAINS],
        exceptions: &[usize],
    ) {
        let lanes = self.lanes;
        let mut running = [lanes.load(&inverses[0]); CHAINS];
        for i in 1..CHAINS {
            running[i] = lanes.load(&inverses[i]);
        }
        let mut exceptions = exceptions.iter().rev().peekable();
        for (i, pairs) in self.pairs.chunks(LANES).enumerate().rev() {
            if exceptions.next_if(|exception| **exception == i).is_some() {
                continue;
            }
            let points = self.load(pairs);
            let running = &mut running[i % CHAINS];
            let inverse = lanes.to_multiplier(lanes.mul(*running, before[i]));
            *running = lanes.mul(*running, lanes.to_multiplier(self.denominator(points)));

            let slope = lanes.mul(self.numerator(points), inverse);
            let factor = lanes.to_multiplier(slope);
            let [[x1, y1], [x2, _]] = points;
            let x = lanes.sub::<1>(lanes.sub::<1>(lanes.mul(slope, factor), x1), x2);
            let y = lanes.sub::<1>(lanes.mul(lanes.sub::<7>(x1, x), factor), y1);
            for (pair, sum) in pairs.iter().zip(lanes.store_points(x, y)) {
                self.points[pair.left] = Point(sum);
            }
        }
    }

    /// Adds the octets that were left out, by the library's complete addition.
    fn add_exceptions(&mut self, exceptions: &[usize]) {
        let octets: Vec<_> = self.pairs.chunks(LANES).collect();
        let pairs: Vec<&Pair> = exceptions.iter().flat_map(|i| octets[*i]).collect();
        let add = |pair: &&Pair| {
            let [left, right] = self.sides(pair);
            left.to_curve() + right
        };
        let projective: Vec<G1> = pairs.iter().map(add).collect();
        let mut affine = vec![G1Affine::default(); pairs.len()];
        G1::batch_normalize(&projective, &mut affine);
        for (pair, sum) in pairs.iter().zip(affine) {
            self.points[pair.left] = Point(sum);
        }
    }

    /// The [denominator](Self::denominator), unless a pair has no slope: with the identity, the only point with x = 0 and the only one with
    /// y = 0, or with the same x twice. Where the points are different, their x are enough.
    #[inline(always)]
    fn checked_denominator(&self, pairs: &[Pair]) -> Option<L::Octet> {
        let lanes = self.lanes;
        if self.doubles {
            let points = self.load(pairs);
            let [[_, y], _] = points;
            return if lanes.has_zero(y) { None } else { Some(self.denominator(points)) };
        }
        let [left, right] = self.all_sides(pairs);
        let (x1, x2) = (lanes.load_x(left), lanes.load_x(right));
        if lanes.has_zero(x1) || lanes.has_zero(x2) || lanes.has_equal(x1, x2) {
            return None;
        }
        Some(lanes.sub::<1>(x2, x1))
    }

    /// The slope is this over the [denominator](Self::denominator): `3x²/2y` for a tangent, `(y₂ − y₁)/(x₂ − x₁)` for
    /// another line. The bound is 6.
    #[inline(always)]
    fn numerator(&self, [[x1, y1], [_, y2]]: [[L::Octet; 2]; 2]) -> L::Octet {
        let lanes = self.lanes;
        if self.doubles {
            let square = lanes.mul(x1, lanes.to_multiplier(x1));
            lanes.add(lanes.add(square, square), square)
        } else {
            lanes.sub::<1>(y2, y1)
        }
    }

    /// The bound is 2.
    #[inline(always)]
    fn denominator(&self, [[x1, y1], [x2, _]]: [[L::Octet; 2]; 2]) -> L::Octet {
        if self.doubles {
            self.lanes.add(y1, y1)
        } else {
            self.lanes.sub::<1>(x2, x1)
        }
    }

    /// Both sides of eight pairs, x and y of each.
    #[inline(always)]
    fn load(&self, pairs: &[Pair]) -> [[L::Octet; 2]; 2] {
        let [left, right] = self.all_sides(pairs);
        let left = self.lanes.load_points(left);
        [left, if self.doubles { left } else { self.lanes.load_points(right) }]
    }

    #[inline(always)]
    fn all_sides(&self, pairs: &[Pair]) -> [[&G1Affine; LANES]; 2] {
        let mut left = [&self.padding[0]; LANES];
        let mut right = [&self.padding[1]; LANES];
        for (lane, pair) in pairs.iter().enumerate() {
            [left[lane], right[lane]] = self.sides(pair);
        }
        [left, right]
    }

    #[inline(always)]
    fn sides(&self, pair: &Pair) -> [&G1Affine; 2] {
        [&self.points[pair.left].0, &self.points[pair.right].0]
    }
}
