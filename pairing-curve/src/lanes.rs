//! Affine additions in lanes: many at once, with one inversion for all (Montgomery's trick).
//!
//! λ = (Y₂ − Y₁) / (X₂ − X₁), X₃ = λ² − X₁ − X₂, Y₃ = λ (X₁ − X₃) − Y₁: with the inversion shared,
//! five multiplications and a squaring, where a mixed Jacobian addition takes eleven. Every case of
//! the group law is handled; a sum that meets its addend takes another path, which happens for
//! honest secrets with probability 2^-120.
//!
//! Arkworks compares before it subtracts, with a branch that goes either way equally often: in
//! thousands of independent additions, waiting for it would take more than half as long as the
//! products. So what lanes do with field elements, apart from products, is without branches
//! ([`Plain`]).

use ark_bls12_381::{Fq, Fq2};
use ark_ff::{AdditiveGroup, BigInt, Field, PrimeField};
use blst::{blst_fp, blst_fp2};
use group::Group;
use zeroize::Zeroize;

use super::{G1Affine, G1Projective, G2Affine, G2Projective};

/// A base field of lanes.
pub trait LaneField: Field + Plain + Zeroize {
    /// The form that sums of points over it are kept in.
    type Point: Group;

    /// The inverse of an element other than zero, by the library that computes it fastest.
    fn inverted(&self) -> Self;

    /// A point of a lane.
    fn to_point(lane: &Lane<Self>) -> Self::Point;
}

impl LaneField for Fq {
    type Point = G1Projective;

    fn to_point(lane: &Lane<Self>) -> G1Projective {
        G1Affine::from(lane).into()
    }

    fn inverted(&self) -> Self {
        // blst's inversion takes a sixth of arkworks' time. It is not public by itself, so the
        // element goes in and out as the coordinate of a point.
        let mut carrier = G1Affine::default();
        carrier.as_mut().x = raw(self);
        let inverse = ff::Field::invert(&carrier.x()).into_option();
        fq(&inverse.map(blst_fp::from).unwrap_or_default())
    }
}

impl LaneField for Fq2 {
    type Point = G2Projective;

    fn to_point(lane: &Lane<Self>) -> G2Projective {
        G2Affine::from(lane).into()
    }

    fn inverted(&self) -> Self {
        // (a + bu)⁻¹ = (a − bu) / (a² + b²).
        let norm = (self.c0.square() + self.c1.square()).inverted();
        Fq2::new(self.c0 * norm, -(self.c1 * norm))
    }
}

/// An affine point in a lane; (0, 0), which is on neither curve, is the identity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane<F> {
    /// Its first coordinate.
    pub x: F,
    /// Its second coordinate.
    pub y: F,
}

impl<F: Zeroize> Zeroize for Lane<F> {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

/// Both libraries store an element times 2^384 (Montgomery form), in six limbs.
fn fq(raw: &blst_fp) -> Fq {
    Fq::new_unchecked(BigInt(raw.l))
}

fn raw(element: &Fq) -> blst_fp {
    blst_fp { l: element.0 .0 }
}

fn fq2(raw: &blst_fp2) -> Fq2 {
    Fq2::new(fq(&raw.fp[0]), fq(&raw.fp[1]))
}

impl From<&G1Affine> for Lane<Fq> {
    fn from(point: &G1Affine) -> Self {
        let point = point.as_ref();
        Self { x: fq(&point.x), y: fq(&point.y) }
    }
}

impl From<&Lane<Fq>> for G1Affine {
    fn from(lane: &Lane<Fq>) -> Self {
        let mut point = G1Affine::default();
        (point.as_mut().x, point.as_mut().y) = (raw(&lane.x), raw(&lane.y));
        point
    }
}

impl From<&G2Affine> for Lane<Fq2> {
    fn from(point: &G2Affine) -> Self {
        let point = point.as_ref();
        Self { x: fq2(&point.x), y: fq2(&point.y) }
    }
}

impl From<&Lane<Fq2>> for G2Affine {
    fn from(lane: &Lane<Fq2>) -> Self {
        let raw2 = |element: &Fq2| blst_fp2 { fp: [raw(&element.c0), raw(&element.c1)] };
        let mut point = G2Affine::default();
        (point.as_mut().x, point.as_mut().y) = (raw2(&lane.x), raw2(&lane.y));
        point
    }
}

impl<F: LaneField> Lane<F> {
    /// Whether it is the identity.
    pub fn is_identity(&self) -> bool {
        self.y.is_zero() && self.x.is_zero()
    }

    /// −P.
    pub fn negated(&self) -> Self {
        Self { x: self.x, y: -self.y }
    }

