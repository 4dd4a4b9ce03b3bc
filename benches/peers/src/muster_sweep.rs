//! Rows of muster itself, from its own `sweep`, run beside the peers on the same machine.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::error::PeerError;
use crate::measure::Shape;
use crate::report::Row;
use crate::sample::committee_size;

/// The scheme whose circuit the peers are compared with.
const SCHEME: &str = "schnorr-babyjubjub";
/// The fewest proofs that a sweep takes a median of.
const LEAST_RUNS: usize = 3;
/// How much of a failing sweep's standard error is shown.
const LAST_WORDS: usize = 600;

/// `results.json`, as far as it is needed.
#[derive(Debug, Deserialize)]
struct Results {
    rows: Vec<SweepRow>,
}

/// One row of the sweep. A row that did not run to its end has a `status` other than `ok`, and
/// nulls.
#[derive(Debug, Deserialize)]
struct SweepRow {
    scheme: String,
    signing: usize,
    signers: usize,
    #[serde(default = "ok")]
    status: String,
    reason: Option<String>,
    mode: Option<String>,
    degree: Option<u32>,
    advice: Option<usize>,
    lookup: Option<usize>,
    fixed: Option<usize>,
    keygen_s: Option<f64>,
    prove_s: Option<f64>,
    verify_s: Option<f64>,
    proof_bytes: Option<usize>,
    peak_bytes: Option<u64>,
}

fn ok() -> String {
    "ok".to_owned()
}

impl SweepRow {
    /// The row for the table, or what is wrong with it.
    fn row(&self, version: &str) -> Result<Row, String> {
        let Self { signing, signers, status, .. } = self;
        if status != "ok" {
            let reason = self.reason.as_deref().unwrap_or("no reason given");
            return Err(format!("row {signing}/{signers} ended with {status}: {reason}"));
        }
        let missing = |field: &str| format!("row {signing}/{signers} has no {field}");
        let mode = self.mode.as_deref().ok_or_else(|| missing("mode"))?;
        Ok(Row {
            peer: "muster".to_owned(),
            version: version.to_owned(),
            statement: format!("{signing} of {signers} members, Schnorr, Baby Jubjub ({mode})"),
            count: *signing,
            usage: None,
            per_signature: None,
            shape: Shape {
                degree: self.degree.ok_or_else(|| missing("degree"))?,
                advice: self.advice.ok_or_else(|| missing("advice"))?,
                lookup: self.lookup.ok_or_else(|| missing("lookup"))?,
                fixed: self.fixed.ok_or_else(|| missing("fixed"))?,
            },
            keygen_s: self.keygen_s.ok_or_else(|| missing("keygen_s"))?,
            prove_s: self.prove_s.ok_or_else(|| missing("prove_s"))?,
            prove_cpu_s: None,
            prove_all_s: Vec::new(),
            verify_ms: self.verify_s.ok_or_else(|| missing("verify_s"))? * 1e3,
            proof_bytes: self.proof_bytes.ok_or_else(|| missing("proof_bytes"))?,
            peak_bytes: self.peak_bytes.ok_or_else(|| missing("peak_bytes"))?,
        })
    }
}

/// Sweeps k of 2k for each k in `signatures`, with the median of `runs` proofs; `extra` goes to the
/// sweep as it is.
pub(crate) fn sweep(
    muster: &Path,
    signatures: &[usize],
    runs: usize,
    extra: &[String],
) -> Result<Vec<Row>, PeerError> {
    // A fresh directory, because a sweep resumes what it finds.
    let out = tempfile::tempdir()?;
    let mut command = Command::new(muster);
    command.args(["sweep", "--scheme", SCHEME, "--json", "--out"]).arg(out.path());
    for signing in signatures {
        command.arg("--case").arg(format!("{signing}/{}", committee_size(*signing)));
    }
    // Three is what a sweep does by itself, and the least it accepts.
    if runs > LEAST_RUNS {
        command.arg("--repeat").arg(runs.to_string());
    }
    command.args(extra).stdin(Stdio::null());
    let output = command
        .output()
        .map_err(|source| PeerError::MusterMissing { path: muster.to_owned(), source })?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(PeerError::MusterFailed {
            path: muster.to_owned(),
            status: output.status,
            stderr: last_words(&stderr).to_owned(),
        });
    }
    let version = version(muster);
    read(&out.path().join("results.json"), &version)
}

