//! KZG structured reference strings (SRS) on BN254 that know where they came from.
//!
//! An [`Srs`] holds the powers `[1, τ, τ², …, τ^(2^k − 1)]` in G1, the same in the Lagrange basis,
//! and `[1]₂`, `[τ]₂`, together with its [`Origin`]: a ceremony file named by its SHA-256, or fresh
//! local randomness, which is insecure because whoever made it could have kept τ. The only ways to
//! get one are [`Srs::insecure`], the importers in [`import`], which check everything a file
//! claims, and [`SrsCache`], which keeps both kinds on disk.
//!
//! `k` is always log₂ of the number of G1 powers, `1 ≤ k ≤` [`MAX_K`]. Where the source has them, [`FURTHER`] more powers
//! are kept: [`Srs::further_powers`].
//!
//! ```no_run
//! use muster_params::{import, Overwrite, SrsCache};
//!
//! let srs = import::ptau("powersOfTau28_hez_final_16.ptau".as_ref(), Some(14))?;
//! let cache = SrsCache::from_env();
//! cache.store(&srs, Overwrite::No)?;
//! assert!(!cache.load(14)?.is_insecure());
//! # Ok::<(), muster_params::ParamsError>(())
//! ```

mod cache;
mod ceremonies;
mod check;
mod degree;
mod error;
mod header;
pub mod import;
mod origin;
mod packs;
mod parts;
mod points;
mod source;
mod srs;
mod stored;
mod verify;

#[cfg(test)]
mod tests;

pub use cache::{Overwrite, SrsCache, CACHE_DIR_ENV, DEFAULT_CACHE_DIR};
pub use ceremonies::{KnownFile, KnownSrs, KNOWN};
pub use check::{check, Report};
pub use error::{ParamsError, PointFault, PointName, FURTHER, MAX_K};
pub use origin::{Format, Origin, SourceFile};
pub use packs::PackBases;
pub use srs::{Srs, CLAIMED_WARNING, INSECURE_WARNING};
