//! The plots: times of a proof, and its phases.

use std::collections::BTreeMap;

use super::{
    row::{Phases, Row, Status},
    Case,
};
use crate::{
    plot::{names, power, Groups, Line, Panel, Plot, Point},
    Results,
};

const EMPTY: &str = "No row is proven yet.";

/// Times of the rows that were proven, against the number of signers and against the degree. A colour is a scheme and a
/// marker is a case.
pub(super) fn plot(results: &Results<Row>) -> Plot {
    let is_proven = |row: &Row| row.status == Status::Ok && row.prove_s.is_some_and(|s| s > 0.0);
    let schemes = results.groups(|row| is_proven(row).then(|| row.name()));
    let mut cases: Vec<Case> = schemes.rows.iter().map(|(_, row)| row.case()).collect();
    cases.sort_unstable();
    cases.dedup();
    let by_signers = fastest(&schemes, &cases, |_| 0, |row, _| (row.signing as f64).log2());
    let by_degree = fastest(&schemes, &cases, |case| case, |_, degree| degree);
    let title = "By signers, each at its fastest degree";
    let panels =
        [Panel::new(title, "signers who sign", power, by_signers), panel("By degree", by_degree)];
    Plot {
        title: "Time of a proof",
        notes: &[],
        empty: EMPTY,
        panels,
        colours: ("scheme", schemes.names),
        markers: ("signing / signers", cases.iter().map(ToString::to_string).collect()),
    }
}

/// A panel over degrees.
fn panel(title: &'static str, lines: Vec<Line>) -> Panel {
    Panel::new(title, "degree (log₂ of the rows)", |x| format!("{x:.0}"), lines)
}

/// A line for each scheme and `line` of a case: the fastest time at each place.
fn fastest(
    schemes: &Groups<'_, Row>,
    cases: &[Case],
    line: fn(usize) -> usize,
    x: fn(&Row, f64) -> f64,
) -> Vec<Line> {
    let mut lines: BTreeMap<(usize, usize), Vec<Point>> = BTreeMap::new();
    for (scheme, row) in &schemes.rows {
        let (Some(degree), Some(y)) = (row.degree, row.prove_s) else { continue };
        let Ok(marker) = cases.binary_search(&row.case()) else { continue };
        let spread = row.prove_min_s.zip(row.prove_max_s).filter(|(least, _)| *least > 0.0);
        let point = Point { spread, ..Point::new(x(row, degree.into()), y, marker) };
        let points = lines.entry((*scheme, line(marker))).or_default();
        match points.binary_search_by(|old| old.x.total_cmp(&point.x)) {
            Ok(place) if y < points[place].y => points[place] = point,
            Ok(_) => {}
            Err(place) => points.insert(place, point),
        }
    }
    lines.into_iter().map(|((colour, _), points)| Line { colour, points }).collect()
}

/// Seconds and shares of the phases, each in a colour, against the degree. A marker is a scheme and a case.
pub(super) fn plot_phases(results: &Results<Row>) -> Plot {
    let named = results.groups(|row| {
        let is_known = row.phases.commitments_s.is_some() && row.degree.is_some();
        is_known.then(|| format!("{} {}", row.name(), row.case()))
    });
    // The last row of each name and degree.
    let mut rows: BTreeMap<(usize, u32), Phases> = BTreeMap::new();
    for (name, row) in &named.rows {
        rows.extend(row.degree.map(|degree| ((*name, degree), row.phases)));
    }
    let lines = |factor: fn(&Phases) -> f64| {
        let line = |marker: usize, colour: usize, seconds: fn(&Phases) -> Option<f64>| {
            let own = rows.range((marker, 0)..(marker + 1, 0));
            let points = own.filter_map(|((_, degree), phases)| {
                let y = seconds(phases).filter(|seconds| *seconds > 0.0)? * factor(phases);
                Some(Point::new(f64::from(*degree), y, marker))
            });
            Line { colour, points: points.collect() }
        };
        let phases = || Phases::FIELDS.iter().enumerate();
        let all = (0..named.names.len()).flat_map(|name| phases().map(move |phase| (name, phase)));
        all.map(|(name, (colour, (_, seconds)))| line(name, colour, *seconds)).collect()
    };
    let percent = |phases: &Phases| {
        let all: f64 = Phases::FIELDS.iter().filter_map(|(_, seconds)| seconds(phases)).sum();
        100.0 / all
    };
    Plot {
        title: "Phases of a proof",
        notes: &[],
        empty: EMPTY,
        panels: [
            panel("Time", lines(|_| 1.0)),
            Panel { y: "percent", ..panel("Share", lines(percent)) },
        ],
        colours: ("phase", names(Phases::FIELDS.map(|(name, _)| name))),
        markers: ("scheme, signing / signers", named.names),
    }
}
