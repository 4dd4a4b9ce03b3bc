//! Points and scalars of a string, read and drawn.

use ff::Field as _;
use group::prime::PrimeCurveAffine;
use rand_core::CryptoRngCore;

use crate::{
    pairing_curve::{decode_g2, decode_on_curve, Fr, G1Affine, G2Affine},
    pvss::Error,
};

pub(super) fn bad(reason: &'static str) -> Error {
    Error::Srs { reason }
}

/// A random scalar that is not zero.
pub(super) fn random(rng: &mut impl CryptoRngCore) -> Fr {
    loop {
        let scalar = Fr::random(&mut *rng);
        if !bool::from(scalar.is_zero()) {
            return scalar;
        }
    }
}

pub(super) const OUTSIDE: &str = "a point is not in its group";

/// A point of the curve other than the identity. The subgroup is checked for all points together.
pub(super) fn on_curve(bytes: &[u8]) -> Result<G1Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    let point = decode_on_curve(bytes).map_err(|_| bad(OUTSIDE))?;
    if bool::from(point.is_identity()) {
        Err(bad("a point is the identity"))
    } else {
        Ok(point)
    }
}

pub(super) fn g1(bytes: &[u8]) -> Result<G1Affine, Error> {
    let point = on_curve(bytes)?;
    if bool::from(point.is_torsion_free()) {
        Ok(point)
    } else {
        Err(bad(OUTSIDE))
    }
}

pub(super) fn g2(bytes: &[u8]) -> Result<G2Affine, Error> {
    let bytes = bytes.try_into().map_err(|_| bad("too short"))?;
    let point = decode_g2(bytes).map_err(|_| bad(OUTSIDE))?;
    if bool::from(point.is_identity()) {
        Err(bad("a point is the identity"))
    } else {
        Ok(point)
    }
}
