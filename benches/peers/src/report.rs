//! The result: one row a case, as a table for people and as JSON for programs.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::measure::{Measurement, Shape};
use crate::usage::Usage;

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) peer: String,
    pub(crate) version: String,
    pub(crate) statement: String,
    /// Signatures, or leaves of a tree.
    pub(crate) count: usize,
    #[serde(flatten)]
    pub(crate) shape: Shape,
    /// What of it is filled; muster's sweep does not tell.
    pub(crate) usage: Option<Usage>,
    /// Each figure over the number of signatures; none for trees.
    pub(crate) per_signature: Option<Share>,
    pub(crate) keygen_s: f64,
    /// The median.
    pub(crate) prove_s: f64,
    /// The median processor time, all cores; muster's sweep does not measure it.
    pub(crate) prove_cpu_s: Option<f64>,
    /// The single runs; empty for rows that muster measured.
    pub(crate) prove_all_s: Vec<f64>,
    pub(crate) verify_ms: f64,
    pub(crate) proof_bytes: usize,
    pub(crate) peak_bytes: u64,
}

/// What one signature takes of a proof of several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Share {
    pub(crate) prove_s: f64,
    pub(crate) prove_cpu_s: f64,
    /// Advice cells filled.
    pub(crate) cells: f64,
    pub(crate) rows: f64,
    /// Advice columns times 2^k: the cells that are committed to, filled or not.
    pub(crate) area: f64,
    pub(crate) proof_bytes: f64,
    pub(crate) peak_bytes: f64,
}

impl Share {
    fn new(signatures: usize, measured: &Measurement) -> Self {
        let share = |figure: f64| figure / signatures as f64;
        let Shape { degree, advice, .. } = measured.shape;
        Self {
            prove_s: share(measured.prove_s()),
            prove_cpu_s: share(measured.prove_cpu_s()),
            cells: share(measured.usage.cells as f64),
            rows: share(measured.usage.rows as f64),
            area: share((advice << degree) as f64),
            proof_bytes: share(measured.proof_bytes as f64),
            peak_bytes: share(measured.peak_bytes as f64),
        }
    }
}

impl Row {
    pub(crate) fn new(case: Case, measured: Measurement) -> Self {
        let peer = case.piece.peer();
        Self {
            peer: peer.name().to_owned(),
            version: peer.version().to_owned(),
            statement: case.statement(),
            count: case.count,
            shape: measured.shape,
            usage: Some(measured.usage),
            per_signature: case.signatures().map(|count| Share::new(count, &measured)),
            keygen_s: measured.keygen_s,
            prove_s: measured.prove_s(),
            prove_cpu_s: Some(measured.prove_cpu_s()),
            verify_ms: measured.verify_ms,
            proof_bytes: measured.proof_bytes,
            peak_bytes: measured.peak_bytes,
            prove_all_s: measured.prove_all_s,
        }
    }

    fn words(&self) -> [String; COLUMNS] {
        let Shape { degree, advice, lookup, fixed } = self.shape;
        let used = |figure: fn(Usage) -> usize| {
            self.usage.map_or_else(String::new, |usage| figure(usage).to_string())
        };
        [
            self.peer.clone(),
            self.version.clone(),
            self.statement.clone(),
            degree.to_string(),
            format!("{advice}/{lookup}/{fixed}"),
            used(|usage| usage.rows),
            used(|usage| usage.cells),
            format!("{:.2}", self.keygen_s),
            format!("{:.2}", self.prove_s),
            self.prove_cpu_s.map_or_else(String::new, |seconds| format!("{seconds:.2}")),
            format!("{:.1}", self.verify_ms),
            self.proof_bytes.to_string(),
            format!("{:.0}", self.peak_bytes as f64 / MIB),
        ]
    }

    /// The line of the second table.
    fn share(&self) -> Option<[String; SHARE_COLUMNS]> {
        let share = self.per_signature?;
        Some([
            self.peer.clone(),
            self.version.clone(),
            self.statement.clone(),
            self.shape.degree.to_string(),
            self.shape.advice.to_string(),
            format!("{:.3}", share.prove_s),
            format!("{:.3}", share.prove_cpu_s),
            format!("{:.0}", share.rows),
            format!("{:.0}", share.cells),
            format!("{:.0}", share.area),
            format!("{:.0}", share.proof_bytes),
            format!("{:.1}", share.peak_bytes / MIB),
        ])
    }
}

