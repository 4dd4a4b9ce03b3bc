//! halo2's RawBytes: u32 little-endian k, `2^k` G1 powers, `2^k` G1 Lagrange points, g2, τ·g2;
//! coordinates little-endian in Montgomery form. Written by `ParamsKZG::write_custom` of
//! halo2-axiom's `poly/kzg/commitment.rs`, published for the Hermez ceremony as `hermez-raw-<k>`.

use std::path::Path;

use crate::{
    degree::{check_degree, choose_degree},
    error::{ParamsError, PointName, FURTHER},
    origin::{Format, Origin, SourceFile},
    parts::{Assembled, Parts},
    points::{self, DecodeG1},
    source::Source,
    srs::Srs,
};

/// Bytes of the further powers.
const FURTHER_BYTES: u64 = (FURTHER * points::G1_RAW) as u64;

/// Imports a RawBytes file. The Lagrange points are used, and checked against the powers, unless
/// the SRS is cut down. The further powers are there only if it is: the file has exactly `2^k`.
///
/// # Errors
/// Every [`ParamsError`] about content: the file is [`Truncated`](ParamsError::Truncated) or has
/// [`TrailingBytes`](ParamsError::TrailingBytes), its k is absurd
/// ([`Format`](ParamsError::Format)), a [`Point`](ParamsError::Point) is bad,
/// [`WrongTau`](ParamsError::WrongTau), [`WrongLagrange`](ParamsError::WrongLagrange),
/// [`KnownTau`](ParamsError::KnownTau); for the wanted `k`
/// [`NotEnoughPoints`](ParamsError::NotEnoughPoints) or [`Degree`](ParamsError::Degree).
pub fn raw(path: &Path, k: Option<u32>) -> Result<Srs, ParamsError> {
    let (points, file) = read(path, k)?;
    Ok(Srs::new(points, Origin::one_file(Format::Halo2Raw, file)))
}

/// [`raw`] for a whole file written by [`Srs::write_raw`], which loses the origin: `origin` is what the caller was
/// told, and the only thing that is not checked.
///
/// # Errors
/// Those of [`raw`].
pub fn raw_told(path: &Path, origin: Origin) -> Result<Srs, ParamsError> {
    Ok(Srs::new(read(path, None)?.0, origin))
}

/// Imports a file written by [`Srs::write_raw_and_further`], with the origin that the caller was told: the layout alone, or with
/// the further powers behind it. All of it is checked as by [`raw`], and used.
///
/// # Errors
/// Those of [`raw`].
pub fn raw_and_further_told(path: &Path, origin: Origin) -> Result<Srs, ParamsError> {
    let mut source = Source::open(path)?;
    let mut parts = read_body(&mut source, None, points::g1_raw, &[FURTHER_BYTES, 0])?;
    let count = source.remaining() / points::G1_RAW as u64;
    let name = |index| PointName::Power((1 << parts.k) + index);
    parts.further = source.points(count, points::G1_RAW, name, points::g1_raw)?;
    source.finish()?;
    Ok(Srs::new(parts.verified(path)?, origin))
}

/// Reads and checks a whole file.
fn read(path: &Path, k: Option<u32>) -> Result<(Assembled, SourceFile), ParamsError> {
    let mut source = Source::open(path)?;
    let parts = read_body(&mut source, k, points::g1_raw, &[0])?;
    let file = source.finish()?;
    Ok((parts.verified(path)?, file))
}

/// Bytes of the layout for a k of at most [`MAX_K`](crate::MAX_K): a file of `2^k` powers has no other length.
pub fn raw_len(k: u32) -> u64 {
    4 + (2u64 << k) * points::G1_RAW as u64 + 2 * points::G2_RAW as u64
}

/// Most bytes of a file that [`raw_and_further_told`] reads, for a k of at most [`MAX_K`](crate::MAX_K).
pub fn raw_and_further_len(k: u32) -> u64 {
    raw_len(k) + FURTHER_BYTES
}

/// Reads to the end of the layout, after which the file must have exactly one of these numbers of bytes; the first is the
/// one that errors name.
pub(crate) fn read_body(
    source: &mut Source,
    target: Option<u32>,
    decode: DecodeG1,
    after: &[u64],
) -> Result<Parts, ParamsError> {
    let file_k = source.u32()?;
    check_degree(file_k).map_err(|error| source.format(format!("not an SRS: {error}")))?;
    let available = 1u64 << file_k;
    let layout = raw_len(file_k) - 4;
    let is_it = |after: &u64| source.remaining() == layout + after;
    let after = after.iter().copied().find(is_it).unwrap_or(after[0]);
    source.need_exactly(layout + after)?;
    let k = choose_degree(source.path(), target, available)?;

    let (g, further) = source.powers(k, available, points::G1_RAW, decode)?;
    let g_lagrange = if k == file_k {
        Some(source.points(available, points::G1_RAW, PointName::Lagrange, decode)?)
    } else {
        // They belong to the larger domain.
        let left = 2 * available - (g.len() + further.len()) as u64;
        source.skip(left * points::G1_RAW as u64)?;
        None
    };
    let g2 = source.point::<{ points::G2_RAW }, _>(PointName::G2, points::g2_raw)?;
    let s_g2 = source.point::<{ points::G2_RAW }, _>(PointName::TauG2, points::g2_raw)?;
    Ok(Parts { k, g, further, g_lagrange, g2, s_g2 })
}
