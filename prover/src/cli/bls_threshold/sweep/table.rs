//! Rows as text.

use serde_json::Value;

use super::results::Row;

/// The columns of the CSV, in order: the fields of a [`Row`].
pub(super) const COLUMNS: [&str; 14] = [
    "suite",
    "identities",
    "threshold",
    "signers",
    "threads",
    "method",
    "domain_s",
    "lagrange_s",
    "combination_s",
    "verification_s",
    "aggregate_s",
    "naive_lagrange_s",
    "naive_aggregate_s",
    "repeat",
];

const HEAD: [&str; 9] =
    ["suite", "identities", "t", "method", "Lagrange", "combine", "verify", "together", "naive"];
/// Which columns are words; the others are numbers.
const WORDS: [usize; 3] = [0, 1, 3];

/// A row of the CSV, by way of its JSON: the names of the fields stand in one place. No name in it
/// needs quotes.
pub(super) fn csv(row: &Row) -> Result<String, serde_json::Error> {
    let row = serde_json::to_value(row)?;
    let cell = |column: &&str| match &row[*column] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(COLUMNS.iter().map(cell).collect::<Vec<_>>().join(","))
}

/// What came of a row, in a few words.
pub(super) fn outcome(row: &Row) -> String {
    let (whole, part) = (time(row.aggregate_s), time(row.lagrange_s));
    format!("{whole}, of which coefficients {part} by {}", row.method)
}

/// All rows as a table.
pub(super) fn table(rows: &[Row]) -> String {
    let mut lines = vec![HEAD.map(str::to_owned)];
    lines.extend(rows.iter().map(|row| {
        [
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
    }));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..HEAD.len()).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match WORDS
            .contains(&column)
        {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