/// The processor and memory that the rows are about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) memory_bytes: u64,
    /// Load over the last minute when the run began: above 0.5 the times are not to be trusted.
    pub(crate) load_at_start: f64,
}

impl Machine {
    /// Asks Linux; what it does not say stays empty.
    pub(crate) fn this() -> Self {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        let kibibytes = value_of(&read("/proc/meminfo"), "MemTotal")
            .and_then(|it| it.trim_end_matches("kB").trim().parse::<u64>().ok());
        Self {
            processor: value_of(&read("/proc/cpuinfo"), "model name").unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
            memory_bytes: kibibytes.unwrap_or(0) * 1024,
            load_at_start: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|it| it.parse().ok())
                .unwrap_or(0.0),
        }
    }
}

/// The value of `key : value` in the files of /proc.
fn value_of(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim().to_owned())
    })
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    /// Proofs a case; `prove_s` is their median.
    pub(crate) runs: usize,
    pub(crate) rows: Vec<Row>,
    /// The cases that gave no row, each with its reason.
    pub(crate) failures: Vec<String>,
}

const MIB: f64 = 1024.0 * 1024.0;
const COLUMNS: usize = 13;
const HEADINGS: [&str; COLUMNS] = [
    "peer",
    "version",
    "proven",
    "k",
    "adv/lkp/fix",
    "rows",
    "cells",
    "keygen s",
    "prove s",
    "cpu s",
    "verify ms",
    "proof B",
    "peak MiB",
];
const SHARE_COLUMNS: usize = 12;
const SHARE_HEADINGS: [&str; SHARE_COLUMNS] = [
    "peer", "version", "proven", "k", "advice", "prove s", "cpu s", "rows", "cells", "area",
    "proof B", "peak MiB",
];
/// The columns of words, aligned to the left.
const WORDS: usize = 3;

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Machine { processor, cores, memory_bytes, load_at_start } = &self.machine;
        writeln!(
            f,
            "{processor}, {cores} cores, {:.0} GiB, load {load_at_start:.2} at the start; \
             median of {} proofs",
            *memory_bytes as f64 / f64::from(1 << 30),
            self.runs
        )?;
        table(f, HEADINGS, self.rows.iter().map(Row::words))?;
        let shares: Vec<_> = self.rows.iter().filter_map(Row::share).collect();
        if !shares.is_empty() {
            writeln!(f, "\nper signature (k and advice are the whole proof's):")?;
            table(f, SHARE_HEADINGS, shares)?;
        }
        for failure in &self.failures {
            writeln!(f, "failed: {failure}")?;
        }
        Ok(())
    }
}

/// Writes a table in which all lines have the same width.
fn table<const N: usize>(
    f: &mut std::fmt::Formatter<'_>,
    headings: [&str; N],
    lines: impl IntoIterator<Item = [String; N]>,
) -> std::fmt::Result {
    let heading = headings.map(str::to_owned);
    let lines: Vec<_> = lines.into_iter().collect();
    let widths: [usize; N] = std::array::from_fn(|column| {
        lines.iter().chain([&heading]).map(|words| words[column].len()).max().unwrap_or(0)
    });
    let rule = widths.map(|width| "-".repeat(width));
    for words in [&heading, &rule].into_iter().chain(&lines) {
        for (column, (word, width)) in words.iter().zip(widths).enumerate() {
            match column {
                0 => write!(f, "| {word:<width$} |")?,
                _ if column < WORDS => write!(f, " {word:<width$} |")?,
                _ => write!(f, " {word:>width$} |")?,
            }
        }
        writeln!(f)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_read_by_key() {
        let text = "processor\t: 0\nmodel name\t: A  B\nmodel name\t: C\n";
        assert_eq!(value_of(text, "model name").as_deref(), Some("A  B"));
        assert_eq!(value_of(text, "model"), None);
    }
}
