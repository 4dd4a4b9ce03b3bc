//! A directory of SRS files, so that no SRS is imported or computed twice.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use directories::ProjectDirs;
use halo2_base::halo2_proofs::halo2curves::bn256::G1Affine;

use crate::{
    degree::check_degree,
    error::{ParamsError, MAX_K},
    origin::Origin,
    packs::{tau_hash, PackBases},
    srs::Srs,
    stored,
};

/// Environment variable that names the cache directory.
pub const CACHE_DIR_ENV: &str = "MUSTER_PARAMS";
/// The cache directory when the variable is unset or empty and the user has no home, relative to the current directory.
pub const DEFAULT_CACHE_DIR: &str = "params/srs";

/// Whether [`SrsCache::store`] may replace a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overwrite {
    /// Refuse with [`ParamsError::AlreadyExists`].
    No,
    /// Replace it, atomically.
    Yes,
}

/// A directory with `kzg-bn254-<k>.srs` for ceremonies and `kzg-bn254-<k>-insecure.srs`.
///
/// Files appear whole or not at all, and each carries its origin and digests: a load notices any
/// truncation or corruption. The directory is the user's own: the digests guard against accidents,
/// not against somebody with write access.
#[derive(Clone, Debug)]
pub struct SrsCache {
    dir: PathBuf,
}

