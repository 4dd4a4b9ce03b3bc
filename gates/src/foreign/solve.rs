//! Results that meet an equation.

use num_bigint::BigInt;
use num_traits::{Euclid, Zero};

use super::{
    equation::{Equation, Terms},
    source::Source,
};

impl Equation {
    /// A result that meets it, for the values of all other sources: `was`, if it does. `None` if there is none, or the
    /// equation does not determine it.
    pub fn solve(&self, value: impl Fn(Source) -> BigInt, was: BigInt) -> Option<BigInt> {
        // Each sum as `a + b·R`.
        let parts = |terms: &Terms| {
            let mut parts = [BigInt::zero(), BigInt::zero()];
            for (source, factor) in terms {
                match source {
                    Source::Result => parts[1] += *factor,
                    other => parts[0] += value(*other) * factor,
                }
            }
            parts
        };
        let [start, mut slope] = parts(self.linear());
        let mut start = start + self.relation().constant;
        let mut square = BigInt::zero();
        for [x, y] in self.products() {
            let ([x, x1], [y, y1]) = (parts(x), parts(y));
            square += &x1 * &y1;
            slope += &x * &y1 + &x1 * &y;
            start += x * y;
        }
        if square.is_zero() && slope.is_zero() {
            return None;
        }
        if self.modulus().is_zero() {
            let (quotient, rest) = ((-&start).div_euclid(&slope), (-&start).rem_euclid(&slope));
            return (square.is_zero() && rest.is_zero()).then_some(quotient);
        }
        let p = BigInt::from(self.modulus().clone());
        let residue = |number: BigInt| number.rem_euclid(&p);
        if residue(&square * &was * &was + &slope * &was + &start).is_zero() {
            return Some(was);
        }
        if square.is_zero() {
            let inverse = residue(slope).modinv(&p)?;
            return Some(residue(-start * inverse));
        }
        // `(R - m)² = a`: a root is a power where the prime is 3 modulo 4, and that or the same times a root of -1
        // where it is 5 modulo 8.
        let inverse = residue(square).modinv(&p)?;
        let middle = residue(-slope * &inverse * ((&p + 1) >> 1));
        let a = residue(&middle * &middle - start * inverse);
        let is_three = (&p % 4) == BigInt::from(3);
        let exponent = if is_three { (&p + 1) >> 2 } else { (&p + 3) >> 3 };
        let root = a.modpow(&exponent, &p);
        let other = residue(&root * BigInt::from(2).modpow(&((&p - 1) >> 2), &p));
        let is_root = |root: &BigInt| residue(root * root) == a;
        let root = [root, other].into_iter().find(is_root)?;
        Some(residue(middle + root))
    }
}
