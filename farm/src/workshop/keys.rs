//! Keys that are made on a farm, and what somebody else makes of them.

use std::path::Path;

use muster_prover::VerifierKey;
use tempfile::TempDir;

use super::Workshop;
use crate::{
    child::{once, Once, SrsFile},
    job::{Keygen, MadeKeys},
    store::{PinnedKey, KEY_FILES},
    work::Fault,
    Digest, Error,
};

/// Name of the SRS in a folder.
const SRS_FILE: &str = "srs.bin";
/// Name of the folder of the keys beside it.
const KEYS: &str = "keys";

impl Workshop {
    /// Makes keys in a process of its own, and puts their files into the store.
    pub(super) async fn keygen(&self, keygen: &Keygen) -> Result<String, Fault> {
        let shape = Box::new(keygen.shape().map_err(Fault::BadInput)?);
        let dir = self.room()?;
        let (srs, out) = (self.srs(keygen, dir.path()).await?, dir.path().join(KEYS));
        once(&self.means.command, &Once::Keygen { srs, shape, out: out.clone() }).await?;
        let key = VerifierKey::load(&out).map_err(Error::from)?;
        let mut files = vec![];
        for name in KEY_FILES {
            files.push(self.store().put_file(&out.join(name)).await?);
        }
        let files = files.try_into().expect("a digest for each file");
        let pinned = PinnedKey { files, srs: keygen.srs };
        let made = MadeKeys { key: Digest(key.digest()), pinned };
        Ok(serde_json::to_string(&made).expect("digests") + "\n")
    }

    /// Whether what a worker made is the verifying key of the circuit. Of its proving key no more is said than that it is there:
    /// a wrong one gives no proofs.
    pub(super) async fn keys_hold(
        &self,
        keygen: &Keygen,
        bytes: &[u8],
    ) -> Result<Result<(), String>, Error> {
        let made: MadeKeys = match serde_json::from_slice(bytes) {
            Ok(made) => made,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if made.pinned.srs != keygen.srs {
            return Ok(Err(format!("they were made from {}", made.pinned.srs)));
        }
        let (room, [shape, verifying, proving]) = (self.room()?, made.pinned.files);
        let (srs, dir) = (self.srs(keygen, room.path()).await?, room.path().join(KEYS));
        std::fs::create_dir(&dir).map_err(Error::io(&dir))?;
        for (digest, name) in [shape, verifying, proving].iter().zip(KEY_FILES) {
            match self.cache.place(digest, &dir.join(name)).await {
                Err(error @ (Error::Missing(_) | Error::Corrupt { .. })) => {
                    return Ok(Err(error.to_string()));
                }
                other => other?,
            }
        }
        let key = match VerifierKey::load(&dir) {
            Ok(key) => key,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if Ok(key.shape()) != keygen.shape().as_ref() {
            return Ok(Err("they are of another circuit".into()));
        }
        if Digest(key.digest()) != made.key {
            return Ok(Err(format!("they are {}, not {}", Digest(key.digest()), made.key)));
        }
        match once(&self.means.command, &Once::Check { srs, dir }).await {
            Ok(holds) if holds == "true" => Ok(Ok(())),
            Ok(_) => Ok(Err("the verifying key is not the circuit's".into())),
            Err(Fault::Worker(reason)) => Err(Error::Unfit(reason)),
            Err(fault) => Ok(Err(format!("nobody can check them: {fault}"))),
        }
    }

    fn room(&self) -> Result<TempDir, Error> {
        let root = self.folders.path();
        TempDir::new_in(root).map_err(Error::io(root))
    }

    async fn srs(&self, keygen: &Keygen, dir: &Path) -> Result<SrsFile, Error> {
        let path = dir.join(SRS_FILE);
        self.cache.place(&keygen.srs, &path).await?;
        Ok(SrsFile { path, origin: keygen.origin.clone() })
    }
}
