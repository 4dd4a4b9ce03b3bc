//! What jobs are made from: encrypted where the farm has a key, since it shows who signed.

use zeroize::Zeroizing;

use super::{artefacts::object, Store};
use crate::{digest::Digest, job::Input, Error};

impl Store {
    /// Keeps an input, and says how a job names it.
    ///
    /// # Errors
    ///
    /// [`Error::Store`].
    pub async fn put_input(&self, text: &str) -> Result<Input, Error> {
        match &self.seal {
            None => Ok(Input::Stored(self.put(text.to_owned()).await?)),
            Some(seal) => {
                let sealed = seal.seal_same(text.as_bytes()).map_err(Error::Usage)?;
                Ok(Input::Sealed(self.put(sealed).await?))
            }
        }
    }

    /// Decrypts an input that was taken from the store.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for one of another key; [`Error::Usage`] if there is none here.
    pub(crate) fn open_input(
        &self,
        digest: &Digest,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let missing = || Error::Usage("--codec-key: missing, but an input is encrypted".into());
        let seal = self.seal.as_ref().ok_or_else(missing)?;
        seal.open(sealed).map_err(|reason| Error::Malformed { name: object(digest), reason })
    }
}
