//! The plot: times against the threshold, both with logarithms; the whole on the left, naive and fast,
//! its parts on the right.

use super::row::Row;
use crate::{
    plot::{Legend, Page, Panel, Series},
    Results,
};

/// What the markers stand for.
const KINDS: [&str; 4] = ["naive", "fast", "Lagrange", "multi-exponent."];
const SIZES: &str = "threshold t, of 2t − 1 signers";

/// The picture of all rows.
pub(super) fn draw(results: &Results<Row>) -> Result<String, String> {
    let series = Series::by(results, |_| true, name);
    let x = |row: &Row| (row.threshold as f64).log2();
    let whole =
        series.lines(x, &[(0, |row| row.naive_aggregate_s), (1, |row| Some(row.aggregate_s))]);
    let parts =
        series.lines(x, &[(2, |row| Some(row.lagrange_s)), (3, |row| Some(row.combination_s))]);
    let label = |x: &f64| format!("2^{x:.0}");
    let mut summary = results.summaries();
    summary.push("the naive curve ends where it would take too long (--naive-limit)".to_owned());
    let page = Page {
        title: "Time of an aggregation of BLS shares",
        summary: &summary,
        panels: if results.rows.is_empty() {
            Err("No row is measured yet.")
        } else {
            Ok([
                Panel::new("Coefficients, multi-exponentiation, verification", SIZES, label, whole),
                Panel::new("The fast one in parts", SIZES, label, parts),
            ])
        },
        legend: Legend {
            colours: ("shares at", series.names()),
            markers: ("time", &KINDS.map(str::to_owned)),
        },
    };
    page.draw()
}

/// What a colour stands for. A name as long as that of the suite and the identities fits no legend.
fn name(row: &Row) -> String {
    let suite = row.suite.name().trim_start_matches("bls12-381-");
    format!("{suite} {}", row.identities.name())
}
