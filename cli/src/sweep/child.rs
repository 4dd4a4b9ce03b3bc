//! The process of a row, seen from outside.

use std::{
    env,
    path::Path,
    process::{Command, ExitStatus, Output, Stdio},
};

use muster_circuits::Shape;
use muster_params::CACHE_DIR_ENV;

use super::{ask::Case, row::Measured};
use crate::{cli::memory, Memory, TranscriptKind};

/// Name of the hidden command.
pub(super) const COMMAND: &str = "sweep-row";

/// What a row's process is to do.
#[derive(Debug)]
pub(super) struct Job<'a> {
    /// The circuit.
    pub(super) shape: &'a Shape,
    /// The sample.
    pub(super) case: Case,
    /// Number of proofs.
    pub(super) repeat: usize,
    /// Hash of the transcript.
    pub(super) transcript: TranscriptKind,
    /// What is kept between the proofs.
    pub(super) memory: Memory,
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
        let shape = serde_json::to_string(self.shape).map_err(|error| error.to_string())?;
        let output = Command::new(program)
            .arg(COMMAND)
            .args(["--shape", &shape])
            .args(["--case", &self.case.to_string()])
            .args(["--repeat", &self.repeat.to_string()])
            .args(["--transcript", self.transcript.name()])
            .args(["--memory", memory::name(self.memory)])
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
