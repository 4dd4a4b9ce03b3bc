//! The survivors that are known.

use std::path::Path;

use serde::Deserialize;

use crate::{
    error::Error,
    place::{Place, Sources},
};

/// Places that no forged witness notices, by their line of code.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Survivor {
    /// The file, from the root of the repository.
    file: String,
    /// The line of code.
    code: String,
    /// What is recorded there.
    what: String,
    /// Why nobody can make use of it.
    pub(crate) reason: String,
}

/// All of them.
#[derive(Debug)]
pub(crate) struct Survivors(Vec<Survivor>);

impl Survivors {
    /// Reads the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let file = |source| Error::File { path: path.to_owned(), source };
        let json = |source| Error::Json { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(file)?;
        serde_json::from_str(&text).map(Self).map_err(json)
    }

    /// The number of the survivor that `place` is.
    pub(crate) fn find(&self, place: &Place, sources: &mut Sources) -> Option<usize> {
        let code = sources.code(place);
        self.0.iter().position(|known| {
            (known.file.as_str(), known.what.as_str()) == (place.file(), place.what())
                && known.code == code
        })
    }

    /// All, by number.
    pub(crate) fn all(&self) -> &[Survivor] {
        &self.0
    }
}

impl std::fmt::Display for Survivor {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: {} of `{}`", self.file, self.what, self.code)
    }
}
