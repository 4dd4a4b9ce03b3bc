//! `BLS12381G1_XMD:SHA-256_SSWU_RO_`, RFC 9380 section 8.8.1.

use std::sync::OnceLock;

use ff::Field;
use halo2curves::{
    bls12_381::{Fq, G1Affine, G1},
    CurveAffine,
};

use super::{constants, times_parameter, Isogenous};
use crate::{
    field::{element, hex},
    hash::to_curve::suite::Suite,
};

/// Hashes to G1 of BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bls12381G1;

/// The isogeny of appendix E.2: `(X(x)/(121·h²), y·Y(x)/(1331·h³))`. All polynomials have the highest coefficient 1,
/// which is left out, and go from the lowest power on.
pub struct Isogeny {
    /// Where the isogeny starts.
    pub curve: Isogenous<Fq>,
    /// `X`.
    pub x: Vec<Fq>,
    /// `Y`.
    pub y: Vec<Fq>,
    /// `h`.
    pub kernel: Vec<Fq>,
}

impl Isogeny {
    /// The factor of the denominator of `x`.
    pub const X_FACTOR: u64 = 121;
    /// The factor of the denominator of `y`.
    pub const Y_FACTOR: u64 = 1331;

    /// The isogeny, made once.
    pub fn get() -> &'static Self {
        static ISOGENY: OnceLock<Isogeny> = OnceLock::new();
        ISOGENY.get_or_init(|| {
            let times = |factor: u64, all: &[&str]| {
                all.iter().map(|one| Fq::from(factor) * constant(one)).collect()
            };
            let (a, b) = (constant(constants::A), constant(constants::B));
            Isogeny {
                curve: Isogenous { a, b, z: Fq::from(11) },
                x: times(Self::X_FACTOR, &constants::X),
                y: times(Self::Y_FACTOR, &constants::Y),
                kernel: times(1, &constants::KERNEL),
            }
        })
    }

    /// The image of a point; `None` for one in the kernel.
    fn image(&self, [x, y]: [Fq; 2]) -> Option<[Fq; 2]> {
        let at = |polynomial: &[Fq]| polynomial.iter().rev().fold(Fq::ONE, |sum, c| sum * x + c);
        let inverse = Option::<Fq>::from(at(&self.kernel).invert())?;
        let over = |factor: u64| Fq::from(factor).invert().expect("a factor is not 0");
        let square = inverse.square();
        let image_x = at(&self.x) * square * over(Self::X_FACTOR);
        Some([image_x, y * at(&self.y) * square * inverse * over(Self::Y_FACTOR)])
    }
}

fn constant(digits: &str) -> Fq {
    element(&hex(digits))
}

impl Suite for Bls12381G1 {
    const NAME: &'static str = "BLS12381G1_XMD:SHA-256_SSWU_RO_";
    type Field = Fq;
    type Point = G1Affine;

    fn map(element: &Fq) -> G1Affine {
        let isogeny = Isogeny::get();
        match isogeny.image(isogeny.curve.map(element)) {
            Some([x, y]) => G1Affine::from_xy(x, y).expect("the image is on the curve"),
            None => G1Affine::default(),
        }
    }

    /// `(1 - x)·P` for the curve's parameter `x`.
    fn clear_cofactor(point: &G1) -> G1 {
        times_parameter(point) + point
    }
}
