//! Signed digits, and scalars in two halves if the curve has an endomorphism.

use std::sync::OnceLock;

use num_bigint::{BigInt, BigUint};
use num_traits::{Euclid, One, Signed, ToPrimitive};

use super::{long_digits, HALF_DIGITS};
use muster_schemes::{curve::weierstrass::Curve, field::foreign::DIGIT_BITS};

/// The choices of a prover are made of integers of at most this magnitude.
const SMALL: i64 = 3;

/// The odd digits of an odd integer, `Σ dᵢ·16ⁱ` with `|dᵢ| < 16`, the highest first. Every odd
/// integer below `16^count` in magnitude has one such sequence.
///
/// # Panics
/// If the integer is even or too large.
pub fn digits(scalar: &BigInt, count: usize) -> Vec<i8> {
    assert!(scalar.bit(0), "an odd scalar has odd digits");
    let mut rest = scalar.clone();
    let mut digits: Vec<i8> = (1..count)
        .map(|_| {
            let digit: BigInt = rest.rem_euclid(&BigInt::from(32)) - 16;
            rest = (&rest - &digit) >> 4;
            digit.to_i8().expect("a digit is small")
        })
        .collect();
    let top = rest.to_i8().filter(|digit| digit.unsigned_abs() < 16);
    digits.push(top.expect("the scalar has no more digits"));
    digits.reverse();
    digits
}

/// `λ·(x, y) = (β·x, y)` for all points of a curve with `a = 0` (Gallant, Lambert, Vanstone, CRYPTO
/// 2001).
#[derive(Clone, Debug)]
pub struct Endomorphism {
    /// A cube root of 1 modulo the prime of the coordinates.
    pub beta: BigUint,
    /// A cube root of 1 modulo the order.
    pub lambda: BigUint,
    order: BigInt,
    /// Short vectors `(u, v)` with `u + λ·v = 0` modulo the order.
    basis: [(BigInt, BigInt); 2],
}

impl Endomorphism {
    /// The endomorphism of `curve`, if it has one.
    pub fn of(curve: Curve) -> Option<&'static Self> {
        static SECP256K1: OnceLock<Endomorphism> = OnceLock::new();
        match curve {
            Curve::Secp256k1 => Some(SECP256K1.get_or_init(secp256k1)),
            Curve::P256 | Curve::Edwards25519 => None,
        }
    }

    /// `u + v·ω` of norm `n`: modulo this prime of Eisenstein's integers, `ω` is `λ`.
    ///
    /// # Panics
    /// Never: one of two short vectors has this norm.
    pub(super) fn prime(&self) -> (BigInt, BigInt) {
        let norm = |(u, v): &&(BigInt, BigInt)| u * u - u * v + v * v == self.order;
        self.basis.iter().find(norm).expect("a short vector has the norm of the order").clone()
    }

    /// Odd `(t₁, t₂)` of at most 131 bits with `t₁ + λ·t₂ = t` modulo the order.
    pub fn halves(&self, scalar: &BigUint) -> (BigInt, BigInt) {
        let t = BigInt::from(scalar.clone());
        let [(u1, v1), (u2, v2)] = &self.basis;
        // (t, 0) = c₁·(u₁, v₁) + c₂·(u₂, v₂) over the rationals; u₁·v₂ - u₂·v₁ is the order or its
        // negative.
        let determinant = u1 * v2 - u2 * v1;
        let sign = determinant.signum();
        let divisor = &determinant * &sign;
        let rounded = |numerator: BigInt| {
            let doubled: BigInt = numerator * &sign * 2 + &divisor;
            doubled.div_euclid(&(&divisor * 2))
        };
        let (c1, c2) = (rounded(&t * v2), rounded(-(&t * v1)));
        let (mut first, mut second) = (&t - &c1 * u1 - &c2 * u2, -(&c1 * v1) - &c2 * v2);
        // The order is odd, so is the determinant, and the basis reaches every pair of parities.
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (x, y): (BigInt, BigInt) = (&first + u1 * a + u2 * b, &second + v1 * a + v2 * b);
            if x.bit(0) && y.bit(0) {
                (first, second) = (x, y);
                break;
            }
        }
        debug_assert!(
            ((&first + &second * BigInt::from(self.lambda.clone()) - t) % &self.order)
                == BigInt::ZERO
        );
        (first, second)
    }

    /// All other odd `(t₁, t₂)` of [`HALF_DIGITS`] digits whose difference from the
    /// [halves](Self::halves) is twice a small sum of the short vectors.
    pub fn other_halves<'a>(
        &'a self,
        scalar: &BigUint,
    ) -> impl Iterator<Item = (BigInt, BigInt)> + use<'a> {
        let (first, second) = self.halves(scalar);
        let [(u1, v1), (u2, v2)] = &self.basis;
        let others = small_pairs()
            .map(move |(a, b)| (&first + (u1 * a + u2 * b) * 2, &second + (v1 * a + v2 * b) * 2));
        others.filter(|(x, y)| [x, y].iter().all(|half| has_digits(half, HALF_DIGITS)))
    }
}

