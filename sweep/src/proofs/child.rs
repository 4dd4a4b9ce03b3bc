//! The process of a row, seen from outside.

use std::{
    env,
    path::Path,
    process::{Command, ExitStatus, Output, Stdio},
};

use muster_params::CACHE_DIR_ENV;

use super::{measure::Measurement, row::Measured};
use crate::memory_name;

/// Name of the hidden command.
pub(super) const COMMAND: &str = "sweep-row";

/// What a row's process is to do.
#[derive(Debug)]
pub(super) struct Job<'a> {
    /// What it measures.
    pub(super) row: &'a Measurement,
    /// Threads that compute.
    pub(super) threads: usize,
    /// Directory that holds an SRS of the shape's degree.
    pub(super) srs: &'a Path,
}

impl Job<'_> {
    /// Runs it to its end.
    ///
    /// # Errors
    ///
    /// The reason, for the row.
    pub(super) fn run(&self) -> Result<Measured, String> {
        let program = env::current_exe().map_err(|error| format!("own program: {error}"))?;
        let row = self.row;
        let shape = serde_json::to_string(&row.shape).map_err(|error| error.to_string())?;
        let output = Command::new(program)
            .arg(COMMAND)
            .args(["--shape", &shape])
            .args(["--case", &row.case.to_string()])
            .args(["--repeat", &row.repeat.to_string()])
            .args(["--kind", row.kind.name()])
            .args(["--memory", memory_name(row.memory)])
            .env("RAYON_NUM_THREADS", self.threads.to_string())
            .env(CACHE_DIR_ENV, self.srs)
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
    serde_json::from_slice(&output.stdout).map_err(|error| format!("the row's output: {error}"))
}

#[cfg(unix)]
fn killed(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn killed(_: ExitStatus) -> Option<i32> {
    None
}
