//! Short Weierstrass curves y² = x³ + a·x + b: secp256k1 and P-256, whose orders are prime, and
//! edwards25519 in this form. Their parameters, and their arithmetic over integers.
//!
//! The arithmetic is for the witnesses of a circuit and for checks of public data. It is the
//! textbook group law, in affine coordinates but for multiples, and its time depends on its inputs:
//! nothing here may touch a secret.

mod address;
mod point;

#[cfg(test)]
mod tests;

pub use address::{Address, AddressError};
pub use point::{Point, PointError, NAME_DOMAIN};

use std::fmt;
use std::sync::OnceLock;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::field::hex;

/// A curve on which signatures are made. secp256k1 and P-256 have a prime order, so every point except
/// the identity generates the whole group. The group of edwards25519 has a cofactor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// secp256k1 (SEC 2 version 2.0, section 2.4.1).
    Secp256k1,
    /// P-256, which SEC 2 calls secp256r1 (FIPS 186-5 with SP 800-186, section 3.2.1.3).
    P256,
    /// edwards25519 (RFC 8032, section 5.1) in a Weierstrass form: see
    /// [`edwards25519`](crate::curve::edwards25519) for the map.
    Edwards25519,
}

impl Curve {
    /// The parameters of this curve.
    pub fn parameters(self) -> &'static Parameters {
        static SECP256K1: OnceLock<Parameters> = OnceLock::new();
        static P256: OnceLock<Parameters> = OnceLock::new();
        static EDWARDS25519: OnceLock<Parameters> = OnceLock::new();
        match self {
            Self::Secp256k1 => SECP256K1.get_or_init(secp256k1),
            Self::P256 => P256.get_or_init(p256),
            Self::Edwards25519 => EDWARDS25519.get_or_init(edwards25519),
        }
    }

    /// The prime of the coordinates.
    pub fn p(self) -> &'static BigUint {
        &self.parameters().p
    }

    /// The prime order of the generator: of the whole group, where there is no cofactor.
    pub fn n(self) -> &'static BigUint {
        &self.parameters().n
    }

    /// How many doublings take every point into the group of the generator: the cofactor is a power of
    /// two.
    pub fn cofactor_bits(self) -> usize {
        match self {
            Self::Secp256k1 | Self::P256 => 0,
            Self::Edwards25519 => 3,
        }
    }

    /// The coefficient a.
    pub fn a(self) -> &'static BigUint {
        &self.parameters().a
    }

    /// The coefficient b.
    pub fn b(self) -> &'static BigUint {
        &self.parameters().b
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Secp256k1 => "secp256k1",
            Self::P256 => "P-256",
            Self::Edwards25519 => "edwards25519",
        })
    }
}

/// A point in affine coordinates; `None` is the identity. Unlike [`Point`] it is
/// evidence of nothing.
pub type Affine = Option<(BigUint, BigUint)>;

/// A curve y² = x³ + a·x + b over the integers modulo a prime p > 3, with a generator of a group of
/// prime order n. All integers are reduced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The prime of the coordinates.
    pub p: BigUint,
    /// The coefficient a.
    pub a: BigUint,
    /// The coefficient b.
    pub b: BigUint,
    /// The prime order of the generator.
    pub n: BigUint,
    /// The coordinates of the generator.
    pub generator: (BigUint, BigUint),
}

impl Parameters {
    /// x³ + a·x + b modulo p.
    pub fn right_side(&self, x: &BigUint) -> BigUint {
        ((x * x + &self.a) * x + &self.b) % &self.p
    }

    /// Whether the coordinates are reduced and satisfy the equation of the curve. Also true of the
    /// identity.
    pub fn contains(&self, point: &Affine) -> bool {
        point.as_ref().is_none_or(|(x, y)| {
            x < &self.p && y < &self.p && y * y % &self.p == self.right_side(x)
        })
    }

    /// The point with the opposite y.
    pub fn neg(&self, point: &Affine) -> Affine {
        point.as_ref().map(|(x, y)| (x.clone(), (&self.p - y) % &self.p))
    }

