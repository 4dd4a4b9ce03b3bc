//! What a sweep is: its rows, and the results that hold them with the machines that they ran on.

use std::{cmp::Ordering, collections::BTreeSet, fmt::Display, mem, ops::Deref};

use serde::{de::DeserializeOwned, Deserialize, Serialize};
use serde_json::Value;

use crate::{
    machine::Machine,
    plot::{Groups, Plot},
    Error,
};

/// A row of a sweep, and with it the sweep: what a row is asked for, how it is measured, and how files, tables and plots
/// show it. The fields of a row are the columns of the CSV, and its JSON; the machine that it ran on is added to them.
pub trait Row: Clone + Send + Serialize + DeserializeOwned + 'static {
    /// Name of the files, without the extension.
    const FILES: &'static str = "results";
    /// What is measured, as the head of the page says it.
    const TITLE: &'static str = "Sweep";
    /// What the bars of the page show.
    const BARS: &'static str = "Parts";
    /// What the page says below the table.
    const NOTES: &'static [&'static str] = &[];
    /// The columns of the CSV: the fields, in order.
    const COLUMNS: &'static str;
    /// The plots: what their files are called after the others, and how they are drawn.
    const PLOTS: &'static [PlotOf<Self>];
    /// What a row is asked for: everything that tells it from other rows. Its text is the row's name while it runs.
    type Case: Display + Sync;
    /// What the rows of a sweep have in common: numbers of runs, limits, tables.
    type Settings: Sync;

    /// Whether it is what was asked for.
    fn is_of(&self, case: &Self::Case) -> bool;

    /// Seconds that a row takes, roughly. Only the proportions matter: a sweep learns the machine's speed from its own rows.
    fn seconds(case: &Self::Case, settings: &Self::Settings) -> f64;

    /// Estimated bytes of memory. They matter when rows run at once.
    fn bytes(_case: &Self::Case, _settings: &Self::Settings) -> u64 {
        0
    }

    /// Measures a row.
    ///
    /// # Errors
    ///
    /// Whatever ends the sweep.
    fn measure(case: &Self::Case, settings: &Self::Settings) -> Result<Self, Error>;

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

    /// What it is made of, for a bar of the page.
    fn bar(&self) -> Option<Bar> {
        None
    }

    /// The order of rows in the files; equal ones stay in the order in which they were added.
    fn order(&self, _other: &Self) -> Ordering {
        Ordering::Equal
    }

    /// All rows for people.
    ///
    /// # Errors
    ///
    /// None for rows that could be saved.
    fn table(results: &Results<Self>) -> Result<String, serde_json::Error> {
        results.csv()
    }
}

/// What a row is made of, for a bar: its name, and its parts, each with what it is called and its seconds.
pub struct Bar {
    /// What the row was asked for.
    pub name: String,
    /// The parts, in the same order in all rows.
    pub parts: Vec<(&'static str, f64)>,
}

/// What a plot's file is called after the others, and how it is drawn.
pub type PlotOf<R> = (&'static str, fn(&Results<R>) -> Plot);

/// A row, and the machine that it ran on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept<R> {
    /// The row.
    #[serde(flatten)]
    pub row: R,
    /// Number of the machine: its place among the earlier ones, after which the newest comes.
    pub machine: usize,
}

impl<R> Deref for Kept<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.row
    }
}

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

/// Results as a file may hold them.
#[derive(Deserialize)]
struct Stored<R> {
    machine: Machine,
    #[serde(default)]
    earlier_machines: Vec<Machine>,
    #[serde(default)]
    repeat: Option<u64>,
    rows: Vec<StoredRow<R>>,
}

#[derive(Deserialize)]
struct StoredRow<R> {
    #[serde(flatten)]
    row: R,
    /// Earlier versions did not write it.
    machine: Option<usize>,
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

impl<R: Row> Results<R> {
    /// A sweep without rows.
    pub fn new(machine: Machine, repeat: Option<u64>) -> Self {
        Self { machine, earlier_machines: Vec::new(), repeat, rows: Vec::new() }
    }

