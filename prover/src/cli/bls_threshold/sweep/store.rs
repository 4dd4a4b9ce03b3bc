//! The directory of a sweep: three files that are replaced whole after each row.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use super::{
    plot,
    results::{Results, Row},
    table,
};
use crate::{output::Output, sweep::machine::Machine, Error};

const CSV: &str = "results.csv";
const SVG: &str = "results.svg";
const JSON: &str = "results.json";

/// What to do about results that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    /// Leave them alone and stop.
    Refuse,
    /// Keep their rows.
    Resume,
    /// Start anew.
    Replace,
}

/// Results and where they are kept.
pub(super) struct Store {
    dir: PathBuf,
    pub(super) results: Results,
}

impl Store {
    /// The results in `dir`, and whether rows of another machine were taken over.
    pub(super) fn open(
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
        let mut results = Results { machine, earlier_machines: vec![], rows: vec![] };
        let mut differs = false;
        match (existing, old) {
            (Existing::Refuse, Some(_)) => {
                return Err(Error::file(path, "exists: --resume goes on, --force starts anew"));
            }
            (Existing::Resume, Some(old)) => {
                let before: Results = serde_json::from_slice(&old)
                    .map_err(|error| Error::file(&path, error.to_string()))?;
                differs = !before.rows.is_empty() && !before.machine.is_like(&results.machine);
                results.earlier_machines = before.earlier_machines;
                results.earlier_machines.extend(differs.then_some(before.machine));
                results.rows = before.rows;
            }
            _ => {}
        }
        Ok((Self { dir: dir.to_owned(), results }, differs))
    }

    /// Writes the three files, each of them whole or not at all.
    pub(super) fn save(&self) -> Result<(), Error> {
        let failed = |name: &str| {
            let path = self.dir.join(name);
            move |reason: String| Error::file(path, reason)
        };
        let csv = self.csv().map_err(|error| failed(CSV)(error.to_string()))?;
        let svg = plot::draw(&self.results).map_err(failed(SVG))?;
        let json = serde_json::to_vec_pretty(&self.results);
        let json = json.map_err(|error| failed(JSON)(error.to_string()))?;
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
    pub(super) fn paths(&self) -> [PathBuf; 3] {
        [CSV, JSON, SVG].map(|name| self.dir.join(name))
    }

    /// The machine in comment lines, then the rows.
    fn csv(&self) -> Result<String, serde_json::Error> {
        let mut lines: Vec<String> =
            self.results.machine.lines().iter().map(|line| format!("# {line}")).collect();
        for machine in &self.results.earlier_machines {
            lines.push(format!("# earlier rows: {}", machine.lines().join("; ")));
        }
        lines.push(table::COLUMNS.join(","));
        let line = |row: &Row| table::csv(row);
        lines.extend(self.results.rows.iter().map(line).collect::<Result<Vec<_>, _>>()?);
        Ok(lines.join("\n") + "\n")
    }
}

/// Files that replace those of the row before.
fn output(dir: &Path) -> Result<Output, Error> {
    Output::new(dir, &[CSV, SVG, JSON], true)
}