impl SrsCache {
    /// The cache in `dir`, which is created when something is stored.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The cache in the directory named by [`CACHE_DIR_ENV`], or else the user's own: `muster/srs` in the folder for caches
    /// (`$XDG_CACHE_HOME`, or else `~/.cache`, and what other systems have), or [`DEFAULT_CACHE_DIR`] if there is none.
    pub fn from_env() -> Self {
        Self::new(resolve(env::var_os(CACHE_DIR_ENV)))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where an SRS of this degree and kind of origin is kept, whether or not it exists.
    pub fn path(&self, k: u32, origin: &Origin) -> PathBuf {
        self.file(k, *origin == Origin::Insecure)
    }

    /// Stores an SRS and returns its path.
    ///
    /// # Errors
    /// [`ParamsError::AlreadyExists`] with [`Overwrite::No`], or [`ParamsError::Io`]; the directory is then as it was.
    pub fn store(&self, srs: &Srs, overwrite: Overwrite) -> Result<PathBuf, ParamsError> {
        let path = self.path(srs.k(), srs.origin());
        stored::write(srs, &path, overwrite == Overwrite::Yes)?;
        Ok(path)
    }

    /// Loads an SRS of `2^k` powers. In this order: a ceremony's of this degree; a larger
    /// one from a ceremony, cut down and stored for the next time; an insecure one of this degree.
    /// [`Srs::is_insecure`] tells which it was.
    ///
    /// A ceremony's SRS that lacks the [further powers](Srs::further_powers) gets them from a larger file with the same τ,
    /// if there is one, and is stored with them: its points, digest and origin stay. Otherwise it is returned as it is, and
    /// so is an insecure one without them: [`Srs::require_further`] says what to do then.
    ///
    /// # Errors
    /// [`ParamsError::NotCached`] when there is none of these, [`ParamsError::Degree`], and for a
    /// damaged file [`ParamsError::Corrupt`], [`ParamsError::Truncated`],
    /// [`ParamsError::TrailingBytes`] or [`ParamsError::Format`].
    pub fn load(&self, k: u32) -> Result<Srs, ParamsError> {
        check_degree(k)?;
        if let Some(larger) = (k..=MAX_K).find(|larger| self.file(*larger, false).exists()) {
            let mut srs = self.read(larger, k, false)?;
            let further = self.find_further(&srs, larger);
            let completed = !further.is_empty();
            if completed {
                srs = srs.with_further(further);
            }
            if completed || larger > k {
                // Only a convenience for the next time: the result stands without it, even if the
                // directory is read-only or another process is faster.
                let overwrite = if larger == k { Overwrite::Yes } else { Overwrite::No };
                let _ = self.store(&srs, overwrite);
            }
            return Ok(srs);
        }
        if self.file(k, true).exists() {
            return self.read(k, k, true);
        }
        Err(ParamsError::NotCached { dir: self.dir.clone(), k })
    }

    /// [`Self::load`], or else makes an insecure SRS and stores it. [`Srs::is_insecure`] tells
    /// which it is; print [`crate::INSECURE_WARNING`] if it is insecure.
    ///
    /// # Errors
    /// Those of [`Self::load`] except [`ParamsError::NotCached`], and those of [`Self::store`]
    /// except [`ParamsError::AlreadyExists`].
    pub fn load_or_make_insecure(&self, k: u32) -> Result<Srs, ParamsError> {
        match self.load(k) {
            Err(ParamsError::NotCached { .. }) => {}
            loaded_or_bad => return loaded_or_bad,
        }
        let srs = Srs::insecure(k)?;
        match self.store(&srs, Overwrite::No) {
            Ok(_) => Ok(srs),
            // Another process stored one meanwhile: keys must agree on one SRS, so take that.
            Err(ParamsError::AlreadyExists { .. }) => self.load(k),
            Err(error) => Err(error),
        }
    }

    /// Where the bases for packs of this SRS are kept, if at all. The name has the first half of the hash that names τ.
    pub fn pack_bases_path(&self, srs: &Srs, k: u32, stride: u32) -> PathBuf {
        let tau = hex::encode(&tau_hash(srs)[..16]);
        self.dir.join(format!("kzg-bn254-{k}-stride-{stride}-{tau}.packs"))
    }

    /// The bases for packs of up to `stride` columns of `2^k` rows: from their file, or else made and stored for the next
    /// time. A file that is damaged or is for something else is replaced, since all that it holds can be made again.
    ///
    /// # Errors
    /// Those of [`PackBases::new`].
    pub fn pack_bases(&self, srs: &Srs, k: u32, stride: u32) -> Result<PackBases, ParamsError> {
        let path = self.pack_bases_path(srs, k, stride);
        if let Ok(bases) = PackBases::read(&path, srs, k, stride) {
            return Ok(bases);
        }
        let bases = PackBases::new(srs, k, stride)?;
        // Only a convenience, as in `load`.
        let _ = bases.write(&path, srs);
        Ok(bases)
    }

    /// Reads the file of degree `stored_k`, cut to `k`, and checks it against its name.
    fn read(&self, stored_k: u32, k: u32, insecure: bool) -> Result<Srs, ParamsError> {
        let path = self.file(stored_k, insecure);
        let srs = stored::read(&path, stored_k, k)?;
        if srs.is_insecure() != insecure {
            let reason = "its name and its header disagree on where it comes from".to_string();
            return Err(ParamsError::Corrupt { path, reason });
        }
        Ok(srs)
    }

    /// The further powers of a ceremony's SRS that has none, from the files larger than `2^above` powers. A file that is
    /// damaged or of another τ is passed over, as one that is not there: the SRS is whole without it.
    fn find_further(&self, srs: &Srs, above: u32) -> Vec<G1Affine> {
        if !srs.further_powers().is_empty() {
            return vec![];
        }
        (above + 1..=MAX_K)
            .filter_map(|larger| stored::read_further(&self.file(larger, false), larger, srs).ok())
            .find(|further| !further.is_empty())
            .unwrap_or_default()
    }

    fn file(&self, k: u32, insecure: bool) -> PathBuf {
        let suffix = if insecure { "-insecure" } else { "" };
        self.dir.join(format!("kzg-bn254-{k}{suffix}.srs"))
    }
}

/// The cache directory, given the value of [`CACHE_DIR_ENV`].
fn resolve(value: Option<OsString>) -> PathBuf {
    let of_user = || Some(ProjectDirs::from("", "", "muster")?.cache_dir().join("srs"));
    match value {
        Some(dir) if !dir.is_empty() => dir.into(),
        _ => of_user().unwrap_or_else(|| DEFAULT_CACHE_DIR.into()),
    }
}
