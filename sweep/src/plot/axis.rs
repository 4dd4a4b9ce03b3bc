//! Ranges and ticks, chosen so that labels never touch.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// An axis: what it spans and where it is marked, in its own (logarithmic) measure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<f64>,
}

/// Most marks of an axis of time.
const MOST_TIMES: usize = 11;
/// Most marks of an axis of counts.
const MOST_COUNTS: usize = 9;

impl Axis {
    /// Decimal logarithms of seconds, marked at 1, 2, 5, 10, or only at the powers of ten.
    pub(super) fn times(seconds: impl Iterator<Item = f64> + Clone) -> Self {
        let least = seconds.clone().fold(f64::INFINITY, f64::min) / 1.15;
        let most = seconds.fold(0.0, f64::max) * 1.15;
        let marks = |steps: &[f64]| -> Vec<f64> {
            let decades = least.log10().floor() as i32 - 1..=most.log10().ceil() as i32;
            let all: Vec<f64> = decades
                .flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)))
                .collect();
            let first = all.iter().rposition(|mark| *mark <= least).unwrap_or(0);
            let last = all.iter().position(|mark| *mark >= most).unwrap_or(all.len() - 1);
            all[first..=last].iter().map(|mark| mark.log10()).collect()
        };
        let fine = marks(&[1.0, 2.0, 5.0]);
        let ticks = if fine.len() <= MOST_TIMES { fine } else { marks(&[1.0]) };
        let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
        Self { low, high, ticks }
    }

    /// Places of `points`, marked where points are, thinned out if there are too many.
    pub(super) fn counts(points: impl Iterator<Item = f64>) -> Self {
        let mut ticks: Vec<f64> = points.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let (first, last) = (ticks.first().copied(), ticks.last().copied());
        let (low, high) = (first.unwrap_or(0.0), last.unwrap_or(0.0));
        let least_gap = (high - low) / MOST_COUNTS as f64;
        let mut kept: Vec<f64> = Vec::new();
        for tick in ticks {
            if kept.last().is_none_or(|before| tick - before >= least_gap) {
                kept.push(tick);
            }
        }
        // Room for the markers at both ends, and a range even for a single place.
        let margin = ((high - low) * 0.06).max(0.25);
        Self { low: low - margin, high: high + margin, ticks: kept }
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let place = (value - self.low) / (self.high - self.low);
        from + (place * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            vec![]
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

/// Seconds on an axis, without meaningless digits.
pub(super) fn time_label(log: f64) -> String {
    let seconds = 10f64.powf(log);
    if log < -3.5 {
        // A row of zeros would not fit beside the axis.
        return format!("{:.0}e-6", seconds * 1e6);
    }
    let digits = (-log.floor()).max(0.0) as usize;
    format!("{seconds:.digits$}")
}
