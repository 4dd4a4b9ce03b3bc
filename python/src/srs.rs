//! The SRS that keys are made from.

use std::path::PathBuf;

use muster_params::{import, Origin, ParamsError, Srs, SrsCache};
use muster_prover::VerifierKey;

use crate::error::Fault;

/// Where an SRS is looked for: in a file, perhaps a pair of them, or in the cache.
pub(crate) struct Source {
    pub(crate) file: Option<PathBuf>,
    pub(crate) g2: Option<PathBuf>,
}

impl Source {
    /// The SRS of degree `k`; `insecure` allows one that no ceremony made, and makes it if there is none.
    pub(crate) fn load(&self, k: u32, insecure: bool) -> Result<Srs, Fault> {
        let cache = SrsCache::from_env();
        let srs = match &self.file {
            Some(_) => self.read(k)?,
            None if insecure => match cache.load_or_make_insecure(k) {
                // A cache that cannot be written to.
                Err(ParamsError::Io { .. }) => Srs::insecure(k)?,
                made => made?,
            },
            None => cache.load(k)?,
        };
        if srs.is_insecure() && !insecure {
            let reason = format!(
                "the SRS for k = {k} was made on one machine, not by a ceremony: whoever made it can forge proofs; \
                 give the file of a ceremony or, for tests, insecure=True"
            );
            return Err(Fault::argument("srs", reason));
        }
        Ok(srs)
    }

    /// The SRS that keys were made from. An insecure one needs no permission: the keys say that it is.
    pub(crate) fn of_keys(&self, key: &VerifierKey) -> Result<Srs, Fault> {
        let (keys, k, cache) = (key.srs(), key.srs_degree(), SrsCache::from_env());
        let found = match &self.file {
            Some(_) => self.read(k)?,
            // A ceremony's SRS in the cache hides an insecure one.
            None if keys.insecure => import::auto(&cache.path(k, &Origin::Insecure), None, None)?,
            None => cache.load(k)?,
        };
        keys.check(&found)?;
        Ok(found)
    }

    fn read(&self, k: u32) -> Result<Srs, Fault> {
        let file = self.file.clone().unwrap_or_default();
        Ok(import::auto(&file, self.g2.as_deref(), Some(k))?)
    }
}
