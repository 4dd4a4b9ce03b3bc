//! Rows as lines and as a table on the terminal.

use super::{
    ask::Degree,
    row::{Row, Status},
};
use crate::{memory::human, Results};

const HEAD: [&str; 13] = [
    "scheme", "case", "mode", "degree", "advice", "lookup", "fixed", "keygen", "prove", "verify",
    "proof", "peak", "key",
];
/// The first columns are words, the others numbers.
const WORDS: usize = 3;

/// What came of a row, in a few words.
pub(super) fn outcome(row: &Row) -> String {
    match row.status {
        Status::Ok => format!(
            "{}{} + {} columns, prove {}, peak {}",
            match row.requested_degree {
                Degree::Auto => format!("2^{}, ", cell(row.degree)),
                Degree::Fixed(_) => String::new(),
            },
            cell(row.advice),
            cell(row.lookup),
            seconds(row.prove_s),
            bytes(row.peak_bytes)
        ),
        Status::DoesNotFit => {
            format!("does not fit; the smallest degree that fits is {}", cell(row.smallest_degree))
        }
        Status::OverMemory => {
            format!("not run: it would take about {} of memory", bytes(row.estimate_bytes))
        }
        Status::Failed => format!("failed: {}", cell(row.reason.as_ref())),
    }
}

/// All rows as a table. A row without times ends with its outcome.
pub(super) fn table(results: &Results<Row>) -> String {
    results.table(&HEAD, &[0, 1, 2], |row| match row.status {
        Status::Ok => (cells(row), String::new()),
        _ => (cells(row)[..=WORDS].to_vec(), outcome(row)),
    })
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.name(),
        row.case().to_string(),
        row.mode.clone().unwrap_or_else(|| row.requested_mode.clone()),
        cell(row.degree),
        cell(row.advice),
        cell(row.lookup),
        cell(row.fixed),
        seconds(row.keygen_s),
        seconds(row.prove_s),
        seconds(row.verify_s),
        row.proof_bytes.map_or_else(dash, |bytes| format!("{bytes} B")),
        bytes(row.peak_bytes),
        bytes(row.proving_key_bytes),
    ]
}

fn dash() -> String {
    "-".to_owned()
}

fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(dash, |value| value.to_string())
}

fn bytes(value: Option<u64>) -> String {
    value.map_or_else(dash, human)
}

/// Seconds with three digits that count.
pub(super) fn seconds(value: Option<f64>) -> String {
    match value {
        None => dash(),
        Some(seconds) if seconds < 0.1 => format!("{:.1} ms", seconds * 1e3),
        Some(seconds) if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        Some(seconds) if seconds < 10.0 => format!("{seconds:.2} s"),
        Some(seconds) => format!("{seconds:.1} s"),
    }
}
