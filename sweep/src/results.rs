//! Rows, and the results that hold them.

use std::{cmp::Ordering, fmt::Display};

use serde::{de::DeserializeOwned, Deserialize, Serialize};

use super::{
    kept::{Kept, Stored, StoredRow},
    machine::Machine,
};

/// A row of a sweep. Its fields are the columns of the CSV, and its JSON; the machine that it ran on is added to them.
pub trait Row: Clone + Send + Serialize + DeserializeOwned + 'static {
    /// Name of the files, without the extension.
    const FILES: &'static str = "results";
    /// The columns of the CSV, in order: the fields.
    const COLUMNS: &'static [&'static str];
    /// What the row was asked for: everything that tells it from other rows.
    type Ask: PartialEq + Display + Send;

    /// What the row was asked for.
    fn ask(&self) -> Self::Ask;

    /// Whether running the row again would tell nothing new.
    fn is_finished(&self) -> bool {
        true
    }

    /// Whether its time shows how fast the machine is.
    fn has_run(&self) -> bool {
        true
    }

    /// What came of it, in a few words.
    fn outcome(&self) -> String;

    /// The order of rows in the files; equal ones stay in the order in which they were added.
    fn order(&self, _other: &Self) -> Ordering {
        Ordering::Equal
    }

    /// The plot of all rows, as SVG.
    fn draw(results: &Results<Self>) -> Result<String, String>;

    /// Further plots.
    const MORE_PLOTS: &'static [Plot<Self>] = &[];
}

/// What a plot's file is called after the others, and its SVG.
pub type Plot<R> = (&'static str, fn(&Results<R>) -> Result<String, String>);

/// A sweep: the machines and the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "R: Row", try_from = "Stored<R>")]
pub struct Results<R> {
    /// The machine of the newest rows.
    pub machine: Machine,
    /// Machines, or versions, of rows that a resumed sweep took over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier_machines: Vec<Machine>,
    /// How many runs times are medians of, if it is the same for all rows and not in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u64>,
    /// The rows.
    pub rows: Vec<Kept<R>>,
}

impl<R: Row> Results<R> {
    /// A sweep without rows.
    pub fn new(machine: Machine, repeat: Option<u64>) -> Self {
        Self { machine, earlier_machines: Vec::new(), repeat, rows: Vec::new() }
    }

    /// The machines by their numbers: earlier ones, then the newest.
    pub(super) fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.earlier_machines.iter().chain([&self.machine])
    }

    /// The number of the newest machine, or of the first that is like it, since their times compare.
    pub(super) fn newest(&self) -> usize {
        let like = self.machines().position(|machine| machine.is_like(&self.machine));
        like.unwrap_or(self.earlier_machines.len())
    }

    /// Continues these results on `machine`. Returns whether it differs from the one before.
    pub(super) fn resume_on(&mut self, machine: Machine) -> bool {
        let before = std::mem::replace(&mut self.machine, machine);
        let differs = !self.rows.is_empty() && !before.is_like(&self.machine);
        if differs {
            self.earlier_machines.push(before);
        }
        differs
    }

    /// The finished row for what is asked.
    pub fn finished(&self, ask: &R::Ask) -> Option<&R> {
        self.rows.iter().map(|kept| &kept.row).find(|row| row.is_finished() && row.ask() == *ask)
    }

    /// Adds a row of the newest machine, or replaces the row of the same request.
    #[cfg(test)]
    pub fn put(&mut self, row: R) {
        self.put_before(row, |_| false);
    }

    /// The same, but a new row goes before all that are `later`.
    pub fn put_before(&mut self, row: R, later: impl Fn(&R) -> bool) {
        self.place(Kept { machine: self.newest(), row }, later);
    }

    /// The same for a row of any machine.
    pub fn put_from(&mut self, machine: Machine, row: R, later: impl Fn(&R) -> bool) {
        let machine = self.number(machine);
        self.place(Kept { machine, row }, later);
    }

    /// The number of a machine, which becomes the newest if there is none like it.
    fn number(&mut self, machine: Machine) -> usize {
        if let Some(number) = self.machines().position(|known| known.is_like(&machine)) {
            return number;
        }
        let before = std::mem::replace(&mut self.machine, machine);
        if self.rows.iter().any(|row| row.has_run()) {
            self.earlier_machines.push(before);
        }
        self.earlier_machines.len()
    }

    fn place(&mut self, row: Kept<R>, later: impl Fn(&R) -> bool) {
        let ask = row.ask();
        match self.rows.iter().position(|old| old.ask() == ask) {
            Some(place) => self.rows[place] = row,
            None => {
                let place = self.rows.iter().position(|row| later(row)).unwrap_or(self.rows.len());
                self.rows.insert(place, row);
            }
        }
        self.rows.sort_by(|one, other| one.order(other));
    }
}

impl<R: Row> TryFrom<Stored<R>> for Results<R> {
    type Error = String;

    fn try_from(stored: Stored<R>) -> Result<Self, String> {
        let Stored { machine, earlier_machines, repeat, rows } = stored;
        let mut results = Self { machine, earlier_machines, repeat, rows: vec![] };
        // If a row does not name its machine, it is not known; most are from the newest.
        let (newest, count) = (results.newest(), results.earlier_machines.len() + 1);
        for (place, StoredRow { row, machine }) in rows.into_iter().enumerate() {
            let machine = machine.unwrap_or(newest);
            if machine >= count {
                return Err(format!("rows[{place}].machine: {machine}, but there are {count}"));
            }
            results.rows.push(Kept { row, machine });
        }
        Ok(results)
    }
}
