//! The mark of a farm: a place without it is not a store, but perhaps a disk that is not mounted.

use muster_prover::input;
use serde::{Deserialize, Serialize};

use super::{Store, Stored, NOTE_LIMIT};
use crate::{digest::Digest, seal::Seal, Error};

/// Where the mark is.
const MARK: &str = "farm.json";
/// Version of the store's layout.
const VERSION: u32 = 1;

/// What a farm says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    version: u32,
    /// [`Seal::mark`], if the farm encrypts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    codec_key: Option<Digest>,
}

impl Mark {
    fn of(seal: Option<&Seal>) -> Self {
        Self { version: VERSION, codec_key: seal.map(Seal::mark) }
    }
}

impl Store {
    /// Makes this place the store of a farm that encrypts with the store's key, if it has one. An existing farm
    /// stays as it is, unless `force` gives it another key.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if there is a farm with another key, [`Error::Store`].
    pub async fn found(&self, force: bool) -> Result<Stored, Error> {
        let mark = Mark::of(self.seal.as_ref());
        let bytes = serde_json::to_vec(&mark).expect("a number and a digest");
        if self.create(MARK, bytes.clone().into()).await? == Stored::New {
            return Ok(Stored::New);
        }
        if self.mark().await? == Some(mark) {
            return Ok(Stored::There);
        }
        if !force {
            let reason = "there is already a farm here, with another codec key or none";
            return Err(Error::Usage(format!("{reason}: --force gives it this one")));
        }
        self.replace(MARK, bytes.into()).await?;
        Ok(Stored::New)
    }

    /// Checks that this is the store of a farm.
    ///
    /// # Errors
    ///
    /// [`Error::NoFarm`], [`Error::Usage`] for one of a later version, [`Error::Malformed`], [`Error::Store`].
    pub async fn is_farm(&self) -> Result<(), Error> {
        self.mark().await?.map(drop).ok_or(Error::NoFarm)
    }

    /// Checks the same, and that we have the key in use here: otherwise others would wait for what nobody can read.
    ///
    /// # Errors
    ///
    /// As [`Self::is_farm`]; [`Error::Usage`] for another key, or if a key is missing or superfluous.
    pub async fn is_readable(&self) -> Result<(), Error> {
        let mark = self.mark().await?.ok_or(Error::NoFarm)?;
        let reason = match (mark.codec_key, Mark::of(self.seal.as_ref()).codec_key) {
            (ours, theirs) if ours == theirs => return Ok(()),
            (Some(_), None) => "missing: this farm encrypts the inputs of its jobs",
            (None, _) => "this farm has none",
            (Some(_), Some(_)) => "not the key of this farm",
        };
        Err(Error::Usage(format!("--codec-key: {reason}")))
    }

    async fn mark(&self) -> Result<Option<Mark>, Error> {
        let Some(bytes) = self.read(MARK, NOTE_LIMIT).await? else { return Ok(None) };
        let malformed = |reason| Error::Malformed { name: MARK.to_owned(), reason };
        let mark: Mark = input::from_json(&bytes).map_err(malformed)?;
        if mark.version > VERSION {
            let version = mark.version;
            let reason =
                format!("the farm has version {version}, but this program knows only {VERSION}");
            return Err(Error::Usage(reason));
        }
        Ok(Some(mark))
    }
}
