//! The plot: an aggregation on the left, the search for a cheater on the right, frost-core's and ours
//! against the number of signers, all with logarithms.

use super::row::Row;
use crate::{
    plot::{Legend, Page, Panel, Series},
    Results,
};

/// What the markers stand for.
const KINDS: [&str; 4] = ["frost-core", "ours", "ours, encoding too", "one by one"];
const SIZES: &str = "signers who sign";

/// The picture of all rows.
pub(super) fn draw(results: &Results<Row>) -> Result<String, String> {
    let series = Series::by(results, |_| true, |row| row.suite.to_string());
    let x = |row: &Row| f64::from(row.threshold).log2();
    let aggregations = series.lines(
        x,
        &[
            (0, |row| Some(row.times.aggregate_frost_core_ms / 1e3)),
            (1, |row| Some(row.times.aggregate_ms / 1e3)),
            (2, |row| Some(row.times.aggregate_encoding_ms / 1e3)),
        ],
    );
    let searches = series.lines(
        x,
        &[
            (0, |row| Some(row.times.cheater_frost_core_ms / 1e3)),
            (1, |row| Some(row.times.cheater_ms / 1e3)),
            (3, |row| Some(row.times.cheater_one_by_one_ms / 1e3)),
        ],
    );
    let label = |x: &f64| format!("{:.0}", x.exp2());
    let page = Page {
        title: "Time of an aggregation of FROST shares, one thread",
        summary: &results.summaries(),
        panels: if results.rows.is_empty() {
            Err("No row is measured yet.")
        } else {
            Ok([
                Panel::new("All shares good", SIZES, label, aggregations),
                Panel::new("One bad share, found and named", SIZES, label, searches),
            ])
        },
        legend: Legend {
            colours: ("suite", series.names()),
            markers: ("aggregation", &KINDS.map(str::to_owned)),
        },
    };
    page.draw()
}
