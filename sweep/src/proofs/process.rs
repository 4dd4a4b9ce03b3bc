//! The process of a row, seen from outside: what it is asked for, what it says, and the SRS that it finds.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
};

use muster_params::{import, Overwrite, ParamsError, SrsCache, CACHE_DIR_ENV};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;

use super::row::Measured;
use crate::Error;

/// Name of the hidden command.
const COMMAND: &str = "sweep-row";

/// What a row's process is asked for, as its arguments say it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The circuit.
    pub shape: Value,
    /// How many sign, of how many.
    pub case: String,
    /// Number of proofs.
    pub repeat: usize,
    /// Format of the proofs.
    pub kind: String,
    /// What is kept between the proofs.
    pub memory: String,
}

impl Asked {
    /// The same as arguments.
    pub fn args(&self) -> [String; 10] {
        let Self { shape, case, repeat, kind, memory } = self;
        let words = [
            ("--case", case.clone()),
            ("--repeat", repeat.to_string()),
            ("--kind", kind.clone()),
            ("--memory", memory.clone()),
            ("--shape", shape.to_string()),
        ];
        let words = words.into_iter().flat_map(|(name, value)| [name.to_owned(), value]);
        words.collect::<Vec<_>>().try_into().expect("two for each of five")
    }

    /// Runs the process to its end, with so many threads and a directory that holds an SRS of the shape's degree. An error
    /// is the reason, for the row.
    pub(super) fn run(&self, threads: usize, srs: &Path) -> Result<Measured, String> {
        let program = env::current_exe().map_err(|error| format!("own program: {error}"))?;
        let output = Command::new(program)
            .arg(COMMAND)
            .args(self.args())
            .env("RAYON_NUM_THREADS", threads.to_string())
            .env(CACHE_DIR_ENV, srs)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("the row's process cannot be started: {error}"))?;
        read(&output)
    }
}

/// What a process that has ended says.
pub(super) fn read(output: &Output) -> Result<Measured, String> {
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        let said = said.map(|line| line.strip_prefix("error: ").unwrap_or(line).to_owned());
        return Err(match killed(output.status) {
            // What systems send when they run out of memory.
            Some(9) => "killed by signal 9; was there enough memory?".to_owned(),
            Some(signal) => format!("killed by signal {signal}"),
            None => said.unwrap_or_else(|| output.status.to_string()),
        });
    }
    measured(&output.stdout)
}

/// What it printed.
pub(super) fn measured(printed: &[u8]) -> Result<Measured, String> {
    serde_json::from_slice(printed).map_err(|error| format!("the row's output: {error}"))
}

#[cfg(unix)]
fn killed(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> Option<i32> {
    None
}

/// Where rows take their SRS from.
#[derive(Debug)]
pub(super) struct Supply {
    cache: SrsCache,
    ready: BTreeSet<u32>,
    /// Kept for its removal at the end.
    temporary: Option<TempDir>,
}

impl Supply {
    /// The user's cache, which insecure ones are added to where a degree is missing.
    pub(super) fn cached() -> Self {
        Self { cache: SrsCache::from_env(), ready: BTreeSet::new(), temporary: None }
    }

    /// A ceremony's file, checked once and cut to `degrees`, in a directory that goes with the
    /// sweep.
    pub(super) fn imported(
        file: &Path,
        g2: Option<&Path>,
        degrees: &BTreeSet<u32>,
    ) -> Result<Self, Error> {
        let mut supply = Self::cached();
        supply.move_to_temporary()?;
        if let Some(largest) = degrees.last() {
            let mut srs = import::auto(file, g2, Some(*largest))?;
            for degree in degrees.iter().rev() {
                srs = srs.downsized(*degree)?;
                supply.cache.store(&srs, Overwrite::No)?;
            }
        }
        supply.ready = degrees.clone();
        Ok(supply)
    }

    /// Sees to it that there is an SRS of this degree, and says in which directory. The row's
    /// process loads it for itself.
    pub(super) fn prepare(&mut self, degree: u32) -> Result<PathBuf, Error> {
        if !self.ready.contains(&degree) {
            match self.cache.load_or_make_insecure(degree) {
                // A cache that cannot be written to.
                Err(ParamsError::Io { .. }) if self.temporary.is_none() => {
                    self.move_to_temporary()?;
                    self.cache.load_or_make_insecure(degree)?;
                }
                made => {
                    made?;
                }
            }
            self.ready.insert(degree);
        }
        Ok(self.cache.dir().to_owned())
    }

    fn move_to_temporary(&mut self) -> Result<(), Error> {
        let dir = TempDir::new().map_err(Error::io(env::temp_dir()))?;
        self.cache = SrsCache::new(dir.path());
        self.ready.clear();
        self.temporary = Some(dir);
        Ok(())
    }
}
