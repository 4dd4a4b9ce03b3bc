//! The rows as CSV: the machines in comment lines, then the columns, then one line per row.

use serde_json::Value;

use super::{
    kept::{Kept, MACHINE},
    results::{Results, Row},
};

/// The file's text.
pub(crate) fn write<R: Row>(results: &Results<R>) -> Result<String, serde_json::Error> {
    let mut lines = vec![];
    for (number, machine) in results.earlier_machines.iter().enumerate() {
        lines.push(format!("# machine {number}: {}", machine.lines().join("; ")));
    }
    if !lines.is_empty() {
        lines.push(format!("# machine {}, the newest:", results.earlier_machines.len()));
    }
    lines.extend(results.machine.lines().iter().map(|line| format!("# {line}")));
    lines.push(rows(&results.rows)?);
    Ok(lines.join("\n"))
}

/// The columns, and one line per row.
pub(super) fn rows<R: Row>(rows: &[Kept<R>]) -> Result<String, serde_json::Error> {
    let columns: Vec<&str> = R::COLUMNS.iter().copied().chain([MACHINE]).collect();
    let mut lines = vec![columns.join(",")];
    for row in rows {
        lines.push(line(&columns, row)?);
    }
    Ok(lines.join("\n") + "\n")
}

/// A row, by way of its JSON, so that field names are in one place.
fn line<R: Row>(columns: &[&str], row: &Kept<R>) -> Result<String, serde_json::Error> {
    let row = serde_json::to_value(row)?;
    let cells: Vec<String> = columns.iter().map(|column| cell(&row[*column])).collect();
    Ok(cells.join(","))
}

/// A cell, quoted as in RFC 4180 if it must be, and empty if the value is not known. A line break
/// becomes a space, so that a row stays one line.
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
