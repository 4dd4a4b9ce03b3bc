//! What is inverted, and where it lies.

use std::collections::HashMap;

/// What is inverted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Denominator {
    /// x^n − 1.
    Vanishing,
    /// x.
    X,
    /// The product of x − ω^row over rows.
    Rows(Vec<i32>),
    /// The product of x − ω^row over the rows of the public inputs, read at a rotation.
    Inputs(i32),
    /// u − x·ω^rotation.
    Point(i32),
}

/// Where values and their inverses lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) value: usize,
    pub(super) inverse: usize,
}

pub(super) type Inverses = HashMap<Denominator, Place>;
