//! `Fp²`, with integers for elements.
//!
//! This is for witnesses and public data: its time depends on its inputs, and nothing here may touch a secret.

use num_bigint::BigUint;
use num_traits::One;

/// An element `x₀ + x₁·u`.
pub type Pair = [BigUint; 2];

/// `Fp²` with `u² = -1`, by the prime.
#[derive(Clone, Copy, Debug)]
pub struct Extension<'a>(pub &'a BigUint);

impl Extension<'_> {
    fn less(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + self.0 - b % self.0) % self.0
    }

    /// The sum.
    pub fn add(&self, a: &Pair, b: &Pair) -> Pair {
        [0, 1].map(|i| (&a[i] + &b[i]) % self.0)
    }

    /// The difference.
    pub fn sub(&self, a: &Pair, b: &Pair) -> Pair {
        [0, 1].map(|i| self.less(&a[i], &b[i]))
    }

    /// The opposite.
    pub fn negate(&self, a: &Pair) -> Pair {
        self.sub(&Pair::default(), a)
    }

    pub(super) fn conjugate(&self, [re, im]: &Pair) -> Pair {
        [re.clone(), self.less(&BigUint::ZERO, im)]
    }

    /// The product.
    pub fn mul(&self, a: &Pair, b: &Pair) -> Pair {
        let re = self.less(&(&a[0] * &b[0]), &(&a[1] * &b[1]));
        [re, (&a[0] * &b[1] + &a[1] * &b[0]) % self.0]
    }

    /// The multiple by a small number.
    pub fn scale(&self, a: &Pair, factor: u64) -> Pair {
        [0, 1].map(|i| &a[i] * factor % self.0)
    }

    /// 0 for 0: a prover may hint what it likes.
    pub fn invert(&self, a: &Pair) -> Pair {
        let norm = (&a[0] * &a[0] + &a[1] * &a[1]) % self.0;
        let inverse = norm.modinv(self.0).unwrap_or_default();
        self.conjugate(a).map(|part| part * &inverse % self.0)
    }

    /// The power.
    pub fn pow(&self, a: &Pair, exponent: &BigUint) -> Pair {
        let mut power = [BigUint::one(), BigUint::ZERO];
        for bit in (0..exponent.bits()).rev() {
            power = self.mul(&power, &power);
            if exponent.bit(bit) {
                power = self.mul(&power, a);
            }
        }
        power
    }
}
