//! The plot: times and sizes against the number of shares, both with logarithms; other systems as hollow points.

use super::{
    peers::{Figure, Peer, PEERS},
    row::Row,
};
use crate::{
    plot::{Kind, Legend, Line, Page, Panel, Point, Series},
    Results,
};

/// What the markers stand for.
const KINDS: [&str; 4] = ["deal", "verify", "decode + verify", "size"];
/// What is too short to be measured is at the clock's end.
const SHORTEST: f64 = 1e-6;

/// The marker of a kind, and its value for another system.
type Theirs = (usize, fn(&Figure) -> f64);

/// The picture of all rows that one thread made.
pub(super) fn draw(results: &Results<Row>) -> Result<String, String> {
    let own = Series::by(results, |row| row.threads == 1, |row| row.variant.clone());
    let peers = PEERS.iter().map(|peer| peer.name.to_owned());
    let colours: Vec<String> = own.names().iter().cloned().chain(peers).collect();
    let mut summary = results.summaries();
    summary
        .push("hollow: other systems, on one core of an AMD EPYC (Zen 4), 2026-11-26".to_owned());
    let page = Page {
        title: "Publicly verifiable sharing, one thread",
        summary: &summary,
        panels: if own.names().is_empty() {
            Err("No row is measured yet.")
        } else {
            Ok([times(&own), sizes(&own)])
        },
        legend: Legend {
            colours: ("scheme", &colours),
            markers: ("measure", &KINDS.map(str::to_owned)),
        },
    };
    page.draw()
}

fn times(own: &Series<'_, Row>) -> Panel {
    let kinds: [Kind<Row>; 3] = [
        (0, |row| Some((row.deal_ms / 1e3).max(SHORTEST))),
        (1, |row| Some((row.verify_ms / 1e3).max(SHORTEST))),
        (2, |row| Some((row.decode_verify_ms / 1e3).max(SHORTEST))),
    ];
    let theirs = theirs(
        own.names().len(),
        &[(0, |figure| figure.deal_ms / 1e3), (1, |figure| figure.verify_ms / 1e3)],
    );
    Panel::new("Time", "shares", shares, own.lines(log_shares, &kinds)).hollow(theirs)
}

fn sizes(own: &Series<'_, Row>) -> Panel {
    let kinds: [Kind<Row>; 1] = [(3, |row| Some(row.bytes as f64 / 1024.0))];
    let theirs = theirs(own.names().len(), &[(3, |figure| figure.size_kib)]);
    Panel::new("Size of a dealing", "shares", shares, own.lines(log_shares, &kinds))
        .hollow(theirs)
        .in_units_of("KiB")
}

/// The other systems, in colours after the first `measured`.
fn theirs(measured: usize, kinds: &[Theirs]) -> Vec<Line> {
    let line = |(place, peer): (usize, &Peer)| {
        let points = kinds.iter().flat_map(|(marker, value)| {
            peer.figures.iter().map(move |figure| Point {
                x: figure.shares.log2(),
                seconds: value(figure),
                marker: *marker,
            })
        });
        Line { colour: measured + place, points: points.collect() }
    };
    PEERS.iter().enumerate().map(line).collect()
}

fn log_shares(row: &Row) -> f64 {
    (row.shares as f64).log2()
}

fn shares(x: &f64) -> String {
    format!("{:.0}", x.exp2())
}
