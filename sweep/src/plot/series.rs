//! Rows that share a colour, and a line for each thing measured in them.

use super::line::{Line, Point};
use crate::results::{Results, Row};

/// A quantity that is measured: the number of its marker, and its value in a row, if it has one.
pub(crate) type Kind<R> = (usize, fn(&R) -> Option<f64>);

/// Rows in groups, each with a name and a colour.
pub(crate) struct Series<'a, R> {
    names: Vec<String>,
    rows: Vec<(usize, &'a R)>,
}

impl<'a, R: Row> Series<'a, R> {
    /// Groups of rows of the same name, in the order in which the names occur. Rows of unlike machines have unlike names.
    pub(crate) fn by(
        results: &'a Results<R>,
        is_shown: impl Fn(&R) -> bool,
        name: impl Fn(&R) -> String,
    ) -> Self {
        let (mut names, mut placed) = (vec![], vec![]);
        for row in results.rows.iter().filter(|row| is_shown(row)) {
            let name = name(row) + &results.mark(row);
            let place = names.iter().position(|old| *old == name).unwrap_or(names.len());
            if place == names.len() {
                names.push(name);
            }
            placed.push((place, &row.row));
        }
        Self { names, rows: placed }
    }

    /// The names.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// A line for each group and kind, over `x`. Values without a logarithm are left out.
    pub(crate) fn lines(&self, x: fn(&R) -> f64, kinds: &[Kind<R>]) -> Vec<Line> {
        let line = |colour: usize, (marker, value): &Kind<R>| {
            let own = self.rows.iter().filter(|(place, _)| *place == colour);
            let point = |row: &R| {
                let seconds = value(row).filter(|value| *value > 0.0)?;
                Some(Point { x: x(row), seconds, marker: *marker })
            };
            let mut points: Vec<Point> = own.filter_map(|(_, row)| point(row)).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Line { colour, points }
        };
        let colours = 0..self.names.len();
        colours.flat_map(|colour| kinds.iter().map(move |kind| line(colour, kind))).collect()
    }
}
