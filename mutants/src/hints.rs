//! Which test noticed each place in an earlier run, by the line of code.
//!
//! A hint says whom to ask first and no more, so it may be stale.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::ErrorKind,
    path::Path,
};

use crate::{
    binaries,
    error::Error,
    parts::Parts,
    place::{Place, Sources},
    search::Verdict,
};

/// What does not change with edits around a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    file: String,
    code: String,
    /// How many lines above it in the file read the same.
    order: usize,
    what: String,
    part: usize,
}

impl Name {
    fn of(place: &Place, sources: &Sources) -> Self {
        Self {
            file: place.file().to_owned(),
            code: sources.code(place).to_owned(),
            order: sources.order(place),
            what: place.what().to_owned(),
            part: place.part(),
        }
    }
}

/// The titles of the tests that noticed a place. There may be several where one line records the same in two columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hints(BTreeMap<Name, BTreeSet<String>>);

/// Lines of code that read the same, in order: what is recorded there, and which parts of it.
type Lines = Vec<BTreeMap<String, Parts>>;
/// As they are written: by the title of the test, the file, and the line of code.
type Written = BTreeMap<String, BTreeMap<String, BTreeMap<String, Lines>>>;

impl Hints {
    /// Reads the file. Without a file there are none.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let json = |source| Error::Json { path: path.to_owned(), source };
                serde_json::from_str(&text)
                    .map(|written| Self::from_written(&written))
                    .map_err(json)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(Error::File { path: path.to_owned(), source }),
        }
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let file = |source| Error::File { path: path.to_owned(), source };
        std::fs::write(path, self.text()).map_err(file)
    }

    /// The titles of tests to ask about a place.
    pub(crate) fn of(&self, place: &Place, sources: &Sources) -> Vec<String> {
        let titles = self.0.get(&Name::of(place, sources));
        titles.into_iter().flatten().cloned().collect()
    }

    /// The hints that a run leaves: the tests that noticed, and for places that are still open what was known before.
    /// Determinism is asked last, so it is no hint.
    pub(crate) fn after(&self, verdicts: &[Verdict], sources: &Sources) -> Self {
        let mut after = Self::default();
        for Verdict { place, noticed, is_open } in verdicts {
            let titles = match noticed {
                Some(title) if binaries::is_determinism(title) => continue,
                Some(title) => vec![title.clone()],
                None if *is_open => self.of(place, sources),
                None => continue,
            };
            if !titles.is_empty() {
                after.0.entry(Name::of(place, sources)).or_default().extend(titles);
            }
        }
        after
    }

    /// How many places have a hint.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    fn text(&self) -> String {
        let mut written = Written::new();
        for (Name { file, code, order, what, part }, titles) in &self.0 {
            for title in titles {
                let files = written.entry(title.clone()).or_default();
                let lines = files.entry(file.clone()).or_default().entry(code.clone()).or_default();
                lines.resize(lines.len().max(order + 1), BTreeMap::new());
                lines[*order].entry(what.clone()).or_default().0.insert(*part);
            }
        }
        serde_json::to_string_pretty(&written).expect("names are text") + "\n"
    }

    fn from_written(written: &Written) -> Self {
        let files = written.iter().flat_map(|(title, files)| files.iter().map(move |f| (title, f)));
        let codes =
            files.flat_map(|(title, (file, codes))| codes.iter().map(move |c| (title, file, c)));
        let mut hints = Self::default();
        for (title, file, (code, lines)) in codes {
            let line = |(order, line)| BTreeMap::iter(line).map(move |entry| (order, entry));
            for (order, (what, parts)) in lines.iter().enumerate().flat_map(line) {
                for part in parts.0.iter().copied() {
                    let (file, code, what) = (file.clone(), code.clone(), what.clone());
                    let name = Name { file, code, order, what, part };
                    hints.0.entry(name).or_default().insert(title.clone());
                }
            }
        }
        hints
    }
}

#[cfg(test)]
mod tests;