    /// What must be inverted for the sum with `other`: never zero.
    #[inline(always)]
    fn denominator(&self, other: &Self) -> F {
        let difference = other.x.minus(&self.x);
        if self.is_regular(other, &difference) {
            difference
        } else {
            self.special_denominator(other)
        }
    }

    /// Whether the sum with `other` is of two points with different first coordinates, neither being the identity.
    /// The two points of order three, whose first coordinate is zero, are left to the special cases too.
    #[inline(always)]
    fn is_regular(&self, other: &Self, difference: &F) -> bool {
        !(difference.vanishes() | self.x.vanishes() | other.x.vanishes())
    }

    #[cold]
    fn special_denominator(&self, other: &Self) -> F {
        if self.is_identity() || other.is_identity() {
            return F::ONE;
        }
        match (self.x == other.x, self.y == other.y) {
            (false, _) => other.x - self.x,
            (true, true) => self.y.double(),
            (true, false) => F::ONE,
        }
    }

    /// The sum with `other`. `inverse` is the inverse of the product of all denominators up to this
    /// one, and becomes that of `before`, the product of those before it.
    #[inline(always)]
    fn add_next(&self, other: &Self, inverse: &mut F, before: &F) -> Self {
        let own = *inverse * before;
        let difference = other.x.minus(&self.x);
        if !self.is_regular(other, &difference) {
            *inverse *= self.special_denominator(other);
            return self.add_special(other, &own);
        }
        *inverse *= difference;
        self.chord(other, &own)
    }

    /// The sum with another point, with 1 / (X₂ − X₁).
    #[inline(always)]
    fn chord(&self, other: &Self, inverse: &F) -> Self {
        let slope = other.y.minus(&self.y) * inverse;
        let x = slope.square().minus(&self.x).minus(&other.x);
        Self { x, y: (slope * self.x.minus(&x)).minus(&self.y) }
    }

    #[cold]
    fn add_special(&self, other: &Self, inverse: &F) -> Self {
        if self.is_identity() {
            return *other;
        }
        if other.is_identity() {
            return *self;
        }
        match (self.x == other.x, self.y == other.y) {
            (false, _) => self.chord(other, inverse),
            (true, true) => self.double(inverse),
            (true, false) => Self::default(),
        }
    }