    /// The machines by their numbers: earlier ones, then the newest.
    fn machines(&self) -> impl Iterator<Item = &Machine> {
        self.earlier_machines.iter().chain([&self.machine])
    }

    /// The number of the newest machine, or of the first that is like it, since their times compare.
    fn newest(&self) -> usize {
        let like = self.machines().position(|machine| machine.is_like(&self.machine));
        like.unwrap_or(self.earlier_machines.len())
    }

    /// Continues these results on `machine`. Returns whether it differs from the one before.
    pub(crate) fn resume_on(&mut self, machine: Machine) -> bool {
        let before = mem::replace(&mut self.machine, machine);
        let differs = !self.rows.is_empty() && !before.is_like(&self.machine);
        if differs {
            self.earlier_machines.push(before);
        }
        differs
    }

    /// The finished row for what is asked.
    pub fn finished(&self, case: &R::Case) -> Option<&R> {
        self.rows.iter().map(|kept| &kept.row).find(|row| row.is_finished() && row.is_of(case))
    }

    /// Those of `cases` that have no finished row.
    pub fn left<'a>(&self, cases: &'a [R::Case]) -> Vec<&'a R::Case> {
        cases.iter().filter(|case| self.finished(case).is_none()).collect()
    }

    /// Adds a row of `machine`, or else of the newest, before all that are later; or replaces the row of the same case.
    pub fn put(
        &mut self,
        case: &R::Case,
        row: R,
        machine: Option<Machine>,
        is_later: impl Fn(&R) -> bool,
    ) {
        let machine = match machine {
            Some(machine) => self.number(machine),
            None => self.newest(),
        };
        let row = Kept { row, machine };
        match self.rows.iter().position(|old| old.is_of(case)) {
            Some(place) => self.rows[place] = row,
            None => {
                let later = self.rows.iter().position(|row| is_later(row));
                self.rows.insert(later.unwrap_or(self.rows.len()), row);
            }
        }
        self.rows.sort_by(|one, other| one.order(other));
    }

    /// The same where the row stands among those that are asked for, whichever come first.
    pub fn put_among(&mut self, cases: &[R::Case], place: usize, row: R, machine: Option<Machine>) {
        let (case, later) = (&cases[place], &cases[place + 1..]);
        self.put(case, row, machine, |row| later.iter().any(|case| row.is_of(case)));
    }

    /// The number of a machine, which becomes the newest if there is none like it.
    fn number(&mut self, machine: Machine) -> usize {
        if let Some(number) = self.machines().position(|known| known.is_like(&machine)) {
            return number;
        }
        let before = mem::replace(&mut self.machine, machine);
        if self.rows.iter().any(|row| row.has_run()) {
            self.earlier_machines.push(before);
        }
        self.earlier_machines.len()
    }

    /// Numbers of the machines that the rows' times are from.
    fn numbers(&self) -> BTreeSet<usize> {
        self.rows.iter().filter(|row| row.has_run()).map(|row| row.machine).collect()
    }

    /// Whether rows are from machines that are not alike: their times do not compare.
    pub(crate) fn is_mixed(&self) -> bool {
        self.numbers().len() > 1
    }

    /// What is added to a row's name if rows of unlike machines are side by side.
    pub(crate) fn mark(&self, row: &Kept<R>) -> String {
        if self.is_mixed() {
            format!(", machine {}", row.machine)
        } else {
            String::new()
        }
    }

    /// The machines that rows are from, one line each; with their numbers if there are several.
    pub(crate) fn summaries(&self) -> Vec<String> {
        let numbers = self.numbers();
        if !self.is_mixed() {
            let only = numbers.first().and_then(|number| self.machines().nth(*number));
            return vec![only.unwrap_or(&self.machine).summary()];
        }
        let named = self.machines().enumerate().filter(|(number, _)| numbers.contains(number));
        named.map(|(number, machine)| format!("machine {number}: {}", machine.details())).collect()
    }

    /// Rows by their names, in the order in which these occur; rows of unlike machines have unlike names.
    pub(crate) fn groups(&self, name: impl Fn(&R) -> Option<String>) -> Groups<'_, R> {
        let (mut names, mut rows) = (vec![], vec![]);
        for row in &self.rows {
            let Some(name) = name(row).map(|name| name + &self.mark(row)) else { continue };
            let place = names.iter().position(|old| *old == name).unwrap_or(names.len());
            if place == names.len() {
                names.push(name);
            }
            rows.push((place, &row.row));
        }
        Groups { names, rows }
    }

    /// The rows as aligned text, with a column for the machine if there are several. The columns `words` are aligned to
    /// the left. A row has cells, possibly fewer than the head, and text after them.
    pub(crate) fn align(
        &self,
        head: &[&str],
        words: &[usize],
        cells: impl Fn(&R) -> (Vec<String>, String),
    ) -> String {
        let mut lines = vec![(head.iter().map(|&name| name.to_owned()).collect(), String::new())];
        lines.extend(self.rows.iter().map(|row| cells(row)));
        if !self.is_mixed() {
            return align(&lines, words);
        }
        let number =
            |row: &Kept<R>| if row.has_run() { row.machine.to_string() } else { "-".into() };
        let first = [MACHINE.to_owned()].into_iter().chain(self.rows.iter().map(number));
        for ((cells, _), number) in lines.iter_mut().zip(first) {
            cells.insert(0, number);
        }
        let words: Vec<usize> = words.iter().map(|column| column + 1).collect();
        align(&lines, &words)
    }

    /// The CSV's file: the machines in comment lines, then the rows.
    pub(crate) fn csv_file(&self) -> Result<String, serde_json::Error> {
        let mut lines = vec![];
        for (number, machine) in self.earlier_machines.iter().enumerate() {
            lines.push(format!("# machine {number}: {}", machine.lines().join("; ")));
        }
        if !lines.is_empty() {
            lines.push(format!("# machine {}, the newest:", self.earlier_machines.len()));
        }
        lines.extend(self.machine.lines().iter().map(|line| format!("# {line}")));
        lines.push(self.csv()?);
        Ok(lines.join("\n"))
    }

    /// The columns, and one line per row. Cells are taken from a row's JSON, so that field names are in one place.
    fn csv(&self) -> Result<String, serde_json::Error> {
        let mut text = format!("{},{MACHINE}\n", R::COLUMNS);
        for row in &self.rows {
            let row = serde_json::to_value(row)?;
            let columns = R::COLUMNS.split(',').chain([MACHINE]);
            let cells: Vec<String> = columns.map(|column| cell(&row[column])).collect();
            text += &(cells.join(",") + "\n");
        }
        Ok(text)
    }
}

/// A column of every sweep: the field that [`Kept`] adds to a row.
pub(crate) const MACHINE: &str = "machine";

/// A cell of a CSV, quoted as in RFC 4180 if it must be, and empty if the value is not known. A line break
/// becomes a space, so that a row stays one line.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => {
            let text = text.replace(['\r', '\n'], " ");
            if text.contains([',', '"', '#']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        }
        other => other.to_string(),
    }
}

/// Lines below each other, each with its cells and text after them. The columns `words` are aligned to the left, those
/// of numbers to the right. A line may have fewer cells than the first one.
pub fn align(lines: &[(Vec<String>, String)], words: &[usize]) -> String {
    let columns = lines.first().map_or(0, |(cells, _)| cells.len());
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|(cells, _)| cells.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (cells, rest) in lines {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            line += &if words.contains(&column) {
                format!("{cell:<width$}  ")
            } else {
                format!("{cell:>width$}  ")
            };
        }
        line += rest;
        text += line.trim_end();
        text.push('\n');
    }
    text
}
