//! One test in a process of its own.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{binaries::Test, error::Error};

/// Between two looks at a process.
const PAUSE: Duration = Duration::from_millis(3);

/// What came of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The test passes.
    Passes,
    /// The test fails.
    Fails,
    /// It was stopped.
    Late,
}

/// Runs `test`, with `(name, value)` in its environment, for at most `limit`.
pub(crate) fn run(
    test: &Test,
    (name, value): (&str, &Path),
    limit: Duration,
) -> Result<(Outcome, Duration), Error> {
    let start = Instant::now();
    let mut command = Command::new(&test.binary.executable);
    command
        .args(["--exact", &test.name, "--test-threads", "1"])
        .current_dir(&test.binary.directory)
        .env_remove("MUSTER_UPDATE_GOLDEN")
        .env("RAYON_NUM_THREADS", "1")
        // The same random numbers with and without the constraint.
        .env("MUSTER_TEST_SEED", "1")
        .env("PROPTEST_RNG_SEED", "1")
        .env("MUSTER_EXHAUSTIVE", if test.is_exhaustive { "1" } else { "0" })
        .env(name, value)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let failed = |source| Error::Command { command: test.title(), source };
    let mut child = command.spawn().map_err(failed)?;
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            let outcome = if status.success() { Outcome::Passes } else { Outcome::Fails };
            return Ok((outcome, start.elapsed()));
        }
        if start.elapsed() > limit {
            // It may have ended just now.
            let _ = child.kill();
            child.wait().map_err(failed)?;
            return Ok((Outcome::Late, start.elapsed()));
        }
        std::thread::sleep(PAUSE);
    }
}