fn last_words(text: &str) -> &str {
    let text = text.trim();
    let start = text.len().saturating_sub(LAST_WORDS);
    (start..=text.len()).find_map(|at| text.get(at..)).unwrap_or_default()
}

/// The last word of `muster --version`.
fn version(muster: &Path) -> String {
    let output = Command::new(muster).arg("--version").stdin(Stdio::null()).output();
    output
        .ok()
        .filter(|it| it.status.success())
        .and_then(|it| String::from_utf8(it.stdout).ok())
        .and_then(|it| it.split_whitespace().last().map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned())
}

/// Reads the rows that a sweep left behind.
fn read(path: &Path, version: &str) -> Result<Vec<Row>, PeerError> {
    let fault = |reason: String| PeerError::Results { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path)
        .map_err(|error| fault(format!("muster sweep left no results.json here: {error}")))?;
    let results: Results = serde_json::from_str(&text)
        .map_err(|error| fault(format!("is not what a sweep writes: {error}")))?;
    let rows = (results.rows.iter())
        .filter(|row| row.scheme == SCHEME)
        .map(|row| row.row(version).map_err(fault))
        .collect::<Result<Vec<Row>, PeerError>>()?;
    if rows.is_empty() {
        return Err(fault(format!("holds no row of scheme {SCHEME}")));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"scheme": "schnorr-babyjubjub", "degree": 13, "advice": 9, "lookup": 2,
        "fixed": 11, "signing": 8, "signers": 16, "mode": "path", "keygen_s": 1.5, "prove_s": 2.5,
        "verify_s": 0.004, "proof_bytes": 2048, "peak_bytes": 1048576, "proving_key_bytes": 1}"#;

    fn read_text(text: &str) -> Result<Vec<Row>, PeerError> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("results.json");
        std::fs::write(&path, text)?;
        read(&path, "0.1.0")
    }

    #[test]
    fn a_sweep_becomes_rows() -> Result<(), PeerError> {
        let rows = read_text(&format!(r#"{{"machine": {{}}, "rows": [{ROW}]}}"#))?;
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].statement, "8 of 16 members, Schnorr, Baby Jubjub (path)");
        assert_eq!((rows[0].count, rows[0].shape.degree), (8, 13));
        assert_eq!(rows[0].verify_ms, 4.0);
        Ok(())
    }

    #[test]
    fn bad_results_name_the_file_and_the_fault() -> Result<(), PeerError> {
        let message = |result: Result<Vec<Row>, PeerError>| result.err().map(|it| it.to_string());
        let rows_of = |row: &str| message(read_text(&format!(r#"{{"rows": [{row}]}}"#)));
        let no_field = rows_of(&ROW.replace("\"degree\": 13,", ""));
        assert!(no_field.is_some_and(|it| it.contains("results.json: row 8/16 has no degree")));
        let failed = r#"{"scheme": "schnorr-babyjubjub", "signing": 8, "signers": 16,
            "status": "does-not-fit", "reason": "2^13 rows", "degree": 13, "advice": null}"#;
        let failed = rows_of(failed);
        assert!(failed.is_some_and(|it| it.ends_with("8/16 ended with does-not-fit: 2^13 rows")));
        let other_scheme = rows_of(&ROW.replace("schnorr-babyjubjub", "ed25519"));
        assert!(other_scheme.is_some_and(|it| it.contains("no row of scheme")));

        let directory = tempfile::tempdir()?;
        let no_file = message(read(&directory.path().join("results.json"), ""));
        assert!(no_file.is_some_and(|it| it.contains("left no results.json")));
        let no_binary = message(sweep(&directory.path().join("muster"), &[1], 3, &[]));
        assert!(no_binary.is_some_and(|it| it.contains("cannot start the muster binary")));
        Ok(())
    }

    #[test]
    fn last_words_are_cut_between_characters() {
        let long = "é".repeat(LAST_WORDS);
        assert!(last_words(&long).len() <= LAST_WORDS);
        assert_eq!(last_words(" short \n"), "short");
    }
}
