//! `results.csv`: the machine in comment lines, then the rows.

use std::fmt::Write;

use serde_json::Value;

use super::results::{Results, Row};

/// The columns, in order: the fields of a [`Row`].
pub(crate) const COLUMNS: [&str; 26] = [
    "scheme",
    "degree",
    "advice",
    "lookup",
    "fixed",
    "signing",
    "signers",
    "mode",
    "keygen_s",
    "prove_s",
    "verify_s",
    "proof_bytes",
    "peak_bytes",
    "proving_key_bytes",
    "status",
    "smallest_degree",
    "estimate_bytes",
    "arity",
    "transcript",
    "requested_degree",
    "requested_mode",
    "keys",
    "rule",
    "repeat",
    "srs",
    "reason",
];

/// The file's text.
pub(crate) fn write(results: &Results) -> Result<String, serde_json::Error> {
    let mut text = String::new();
    for line in results.machine.lines() {
        push_line(&mut text, &format!("# {line}"));
    }
    for machine in &results.earlier_machines {
        push_line(&mut text, &format!("# earlier rows: {}", machine.lines().join("; ")));
    }
    push_line(&mut text, &COLUMNS.join(","));
    for row in &results.rows {
        push_line(&mut text, &line(row)?);
    }
    Ok(text)
}

fn push_line(text: &mut String, line: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

/// A row, by way of its JSON: the names of the fields stand in one place.
fn line(row: &Row) -> Result<String, serde_json::Error> {
    let row = serde_json::to_value(row)?;
    let cells: Vec<String> = COLUMNS.iter().map(|column| cell(&row[*column])).collect();
    Ok(cells.join(","))
}

/// A cell; RFC 4180 for what needs quotes, and nothing for what is not known. A line break becomes
/// a space, so that a row stays a line.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => {
            let text = text.replace(['\r', '\n'], " ");
            if text.contains([',', '"', '#']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        }
        other => other.to_string(),
    }
}
