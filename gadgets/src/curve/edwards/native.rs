//! Points of Baby Jubjub and their arithmetic.
//!
//! Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (ePrint 2008/522),
//! extended coordinates. The coefficient a is a square and d is not, so the addition is complete:
//! it holds for every pair of points, doubling and the identity included.

use std::ops::{Add, Neg, Sub};
use std::sync::OnceLock;

use ff::{BatchInvert, Field, PrimeField};
use halo2curves::bn256::Fr;
use subtle::{Choice, ConditionallySelectable};

use super::scalar::Scalar;
use super::{pippenger, table};

/// The coefficient a of the curve a·x² + y² = 1 + d·x²·y².
pub const COEFF_A: u64 = 168700;
/// The coefficient d of the curve a·x² + y² = 1 + d·x²·y².
pub const COEFF_D: u64 = 168696;

/// The coefficients as field elements, converted once.
pub(super) const A: Fr = Fr::from_raw([COEFF_A, 0, 0, 0]);
pub(super) const D: Fr = Fr::from_raw([COEFF_D, 0, 0, 0]);

/// From how many points on buckets beat a table for each point: measured. Tables take 1.04 ms for 80
/// points and 1.24 for 96, buckets 1.08 and 1.22.
const BUCKETS_FROM: usize = 88;

/// l as a little-endian integer.
const ORDER: [u64; 4] =
    [0x677297dc392126f1, 0xab3eedb83920ee0a, 0x370a08b6d0302b0b, 0x060c89ce5c263405];

/// A point in affine coordinates. A value of this type lies on the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AffinePoint {
    x: Fr,
    y: Fr,
}

impl AffinePoint {
    /// The point (x, y), or `None` if it is not on the curve.
    pub fn new(x: Fr, y: Fr) -> Option<Self> {
        let (xx, yy) = (x.square(), y.square());
        let left = A * xx + yy;
        (left == Fr::ONE + D * xx * yy).then_some(Self { x, y })
    }

    /// The x coordinate.
    pub fn x(&self) -> Fr {
        self.x
    }

    /// The y coordinate.
    pub fn y(&self) -> Fr {
        self.y
    }

    /// The neutral element (0, 1).
    pub fn identity() -> Self {
        Self { x: Fr::ZERO, y: Fr::ONE }
    }

    /// The generator of the prime-order subgroup: `BASE8` of circomlib's `babyjub.js`, which is `B`
    /// of EIP-2494.
    pub fn generator() -> Self {
        static GENERATOR: OnceLock<AffinePoint> = OnceLock::new();
        *GENERATOR.get_or_init(|| {
            parse_point(
                "5299619240641551281634865583518297030282874472190772894086521144482721001553",
                "16950150798460657717958625567821834550301663161624707787222815936182638968203",
            )
        })
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        *self == Self::identity()
    }

    /// Whether l times this point is the identity. True of the identity too.
    pub fn is_in_subgroup(&self) -> bool {
        table::mul_limbs_vartime(&(*self).into(), &ORDER).is_identity()
    }

    /// The point Q = (8⁻¹ mod l)·P, so that 8·Q = P if P is in the prime-order subgroup. In a
    /// circuit Q is the witness that P is in the subgroup. Runs in variable time.
    pub fn divide_by_cofactor(&self) -> Self {
        let inverse = Scalar::from(8).invert().into_option().expect("8 is not zero modulo l");
        Point::from(*self).mul_vartime(&inverse).to_affine()
    }
}

impl Neg for AffinePoint {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: -self.x, y: self.y }
    }
}

impl ConditionallySelectable for AffinePoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: Fr::conditional_select(&a.x, &b.x, choice),
            y: Fr::conditional_select(&a.y, &b.y, choice),
        }
    }
}

/// A point in extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z, and Z is not zero.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    x: Fr,
    y: Fr,
    z: Fr,
    t: Fr,
}

