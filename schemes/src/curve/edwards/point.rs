//! Points of Baby Jubjub and their arithmetic.
//!
//! Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (ePrint 2008/522),
//! extended coordinates. The coefficient a is a square and d is not, so the addition is complete:
//! it holds for every pair of points, including doubling and the identity.

use std::ops::{Add, Neg, Sub};
use std::sync::OnceLock;

use ff::{BatchInvert, Field, PrimeField};
use halo2curves::bn256::Fr;
use subtle::{Choice, ConditionallySelectable};

/// The coefficient a of the curve a·x² + y² = 1 + d·x²·y².
pub const COEFF_A: u64 = 168700;
/// The coefficient d of the curve a·x² + y² = 1 + d·x²·y².
pub const COEFF_D: u64 = 168696;

/// The coefficients as field elements, converted once.
pub(super) const A: Fr = Fr::from_raw([COEFF_A, 0, 0, 0]);
pub(super) const D: Fr = Fr::from_raw([COEFF_D, 0, 0, 0]);

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
    /// little theorem, in steps that do not depend on it; it is not zero, since the addition is
    /// complete.
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

    /// The point with these coordinates. The caller must know that they belong together.
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

/// All points in affine coordinates, with one inversion.
pub fn batch_normalize(points: &[Point]) -> Vec<AffinePoint> {
    let mut inverses: Vec<Fr> = points.iter().map(|p| p.z).collect();
    inverses.iter_mut().batch_invert();
    points.iter().zip(inverses).map(|(p, i)| AffinePoint { x: p.x * i, y: p.y * i }).collect()
}

pub(super) fn parse_point(x: &str, y: &str) -> AffinePoint {
    let parse = |s| Fr::from_str_vartime(s).expect("a decimal constant");
    AffinePoint::new(parse(x), parse(y)).expect("a constant on the curve")
}
