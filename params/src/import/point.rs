//! gnark's and EigenDA's `.point` files: bare compressed points, big-endian, flags in the two top
//! bits (gnark-crypto `ecc/bn254/marshal.go`). The G1 file holds 32 bytes per power, `[1]₁` first;
//! the G2 file holds 64 bytes per point, x.A1 ‖ x.A0.

use std::path::Path;

use halo2_base::halo2_proofs::halo2curves::bn256::G2Affine;

use crate::{
    degree::choose_degree,
    error::{ParamsError, PointName},
    origin::{Format, Origin, SourceFile},
    parts::Parts,
    points,
    source::Source,
    srs::Srs,
};

/// Imports a pair of `.point` files. The G2 file is either EigenDA's `g2.point.powerOf2`, whose
/// first point is `[τ]₂`, or `g2.point`, whose first point is `[1]₂` and second `[τ]₂`.
///
/// # Errors
/// [`Truncated`](ParamsError::Truncated) when a file does not end with a whole point, a bad
/// [`Point`](ParamsError::Point), [`WrongTau`](ParamsError::WrongTau),
/// [`KnownTau`](ParamsError::KnownTau), [`NotEnoughPoints`](ParamsError::NotEnoughPoints),
/// [`Degree`](ParamsError::Degree), [`Io`](ParamsError::Io). A file cut between two points cannot
/// be recognised, since the format has no length: ask for the `k` that you expect.
pub fn point(g1: &Path, g2: &Path, k: Option<u32>) -> Result<Srs, ParamsError> {
    let (s_g2, g2_file) = read_tau(g2)?;
    let mut source = Source::open(g1)?;
    let found = count(&source, points::G1_COMPRESSED)?;
    let k = choose_degree(g1, k, found)?;
    let (g, further) = source.powers(k, found, points::G1_COMPRESSED, points::g1_compressed)?;
    source.skip(source.remaining())?;
    let file = source.finish()?;
    let parts = Parts { k, g, further, g_lagrange: None, g2: G2Affine::generator(), s_g2 };
    let origin = Origin::Ceremony { format: Format::GnarkPoint, file, g2_file: Some(g2_file) };
    Ok(Srs::new(parts.verified(g1)?, origin))
}

fn read_tau(path: &Path) -> Result<(G2Affine, SourceFile), ParamsError> {
    let mut source = Source::open(path)?;
    let found = count(&source, points::G2_COMPRESSED)?;
    let mut next =
        || source.point::<{ points::G2_COMPRESSED }, _>(PointName::TauG2, points::g2_compressed);
    let mut tau = next()?;
    if tau == G2Affine::generator() && found > 1 {
        tau = next()?;
    }
    source.skip(source.remaining())?;
    Ok((tau, source.finish()?))
}

/// Number of points in a file of nothing but points.
fn count(source: &Source, size: usize) -> Result<u64, ParamsError> {
    let len = source.len();
    source.need(len.next_multiple_of(size as u64).max(size as u64))?;
    Ok(len / size as u64)
}
