//! Decoding points from bytes. Every function but [`g1_trusted`] returns only points that are
//! canonically encoded, on the curve, in the subgroup of order r, and not the identity.
//!
//! halo2curves's own `read_raw` is not used: it checks that coordinates are below q, but not the curve equation.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fq, Fq2, G1Affine, G2Affine, G2},
    ff::{Field, PrimeField},
    group::cofactor::CofactorGroup,
    serde::SerdeObject,
    CurveAffine,
};

use crate::error::PointFault;

/// How a reader decodes G1 points: [`g1_raw`] unless the caller compares a digest before it uses them, [`g1_trusted`] if so.
pub(crate) type DecodeG1 = fn(&[u8]) -> Result<G1Affine, PointFault>;

/// Bytes of a base field element in every format here.
pub(crate) const FIELD: usize = 32;
/// Bytes of an uncompressed G1 point.
pub(crate) const G1_RAW: usize = 2 * FIELD;
/// Bytes of an uncompressed G2 point.
pub(crate) const G2_RAW: usize = 4 * FIELD;
/// Bytes of a compressed G1 point.
pub(crate) const G1_COMPRESSED: usize = FIELD;
/// Bytes of a compressed G2 point.
pub(crate) const G2_COMPRESSED: usize = 2 * FIELD;

/// halo2 and snarkjs: x ‖ y, each little-endian in Montgomery form.
pub(crate) fn g1_raw(bytes: &[u8]) -> Result<G1Affine, PointFault> {
    let (x, y) = bytes.split_at(FIELD);
    g1_affine(field_raw(x)?, field_raw(y)?)
}

/// The same bytes as [`g1_raw`] without a check; see `stored` for when that is sound.
pub(crate) fn g1_trusted(bytes: &[u8]) -> Result<G1Affine, PointFault> {
    Ok(G1Affine::from_raw_bytes_unchecked(bytes))
}

/// halo2 and snarkjs: x.c0 ‖ x.c1 ‖ y.c0 ‖ y.c1, each little-endian in Montgomery form.
pub(crate) fn g2_raw(bytes: &[u8]) -> Result<G2Affine, PointFault> {
    let mut coordinates = [Fq::ZERO; 4];
    for (coordinate, chunk) in coordinates.iter_mut().zip(bytes.chunks_exact(FIELD)) {
        *coordinate = field_raw(chunk)?;
    }
    let [x0, x1, y0, y1] = coordinates;
    g2_affine(Fq2::new(x0, x1), Fq2::new(y0, y1))
}

/// gnark: x big-endian, the two top bits are flags.
pub(crate) fn g1_compressed(bytes: &[u8]) -> Result<G1Affine, PointFault> {
    let (largest, bytes) = split_flags(bytes)?;
    let x = field_big_endian(&bytes)?;
    let y_squared = x.square() * x + G1Affine::b();
    let y = Option::<Fq>::from(y_squared.sqrt()).ok_or(PointFault::NotOnCurve)?;
    g1_affine(x, if is_largest(&y) == largest { y } else { -y })
}

/// gnark: x.A1 ‖ x.A0, each big-endian, the two top bits of the first byte are flags.
pub(crate) fn g2_compressed(bytes: &[u8]) -> Result<G2Affine, PointFault> {
    let (x1, x0) = bytes.split_at(FIELD);
    let (largest, x1) = split_flags(x1)?;
    let x = Fq2::new(field_big_endian(x0)?, field_big_endian(&x1)?);
    let y_squared = x.square() * x + G2Affine::b();
    let y = Option::<Fq2>::from(y_squared.sqrt()).ok_or(PointFault::NotOnCurve)?;
    // Fq2 is ordered by its imaginary part first.
    let leading = if bool::from(y.c1.is_zero()) { y.c0 } else { y.c1 };
    g2_affine(x, if is_largest(&leading) == largest { y } else { -y })
}

fn g1_affine(x: Fq, y: Fq) -> Result<G1Affine, PointFault> {
    // halo2curves writes the identity as (0, 0) and `from_xy` accepts it.
    if bool::from(x.is_zero() & y.is_zero()) {
        return Err(PointFault::Identity);
    }
    // G1 has cofactor 1: every point on the curve is in the group.
    Option::from(G1Affine::from_xy(x, y)).ok_or(PointFault::NotOnCurve)
}

fn g2_affine(x: Fq2, y: Fq2) -> Result<G2Affine, PointFault> {
    if bool::from(x.is_zero() & y.is_zero()) {
        return Err(PointFault::Identity);
    }
    let point = Option::from(G2Affine::from_xy(x, y)).ok_or(PointFault::NotOnCurve)?;
    if bool::from(G2::from(point).is_torsion_free()) {
        Ok(point)
    } else {
        Err(PointFault::NotInSubgroup)
    }
}

fn field_raw(bytes: &[u8]) -> Result<Fq, PointFault> {
    Fq::from_raw_bytes(bytes).ok_or(PointFault::NonCanonical)
}

fn field_big_endian(bytes: &[u8]) -> Result<Fq, PointFault> {
    let mut repr = [0; FIELD];
    repr.copy_from_slice(bytes);
    repr.reverse();
    Option::from(Fq::from_repr(repr)).ok_or(PointFault::NonCanonical)
}

/// Takes gnark's flags off the first byte: 10 is the smaller y, 11 the larger, 01 infinity, 00 uncompressed.
fn split_flags(bytes: &[u8]) -> Result<(bool, [u8; FIELD]), PointFault> {
    let mut x = [0; FIELD];
    x.copy_from_slice(bytes);
    let flags = x[0] >> 6;
    x[0] &= 0b0011_1111;
    match flags {
        0b00 => Err(PointFault::Uncompressed),
        0b01 => Err(PointFault::Identity),
        _ => Ok((flags == 0b11, x)),
    }
}

/// Whether y > −y as integers.
fn is_largest(y: &Fq) -> bool {
    let (y, negated) = (y.to_repr(), (-y).to_repr());
    y.iter().rev().gt(negated.iter().rev())
}
