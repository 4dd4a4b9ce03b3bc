//! Rows as text.

use std::fmt::Write;

use super::row::Row;
use crate::Results;

/// What came of a row, in a few words.
pub(super) fn outcome(row: &Row) -> String {
    let [keygen, _, _, theirs, ours, ..] = cells(row);
    format!("key generation {keygen} ms, aggregation {ours} ms, frost-core's {theirs} ms")
}

/// The table, in milliseconds.
pub fn table(results: &Results<Row>) -> String {
    let mut text = String::from(
        "| suite | group | keygen | round 1 | round 2 | aggregate: frost-core | ours | encoding too \
         | ratio | one cheater: frost-core | one by one | ours |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in &results.rows {
        let [keygen, round1, round2, theirs, ours, encoding, cheater, single, found] = cells(row);
        let ratio = row.times.aggregate_frost_core_ms / row.times.aggregate_ms;
        let _ = writeln!(
            text,
            "| {}{} | {}/{} | {keygen} | {round1} | {round2} | {theirs} | {ours} | {encoding} \
             | {ratio:.1}× | {cheater} | {single} | {found} |",
            row.suite,
            results.mark(row),
            row.threshold,
            row.signers
        );
    }
    text + "milliseconds, medians, one thread\n"
}

/// A row's times in milliseconds, in the order of the columns.
fn cells(Row { times, .. }: &Row) -> [String; 9] {
    [
        times.keygen_ms,
        times.round1_ms,
        times.round2_ms,
        times.aggregate_frost_core_ms,
        times.aggregate_ms,
        times.aggregate_encoding_ms,
        times.cheater_frost_core_ms,
        times.cheater_one_by_one_ms,
        times.cheater_ms,
    ]
    .map(|time| match time {
        time if time < 1.0 => format!("{time:.3}"),
        time if time < 100.0 => format!("{time:.2}"),
        time => format!("{time:.0}"),
    })
}
