//! Which points lie in the subgroup of prime order, by a pairing with a point of order 8.
//!
//! The group is cyclic, of order 8·l (EIP-2494 has a generator). So the subgroup of order l is the set `8·E` of all
//! eighth multiples, and a point `T` of order 8 generates all points of small order. Since 8 divides `r - 1`, the
//! field has the eighth roots of unity, and Tate's pairing of the points of order 8 with the group modulo `8·E`, with values
//! in the field's numbers modulo eighth powers, is not degenerate (Frey and Rück, "A remark concerning m-divisibility and
//! the discrete logarithm in the divisor class group of curves", 1994; Koshelev, "Subgroup membership testing on
//! elliptic curves via the Tate pairing", ePrint 2022/037). Hence `P` lies in `8·E` if, and only if, its pairing with `T`
//! is an eighth power: `f(P)^((r-1)/8) = 1` for the function `f` with the divisor `8·(T) - 8·(O)`.
//!
//! That takes some 350 products of the field, and l times the point some 2,600.

use std::sync::LazyLock;

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;

use super::{
    multiply::torsion_point,
    point::{AffinePoint, Point, COEFF_A, COEFF_D},
};

/// The coefficient A of the same curve in Montgomery's form, `v² = u³ + A·u² + u` with `u = (1 + y)/(1 - y)` and
/// `v = u/x` (ePrint 2008/013, section 3). Its B is `4/(a - d)`.
const MONTGOMERY_A: u64 = 2 * (COEFF_A + COEFF_D) / (COEFF_A - COEFF_D);
const _: () = assert!(COEFF_A - COEFF_D == 4, "B is 1");

/// `(r - 1)/8`, little-endian.
const EIGHTH: [u64; 4] =
    [0x287c_3eb2_7e00_0000, 0xa506_7d09_0f37_2e12, 0x370a_08b6_d030_2b0b, 0x060c_89ce_5c26_3405];

/// The tangent `v = v₀ + λ·(u - u₀)` at a point.
struct Tangent {
    u: Fr,
    v: Fr,
    slope: Fr,
}

impl Tangent {
    /// At a point of order above 2.
    fn at(point: &AffinePoint) -> Self {
        let inverse = |number: Fr| number.invert().expect("it is not 0 for such a point");
        let a = Fr::from(MONTGOMERY_A);
        let u = (Fr::ONE + point.y()) * inverse(Fr::ONE - point.y());
        let v = u * inverse(point.x());
        let slope = (u * (u.double() + u + a.double()) + Fr::ONE) * inverse(v.double());
        Self { u, v, slope }
    }

    /// `(v - v₀ - λ·(u - u₀))·m·x` for `u = n/m` and `v = n/(m·x)`.
    fn through(&self, (n, m, x): (Fr, Fr, Fr)) -> Fr {
        n - x * (self.v * m + self.slope * (n - self.u * m))
    }
}

/// The tangents at `T` and at `2·T`.
static TANGENTS: LazyLock<[Tangent; 2]> = LazyLock::new(|| {
    let torsion = torsion_point();
    let twice = Point::from(torsion).double().to_affine();
    [torsion, twice].map(|point| Tangent::at(&point))
});

impl AffinePoint {
    /// Whether l times this point is the identity. Also true of the identity.
    ///
    /// With the tangents `l₁` at `T` and `l₂` at `2·T`, and `4·T = (0, 0)`,
    ///
    /// ```text
    /// f = (l₁/(u - u(2·T)))⁴ · (l₂/u)² · u
    /// ```
    ///
    /// by Miller's doublings, each of which has the leading coefficient 1 at `O`. With `u = n/m` and `v = n/(m·x)`, where
    /// `n = 1 + y` and `m = 1 - y`, only the exponents modulo 8 matter: the inverse of `f` is, up to eighth powers,
    ///
    /// ```text
    /// (L₁·(n - u(2·T)·m))⁴ · (L₂·x)⁶ · n·m
    /// ```
    ///
    /// where `L₁` and `L₂` are `l₁` and `l₂` times `m·x`. It is an eighth power where `f` is. A factor is 0 at multiples of
    /// `T` alone, and of these only the identity lies in the subgroup.
    pub fn is_in_subgroup(&self) -> bool {
        let [first, second] = &*TANGENTS;
        let (x, y) = (self.x(), self.y());
        let (n, m) = (Fr::ONE + y, Fr::ONE - y);
        let a = first.through((n, m, x)) * (n - second.u * m);
        let c = second.through((n, m, x)) * x;
        let value = (a.square() * c.square() * c).square() * n * m;
        if value == Fr::ZERO {
            return self.is_identity();
        }
        value.pow_vartime(EIGHTH) == Fr::ONE
    }
}

const _: () = assert!(Fr::S >= 3, "8 divides r - 1");