impl Point {
    /// The neutral element.
    pub fn identity() -> Self {
        Self { x: Fr::ZERO, y: Fr::ONE, z: Fr::ONE, t: Fr::ZERO }
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> bool {
        self.x == Fr::ZERO && self.y == self.z
    }

    /// The point in affine coordinates. `Z` may depend on a secret, so it is inverted by Fermat's
    /// power, whose steps do not depend on it; it is not zero, since the addition is complete.
    pub fn to_affine(&self) -> AffinePoint {
        const MODULUS_LESS_TWO: [u64; 4] = [
            0x43e1_f593_efff_ffff,
            0x2833_e848_79b9_7091,
            0xb850_45b6_8181_585d,
            0x3064_4e72_e131_a029,
        ];
        let inverse = self.z.pow_vartime(MODULUS_LESS_TWO);
        AffinePoint { x: self.x * inverse, y: self.y * inverse }
    }

    /// Twice this point.
    pub fn double(&self) -> Self {
        let (a, b) = (self.x.square(), self.y.square());
        let c = self.z.square().double();
        let d = A * a;
        let e = (self.x + self.y).square() - a - b;
        let g = d + b;
        Self::from_factors(e, g - c, g, d - b)
    }

    /// The sum with an affine point whose d·x·y is known.
    pub(super) fn add_affine(&self, x: &Fr, y: &Fr, dxy: &Fr) -> Self {
        self.add_terms(self.x * x, self.y * y, self.t * dxy, self.z, *x + y)
    }

    /// This point times `scalar`. Time and memory access do not depend on the scalar.
    pub fn mul(&self, scalar: &Scalar) -> Self {
        table::mul(self, scalar)
    }

    /// This point times `scalar`, in time that depends on the scalar: for public data only.
    pub fn mul_vartime(&self, scalar: &Scalar) -> Self {
        msm_vartime(&[(*scalar, *self)])
    }

    /// The point with these coordinates, of which the caller knows that they belong together.
    pub(super) fn from_extended(x: Fr, y: Fr, z: Fr, t: Fr) -> Self {
        Self { x, y, z, t }
    }

    /// X = E·F, Y = G·H, Z = F·G, T = E·H.
    fn from_factors(e: Fr, f: Fr, g: Fr, h: Fr) -> Self {
        Self { x: e * f, y: g * h, z: f * g, t: e * h }
    }

    /// The addition from A = X₁X₂, B = Y₁Y₂, C = d·T₁T₂, D = Z₁Z₂ and X₂ + Y₂.
    fn add_terms(&self, a: Fr, b: Fr, c: Fr, d: Fr, sum: Fr) -> Self {
        let e = (self.x + self.y) * sum - a - b;
        Self::from_factors(e, d - c, d + c, b - A * a)
    }
}

impl From<AffinePoint> for Point {
    fn from(p: AffinePoint) -> Self {
        Self { x: p.x, y: p.y, z: Fr::ONE, t: p.x * p.y }
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let c = D * self.t * other.t;
        let (a, b, d) = (self.x * other.x, self.y * other.y, self.z * other.z);
        self.add_terms(a, b, c, d, other.x + other.y)
    }
}

impl Neg for Point {
    type Output = Self;

    fn neg(self) -> Self {
        Self { x: -self.x, t: -self.t, ..self }
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.x * other.z == other.x * self.z && self.y * other.z == other.y * self.z
    }
}

impl Eq for Point {}

impl std::iter::Sum for Point {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::identity(), Add::add)
    }
}

impl ConditionallySelectable for Point {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: Fr::conditional_select(&a.x, &b.x, choice),
            y: Fr::conditional_select(&a.y, &b.y, choice),
            z: Fr::conditional_select(&a.z, &b.z, choice),
            t: Fr::conditional_select(&a.t, &b.t, choice),
        }
    }
}

/// The generator times `scalar`, from a precomputed table. Time and memory access do not depend on
/// the scalar.
pub fn mul_generator(scalar: &Scalar) -> Point {
    table::mul_generator(scalar)
}

/// The sum of scalar times point over all pairs, in time that depends on the scalars: for public
/// data only.
pub fn msm_vartime(pairs: &[(Scalar, Point)]) -> Point {
    match pairs.len() < BUCKETS_FROM {
        true => table::msm_vartime(pairs),
        false => pippenger::msm_vartime(pairs),
    }
}

/// All points in affine coordinates, with one inversion.
pub fn batch_normalize(points: &[Point]) -> Vec<AffinePoint> {
    let mut inverses: Vec<Fr> = points.iter().map(|p| p.z).collect();
    inverses.iter_mut().batch_invert();
    points.iter().zip(inverses).map(|(p, i)| AffinePoint { x: p.x * i, y: p.y * i }).collect()
}

/// A point of order 8: its multiples are all the points of small order. For tests of the subgroup
/// check.
pub fn torsion_point() -> AffinePoint {
    static TORSION: OnceLock<AffinePoint> = OnceLock::new();
    *TORSION.get_or_init(|| {
        // The generator G of the whole curve in EIP-2494 has order 8·l, so l·G has order 8.
        let generator = parse_point(
            "995203441582195749578291179787384436505546430278305826713579947235728471134",
            "5472060717959818805561601436314318772137091100104008585924551046643952123905",
        );
        table::mul_limbs_vartime(&generator.into(), &ORDER).to_affine()
    })
}

fn parse_point(x: &str, y: &str) -> AffinePoint {
    let parse = |s| Fr::from_str_vartime(s).expect("a decimal constant");
    AffinePoint::new(parse(x), parse(y)).expect("a constant on the curve")
}
