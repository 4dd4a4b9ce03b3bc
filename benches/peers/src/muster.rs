//! Rows of muster itself, from its own `sweep`, run beside the peers on the same machine.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::case::committee_size;
use crate::error::PeerError;
use crate::measure::Shape;
use crate::report::Row;

/// The scheme whose circuit the peers are compared with.
const SCHEME: &str = "schnorr-babyjubjub";
/// How much of a failing sweep's standard error is shown.
const LAST_WORDS: usize = 600;

/// `results.json`, as far as it is needed.
#[derive(Debug, Deserialize)]
struct Results {
    rows: Vec<SweepRow>,
}

/// One row of the sweep.
#[derive(Debug, Deserialize)]
struct SweepRow {
    scheme: String,
    degree: u32,
    advice: usize,
    lookup: usize,
    fixed: usize,
    signing: usize,
    signers: usize,
    mode: String,
    keygen_s: f64,
    prove_s: f64,
    verify_s: f64,
    proof_bytes: usize,
    peak_bytes: u64,
}

/// Sweeps k of 2k for each k in `signatures`; `extra` goes to the sweep as it is.
pub(crate) fn sweep(
    muster: &Path,
    signatures: &[usize],
    extra: &[String],
) -> Result<Vec<Row>, PeerError> {
    // A fresh directory, because a sweep resumes what it finds.
    let out = tempfile::tempdir()?;
    let mut command = Command::new(muster);
    command.args(["sweep", "--scheme", SCHEME, "--json", "--out"]).arg(out.path());
    for signing in signatures {
        command.arg("--case").arg(format!("{signing}/{}", committee_size(*signing)));
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
    let rows: Vec<Row> = (results.rows.into_iter())
        .filter(|row| row.scheme == SCHEME)
        .map(|row| Row {
            peer: "muster".to_owned(),
            version: version.to_owned(),
            statement: format!(
                "{} of {} members, Schnorr, Baby Jubjub ({})",
                row.signing, row.signers, row.mode
            ),
            count: row.signing,
            shape: Shape {
                degree: row.degree,
                advice: row.advice,
                lookup: row.lookup,
                fixed: row.fixed,
            },
            keygen_s: row.keygen_s,
            prove_s: row.prove_s,
            prove_cpu_s: None,
            prove_all_s: Vec::new(),
            verify_ms: row.verify_s * 1e3,
            proof_bytes: row.proof_bytes,
            peak_bytes: row.peak_bytes,
        })
        .collect();
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
        let missing_field = message(read_text(r#"{"rows": [{"scheme": "schnorr-babyjubjub"}]}"#));
        assert!(
            missing_field.is_some_and(|it| it.contains("results.json") && it.contains("degree"))
        );
        let other_scheme = message(read_text(&format!(
            r#"{{"rows": [{}]}}"#,
            ROW.replace("schnorr-babyjubjub", "ed25519")
        )));
        assert!(other_scheme.is_some_and(|it| it.contains("no row of scheme")));

        let directory = tempfile::tempdir()?;
        let no_file = message(read(&directory.path().join("results.json"), ""));
        assert!(no_file.is_some_and(|it| it.contains("left no results.json")));
        let no_binary = message(sweep(&directory.path().join("muster"), &[1], &[]));
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
