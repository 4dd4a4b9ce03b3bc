//! Inputs of jobs: encrypted if the farm has a key, since they show who signed.

use zeroize::Zeroizing;

use super::{artefacts::object, Store, INPUT_LIMIT};
use crate::{digest::Digest, job::Input, seal::Purpose, Error};

/// What encrypted inputs begin with.
const FORMAT: &[u8] = b"muster-sealed-v2\n";

impl Store {
    /// Stores an input, and returns how a job names it.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] for one that is too long to be read, [`Error::Store`].
    pub async fn put_input(&self, text: &str) -> Result<Input, Error> {
        let Some(seal) = &self.seal else {
            is_wanted(text.len())?;
            return Ok(Input::Stored(self.put(text.to_owned()).await?));
        };
        let sealed = seal.seal(Purpose::Input, text.as_bytes()).map_err(Error::Usage)?;
        let sealed = [FORMAT, &sealed].concat();
        is_wanted(sealed.len())?;
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
}

/// Refuses to store what is too long to be read.
fn is_wanted(length: usize) -> Result<(), Error> {
    if length as u64 <= INPUT_LIMIT {
        return Ok(());
    }
    Err(Error::Usage(format!("an input: {length} bytes are more than {INPUT_LIMIT}")))
}
