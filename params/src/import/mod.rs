//! Importing the SRS of a ceremony.
//!
//! Each importer takes the file and an optional `k`: with it, the SRS is cut to `2^k` powers;
//! without it, the largest power of two that fits is used. The four powers after those are taken along if the file has
//! them ([`Srs::further_powers`](crate::Srs::further_powers)). All of them check that every point used
//! is canonically encoded, on BN254, in its group and not the identity, that the generators are the
//! standard ones, that the G1 points are the powers of the τ in G2 (a pairing check over all of
//! them by a random linear combination), and that τ is not a well-known one. The rest of a longer
//! file is hashed, not checked. The origin is the file that was read, named by its hash; only [`raw_told`] and
//! [`raw_and_further_told`] take the caller's word for it. Nothing is written; see [`crate::SrsCache::store`].

use std::path::Path;

use crate::{error::ParamsError, points, source::Source, srs::Srs, stored};

mod point;
mod ptau;
pub(crate) mod raw;

pub use self::{
    point::point,
    ptau::ptau,
    raw::{raw, raw_and_further_len, raw_and_further_told, raw_len, raw_told},
};
pub use crate::origin::Format;

/// Tells the format from the first bytes of a file.
///
/// # Errors
/// [`ParamsError::Io`], and [`ParamsError::Format`] when the bytes match no format. The rest is not examined.
pub fn detect(path: &Path) -> Result<Format, ParamsError> {
    let mut source = Source::open(path)?;
    let mut start = [0; points::G1_COMPRESSED];
    let len = source.len().min(start.len() as u64) as usize;
    source.fill(&mut start[..len])?;
    // The generator (1, 2) compressed: the flag for the smaller y, then x.
    let mut generator = [0; points::G1_COMPRESSED];
    (generator[0], generator[points::G1_COMPRESSED - 1]) = (0x80, 1);
    if start.starts_with(ptau::MAGIC) {
        Ok(Format::SnarkjsPtau)
    } else if start.starts_with(stored::MAGIC) {
        Ok(Format::Muster)
    } else if start == generator {
        Ok(Format::GnarkPoint)
    } else if start[0] > 0 && start[1..4] == [0; 3] {
        // A little-endian k. The importer checks whether it is a sensible one.
        Ok(Format::Halo2Raw)
    } else {
        Err(source.format(
            "wrong magic: neither a halo2 RawBytes, a .point, a .ptau nor a stored muster SRS",
        ))
    }
}

/// Whether a file says that it was made by no ceremony, which costs no check of its points.
///
/// # Errors
/// Those of [`detect`]; [`ParamsError::Corrupt`] or [`ParamsError::Truncated`] for a stored SRS without its header.
pub fn says_insecure(path: &Path) -> Result<bool, ParamsError> {
    Ok(detect(path)? == Format::Muster && stored::says_insecure(path)?)
}

/// Imports a file in any format, recognised by [`detect`]. `g2` is used for `.point` only. A stored
/// muster SRS is checked as thoroughly as the others. It is believed if it says that it is insecure; whatever else it
/// says about its origin is a claim, and its origin is this file ([`Origin::is_claimed`](crate::Origin::is_claimed)).
///
/// # Errors
/// Those of [`detect`] and of the format's importer; [`ParamsError::MissingG2`] for a `.point`
/// without `g2`; [`ParamsError::Corrupt`] for a stored SRS that fails its digest.
pub fn auto(path: &Path, g2: Option<&Path>, k: Option<u32>) -> Result<Srs, ParamsError> {
    match (detect(path)?, g2) {
        (Format::Halo2Raw, _) => raw(path, k),
        (Format::SnarkjsPtau, _) => ptau(path, k),
        (Format::Muster, _) => Ok(stored::import(path, k)?.srs),
        (Format::GnarkPoint, Some(g2)) => point(path, g2, k),
        (Format::GnarkPoint, None) => Err(ParamsError::MissingG2 { path: path.to_path_buf() }),
    }
}
