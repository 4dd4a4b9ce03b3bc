//! The structured reference string: powers of τ in G1, [τ]₂, and the blinder's ξ in both groups.
//!
//! Anyone who knows τ or ξ can forge range proofs. Anyone may contribute: ξ, and τ if wanted, are
//! multiplied by a fresh secret, with a proof that its maker knew it. One honest contributor to
//! each of them is enough: one that leaves τ alone protects only ξ. No public ceremony has a ξ, so
//! an imported string is insecure until somebody has contributed one.

mod contribution;
mod string;

use group::prime::PrimeCurveAffine;

use crate::{
    pairing_curve::{decode_g2, decode_on_curve, G1Affine, G2Affine},
    pvss::Error,
};

pub use contribution::Contribution;
pub use string::{Srs, MOST_POWERS};

fn bad(reason: &'static str) -> Error {
    Error::Srs { reason }
}

const OUTSIDE: &str = "a point is not in its group";

/// A point of the curve other than the identity. The subgroup is checked for all points together.
fn on_curve(bytes: &[u8]) -> Result<G1Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    finite(decode_on_curve(bytes).map_err(|_| bad(OUTSIDE))?)
}

fn g1(bytes: &[u8]) -> Result<G1Affine, Error> {
    let point = on_curve(bytes)?;
    bool::from(point.is_torsion_free()).then_some(point).ok_or(bad(OUTSIDE))
}

fn g2(bytes: &[u8]) -> Result<G2Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    finite(decode_g2(bytes).map_err(|_| bad(OUTSIDE))?)
}

fn finite<P: PrimeCurveAffine>(point: P) -> Result<P, Error> {
    (!bool::from(point.is_identity())).then_some(point).ok_or(bad("a point is the identity"))
}
