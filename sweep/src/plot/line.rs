//! What is drawn in a panel.

/// A point: place on the x axis, seconds, and what its marker shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// Place on the x axis.
    pub(crate) x: f64,
    /// Time, or another quantity if the y axis has one.
    pub(crate) seconds: f64,
    /// Number of its marker.
    pub(crate) marker: usize,
}

/// Points of one colour, from left to right.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// Number of its colour.
    pub(crate) colour: usize,
    /// From left to right.
    pub(crate) points: Vec<Point>,
}