/// Pairs of small integers except (0, 0), the least ones first.
pub(super) fn small_pairs() -> impl Iterator<Item = (i64, i64)> {
    let mut pairs: Vec<_> = (-SMALL..=SMALL)
        .flat_map(|a| (-SMALL..=SMALL).map(move |b| (a, b)))
        .filter(|pair| *pair != (0, 0))
        .collect();
    pairs.sort_by_key(|(a, b)| a * a + b * b);
    pairs.into_iter()
}

/// Whether an odd integer fits `count` odd digits.
pub(super) fn has_digits(scalar: &BigInt, count: usize) -> bool {
    scalar.magnitude().bits() <= (DIGIT_BITS * count) as u64
}

/// The digits of the odd one of the least residues `t` and `t - n`. If it has more than [`long_digits`], those of 1,
/// which is no witness: this happens for one scalar in `2^127` over edwards25519, 0 among them. Coefficients come from
/// a hash, so nobody can aim at any of these scalars but 0, and at 0 only with a response or a challenge of 0, whatever
/// the coefficient.
pub(crate) fn whole_digits(scalar: &BigUint, curve: Curve) -> Vec<i8> {
    let count = long_digits(curve);
    let residue = odd_residue(scalar, curve.n());
    let fits = has_digits(&residue, count);
    digits(&if fits { residue } else { BigInt::one() }, count)
}

/// The digits of the other odd residues that fit [`long_digits`]. With an order just below a power
/// of 16, few scalars have any; with one just above, none do.
pub(crate) fn other_whole_digits(
    scalar: &BigUint,
    curve: Curve,
) -> impl Iterator<Item = Vec<i8>> + use<> {
    let count = long_digits(curve);
    let (residue, twice) = (odd_residue(scalar, curve.n()), BigInt::from(curve.n() << 1u8));
    let others = [&residue + &twice, residue - twice];
    let others = others.into_iter().filter(move |other| has_digits(other, count));
    others.map(move |other| digits(&other, count))
}

/// The odd one of the least residues `t` and `t - n`.
fn odd_residue(scalar: &BigUint, order: &BigUint) -> BigInt {
    let scalar = BigInt::from(scalar % order);
    if scalar.bit(0) {
        scalar
    } else {
        scalar - BigInt::from(order.clone())
    }
}

fn secp256k1() -> Endomorphism {
    let curve = Curve::Secp256k1;
    let beta = hex("7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee");
    let lambda = hex("5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72");
    let order = BigInt::from(curve.n().clone());
    let basis = reduced(&order, &BigInt::from(lambda.clone()));
    Endomorphism { beta, lambda, order, basis }
}

/// Two short vectors of `{(u, v): u + λ·v = 0}`: the steps of Euclid's algorithm around the square
/// root of the order (Guide to Elliptic Curve Cryptography, algorithm 3.74).
fn reduced(order: &BigInt, lambda: &BigInt) -> [(BigInt, BigInt); 2] {
    let root = order.sqrt();
    let (mut above, mut below) = ((order.clone(), BigInt::ZERO), (lambda.clone(), BigInt::one()));
    loop {
        let quotient = &above.0 / &below.0;
        let next = (&above.0 - &quotient * &below.0, &above.1 - &quotient * &below.1);
        if below.0 < root {
            let size = |(r, t): &(BigInt, BigInt)| r.magnitude().max(t.magnitude()).clone();
            let second = if size(&above) <= size(&next) { above } else { next };
            return [below, second].map(|(r, t)| (r, -t));
        }
        (above, below) = (below, next);
    }
}

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("a hexadecimal constant")
}
