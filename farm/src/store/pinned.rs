//! Keys that a farm proves with: only those that somebody pinned.

use std::{
    io::{BufWriter, Write},
    path::Path,
};

use muster_prover::{
    input,
    keys::{PROVING_KEY_FILE, SHAPE_FILE, VERIFYING_KEY_FILE},
    Keys, Shape, Srs,
};
use serde::{Deserialize, Serialize};

use super::{Store, Stored, NOTE_LIMIT};
use crate::{digest::Digest, Error};

/// The files of a directory of keys.
pub const KEY_FILES: [&str; 3] = [SHAPE_FILE, VERIFYING_KEY_FILE, PROVING_KEY_FILE];

/// The longest that a file for verifying may be: what the prover reads.
pub(crate) const VERIFYING_LIMIT: u64 = 1 << 22;

/// The greatest lengths of [`KEY_FILES`] for a shape.
///
/// # Errors
///
/// [`Error::Prover`] for an invalid shape.
pub(crate) fn key_limits(shape: &Shape) -> Result<[u64; 3], Error> {
    Ok([VERIFYING_LIMIT, VERIFYING_LIMIT, Keys::proving_key_bytes(shape)?])
}

/// The files of pinned keys, as artefacts.
///
/// None of this is trusted: keys loaded from these files must have the digest that a job asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinnedKey {
    /// Digests of each of [`KEY_FILES`], in order.
    pub files: [Digest; 3],
    /// Digest of the file of the SRS.
    pub srs: Digest,
}

impl Store {
    /// Stores keys and their SRS for workers. Returns the digest that jobs name them by.
    ///
    /// # Errors
    ///
    /// Those of reading the keys, of [`Keys::check_srs`], and of [`Self::pin_files`].
    pub async fn pin(
        &self,
        dir: &Path,
        keys: &Keys,
        srs: &Srs,
        force: bool,
    ) -> Result<(Digest, Stored), Error> {
        keys.check_srs(srs)?;
        let pinned = PinnedKey { files: self.put_keys(dir).await?, srs: self.put_srs(srs).await? };
        let key = Digest(keys.vk_digest());
        Ok((key, self.pin_files(&key, &pinned, force).await?))
    }

    /// Stores the files of keys in a folder. Returns the digest of each of [`KEY_FILES`].
    pub(crate) async fn put_keys(&self, dir: &Path) -> Result<[Digest; 3], Error> {
        let mut files = vec![];
        for name in KEY_FILES {
            files.push(self.put_file(&dir.join(name)).await?);
        }
        Ok(files.try_into().expect("a digest for each file"))
    }

    /// The same for files in the store that the caller has checked. Other pinned files stay unless `force` replaces them.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if the key is pinned with other files, [`Error::Store`].
    pub async fn pin_files(
        &self,
        key: &Digest,
        files: &PinnedKey,
        force: bool,
    ) -> Result<Stored, Error> {
        let json = serde_json::to_vec(files).expect("digests");
        if self.create(&pinned(key), json.clone().into()).await? == Stored::New {
            return Ok(Stored::New);
        }
        match self.pinned(key).await {
            Ok(before) if before == *files => return Ok(Stored::There),
            Ok(_) | Err(Error::Malformed { .. }) if force => {}
            Ok(_) | Err(Error::Malformed { .. }) => {
                let reason = format!("{key} is pinned with other files: --force pins these");
                return Err(Error::Usage(reason));
            }
            Err(error) => return Err(error),
        }
        self.replace(&pinned(key), json.into()).await?;
        Ok(Stored::New)
    }

    /// Stops a farm from proving with keys. Their files are removed once they are old.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] if nobody pinned them, [`Error::Store`].
    pub async fn unpin(&self, key: &Digest) -> Result<(), Error> {
        let name = pinned(key);
        match self.read(&name, NOTE_LIMIT).await {
            Ok(None) => Err(Error::Missing(name)),
            Ok(Some(_)) | Err(Error::Malformed { .. }) => self.remove(&name).await,
            Err(error) => Err(error),
        }
    }

    /// Stores an SRS, in halo2's raw format with the further powers behind it. Returns the digest of the file.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn put_srs(&self, srs: &Srs) -> Result<Digest, Error> {
        let mut file = tempfile::NamedTempFile::new().map_err(Error::io(std::env::temp_dir()))?;
        let mut writer = BufWriter::new(&mut file);
        let written = srs.write_raw_and_further(&mut writer).and_then(|()| writer.flush());
        drop(writer);
        written.map_err(Error::io("the SRS"))?;
        self.put_file(file.path()).await
    }

    /// The files of pinned keys.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] if nobody pinned them, [`Error::Malformed`], [`Error::Store`].
    pub async fn pinned(&self, key: &Digest) -> Result<PinnedKey, Error> {
        let name = pinned(key);
        let bytes =
            self.read(&name, NOTE_LIMIT).await?.ok_or_else(|| Error::Missing(name.clone()))?;
        input::from_json(&bytes).map_err(|reason| Error::Malformed { name, reason })
    }
}

fn pinned(key: &Digest) -> String {
    format!("keys/{}.json", key.digits())
}
