//! The SRS of each degree, in a directory where the rows' processes find it.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
};

use muster_params::{import, Overwrite, ParamsError, SrsCache};
use tempfile::TempDir;

use crate::Error;

/// Where rows take their SRS from.
#[derive(Debug)]
pub(super) struct Supply {
    cache: SrsCache,
    ready: BTreeSet<u32>,
    /// Kept for its removal at the end.
    temporary: Option<TempDir>,
}

impl Supply {
    /// The user's cache, which insecure ones are added to where a degree is missing.
    pub(super) fn cached() -> Self {
        Self { cache: SrsCache::from_env(), ready: BTreeSet::new(), temporary: None }
    }

    /// A ceremony's file, checked once and cut to `degrees`, in a directory that goes with the
    /// sweep.
    pub(super) fn imported(
        file: &Path,
        g2: Option<&Path>,
        degrees: &BTreeSet<u32>,
    ) -> Result<Self, Error> {
        let mut supply = Self::cached();
        supply.move_to_temporary()?;
        if let Some(largest) = degrees.last() {
            let mut srs = import::auto(file, g2, Some(*largest))?;
            for degree in degrees.iter().rev() {
                srs = srs.downsized(*degree)?;
                supply.cache.store(&srs, Overwrite::No)?;
            }
        }
        supply.ready = degrees.clone();
        Ok(supply)
    }

    /// Sees to it that there is an SRS of this degree, and says in which directory. The row's
    /// process loads it for itself.
    pub(super) fn prepare(&mut self, degree: u32) -> Result<PathBuf, Error> {
        if !self.ready.contains(&degree) {
            match self.cache.load_or_make_insecure(degree) {
                // A cache that cannot be written to.
                Err(ParamsError::Io { .. }) if self.temporary.is_none() => {
                    self.move_to_temporary()?;
                    self.cache.load_or_make_insecure(degree)?;
                }
                made => {
                    made?;
                }
            }
            self.ready.insert(degree);
        }
        Ok(self.cache.dir().to_owned())
    }

    fn move_to_temporary(&mut self) -> Result<(), Error> {
        let dir = TempDir::new().map_err(Error::io(env::temp_dir()))?;
        self.cache = SrsCache::new(dir.path());
        self.ready.clear();
        self.temporary = Some(dir);
        Ok(())
    }
}
