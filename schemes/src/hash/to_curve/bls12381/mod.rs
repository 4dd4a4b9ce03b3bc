//! The suites of BLS12-381, RFC 9380 section 8.8: the simplified map of Shallue, van de Woestijne and Ulas to an
//! isogenous curve, and the isogeny.

mod g1;
mod g2;

use halo2curves::group::Group;

use crate::field::ExtensionField;

pub use g1::{Bls12381G1, Isogeny};
pub use g2::{curve as isogenous_g2, psi_factors, Bls12381G2};

/// The parameter of the curves, without its sign.
pub const PARAMETER: u64 = 0xd201_0000_0001_0000;

/// A curve `y² = x³ + a·x + b` with neither coefficient 0, and `z` of the map.
pub struct Isogenous<F> {
    /// The coefficient of `x`.
    pub a: F,
    /// The constant coefficient.
    pub b: F,
    pub(crate) z: F,
}

impl<F: ExtensionField> Isogenous<F> {
    /// One of the two `y` of an `x`, if it has any.
    pub fn root(&self, x: &F) -> Option<F> {
        ((x.square() + self.a) * x + self.b).sqrt().into()
    }

    /// The map of section 6.6.2, step by step.
    pub(crate) fn map(&self, u: &F) -> [F; 2] {
        let t = self.z * u.square();
        let inverse = (t.square() + t).invert();
        let over = |numerator: F, denominator: F| {
            numerator * denominator.invert().expect("coefficients are not 0")
        };
        let x1 = match Option::<F>::from(inverse) {
            Some(inverse) => -over(self.b, self.a) * (F::ONE + inverse),
            None => over(self.b, self.z * self.a),
        };
        let (x, y) = match self.root(&x1) {
            Some(y) => (x1, y),
            None => (t * x1, self.root(&(t * x1)).expect("one of the two is a square")),
        };
        let has_sign = bool::from(u.sign()) == bool::from(y.sign());
        [x, if has_sign { y } else { -y }]
    }
}

/// `|x|·P` for the parameter `x`, which is negative.
pub(super) fn times_parameter<G: Group>(point: &G) -> G {
    let bits = (0..u64::BITS).rev().map(|bit| PARAMETER >> bit & 1 == 1);
    bits.fold(G::identity(), |sum, bit| if bit { sum.double() + point } else { sum.double() })
}
