//! Rows, and the results that hold them.

use std::{cmp::Ordering, fmt::Display};

use serde::{de::DeserializeOwned, Deserialize, Serialize};

use super::machine::Machine;

/// A row of a sweep. Its fields are the columns of the CSV, and its JSON.
pub(crate) trait Row: Clone + Send + Serialize + DeserializeOwned + 'static {
    /// Name of the files, without its end.
    const FILES: &'static str = "results";
    /// The columns of the CSV, in order: the fields.
    const COLUMNS: &'static [&'static str];
    /// What the row was asked for: all that tells it from other rows.
    type Ask: PartialEq + Display + Send;

    /// What the row was asked for.
    fn ask(&self) -> Self::Ask;

    /// Whether running the row again would tell nothing new.
    fn is_finished(&self) -> bool {
        true
    }

    /// Whether its time tells how fast the machine is.
    fn has_run(&self) -> bool {
        true
    }

    /// What came of it, in a few words.
    fn outcome(&self) -> String;

    /// The order of rows in the files; equal ones stay in the order in which they came.
    fn order(&self, _other: &Self) -> Ordering {
        Ordering::Equal
    }

    /// The plot of all rows, as SVG.
    fn draw(results: &Results<Self>) -> Result<String, String>;

    /// Further plots.
    const MORE_PLOTS: &'static [Plot<Self>] = &[];
}

/// What a plot's file is called after the others, and its SVG.
pub(crate) type Plot<R> = (&'static str, fn(&Results<R>) -> Result<String, String>);

/// A sweep: the machine and the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "R: Row")]
pub(crate) struct Results<R> {
    /// The machine of the newest rows.
    pub(crate) machine: Machine,
    /// Machines, or versions, of rows that a resumed sweep took over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) earlier_machines: Vec<Machine>,
    /// Runs of which times are medians, where all rows have the same and say nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeat: Option<u64>,
    /// The rows.
    pub(crate) rows: Vec<R>,
}

impl<R: Row> Results<R> {
    /// A sweep without rows.
    pub(crate) fn new(machine: Machine, repeat: Option<u64>) -> Self {
        Self { machine, earlier_machines: Vec::new(), repeat, rows: Vec::new() }
    }

    /// Goes on with these results on `machine`. Returns whether it is another than before.
    pub(super) fn resume_on(&mut self, machine: Machine) -> bool {
        let before = std::mem::replace(&mut self.machine, machine);
        let differs = !self.rows.is_empty() && !before.is_like(&self.machine);
        if differs {
            self.earlier_machines.push(before);
        }
        differs
    }

    /// The finished row of what is asked for.
    pub(crate) fn finished(&self, ask: &R::Ask) -> Option<&R> {
        self.rows.iter().find(|row| row.is_finished() && row.ask() == *ask)
    }

    /// Adds a row, or replaces the one of the same request.
    #[cfg(test)]
    pub(crate) fn put(&mut self, row: R) {
        self.put_before(row, |_| false);
    }

    /// The same, where a new row stands before all that are `later`.
    pub(super) fn put_before(&mut self, row: R, later: impl Fn(&R) -> bool) {
        let ask = row.ask();
        match self.rows.iter().position(|old| old.ask() == ask) {
            Some(place) => self.rows[place] = row,
            None => {
                let place = self.rows.iter().position(later).unwrap_or(self.rows.len());
                self.rows.insert(place, row);
            }
        }
        self.rows.sort_by(R::order);
    }
}
