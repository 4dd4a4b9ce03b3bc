//! `BLS12381G2_XMD:SHA-256_SSWU_RO_`, RFC 9380 section 8.8.2.

use std::sync::OnceLock;

use ff::Field;
use halo2curves::{
    bls12_381::{Fq, Fq2, G2Affine, G2},
    group::Curve,
    CurveAffine,
};
use num_bigint::BigUint;

use super::{times_parameter, Isogenous};
use crate::{
    field::{self, ExtensionField},
    hash::to_curve::suite::Suite,
};

/// Hashes to G2 of BLS12-381.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bls12381G2;

/// A small element.
fn small(c0: i64, c1: i64) -> Fq2 {
    Fq2 { c0: field::small(c0), c1: field::small(c1) }
}

/// Section 8.8.2.
pub fn curve() -> Isogenous<Fq2> {
    Isogenous { a: small(0, 240), b: small(1012, 1012), z: small(-2, -1) }
}

/// The isogeny of appendix E.3, whose kernel is the identity and two points with `x = -6 + 6i`. With
/// `m = 1/(x + 6 - 6i)` Vélu's formulas are
///
/// ```text
/// x' = (x + 48i·m + 16(1 + i)·m²)/9
/// y' = -y·(1 - 48i·m² - 32(1 + i)·m³)/27
/// ```
///
/// `None` for a point in the kernel.
fn image([x, y]: [Fq2; 2]) -> Option<[Fq2; 2]> {
    let m = Option::<Fq2>::from((x + small(6, -6)).invert())?;
    let over = |c: i64| Option::<Fq2>::from(small(c, 0).invert()).expect("it is not 0");
    let square = m.square();
    let image_x = (x + small(0, 48) * m + small(16, 16) * square) * over(9);
    let slope = Fq2::ONE - small(0, 48) * square - small(32, 32) * square * m;
    Some([image_x, y * slope * over(-27)])
}

/// The factors of `ψ`, appendix G.3: `1/(1 + i)^((p-1)/3)` and `1/(1 + i)^((p-1)/2)`.
pub fn psi_factors() -> &'static [Fq2; 2] {
    static FACTORS: OnceLock<[Fq2; 2]> = OnceLock::new();
    FACTORS.get_or_init(|| {
        let [top] = &(-Fq::ONE).integers()[..] else { panic!("a coordinate") };
        [3u8, 2].map(|part| {
            let power = small(1, 1).pow_vartime(&(top / BigUint::from(part)).to_u64_digits());
            power.invert().expect("1 + i is not 0")
        })
    })
}

/// `ψ` of appendix G.3: an endomorphism that raises coordinates to the power `p`.
fn psi(point: &G2) -> G2 {
    let affine = point.to_affine();
    let [x, y] = psi_factors();
    let conjugate = |c: Fq2| Fq2 { c0: c.c0, c1: -c.c1 };
    let (x, y) = (conjugate(affine.x) * x, conjugate(affine.y) * y);
    if bool::from(affine.is_identity()) {
        *point
    } else {
        G2Affine::from_xy(x, y).expect("its image is on the curve").into()
    }
}

impl Suite for Bls12381G2 {
    const NAME: &'static str = "BLS12381G2_XMD:SHA-256_SSWU_RO_";
    type Field = Fq2;
    type Point = G2Affine;

    fn map(element: &Fq2) -> G2Affine {
        match image(curve().map(element)) {
            Some([x, y]) => G2Affine::from_xy(x, y).expect("the image is on the curve"),
            None => G2Affine::default(),
        }
    }

    /// `(x² - x - 1)·P + (x - 1)·ψ(P) + ψ²(2P)` for the curve's parameter `x` (Budroni, Pintore; appendix G.3), that
    /// is `-x·(-x·P - ψ(P) + P) - ψ(P) - P + ψ²(2P)`.
    fn clear_cofactor(point: &G2) -> G2 {
        let image = psi(point);
        let inner = times_parameter(point) - image + point;
        times_parameter(&inner) - image - point + psi(&psi(&point.double()))
    }
}
