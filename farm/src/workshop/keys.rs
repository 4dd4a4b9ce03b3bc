//! Making keys on a farm, and checking them by somebody else.

use std::path::Path;

use muster_prover::{
    input, keys::Plan, muster_params::import::raw_and_further_len, Shape, VerifierKey,
};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

use super::Workshop;
use crate::{
    child::{once, Once, SrsFile},
    job::{Keygen, MadeKeys},
    store::{key_limits, PinnedKey, KEY_FILES},
    work::Fault,
    Digest, Error,
};

/// Name of the SRS in a folder.
const SRS_FILE: &str = "srs.bin";
/// Name of the folder of the keys beside it.
const KEYS: &str = "keys";
/// What is said of keys for proofs of another format, or with other packs.
pub(crate) const OTHER_PACKS: &str = "their packs are not those that were asked for";

impl Workshop {
    /// Makes keys in a separate process, and puts their files into the store.
    pub(super) async fn keygen(&self, keygen: &Keygen) -> Result<String, Fault> {
        let shape = keygen.shape().map_err(Fault::BadInput)?;
        let plan = plan(keygen, &shape).await?;
        let dir = self.room()?;
        let degree = degree(&shape, plan.as_ref());
        let (srs, out) = (self.srs(keygen, degree, dir.path()).await?, dir.path().join(KEYS));
        let (shape, stride) = (shape.into(), keygen.stride);
        let order = Once::Keygen { srs, shape, stride, out: out.clone() };
        once(&self.means.command, &order).await?;
        let key = VerifierKey::load(&out).map_err(Error::from)?;
        let pinned = PinnedKey { files: self.store().put_keys(&out).await?, srs: keygen.srs };
        let made = MadeKeys { key: Digest(key.digest()), pinned };
        Ok(serde_json::to_string(&made).expect("digests") + "\n")
    }

    /// Whether a worker made the circuit's keys, with the packs asked for: the verifying key, all numbers of the proving key.
    ///
    /// # Errors
    ///
    /// Those of the store, and of files that are missing, too long or not keys.
    pub(super) async fn keys_hold(
        &self,
        keygen: &Keygen,
        bytes: &[u8],
    ) -> Result<Result<(), String>, Error> {
        let made: MadeKeys = match input::from_json(bytes) {
            Ok(made) => made,
            Err(reason) => return Ok(Err(reason)),
        };
        if made.pinned.srs != keygen.srs {
            return Ok(Err(format!("they were made from {}", made.pinned.srs)));
        }
        let shape = match keygen.shape() {
            Ok(shape) => shape,
            Err(reason) => return Ok(Err(reason)),
        };
        let plan = plan(keygen, &shape).await?;
        let (room, degree) = (self.room()?, degree(&shape, plan.as_ref()));
        let (srs, dir) = (self.srs(keygen, degree, room.path()).await?, room.path().join(KEYS));
        std::fs::create_dir(&dir).map_err(Error::io(&dir))?;
        let [shape_file, verifying_file, proving_file] = KEY_FILES.map(|name| dir.join(name));
        let ([first, second, third], limits) = (made.pinned.files, key_limits(&shape)?);
        self.cache.place(&first, &shape_file, limits[0]).await?;
        self.cache.place(&second, &verifying_file, limits[1]).await?;
        let key = VerifierKey::load(&dir)?;
        if *key.shape() != shape {
            return Ok(Err("they belong to another circuit".into()));
        }
        if Digest(key.digest()) != made.key {
            return Ok(Err(format!("they are {}, not {}", Digest(key.digest()), made.key)));
        }
        if !key.has_packs_of(plan.as_ref()) {
            return Ok(Err(OTHER_PACKS.into()));
        }
        self.cache.place(&third, &proving_file, limits[2]).await?;
        match once(&self.means.command, &Once::Check { srs, dir }).await {
            Ok(reason) if reason.is_empty() => Ok(Ok(())),
            Ok(reason) => Ok(Err(reason)),
            Err(fault) => match self.blame(fault).await {
                Fault::Worker(reason) => Err(Error::Unfit(reason)),
                fault => Ok(Err(format!("they cannot be checked: {fault}"))),
            },
        }
    }

    fn room(&self) -> Result<TempDir, Error> {
        let root = self.folders.path();
        TempDir::new_in(root).map_err(Error::io(root))
    }

    async fn srs(&self, keygen: &Keygen, degree: u32, dir: &Path) -> Result<SrsFile, Error> {
        let path = dir.join(SRS_FILE);
        self.cache.place(&keygen.srs, &path, raw_and_further_len(degree)).await?;
        Ok(SrsFile { path, origin: keygen.origin.clone() })
    }
}

/// The packs of keys, planned beside all else that goes on.
async fn plan(keygen: &Keygen, shape: &Shape) -> Result<Option<Plan>, Error> {
    let (keygen, shape) = (keygen.clone(), shape.clone());
    let plan = spawn_blocking(move || keygen.plan(&shape)).await;
    let plan = plan.map_err(|panic| Error::Child(panic.to_string()))?;
    Ok(plan?)
}

/// log₂ of the powers of the SRS that keys are made from.
fn degree(shape: &Shape, plan: Option<&Plan>) -> u32 {
    plan.map_or(shape.degree(), Plan::srs_degree)
}
