//! The directory of a sweep: files that are replaced whole after each row.

use std::{
    fmt::Display,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use muster_prover::output::Output;

use super::{
    csv,
    results::{Results, Row},
};
use crate::Error;

/// The extensions of the files.
const CSV: &str = "csv";
const SVG: &str = "svg";
const JSON: &str = "json";

/// What to do about existing results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Leave them alone and stop.
    Refuse,
    /// Keep their finished rows.
    Resume,
    /// Start again.
    Replace,
}

/// Results and where they are kept.
#[derive(Debug)]
pub struct Store<R> {
    dir: PathBuf,
    /// The results.
    pub results: Results<R>,
    pub(super) existing: Existing,
    /// Whether rows of another machine were taken over.
    pub machine_differs: bool,
}

impl<R: Row> Store<R> {
    /// The results in a directory, or none yet. They start as `results`, and existing ones are continued on its machine.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`] for existing results that are neither to be resumed nor replaced, that are
    /// malformed, or that were made with another `repeat`; [`muster_prover::Error::Io`].
    pub fn open_on(dir: &Path, existing: Existing, results: Results<R>) -> Result<Self, Error> {
        let machine = results.machine.clone();
        let mut store = Self::open_kept(dir, existing, results)?;
        store.machine_differs = store.results.resume_on(machine);
        Ok(store)
    }

    /// The same for a sweep that runs nothing on this machine: existing results stay as they are.
    pub fn open_kept(dir: &Path, existing: Existing, results: Results<R>) -> Result<Self, Error> {
        let mut store = Self { dir: dir.to_owned(), results, existing, machine_differs: false };
        let path = store.path(JSON);
        let old = match fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io(path)(error)),
        };
        // If the directory cannot be written to, better say so now than after the first row.
        store.output()?;
        match (existing, old) {
            (Existing::Refuse, Some(_)) => {
                let reason = "exists: --resume continues, --force starts again";
                Err(Error::file(path, reason))
            }
            (Existing::Resume, Some(old)) => {
                let old: Results<R> = serde_json::from_slice(&old)
                    .map_err(|error| Error::file(&path, error.to_string()))?;
                if old.repeat != store.results.repeat {
                    let repeat = old.repeat.map_or("another number".to_owned(), |n| n.to_string());
                    let reason = format!("its times are medians of {repeat}: --repeat must match");
                    return Err(Error::file(path, reason));
                }
                store.results = old;
                Ok(store)
            }
            _ => Ok(store),
        }
    }

    /// Those of `asks` that have no finished row.
    pub fn left(&self, asks: impl IntoIterator<Item = R::Ask>) -> Vec<R::Ask> {
        asks.into_iter().filter(|ask| self.results.finished(ask).is_none()).collect()
    }

    /// Writes all files, each of them whole or not at all.
    pub fn save(&self) -> Result<(), Error> {
        let csv = csv::write(&self.results).map_err(|error| self.error(CSV, error))?;
        let svg = R::draw(&self.results).map_err(|error| self.error(SVG, error))?;
        let more = R::MORE_PLOTS.iter().map(|(plot, draw)| {
            let end = more(plot);
            Ok((draw(&self.results).map_err(|error| self.error(&end, error))?, end))
        });
        let more = more.collect::<Result<Vec<_>, Error>>()?;
        let json =
            serde_json::to_vec_pretty(&self.results).map_err(|error| self.error(JSON, error))?;
        let mut output = self.output()?;
        output.write(&name::<R>(CSV), |file| file.write_all(csv.as_bytes()))?;
        output.write(&name::<R>(SVG), |file| file.write_all(svg.as_bytes()))?;
        for (svg, end) in more {
            output.write(&name::<R>(&end), |file| file.write_all(svg.as_bytes()))?;
        }
        // Last, because a resumed sweep continues from it.
        output.write(&name::<R>(JSON), |file| {
            file.write_all(&json)?;
            file.write_all(b"\n")
        })?;
        Ok(output.commit()?)
    }

    /// The file that a resumed sweep continues from.
    pub fn json_path(&self) -> PathBuf {
        self.path(JSON)
    }

    /// All files.
    pub fn paths(&self) -> Vec<PathBuf> {
        ends::<R>().iter().map(|end| self.path(end)).collect()
    }

    /// The results as one JSON object.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`], which does not occur for rows that could be saved.
    pub fn json(&self) -> Result<serde_json::Value, Error> {
        serde_json::to_value(&self.results).map_err(|error| self.error(JSON, error))
    }

    /// The rows as CSV.
    ///
    /// # Errors
    ///
    /// As [`Self::json`].
    pub fn rows(&self) -> Result<String, Error> {
        csv::rows(&self.results.rows).map_err(|error| self.error(CSV, error))
    }

    /// What people are told at the end: the machines, the rows as `table`, and where they are.
    pub fn text(&self, table: &str) -> String {
        let paths: Vec<_> = self.paths().iter().map(|path| path.display().to_string()).collect();
        let paths = paths.join(", ");
        format!("{}\n\n{table}\n{paths}\n", self.results.summaries().join("\n"))
    }

    fn path(&self, end: &str) -> PathBuf {
        self.dir.join(name::<R>(end))
    }

    fn error(&self, end: &str, reason: impl Display) -> Error {
        Error::file(self.path(end), reason.to_string())
    }

    /// An output whose files replace those of the row before.
    fn output(&self) -> Result<Output, Error> {
        let names: Vec<_> = ends::<R>().iter().map(|end| name::<R>(end)).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        Ok(Output::new(&self.dir, &names, true)?)
    }
}

fn name<R: Row>(end: &str) -> String {
    format!("{}.{end}", R::FILES)
}

/// The name endings of all files.
fn ends<R: Row>() -> Vec<String> {
    let first = [CSV, JSON, SVG].map(str::to_owned);
    first.into_iter().chain(R::MORE_PLOTS.iter().map(|(plot, _)| more(plot))).collect()
}

fn more(plot: &str) -> String {
    format!("{plot}.{SVG}")
}
