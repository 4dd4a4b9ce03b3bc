//! The directory of a sweep: files that are replaced whole after each row.

use std::{
    fmt::Display,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use muster_prover::{input, output::Output};

use crate::{
    report,
    results::{Results, Row},
    Error,
};

/// The extensions of the files beside the plots.
const CSV: &str = "csv";
const JSON: &str = "json";
const HTML: &str = "html";

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
    pub(crate) existing: Existing,
    /// Whether rows of another machine were taken over.
    pub(crate) machine_differs: bool,
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
        let path = store.json_path();
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
                let old: Results<R> = input::parse(&path, &old)?;
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

    /// Writes all files, each of them whole or not at all.
    pub fn save(&self) -> Result<(), Error> {
        let results = &self.results;
        let csv = results.csv_file().map_err(|error| self.error(CSV, error))?;
        let mut files = vec![(CSV, csv)];
        let mut plots = vec![];
        for (end, plot) in R::PLOTS {
            let svg = plot(results).draw(&results.summaries());
            let svg = svg.map_err(|error| self.error(end, error))?;
            plots.push(svg.clone());
            files.push((end, svg));
        }
        let page = report::page(results, &report::command(), &plots);
        files.push((HTML, page.map_err(|error| self.error(HTML, error))?));
        let json =
            serde_json::to_string_pretty(results).map_err(|error| self.error(JSON, error))?;
        // Last, because a resumed sweep continues from it.
        files.push((JSON, json + "\n"));
        let mut output = self.output()?;
        for (end, text) in files {
            output.write(&name::<R>(end), |file| file.write_all(text.as_bytes()))?;
        }
        Ok(output.commit()?)
    }

    /// The same, if there are any rows.
    pub fn save_rows(&self) -> Result<(), Error> {
        if self.results.rows.is_empty() {
            Ok(())
        } else {
            self.save()
        }
    }

    /// The file that a resumed sweep continues from.
    pub(crate) fn json_path(&self) -> PathBuf {
        self.path(JSON)
    }

    /// All files.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        ends::<R>().map(|end| self.path(end)).collect()
    }

    /// The results as one JSON object.
    ///
    /// # Errors
    ///
    /// [`muster_prover::Error::File`], which does not occur for rows that could be saved.
    pub fn json(&self) -> Result<serde_json::Value, Error> {
        serde_json::to_value(&self.results).map_err(|error| self.error(JSON, error))
    }

    /// What people are told at the end: the machines, the rows as a table, and where they are.
    ///
    /// # Errors
    ///
    /// As [`Self::json`].
    pub fn text(&self) -> Result<String, Error> {
        let table = R::table(&self.results).map_err(|error| self.error(CSV, error))?;
        let paths: Vec<_> = self.paths().iter().map(|path| path.display().to_string()).collect();
        let (machines, paths) = (self.results.summaries().join("\n"), paths.join(", "));
        Ok(format!("{machines}\n\n{table}\n{paths}\n"))
    }

    fn path(&self, end: &str) -> PathBuf {
        self.dir.join(name::<R>(end))
    }

    fn error(&self, end: &str, reason: impl Display) -> Error {
        Error::file(self.path(end), reason.to_string())
    }

    /// An output whose files replace those of the row before.
    fn output(&self) -> Result<Output, Error> {
        let names: Vec<_> = ends::<R>().map(name::<R>).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        Ok(Output::new(&self.dir, &names, true)?)
    }
}

fn name<R: Row>(end: &str) -> String {
    format!("{}.{end}", R::FILES)
}

/// The name endings of all files.
fn ends<R: Row>() -> impl Iterator<Item = &'static str> {
    [CSV, JSON, HTML].into_iter().chain(R::PLOTS.iter().map(|(end, _)| *end))
}