    /// Twice a point of the curve.
    pub fn double(&self, point: &Affine) -> Affine {
        let (x, y) = point.as_ref()?;
        // A point with y = 0 has order 2; then there is no inverse, and the identity is due.
        let inverse = (y << 1u8).modinv(&self.p)?;
        let slope = (x * x * 3u8 + &self.a) * inverse % &self.p;
        Some(self.third(&slope, (x, y), x))
    }

    /// The sum of two points of the curve, whatever they are.
    pub fn add(&self, left: &Affine, right: &Affine) -> Affine {
        let (Some((x1, y1)), Some((x2, y2))) = (left, right) else {
            return left.clone().or_else(|| right.clone());
        };
        if x1 == x2 {
            return if y1 == y2 { self.double(left) } else { None };
        }
        let inverse = self.difference(x2, x1).modinv(&self.p)?;
        let slope = self.difference(y2, y1) * inverse % &self.p;
        Some(self.third(&slope, (x1, y1), x2))
    }

    /// `scalar` times a point of the curve, by doubling and adding. The scalar need not be reduced.
    pub fn mul(&self, point: &Affine, scalar: &BigUint) -> Affine {
        let (x, y) = point.as_ref()?;
        let sum = (0..scalar.bits()).rev().fold(None, |sum: Option<Jacobian>, bit| {
            let doubled = sum.and_then(|sum| sum.double(self));
            if scalar.bit(bit) {
                match doubled {
                    Some(doubled) => doubled.add(self, x, y),
                    None => Some(Jacobian { x: x.clone(), y: y.clone(), z: BigUint::one() }),
                }
            } else {
                doubled
            }
        });
        sum.map(|sum| sum.affine(self))
    }

    /// The generator.
    pub fn generator(&self) -> Affine {
        Some(self.generator.clone())
    }

    /// A square root of x³ + a·x + b, if there is one.
    pub fn y_of(&self, x: &BigUint) -> Option<BigUint> {
        self.square_root(&self.right_side(x))
    }

    /// A square root of a reduced integer modulo p, if there is one. For p = 3 modulo 4, where it is a
    /// power, and for p = 5 modulo 8, where it is a power or the same times a root of -1 (RFC 8032,
    /// section 5.1.3).
    ///
    /// # Panics
    /// For other p.
    pub fn square_root(&self, square: &BigUint) -> Option<BigUint> {
        let p = &self.p;
        let one = BigUint::one();
        let roots = if (p & BigUint::from(3u8)) == BigUint::from(3u8) {
            vec![square.modpow(&((p + one) >> 2u8), p)]
        } else {
            assert_eq!(p & BigUint::from(7u8), BigUint::from(5u8), "roots are powers");
            let root = square.modpow(&((p + 3u8) >> 3u8), p);
            let of_minus_one = BigUint::from(2u8).modpow(&((p - one) >> 2u8), p);
            vec![&root * of_minus_one % p, root]
        };
        roots.into_iter().find(|root| root * root % p == *square)
    }

    /// The reflected third point of the line of this slope through (x1, y1) and a point at x2.
    fn third(
        &self,
        slope: &BigUint,
        (x1, y1): (&BigUint, &BigUint),
        x2: &BigUint,
    ) -> (BigUint, BigUint) {
        let x = self.difference(&self.difference(&(slope * slope % &self.p), x1), x2);
        let y = self.difference(&(slope * self.difference(x1, &x) % &self.p), y1);
        (x, y)
    }

    /// left - right modulo p, of reduced integers.
    fn difference(&self, left: &BigUint, right: &BigUint) -> BigUint {
        (left + &self.p - right) % &self.p
    }
}

/// The point `(x/z², y/z³)`, which is not the identity: z is not 0. All integers are reduced. Sums of such points take no
/// inverse.
struct Jacobian {
    x: BigUint,
    y: BigUint,
    z: BigUint,
}

