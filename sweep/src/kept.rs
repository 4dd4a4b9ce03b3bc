//! A row as results keep it: with the machine that it ran on.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::machine::Machine;

/// A row, and the machine that it ran on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept<R> {
    /// The row.
    #[serde(flatten)]
    pub row: R,
    /// Number of the machine: its place among the earlier ones, after which the newest comes.
    pub machine: usize,
}

/// A column of every sweep: the field that [`Kept`] adds to a row.
pub(super) const MACHINE: &str = "machine";

impl<R> Deref for Kept<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.row
    }
}

impl<R> DerefMut for Kept<R> {
    fn deref_mut(&mut self) -> &mut R {
        &mut self.row
    }
}

/// Results as a file may hold them.
#[derive(Deserialize)]
pub(super) struct Stored<R> {
    pub(super) machine: Machine,
    #[serde(default)]
    pub(super) earlier_machines: Vec<Machine>,
    #[serde(default)]
    pub(super) repeat: Option<u64>,
    pub(super) rows: Vec<StoredRow<R>>,
}

#[derive(Deserialize)]
pub(super) struct StoredRow<R> {
    #[serde(flatten)]
    pub(super) row: R,
    /// Earlier versions did not write it.
    pub(super) machine: Option<usize>,
}
