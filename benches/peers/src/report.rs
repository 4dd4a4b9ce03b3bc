//! The result: one row a case, as a table for people and as JSON for programs.

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::measure::{Measurement, Shape};

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

impl Row {
    pub(crate) fn new(case: Case, measured: Measurement) -> Self {
        let peer = case.piece.peer();
        Self {
            peer: peer.package().to_owned(),
            version: peer.version().to_owned(),
            statement: case.statement(),
            count: case.count,
            shape: measured.shape,
            keygen_s: measured.keygen_s,
            prove_s: measured.prove_s(),
            prove_cpu_s: Some(measured.prove_cpu_s()),
            verify_ms: measured.verify_ms,
            proof_bytes: measured.proof_bytes,
            peak_bytes: measured.peak_bytes,
            prove_all_s: measured.prove_all_s,
        }
    }

    fn cells(&self) -> [String; COLUMNS] {
        let Shape { degree, advice, lookup, fixed } = self.shape;
        [
            self.peer.clone(),
            self.version.clone(),
            self.statement.clone(),
            degree.to_string(),
            format!("{advice}/{lookup}/{fixed}"),
            format!("{:.2}", self.keygen_s),
            format!("{:.2}", self.prove_s),
            self.prove_cpu_s.map_or_else(String::new, |seconds| format!("{seconds:.2}")),
            format!("{:.1}", self.verify_ms),
            self.proof_bytes.to_string(),
            format!("{:.0}", self.peak_bytes as f64 / (1024.0 * 1024.0)),
        ]
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
}

const COLUMNS: usize = 11;
const HEADINGS: [&str; COLUMNS] = [
    "peer",
    "version",
    "proven",
    "k",
    "adv/lkp/fix",
    "keygen s",
    "prove s",
    "cpu s",
    "verify ms",
    "proof B",
    "peak MiB",
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
        let heading = HEADINGS.map(str::to_owned);
        let lines: Vec<_> = self.rows.iter().map(Row::cells).collect();
        let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
            lines.iter().chain([&heading]).map(|cells| cells[column].len()).max().unwrap_or(0)
        });
        let rule = widths.map(|width| "-".repeat(width));
        for cells in [&heading, &rule].into_iter().chain(&lines) {
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                match column {
                    0 => write!(f, "| {cell:<width$} |")?,
                    _ if column < WORDS => write!(f, " {cell:<width$} |")?,
                    _ => write!(f, " {cell:>width$} |")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
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
