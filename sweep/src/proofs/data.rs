//! The lines of the plots.

use std::collections::BTreeMap;

use super::{
    ask::Case,
    phases::Phases,
    row::{Row, Status},
};
use crate::{
    plot::{Line, Point},
    Kept, Results,
};

/// What was proven: schemes, cases, and the fastest time of each of them at each degree.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// Names of the rows, in their order; those of unlike machines differ.
    pub(super) schemes: Vec<String>,
    /// Cases, smallest first.
    pub(super) cases: Vec<Case>,
    /// Seconds by scheme, case and degree.
    times: BTreeMap<(usize, usize, u32), f64>,
}

impl Data {
    /// The rows that have a time that a logarithm can be taken of.
    pub(super) fn of(results: &Results<Row>) -> Self {
        let proven =
            |row: &&Kept<Row>| row.status == Status::Ok && row.prove_s.is_some_and(|s| s > 0.0);
        let rows = results.rows.iter().filter(proven);
        let name = |row: &Kept<Row>| row.name() + &results.mark(row);
        let mut data = Self::default();
        for row in rows.clone() {
            if !data.schemes.contains(&name(row)) {
                data.schemes.push(name(row));
            }
            data.cases.push(row.case());
        }
        data.cases.sort_unstable();
        data.cases.dedup();
        for row in rows {
            let scheme = data.schemes.iter().position(|known| *known == name(row));
            let case = data.cases.binary_search(&row.case()).ok();
            if let (Some(scheme), Some(case), Some(degree), Some(seconds)) =
                (scheme, case, row.degree, row.prove_s)
            {
                let time = data.times.entry((scheme, case, degree)).or_insert(seconds);
                *time = time.min(seconds);
            }
        }
        data
    }

    /// A line a scheme: the fastest time of each number of signers that sign.
    pub(super) fn by_signers(&self) -> Vec<Line> {
        let line = |scheme: usize| {
            let mut best: BTreeMap<usize, Point> = BTreeMap::new();
            for (&(_, case, _), &seconds) in self.times.iter().filter(|(key, _)| key.0 == scheme) {
                let signing = self.cases[case].signing;
                let point = Point { x: (signing as f64).log2(), seconds, marker: case };
                let old = best.entry(signing).or_insert(point);
                if seconds < old.seconds {
                    *old = point;
                }
            }
            Line { colour: scheme, points: best.into_values().collect() }
        };
        (0..self.schemes.len()).map(line).collect()
    }

    /// A line a scheme and a case, over the degrees.
    pub(super) fn by_degree(&self) -> Vec<Line> {
        let mut lines: BTreeMap<(usize, usize), Vec<Point>> = BTreeMap::new();
        for (&(scheme, case, degree), &seconds) in &self.times {
            let point = Point { x: f64::from(degree), seconds, marker: case };
            lines.entry((scheme, case)).or_default().push(point);
        }
        lines.into_iter().map(|((scheme, _), points)| Line { colour: scheme, points }).collect()
    }
}

/// Where the time of proofs went, by scheme and case, and by degree.
#[derive(Debug, Default)]
pub(super) struct PhaseData {
    /// Schemes with cases, in the order of the rows.
    pub(super) names: Vec<String>,
    rows: BTreeMap<(usize, u32), Phases>,
}

impl PhaseData {
    /// The rows whose phases are known.
    pub(super) fn of(results: &Results<Row>) -> Self {
        let mut data = Self::default();
        for row in results.rows.iter().filter(|row| row.phases.commitments_s.is_some()) {
            let Some(degree) = row.degree else { continue };
            let name = format!("{} {}{}", row.name(), row.case(), results.mark(row));
            let known = data.names.iter().position(|old| *old == name);
            let place = known.unwrap_or_else(|| {
                data.names.push(name);
                data.names.len() - 1
            });
            data.rows.insert((place, degree), row.phases);
        }
        data
    }

    /// Seconds: a line a phase and a name, over the degrees.
    pub(super) fn times(&self) -> Vec<Line> {
        self.lines(|_| 1.0)
    }

    /// The same in percent of all phases.
    pub(super) fn shares(&self) -> Vec<Line> {
        self.lines(|phases| {
            let all: f64 = Phases::FIELDS.iter().filter_map(|(_, seconds)| seconds(phases)).sum();
            100.0 / all
        })
    }

    fn lines(&self, factor: fn(&Phases) -> f64) -> Vec<Line> {
        let line = |(colour, marker): (usize, usize)| {
            let own = self.rows.iter().filter(|((name, _), _)| *name == marker);
            let points = own.filter_map(|((_, degree), phases)| {
                let seconds =
                    (Phases::FIELDS[colour].1)(phases).filter(|seconds| *seconds > 0.0)?;
                let seconds = seconds * factor(phases);
                Some(Point { x: f64::from(*degree), seconds, marker })
            });
            Line { colour, points: points.collect() }
        };
        let names = 0..self.names.len();
        let all = names.flat_map(|name| (0..Phases::FIELDS.len()).map(move |phase| (phase, name)));
        all.map(line).collect()
    }
}
