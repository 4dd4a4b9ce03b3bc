//! Artefacts: whatever is named by its SHA-256. Large ones are read and written in pieces, and are never in memory
//! as a whole. Among them are the inputs of jobs: encrypted if the farm has a key, since they show who signed.

use std::{io, path::Path as FilePath, time::Duration};

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::{buffered::BufWriter, path::Path, ObjectStoreExt};
use sha2::{Digest as _, Sha256};
use tokio::io::AsyncWriteExt;
use zeroize::Zeroizing;

use super::{if_there, is_older, is_short, Store};
use crate::{digest::Digest, job::Input, seal::Purpose, Error};

/// An artefact that is older than this is stored again when it is needed, since old ones are removed some day.
const RENEWED: Duration = Duration::from_secs(600);

/// The longest input: what the prover reads of a committee or of signatures.
pub const INPUT_LIMIT: u64 = 1 << 30;

/// What encrypted inputs begin with.
const FORMAT: &[u8] = b"muster-sealed-v2\n";

impl Store {
    /// Stores an artefact under its digest. One that is there already is left alone if it will not be removed soon.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn put(&self, bytes: impl Into<Bytes>) -> Result<Digest, Error> {
        let bytes = bytes.into();
        let digest = Digest::of(&bytes);
        if self.is_wanted(&digest).await? {
            self.replace(&object(&digest), bytes).await?;
        }
        Ok(digest)
    }

    /// The same for a file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] for the file, [`Error::Store`].
    pub async fn put_file(&self, path: &FilePath) -> Result<Digest, Error> {
        let digest = Digest::of_file(path).map_err(Error::io(path))?;
        if self.is_wanted(&digest).await? {
            let mut file = tokio::fs::File::open(path).await.map_err(Error::io(path))?;
            let name = Path::from(object(&digest));
            let mut upload = BufWriter::new(self.inner.clone(), name);
            let sent = async {
                tokio::io::copy(&mut file, &mut upload).await?;
                upload.shutdown().await
            };
            sent.await.map_err(refused)?;
        }
        Ok(digest)
    }

    /// An artefact of at most [`INPUT_LIMIT`] bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::Malformed`] if it is longer, [`Error::Corrupt`] if it does not have the digest
    /// that it is named by, [`Error::Store`].
    pub async fn get(&self, digest: &Digest) -> Result<Bytes, Error> {
        let name = object(digest);
        let bytes =
            self.read(&name, INPUT_LIMIT).await?.ok_or_else(|| Error::Missing(name.clone()))?;
        match Digest::of(&bytes) {
            found if found == *digest => Ok(bytes),
            found => Err(Error::Corrupt { name, found }),
        }
    }

    /// Fetches an artefact of at most `limit` bytes into a new file, which after an error may contain anything.
    ///
    /// # Errors
    ///
    /// As [`Self::get`]; [`Error::Io`].
    pub async fn fetch(&self, digest: &Digest, path: &FilePath, limit: u64) -> Result<(), Error> {
        let name = object(digest);
        let answer = self.inner.get(&Path::from(name.as_str())).await;
        let Some(found) = if_there(answer)? else { return Err(Error::Missing(name)) };
        is_short(&name, found.meta.size, limit)?;
        let mut file = tokio::fs::File::create(path).await.map_err(Error::io(path))?;
        let (mut pieces, mut hasher) = (found.into_stream(), Sha256::new());
        while let Some(piece) = pieces.try_next().await? {
            hasher.update(&piece);
            file.write_all(&piece).await.map_err(Error::io(path))?;
        }
        file.flush().await.map_err(Error::io(path))?;
        match Digest(hasher.finalize().into()) {
            found if found == *digest => Ok(()),
            found => Err(Error::Corrupt { name, found }),
        }
    }

    /// Stores an input, and returns how a job names it.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for one that is too long to be read, [`Error::Store`].
    pub async fn put_input(&self, text: &str) -> Result<Input, Error> {
        let Some(seal) = &self.seal else {
            is_readable(text.len())?;
            return Ok(Input::Stored(self.put(text.to_owned()).await?));
        };
        let sealed = seal.seal(Purpose::Input, text.as_bytes()).map_err(Error::Usage)?;
        let sealed = [FORMAT, &sealed].concat();
        is_readable(sealed.len())?;
        Ok(Input::Sealed(self.put(sealed).await?))
    }

    /// Decrypts an input that was fetched from the store.
    ///
    /// # Errors
    ///
    /// [`Error::Sealed`] for one encrypted with another key or in another version, or if there is no key here.
    pub(crate) fn open_input(
        &self,
        digest: &Digest,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let fault = |reason: String| Error::Sealed { name: object(digest), reason };
        let seal = self.seal.as_ref();
        let seal =
            seal.ok_or_else(|| fault("encrypted, but there is no --codec-key here".into()))?;
        let sealed = sealed.strip_prefix(FORMAT).ok_or_else(|| {
            let format = String::from_utf8_lossy(FORMAT.trim_ascii_end());
            fault(format!("not in the format {format}, which this version reads and writes"))
        })?;
        seal.open(Purpose::Input, sealed).map_err(fault)
    }

    /// Whether an artefact is missing, or so old that it may soon be removed.
    async fn is_wanted(&self, digest: &Digest) -> Result<bool, Error> {
        let answer = self.inner.head(&Path::from(object(digest))).await;
        Ok(if_there(answer)?.is_none_or(|found| is_older(&found, RENEWED)))
    }
}

/// A store's error, as a writer passes it on.
fn refused(error: io::Error) -> Error {
    Error::Store(object_store::Error::Generic { store: "upload", source: error.into() })
}

/// Where an artefact is.
pub(super) fn object(digest: &Digest) -> String {
    format!("objects/{}", digest.digits())
}

/// Refuses to store what is too long to be read.
fn is_readable(length: usize) -> Result<(), Error> {
    if length as u64 <= INPUT_LIMIT {
        return Ok(());
    }
    Err(Error::Usage(format!("an input: {length} bytes are more than {INPUT_LIMIT}")))
}
