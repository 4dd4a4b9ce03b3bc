//! Hashes to G1 of BN254, whose curve `y² = x³ + 3` is of prime order.

use std::sync::OnceLock;

use ff::{Field, PrimeField};
use halo2curves::{
    bn256::{Fq, G1Affine, G1},
    CurveAffine,
};
use num_bigint::BigUint;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::suite::Suite;
use crate::field::ExtensionField;

/// `BN254G1_XMD:SHA-256_SVDW_RO_` of gnark-crypto and others: RFC 9380 with the map of Shallue and van de Woestijne.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bn254G1;

/// Constants of the map of RFC 9380 section 6.6.1 with `Z = 1`.
pub struct Constants {
    /// `c1 = g(Z)`.
    pub(crate) g: Fq,
    /// `c2 = -Z/2`.
    pub half: Fq,
    /// `c3 = √(-3·g(Z)·Z²)`, the even one.
    pub root: Fq,
    /// `c4 = -4·g(Z)/(3·Z²)`.
    pub(crate) quotient: Fq,
}

impl Constants {
    /// The constants, made once.
    pub fn get() -> &'static Self {
        static CONSTANTS: OnceLock<Constants> = OnceLock::new();
        CONSTANTS.get_or_init(|| {
            let (three, four) = (Fq::from(3), Fq::from(4));
            let g = four;
            let root = (-(three * g)).sqrt().expect("-12 is a square, by the choice of Z");
            let root = if bool::from(root.is_odd()) { -root } else { root };
            let third = three.invert().expect("3 is not zero");
            Self { g, half: -Fq::TWO_INV, root, quotient: -(four * g * third) }
        })
    }
}

/// The right side of the curve's equation.
fn right(x: &Fq) -> Fq {
    x.square() * x + Fq::from(3)
}

impl Suite for Bn254G1 {
    const NAME: &'static str = "BN254G1_XMD:SHA-256_SVDW_RO_";
    type Field = Fq;
    type Point = G1Affine;

    /// The map of section 6.6.1, step by step.
    fn map(u: &Fq) -> G1Affine {
        let Constants { g, half, root, quotient } = Constants::get();
        let tv1 = u.square() * g;
        let tv2 = Fq::ONE + tv1;
        let tv1 = Fq::ONE - tv1;
        let tv3 = (tv1 * tv2).invert().unwrap_or(Fq::ZERO);
        let tv4 = *u * tv1 * tv3 * root;
        let x1 = *half - tv4;
        let x2 = *half + tv4;
        let x3 = (tv2.square() * tv3).square() * quotient + Fq::ONE;
        let (y1, y2, y3) = (right(&x1).sqrt(), right(&x2).sqrt(), right(&x3).sqrt());
        let (first, second) = (y1.is_some(), y2.is_some() & !y1.is_some());
        let x = Fq::conditional_select(&x3, &x1, first);
        let x = Fq::conditional_select(&x, &x2, second);
        let y = Fq::conditional_select(&y3.unwrap_or(Fq::ZERO), &y1.unwrap_or(Fq::ZERO), first);
        let y = Fq::conditional_select(&y, &y2.unwrap_or(Fq::ZERO), second);
        let y = Fq::conditional_select(&-y, &y, u.is_odd().ct_eq(&y.is_odd()));
        G1Affine::from_xy(x, y).expect("one of the three is on the curve")
    }

    /// There is no cofactor to clear.
    fn clear_cofactor(point: &G1) -> G1 {
        *point
    }
}

/// The point that `BN254.hashToG1` of EigenLayer's contracts finds: its `x` is the first from the digest on, as a
/// big-endian integer modulo the prime, that a point has, and of its two `y` it takes the square, which is
/// `(x³ + 3)^((p+1)/4)`. Also returns how many `x` are passed over. In the contracts a digest has 32 bytes.
pub fn find_point(digest: &[u8]) -> (G1Affine, usize) {
    let mut x = Fq::of_integers(&[BigUint::from_bytes_be(digest)]);
    let mut passed = 0;
    loop {
        if let Some(y) = Option::<Fq>::from(right(&x).sqrt()) {
            // -1 is not a square, so one of the two roots is.
            let y = if bool::from(y.sqrt().is_some()) { y } else { -y };
            return (G1Affine::from_xy(x, y).expect("on the curve"), passed);
        }
        x += Fq::ONE;
        passed += 1;
    }
}
