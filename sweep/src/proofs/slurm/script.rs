//! The script: an array with a task for each row that is left.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use crate::proofs::elsewhere::FarRow;

/// The script's name.
pub(super) const SCRIPT: &str = "sweep.sbatch";

/// Memory asked for, in percent of the estimate.
const MEMORY: u64 = 115;
/// Time asked for: so many times the estimate, which is for two threads, and what SRS and a slow file system take.
const SLOWEST: f64 = 20.0;
const LEAST_SECONDS: f64 = 600.0;
/// Rows whose memory is within this factor are one class, and so are all below the least.
const CLASS: u64 = 4;
const LEAST_CLASS: u64 = 1 << 30;

/// What all tasks have in common. Paths are absolute: a task may begin anywhere.
#[derive(Clone, Debug)]
pub(super) struct Common {
    pub(super) muster: PathBuf,
    pub(super) dir: PathBuf,
    /// The cache of SRS.
    pub(super) cache: PathBuf,
    pub(super) srs: Option<PathBuf>,
    pub(super) srs_g2: Option<PathBuf>,
}

/// What Slurm is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needs {
    mebibytes: u64,
    minutes: u64,
}

/// The tasks, smallest first, in classes whose needs are much the same.
#[derive(Debug)]
pub(super) struct Array {
    rows: Vec<FarRow>,
    /// Threads of a task.
    threads: usize,
    /// The tasks of each class, and the needs of the largest.
    classes: Vec<(std::ops::Range<usize>, Needs)>,
}

impl Array {
    /// The array of some rows; there is at least one.
    pub(super) fn new(mut rows: Vec<FarRow>, threads: usize) -> Self {
        rows.sort_by_key(|row| row.bytes);
        let (mut classes, mut start) = (vec![], 0);
        let size = |row: &FarRow| row.bytes.max(LEAST_CLASS);
        for place in 1..=rows.len() {
            if place == rows.len() || size(&rows[place]) > CLASS * size(&rows[start]) {
                classes.push((start..place, Needs::of(&rows[start..place], threads)));
                start = place;
            }
        }
        Self { rows, threads, classes }
    }

    /// The commands that submit it: one, or one a class, so that small rows need not wait for large machines.
    pub(super) fn commands(&self, script: &str) -> Vec<String> {
        if let [_] = self.classes[..] {
            return vec![format!("sbatch {}", quoted(script))];
        }
        let command = |(tasks, needs): &(std::ops::Range<usize>, Needs)| {
            let (first, last, script) = (tasks.start, tasks.end - 1, quoted(script));
            let Needs { mebibytes, .. } = needs;
            let time = needs.time();
            format!("sbatch --array={first}-{last} --mem={mebibytes}M --time={time} {script}")
        };
        self.classes.iter().map(command).collect()
    }

    /// The script's text. Its header asks for what the largest row needs, so that it may be submitted as it is.
    pub(super) fn script(&self, common: &Common) -> String {
        let all = Needs::of(&self.rows, self.threads);
        let [muster, dir, cache] = [&common.muster, &common.dir, &common.cache].map(path);
        let files = [("--srs", &common.srs), ("--srs-g2", &common.srs_g2)];
        let files = files.map(|(name, file)| match file {
            Some(file) => format!("{name} {} ", path(file)),
            None => String::new(),
        });
        let (last, threads, time) = (self.rows.len() - 1, self.threads, all.time());
        let (files, mebibytes) = (files.concat(), all.mebibytes);
        let mut text = format!(
            r#"#!/bin/bash
#SBATCH --job-name=muster-sweep
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={threads}
#SBATCH --mem={mebibytes}M
#SBATCH --time={time}
#SBATCH --requeue
#SBATCH --output=/dev/null
# A task for each row of a sweep that is left. It leaves rows/NAME.json, and logs/NAME.log.
# The command that wrote this, run once more, gathers the rows and writes this for what is left then.
set -eu
muster={muster}
dir={dir}
export MUSTER_PARAMS={cache}

row() {{
    local name=$1
    shift
    exec "$muster" --threads {threads} sweep-row "$@" {files}--record "$dir/rows/$name.json" \
        >>"$dir/logs/$name.log" 2>&1
}}

case ${{SLURM_ARRAY_TASK_ID:?to be run by sbatch}} in
"#
        );
        for (place, FarRow { name, asked, .. }) in self.rows.iter().enumerate() {
            let words = asked.args().map(|word| quoted(&word)).join(" ");
            // A string takes every line.
            let _ = writeln!(text, "{place}) row {name} {words} ;;");
        }
        text + "*) exit 2 ;;\nesac\n"
    }
}

impl Needs {
    /// What the largest of some rows needs.
    fn of(rows: &[FarRow], threads: usize) -> Self {
        let bytes = rows.iter().map(|row| row.bytes).max().unwrap_or(0);
        let seconds = rows.iter().map(|row| row.seconds).fold(0.0, f64::max);
        // More threads than two are no reason to ask for less.
        let slower = 2.0 / threads.min(2) as f64;
        let seconds = LEAST_SECONDS + SLOWEST * slower * seconds;
        Self {
            // None would be all that there is.
            mebibytes: (bytes.saturating_mul(MEMORY) / 100).div_ceil(1 << 20).max(1),
            minutes: (seconds / 60.0).ceil() as u64,
        }
    }

    /// The time as Slurm has it.
    fn time(&self) -> String {
        format!("{}:{:02}:00", self.minutes / 60, self.minutes % 60)
    }
}

fn path(path: impl AsRef<Path>) -> String {
    quoted(&path.as_ref().to_string_lossy())
}

/// A word that a shell takes as it is.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}
