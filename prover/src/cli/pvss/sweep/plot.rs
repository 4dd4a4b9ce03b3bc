//! `results.svg`: times and sizes against the number of shares, both with logarithms; what was published as hollow
//! points.

use super::{Results, Row};
use crate::sweep::plot::{
    data::{Line, Point},
    Page, Panel,
};

/// Shares, KiB, and milliseconds to deal and to verify.
type Figures = (f64, f64, f64, f64);

/// What was published (Tomescu's notes of April 2026), one thread of an M4 Max but for Golden, which uses all cores.
const PUBLISHED: [(&str, &[Figures]); 5] = [
    (
        "Chunky",
        &[
            (8.0, 13.37, 29.83, 7.87),
            (16.0, 22.56, 49.19, 11.24),
            (32.0, 40.94, 84.7, 16.79),
            (64.0, 77.69, 150.63, 26.17),
            (128.0, 151.19, 281.35, 44.24),
            (256.0, 298.19, 521.81, 76.97),
            (1024.0, 1177.6, 1972.8, 252.06),
        ],
    ),
    (
        "Groth21",
        &[
            (8.0, 20.15, 27.8, 12.4),
            (16.0, 34.27, 49.9, 20.7),
            (32.0, 62.52, 92.1, 34.9),
            (64.0, 119.02, 181.4, 68.0),
            (128.0, 232.02, 355.7, 121.0),
            (256.0, 458.02, 688.4, 232.4),
        ],
    ),
    (
        "Golden",
        &[
            (8.0, 5.29, 8060.0, 10.25),
            (16.0, 10.5, 17594.0, 21.31),
            (32.0, 20.97, 37458.0, 50.56),
            (64.0, 41.88, 73967.0, 145.74),
            (128.0, 83.69, 151163.0, 518.78),
            (256.0, 167.32, 308051.0, 1854.27),
        ],
    ),
    (
        "GHL21e",
        &[
            (8.0, 178.13, 5553.0, 466.0),
            (16.0, 180.94, 5591.0, 551.0),
            (32.0, 183.13, 5836.0, 481.0),
            (64.0, 187.5, 6039.0, 483.0),
            (128.0, 192.63, 6093.0, 490.0),
            (256.0, 201.81, 6899.0, 509.0),
        ],
    ),
    (
        "cgVSS",
        &[
            (8.0, 5.16, 50.25, 60.18),
            (16.0, 9.51, 64.54, 72.4),
            (32.0, 18.26, 85.74, 98.76),
            (64.0, 35.66, 137.22, 151.54),
            (128.0, 70.52, 273.84, 273.01),
            (256.0, 140.23, 664.3, 580.35),
        ],
    ),
];
const KINDS: [&str; 4] = ["deal", "verify", "decode + verify", "size"];

/// The number of a kind, and its value in a row.
type Measure<T> = (usize, fn(&T) -> f64);

/// The picture of all rows that one thread made.
pub(super) fn draw(results: &Results) -> Result<String, String> {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| row.threads == 1).collect();
    let mut measured: Vec<String> = vec![];
    for row in &rows {
        if !measured.contains(&row.variant) {
            measured.push(row.variant.clone());
        }
    }
    let published = PUBLISHED.iter().map(|(name, _)| format!("{name}, published"));
    let series: Vec<String> = measured.iter().cloned().chain(published).collect();
    let own = |kinds: &[Measure<Row>]| -> Vec<Line> {
        let line = |scheme: usize, (case, value): &Measure<Row>| {
            let own = rows.iter().filter(|row| row.variant == measured[scheme]);
            let mut points: Vec<Point> =
                own.map(|row| point(row.shares as f64, value(row), *case)).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Line { scheme, points }
        };
        (0..measured.len())
            .flat_map(|scheme| kinds.iter().map(move |kind| line(scheme, kind)))
            .collect()
    };
    let theirs = |kinds: &[Measure<Figures>]| -> Vec<Line> {
        let line = |(place, (_, rows)): (usize, &(&str, &[Figures]))| {
            let points = kinds.iter().flat_map(|(case, value)| {
                rows.iter().map(move |row| point(row.0, value(row), *case))
            });
            Line { scheme: measured.len() + place, points: points.collect() }
        };
        PUBLISHED.iter().enumerate().map(line).collect()
    };
    let times: [Measure<Row>; 3] = [
        (0, |row| row.deal_ms / 1e3),
        (1, |row| row.verify_ms / 1e3),
        (2, |row| row.decode_verify_ms / 1e3),
    ];
    let time = Panel::new("Time", "shares", shares, own(&times));
    let time = time.hollow(theirs(&[(0, |row| row.2 / 1e3), (1, |row| row.3 / 1e3)]));
    let size = Panel::new(
        "Size of a dealing",
        "shares",
        shares,
        own(&[(3, |row| row.bytes as f64 / 1024.0)]),
    );
    let size = size.hollow(theirs(&[(3, |row| row.1)])).in_units_of("KiB");
    let page = Page {
        title: "Publicly verifiable sharing, one thread",
        summary: &format!("{}; hollow: published, M4 Max", results.machine.summary()),
        panels: match rows.is_empty() {
            true => Err("No row is measured yet."),
            false => Ok([time, size]),
        },
        colours: ("scheme", &series),
        markers: ("measure", &KINDS.map(str::to_owned)),
    };
    page.draw()
}

/// A point; what is too short to be measured is at the clock's end.
fn point(shares: f64, value: f64, case: usize) -> Point {
    Point { x: shares.log2(), seconds: value.max(1e-6), case }
}

fn shares(x: &f64) -> String {
    format!("{:.0}", x.exp2())
}
