//! The directory of a sweep: three files that are replaced whole after each row.

use std::{
    fmt::Display,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use super::{csv, machine::Machine, plot, results::Results};
use crate::{output::Output, Error};

const CSV: &str = "results.csv";
const SVG: &str = "results.svg";
const JSON: &str = "results.json";

/// What to do about results that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Leave them alone and stop.
    Refuse,
    /// Keep their finished rows.
    Resume,
    /// Start anew.
    Replace,
}

/// Results and where they are kept.
#[derive(Debug)]
pub(crate) struct Store {
    dir: PathBuf,
    /// The results.
    pub(crate) results: Results,
}

impl Store {
    /// The results in `dir`. The second value tells whether rows of another machine were taken
    /// over.
    pub(crate) fn open(
        dir: &Path,
        existing: Existing,
        machine: Machine,
    ) -> Result<(Self, bool), Error> {
        let path = dir.join(JSON);
        let old = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io(path)(error)),
        };
        // Better told now than after the first row that the directory cannot be written to.
        output(dir)?;
        let mut results = Results::new(machine.clone());
        let mut machine_differs = false;
        match (existing, old) {
            (Existing::Refuse, Some(_)) => {
                return Err(Error::file(path, "exists: --resume goes on, --force starts anew"));
            }
            (Existing::Resume, Some(old)) => {
                results = serde_json::from_slice(&old)
                    .map_err(|error| Error::file(&path, error.to_string()))?;
                machine_differs = results.resume_on(machine);
            }
            _ => {}
        }
        Ok((Self { dir: dir.to_owned(), results }, machine_differs))
    }

    /// Writes the three files, each of them whole or not at all.
    pub(crate) fn save(&self) -> Result<(), Error> {
        let csv = csv::write(&self.results).map_err(|error| self.error(CSV, error))?;
        let svg = plot::draw(&self.results).map_err(|error| self.error(SVG, error))?;
        let json =
            serde_json::to_vec_pretty(&self.results).map_err(|error| self.error(JSON, error))?;
        let mut output = output(&self.dir)?;
        output.write(CSV, |file| file.write_all(csv.as_bytes()))?;
        output.write(SVG, |file| file.write_all(svg.as_bytes()))?;
        // Last, because it is what a resumed sweep goes on with.
        output.write(JSON, |file| {
            file.write_all(&json)?;
            file.write_all(b"\n")
        })?;
        output.commit()
    }

    /// The three files.
    pub(crate) fn paths(&self) -> [PathBuf; 3] {
        [CSV, JSON, SVG].map(|name| self.dir.join(name))
    }

    fn error(&self, name: &str, reason: impl Display) -> Error {
        Error::file(self.dir.join(name), reason.to_string())
    }
}

/// Files that replace those of the row before.
fn output(dir: &Path) -> Result<Output, Error> {
    Output::new(dir, &[CSV, SVG, JSON], true)
}