impl Jacobian {
    /// Twice the point; `None` if that is the identity, as it is for y = 0.
    fn double(self, curve: &Parameters) -> Option<Self> {
        let (Self { x, y, z }, p) = (self, &curve.p);
        if y.is_zero() {
            return None;
        }
        // With S = 4xy² and M = 3x² + az⁴, twice the point is (M² - 2S, M(S - x') - 8y⁴, 2yz).
        let (y_squared, z_squared) = (&y * &y % p, &z * &z % p);
        let s = ((&x * &y_squared) << 2u8) % p;
        let m = (&x * &x * 3u8 + &z_squared * &z_squared % p * &curve.a) % p;
        let twice = curve.difference(&(&m * &m % p), &((&s << 1u8) % p));
        let fourth = ((&y_squared * &y_squared) << 3u8) % p;
        let y_twice = curve.difference(&(m * curve.difference(&s, &twice) % p), &fourth);
        Some(Self { x: twice, y: y_twice, z: ((y * z) << 1u8) % p })
    }

    /// The sum with the point (x, y); `None` if that is the identity.
    fn add(self, curve: &Parameters, x: &BigUint, y: &BigUint) -> Option<Self> {
        let p = &curve.p;
        // With H = xz² - x₁ and R = yz³ - y₁, the sum is (R² - H³ - 2x₁H², R(x₁H² - x') - y₁H³, zH).
        let z_squared = &self.z * &self.z % p;
        let h = curve.difference(&(x * &z_squared % p), &self.x);
        let r = curve.difference(&(z_squared * &self.z % p * y % p), &self.y);
        if h.is_zero() {
            return if r.is_zero() { self.double(curve) } else { None };
        }
        let h_squared = &h * &h % p;
        let (h_cubed, middle) = (&h_squared * &h % p, self.x * h_squared % p);
        let x_sum = curve.difference(&(&r * &r % p), &((&h_cubed + (&middle << 1u8)) % p));
        let y_sum = r * curve.difference(&middle, &x_sum) % p;
        let y_sum = curve.difference(&y_sum, &(self.y * h_cubed % p));
        Some(Self { x: x_sum, y: y_sum, z: self.z * h % p })
    }

    fn affine(self, curve: &Parameters) -> (BigUint, BigUint) {
        let inverse = self.z.modinv(&curve.p).expect("z is not 0 and p is prime");
        let square = &inverse * &inverse % &curve.p;
        let y = self.y * &square % &curve.p * inverse % &curve.p;
        (self.x * square % &curve.p, y)
    }
}

fn secp256k1() -> Parameters {
    Parameters {
        p: hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
        a: BigUint::zero(),
        b: BigUint::from(7u8),
        n: hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
        generator: (
            hex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
            hex("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
        ),
    }
}

/// `u = (1 + y)/(1 - y)` and `v = u/x` are coordinates on `B·v² = u³ + A·u² + u` with `A = 486662` and
/// `B = -486664` (Bernstein, Birkner, Joye, Lange, Peters, AFRICACRYPT 2008, theorem 3.2). Then `9B·u +
/// 3AB` and `27B²·v` are coordinates on `y² = x³ + a·x + b` with the integers `a = 27B²·(3 - A²)` and
/// `b = 27AB³·(2A² - 9)`: the factor 9 keeps the shift `3AB` an integer.
fn edwards25519() -> Parameters {
    Parameters {
        p: hex("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"),
        a: hex("7ffffffffffffffffffffffffffffffffffffffffffebf4950c31dcbb889312d"),
        b: hex("7fffffffffffffffffffffffffffffffff75d541c0dd4fd5592cfa8e1c99c3ed"),
        n: hex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"),
        generator: (
            hex("7fffffffffffffffffffffffffffffffffffffffffffffffffffff5a8f339dd5"),
            hex("327d851ebc8fd011827d772aae455e294b06f89909823838d55449428d9291df"),
        ),
    }
}

fn p256() -> Parameters {
    let p = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    Parameters {
        a: &p - 3u8,
        p,
        b: hex("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"),
        n: hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
        generator: (
            hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
            hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
        ),
    }
}

/// An integer below 2^256 in 32 big-endian bytes.
pub fn to_bytes(integer: &BigUint) -> [u8; 32] {
    let (mut bytes, digits) = ([0; 32], integer.to_bytes_be());
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    bytes
}
