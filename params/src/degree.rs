//! The degrees that an SRS may have.

use std::path::Path;

use crate::error::{ParamsError, MAX_K};

/// Checks that `1 ≤ k ≤` [`MAX_K`]. With k = 0 nothing would tie τ in G2 to G1.
pub(crate) fn check_degree(k: u32) -> Result<(), ParamsError> {
    if (1..=MAX_K).contains(&k) {
        Ok(())
    } else {
        Err(ParamsError::Degree { k })
    }
}

/// The degree to import from a file with `found` powers: `target`, or the largest that fits.
pub(crate) fn choose_degree(
    path: &Path,
    target: Option<u32>,
    found: u64,
) -> Result<u32, ParamsError> {
    let largest = found.checked_ilog2().unwrap_or(0).min(MAX_K);
    let k = target.unwrap_or(largest.max(1));
    check_degree(k)?;
    if k > largest {
        return Err(ParamsError::NotEnoughPoints { path: path.to_path_buf(), k, found });
    }
    Ok(k)
}