    /// 2P with 1 / (2Y): no point of order two is on either curve.
    #[inline(always)]
    fn double(&self, inverse: &F) -> Self {
        let square = self.x.square();
        let slope = square.plus(&square).plus(&square) * inverse;
        let x = slope.square().minus(&self.x).minus(&self.x);
        Self { x, y: (slope * self.x.minus(&x)).minus(&self.y) }
    }
}

/// `points[i] += addend(i)` for every i.
pub fn add_in_lanes<F: LaneField>(points: &mut [Lane<F>], addend: impl Fn(usize) -> Lane<F>) {
    let mut products = vec![F::ZERO; points.len()];
    add_each(points, addend, &mut products);
    products.zeroize();
}

/// The same, with working space for as many products, which the caller keeps over many steps and
/// wipes.
pub fn add_each<F: LaneField>(
    points: &mut [Lane<F>],
    addend: impl Fn(usize) -> Lane<F>,
    products: &mut [F],
) {
    let mut product = F::ONE;
    for (i, (point, before)) in points.iter().zip(products.iter_mut()).enumerate() {
        *before = product;
        product *= point.denominator(&addend(i));
    }
    let mut inverse = product.inverted();
    for (i, (point, before)) in points.iter_mut().zip(products.iter()).enumerate().rev() {
        *point = point.add_next(&addend(i), &mut inverse, before);
    }
}

/// `points[i] += points[j]` for every pair (i, j); no point is in two pairs. `products` is working
/// space that is kept between calls; the caller wipes it where it matters.
pub(super) fn add_pairs<F: LaneField>(
    points: &mut [Lane<F>],
    pairs: &[(u32, u32)],
    products: &mut Vec<F>,
) {
    products.clear();
    let mut product = F::ONE;
    for (i, j) in pairs {
        products.push(product);
        product *= points[*i as usize].denominator(&points[*j as usize]);
    }
    let mut inverse = product.inverted();
    for ((i, j), before) in pairs.iter().zip(products.iter()).rev() {
        let sum = points[*i as usize].add_next(&points[*j as usize], &mut inverse, before);
        points[*i as usize] = sum;
    }
}

/// Doubles every point.
pub fn double_in_lanes<F: LaneField>(points: &mut [Lane<F>]) {
    // Only the identity's is 0: no point of order two is on either curve.
    let denominator = |point: &Lane<F>| {
        if point.y.vanishes() {
            F::ONE
        } else {
            point.y.plus(&point.y)
        }
    };
    let mut products = Vec::with_capacity(points.len());
    let mut product = F::ONE;
    for point in points.iter() {
        products.push(product);
        product *= denominator(point);
    }
    let mut inverse = product.inverted();
    for (point, before) in points.iter_mut().zip(&products).rev() {
        let own = inverse * before;
        inverse *= denominator(point);
        if !point.y.vanishes() {
            *point = point.double(&own);
        }
    }
    products.zeroize();
}

/// The first coordinates of P + Qᵢ and of P − Qᵢ, where Qᵢ is not the identity: they share an
/// inversion. Where P = ±Qᵢ both are zero, and the result says that there is such a case.
pub fn differences(
    point: &Lane<Fq>,
    others: &[Lane<Fq>],
    sums: &mut [Fq],
    minus: &mut [Fq],
) -> bool {
    let mut met = false;
    let mut product = Fq::ONE;
    for (other, before) in others.iter().zip(sums.iter_mut()) {
        *before = product;
        let difference = other.x.minus(&point.x);
        product *= if difference.vanishes() { Fq::ONE } else { difference };
    }
    let mut inverse = product.inverted();
    let last = others.iter().zip(sums.iter_mut().zip(minus.iter_mut())).rev();
    for (other, (sum, minus)) in last {
        let difference = other.x.minus(&point.x);
        if difference.vanishes() {
            // One of the two is the identity, and the caller looks at Q itself.
            (*sum, *minus, met) = (Fq::ZERO, Fq::ZERO, true);
            continue;
        }
        let own = inverse * *sum;
        inverse *= difference;
        let both = point.x.plus(&other.x);
        *sum = (other.y.minus(&point.y) * own).square().minus(&both);
        *minus = (other.y.plus(&point.y) * own).square().minus(&both);
    }
    met
}

const LIMBS: usize = 6;
type Limbs = [u64; LIMBS];

/// Additions and comparisons of a lane's coordinates.
pub trait Plain: Sized {
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// Whether it is zero.
    fn vanishes(&self) -> bool;
    /// The negative, if requested.
    fn negated_if(&self, negative: bool) -> Self;
}

/// a + b, which has no carry: both are below the modulus, and that is below 2^381.
#[inline(always)]
fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (mut sum, mut carry) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        (sum[i], carry) = a[i].carrying_add(b[i], carry);
    }
    sum
}

/// a − b modulo 2^384, and all ones if b is larger.
#[inline(always)]
fn subtract(a: &Limbs, b: &Limbs) -> (Limbs, u64) {
    let (mut difference, mut borrow) = ([0; LIMBS], false);
    for i in 0..LIMBS {
        (difference[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    (difference, u64::from(borrow).wrapping_neg())
}

/// a, and the modulus if the mask is all ones: modulo 2^384.
#[inline(always)]
fn add_modulus(a: &Limbs, mask: u64) -> Limbs {
    let mut masked = Fq::MODULUS.0;
    masked.iter_mut().for_each(|limb| *limb &= mask);
    add(a, &masked)
}

impl Plain for Fq {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let (difference, below) = subtract(&add(&self.0 .0, &other.0 .0), &Fq::MODULUS.0);
        Fq::new_unchecked(BigInt(add_modulus(&difference, below)))
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        let (difference, below) = subtract(&self.0 .0, &other.0 .0);
        Fq::new_unchecked(BigInt(add_modulus(&difference, below)))
    }

    #[inline(always)]
    fn vanishes(&self) -> bool {
        self.0 .0.iter().fold(0, |all, limb| all | limb) == 0
    }

    #[inline(always)]
    fn negated_if(&self, negative: bool) -> Self {
        let (difference, below) = subtract(&[0; LIMBS], &self.0 .0);
        let mask = u64::from(negative).wrapping_neg();
        let (plain, negated) = (self.0 .0, add_modulus(&difference, below));
        Fq::new_unchecked(BigInt(std::array::from_fn(|i| plain[i] & !mask | negated[i] & mask)))
    }
}

impl Plain for Fq2 {
    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Fq2::new(self.c0.plus(&other.c0), self.c1.plus(&other.c1))
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Fq2::new(self.c0.minus(&other.c0), self.c1.minus(&other.c1))
    }

    #[inline(always)]
    fn vanishes(&self) -> bool {
        self.c0.vanishes() & self.c1.vanishes()
    }

    #[inline(always)]
    fn negated_if(&self, negative: bool) -> Self {
        Fq2::new(self.c0.negated_if(negative), self.c1.negated_if(negative))
    }
}
