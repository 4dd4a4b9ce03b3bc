//! Finding the SRS that a command needs.

use std::{
    iter,
    path::{Path, PathBuf},
};

use muster_circuits::CircuitShape;
use muster_params::{
    import, Origin, ParamsError, Srs, SrsCache, CLAIMED_WARNING, INSECURE_WARNING,
};
use muster_prover::{apart, Error as ProverError, VerifierKeyOf};

use crate::{progress::Progress, spool::Spooled, Error};

/// Where to look for an SRS, and whether an insecure one will do.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SrsArgs {
    /// File with an SRS in any format: halo2 RawBytes (hermez-raw-K), .point, .ptau, or muster's
    /// own (default: from the cache, which `muster srs list` names).
    #[arg(long, value_name = "FILE")]
    pub srs: Option<PathBuf>,
    /// The second file of a .point pair: tau in G2.
    #[arg(long, value_name = "FILE", requires = "srs")]
    pub srs_g2: Option<PathBuf>,
    /// Use or make an SRS that no ceremony made. Whoever made it can forge proofs: for tests only.
    #[arg(long)]
    pub insecure_srs: bool,
}

impl SrsArgs {
    /// An insecure SRS will do.
    pub fn insecure() -> Self {
        Self { insecure_srs: true, ..Self::default() }
    }

    /// The SRS of degree `k`.
    ///
    /// # Errors
    ///
    /// [`Error::InsecureSrs`] for an insecure one that was not allowed, [`muster_prover::Error::Params`].
    pub fn load(&self, k: u32, progress: &Progress) -> Result<Srs, Error> {
        let srs = match &self.srs {
            Some(file) => read(file, self.srs_g2.as_deref(), k, self.insecure_srs, progress)?,
            None => self.cached(k, progress)?,
        };
        if srs.is_insecure() && !self.insecure_srs {
            return Err(Error::InsecureSrs(k));
        }
        warn_of_origin(&srs, progress);
        Ok(srs)
    }

    fn cached(&self, k: u32, progress: &Progress) -> Result<Srs, Error> {
        let cache = SrsCache::from_env();
        if !has(&cache, k) {
            // An insecure SRS is never cut down: making one is cheaper.
            let larger = (k..=muster_params::MAX_K).find(|k| ceremony(&cache, *k).exists());
            match larger {
                Some(larger) => progress.note(&format!("cutting the SRS down from 2^{larger}")),
                None if self.insecure_srs => return make_insecure(&cache, k, progress),
                None => {}
            }
        }
        Ok(cache.load(k)?)
    }
}

/// Warns of an SRS that no ceremony made, or of which nobody knows that one did.
pub(crate) fn warn_of_origin(srs: &Srs, progress: &Progress) {
    if srs.is_insecure() {
        progress.warn(INSECURE_WARNING);
    }
    if srs.origin().is_claimed() {
        progress.warn(CLAIMED_WARNING);
    }
}

/// Whether the cache holds a ceremony's SRS of this degree, or an insecure one.
fn has(cache: &SrsCache, k: u32) -> bool {
    cache.path(k, &Origin::Insecure).exists() || ceremony(cache, k).exists()
}

/// Where the cache keeps a ceremony's SRS of this degree.
pub(crate) fn ceremony(cache: &SrsCache, k: u32) -> PathBuf {
    // The path depends only on the kind of origin: a ceremony's has no suffix.
    let insecure = cache.path(k, &Origin::Insecure);
    let name = insecure.file_name().unwrap_or_default().to_string_lossy();
    insecure.with_file_name(name.replace("-insecure", ""))
}

/// Makes an insecure SRS and keeps it, if the cache can be written to.
fn make_insecure(cache: &SrsCache, k: u32, progress: &Progress) -> Result<Srs, Error> {
    progress.run(&format!("making an insecure SRS of 2^{k} powers"), || {
        match cache.load_or_make_insecure(k) {
            Err(ParamsError::Io { path, source }) => {
                progress.note(&format!("the SRS could not be kept: {}: {source}", path.display()));
                Ok(Srs::insecure(k)?)
            }
            made => Ok(made?),
        }
    })
}

/// Imports a file, cut down to `2^k` powers. One that says that it is insecure is refused before its points are checked, unless that
/// is `allowed`.
fn read(
    file: &Path,
    g2: Option<&Path>,
    k: u32,
    allowed: bool,
    progress: &Progress,
) -> Result<Srs, Error> {
    let srs = Spooled::srs(file, g2)?;
    iter::once(&srs.file).chain(&srs.g2).try_for_each(|file| apart::reads(file))?;
    if !allowed && import::says_insecure(&srs.file)? {
        return Err(Error::InsecureSrs(k));
    }
    let what = format!("reading and checking the SRS {}, cut to 2^{k} powers", file.display());
    progress.run(&what, || Ok(import::auto(&srs.file, srs.g2.as_deref(), Some(k))?))
}

/// The SRS that keys were made from: from `args.srs`, or from the cache. An insecure one needs no
/// permission, since the keys already say so. Warns if the keys name another origin of the same points.
///
/// # Errors
///
/// [`muster_prover::Error::WrongSrs`] if there is only another one, [`muster_prover::Error::FalseClaim`] if the keys
/// make false claims about it, [`muster_prover::Error::Params`].
pub fn srs_of_keys<S: CircuitShape>(
    args: &SrsArgs,
    key: &VerifierKeyOf<S>,
    progress: &Progress,
) -> Result<Srs, Error> {
    let (keys, k) = (key.srs(), key.srs_degree());
    if keys.insecure {
        progress.warn(INSECURE_WARNING);
    } else if keys.origin.is_claimed() {
        progress.warn(CLAIMED_WARNING);
    }
    let cache = SrsCache::from_env();
    let found = match &args.srs {
        Some(file) => read(file, args.srs_g2.as_deref(), k, true, progress)?,
        // A ceremony's SRS in the cache hides an insecure one; the keys say which it is.
        None if keys.insecure => {
            let path = cache.path(k, &Origin::Insecure);
            if !path.exists() {
                let expected = hex::encode(keys.digest);
                let found = format!("none at {}", path.display());
                return Err(ProverError::WrongSrs { expected, found }.into());
            }
            match cache.load(k)? {
                srs if srs.digest() == keys.digest => srs,
                _ => read(&path, None, k, true, progress)?,
            }
        }
        None => cache.load(k)?,
    };
    keys.check(&found)?;
    if keys.origin != *found.origin() {
        let (claimed, found) = (&keys.origin, found.origin());
        progress.warn(&format!(
            "the keys claim that their SRS is from {claimed}; the one at hand has the same points, but is from {found}"
        ));
    }
    Ok(found)
}
