//! The machines of a sweep's rows, described for people.

use std::collections::BTreeSet;

use super::{
    kept::Kept,
    results::{Results, Row},
    table::align,
};

impl<R: Row> Results<R> {
    /// Numbers of the machines that the rows' times are from.
    fn numbers(&self) -> BTreeSet<usize> {
        self.rows.iter().filter(|row| row.has_run()).map(|row| row.machine).collect()
    }

    /// Whether rows are from machines that are not alike: their times do not compare.
    pub fn is_mixed(&self) -> bool {
        self.numbers().len() > 1
    }

    /// What is added to a row's name if rows of unlike machines are side by side.
    pub fn mark(&self, row: &Kept<R>) -> String {
        if self.is_mixed() {
            format!(", machine {}", row.machine)
        } else {
            String::new()
        }
    }

    /// The machines that rows are from, one line each; with their numbers if there are several.
    pub fn summaries(&self) -> Vec<String> {
        if !self.is_mixed() {
            let only = self.numbers().first().and_then(|number| self.machines().nth(*number));
            return vec![only.unwrap_or(&self.machine).summary()];
        }
        let numbers = self.numbers();
        let named = self.machines().enumerate().filter(|(number, _)| numbers.contains(number));
        named.map(|(number, machine)| format!("machine {number}: {}", machine.details())).collect()
    }

    /// The rows as a table, with a column for the machine if there are several. The columns `words` are aligned to the
    /// left. A row has cells, possibly fewer than the head, and text after them.
    pub fn table(
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
        let number = |row: &Kept<R>| match row.has_run() {
            true => row.machine.to_string(),
            false => "-".to_owned(),
        };
        let numbers = self.rows.iter().map(number);
        let first = ["machine".to_owned()].into_iter().chain(numbers);
        for ((cells, _), number) in lines.iter_mut().zip(first) {
            cells.insert(0, number);
        }
        let words: Vec<usize> = words.iter().map(|column| column + 1).collect();
        align(&lines, &words)
    }
}
