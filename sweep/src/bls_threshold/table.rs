//! Rows as text.

use super::row::Row;
use crate::Results;

const HEAD: [&str; 9] =
    ["suite", "identities", "t", "method", "Lagrange", "combine", "verify", "together", "naive"];
/// Which columns are words; the others are numbers.
const WORDS: [usize; 3] = [0, 1, 3];

/// What came of a row, in a few words.
pub(super) fn outcome(row: &Row) -> String {
    let (whole, part) = (time(row.aggregate_s), time(row.lagrange_s));
    format!("{whole}, of which coefficients {part} by {}", row.method)
}

/// All rows as a table.
pub fn table(results: &Results<Row>) -> String {
    results.table(&HEAD, &WORDS, |row| (cells(row), String::new()))
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.suite.name().to_owned(),
        row.identities.name().to_owned(),
        format!("2^{}", row.threshold.checked_ilog2().unwrap_or_default()),
        row.method.clone(),
        time(row.lagrange_s),
        time(row.combination_s),
        time(row.verification_s),
        time(row.aggregate_s),
        row.naive_aggregate_s.map_or("-".into(), time),
    ]
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
