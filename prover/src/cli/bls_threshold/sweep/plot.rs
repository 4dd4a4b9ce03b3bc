//! `results.svg`: times against the threshold, both with logarithms; the whole on the left, naive and
//! fast, its parts on the right.

use super::results::{Results, Row};
use crate::sweep::plot::{
    data::{Line, Point},
    Page, Panel,
};

/// What the markers stand for.
const KINDS: [&str; 4] = ["naive", "fast", "Lagrange", "multi-exponent."];
const SIZES: &str = "threshold t, of 2t − 1 signers";

/// A time of a row, if it was measured.
type Time = fn(&Row) -> Option<f64>;

/// The picture of all rows.
pub(super) fn draw(results: &Results) -> Result<String, String> {
    let rows = &results.rows;
    let mut series: Vec<String> = vec![];
    for row in rows {
        if !series.contains(&name(row)) {
            series.push(name(row));
        }
    }
    let lines = |kinds: [(usize, Time); 2]| -> Vec<Line> {
        let line = |scheme: usize, (case, time): (usize, Time)| {
            let own = rows.iter().filter(|row| name(row) == series[scheme]);
            let point = |row: &Row| {
                let seconds = time(row).filter(|seconds| *seconds > 0.0)?;
                Some(Point { x: (row.threshold as f64).log2(), seconds, case })
            };
            Line { scheme, points: own.filter_map(point).collect() }
        };
        (0..series.len()).flat_map(|scheme| kinds.map(|kind| line(scheme, kind))).collect()
    };
    let whole = lines([(0, |row| row.naive_aggregate_s), (1, |row| Some(row.aggregate_s))]);
    let parts = lines([(2, |row| Some(row.lagrange_s)), (3, |row| Some(row.combination_s))]);
    let label = |x: &f64| format!("2^{x:.0}");
    let summary = format!(
        "{}; the naive curve ends where it would take too long (--naive-limit)",
        results.machine.summary()
    );
    let page = Page {
        title: "Time of an aggregation of BLS shares",
        summary: &summary,
        panels: match rows.is_empty() {
            true => Err("No row is measured yet."),
            false => Ok([
                Panel::new("Coefficients, multi-exponentiation, verification", SIZES, label, whole),
                Panel::new("The fast one in parts", SIZES, label, parts),
            ]),
        },
        colours: ("shares at", &series),
        markers: ("time", &KINDS.map(str::to_owned)),
    };
    page.draw()
}

/// What a colour stands for. A name as long as that of the suite and the identities fits no legend.
fn name(row: &Row) -> String {
    let suite = row.suite.name().trim_start_matches("bls12-381-");
    format!("{suite} {}", row.identities.name())
}
