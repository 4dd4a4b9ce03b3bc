//! A place that records constraints, as the tests list it.

use std::{collections::HashMap, fmt};

/// A line of a list: `file:line:column|what|part`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    line: String,
}

impl Place {
    /// A line of a list; `None` for anything else.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let place = Self { line: line.to_owned() };
        (line.split('|').count() == 3 && place.row() > 0).then_some(place)
    }

    /// The line, which drops the place.
    pub(crate) fn key(&self) -> &str {
        &self.line
    }

    /// The file, from the root of the repository.
    pub(crate) fn file(&self) -> &str {
        self.line.split(':').next().unwrap_or_default()
    }

    /// What is recorded there: a copy, a constant, a gate, a range check, or the name of a constraint.
    pub(crate) fn what(&self) -> &str {
        self.line.split('|').nth(1).unwrap_or_default()
    }

    /// Whether a test asked for it, and no circuit.
    pub(crate) fn is_of_a_test(&self) -> bool {
        let file = self.file();
        file.contains("/tests/") || file.ends_with("/tests.rs") || file.ends_with("_tests.rs")
    }

    fn row(&self) -> usize {
        self.line.split(':').nth(1).and_then(|row| row.parse().ok()).unwrap_or_default()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.line)
    }
}

/// The sources, to name a place by its line of code: numbers of lines change with every edit.
#[derive(Debug, Default)]
pub(crate) struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// The line of code of a place.
    pub(crate) fn code(&mut self, place: &Place) -> String {
        let read = || {
            let text = std::fs::read_to_string(place.file()).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        };
        let lines = self.0.entry(place.file().to_owned()).or_insert_with(read);
        lines.get(place.row() - 1).cloned().unwrap_or_default()
    }
}

#[test]
fn lines_of_a_list() {
    let place = Place::parse("gadgets/src/gate/cells.rs:12:9|range|3").expect("a line");
    assert_eq!(
        (place.file(), place.what(), place.row()),
        ("gadgets/src/gate/cells.rs", "range", 12)
    );
    assert_eq!(place.to_string(), place.key());
    assert!(!place.is_of_a_test());
    for of_a_test in ["a/src/tests.rs", "a/src/b_tests.rs", "a/src/tests/b.rs"] {
        assert!(Place::parse(&format!("{of_a_test}:1:1|copy|0")).expect("a line").is_of_a_test());
    }
    for bad in ["", "a:1:2|x", "a:0:2|x|1", "a|x|1"] {
        assert!(Place::parse(bad).is_none(), "{bad}");
    }
}
