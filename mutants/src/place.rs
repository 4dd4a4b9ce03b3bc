//! A place that records constraints, as the tests list it.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

/// A line of a list: `file:line:column|what|part`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    line: String,
}

impl Place {
    /// A line of a list; `None` for anything else.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let place = Self { line: line.to_owned() };
        let is_whole = line.split('|').count() == 3 && place.row() > 0;
        (is_whole && place.number().is_some()).then_some(place)
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

    /// Which of the things that one call records.
    pub(crate) fn part(&self) -> usize {
        self.number().unwrap_or_default()
    }

    /// Whether a test asked for it, and no circuit.
    pub(crate) fn is_of_a_test(&self) -> bool {
        let file = self.file();
        file.contains("/tests/") || file.ends_with("/tests.rs") || file.ends_with("_tests.rs")
    }

    fn number(&self) -> Option<usize> {
        self.line.split('|').nth(2)?.parse().ok()
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
#[derive(Debug)]
pub(crate) struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// Reads the files of `places`, once, since they may change while tests run.
    pub(crate) fn read<'a>(places: impl Iterator<Item = &'a Place>) -> Self {
        let files: HashSet<_> = places.map(Place::file).collect();
        Self::of(
            files.into_iter().map(|file| (file, std::fs::read_to_string(file).unwrap_or_default())),
        )
    }

    /// Files with their text.
    pub(crate) fn of<'a>(files: impl Iterator<Item = (&'a str, String)>) -> Self {
        let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect();
        Self(files.map(|(file, text)| (file.to_owned(), lines(&text))).collect())
    }

    /// The line of code of a place.
    pub(crate) fn code(&self, place: &Place) -> &str {
        self.lines(place).get(place.row() - 1).map_or("", String::as_str)
    }

    /// How many lines above that of a place read the same.
    pub(crate) fn order(&self, place: &Place) -> usize {
        let above = self.lines(place).iter().take(place.row() - 1);
        above.filter(|line| *line == self.code(place)).count()
    }

    fn lines(&self, place: &Place) -> &[String] {
        self.0.get(place.file()).map_or(&[], Vec::as_slice)
    }
}

#[test]
fn lines_of_a_list() {
    let place = Place::parse("gadgets/src/gate/cells.rs:12:9|range|3").expect("a line");
    assert_eq!(
        (place.file(), place.what(), place.part(), place.row()),
        ("gadgets/src/gate/cells.rs", "range", 3, 12)
    );
    assert_eq!(place.to_string(), place.key());
    assert!(!place.is_of_a_test());
    for of_a_test in ["a/src/tests.rs", "a/src/b_tests.rs", "a/src/tests/b.rs"] {
        assert!(Place::parse(&format!("{of_a_test}:1:1|copy|0")).expect("a line").is_of_a_test());
    }
    for bad in ["", "a:1:2|x", "a:0:2|x|1", "a|x|1", "a:1:2|x|y"] {
        assert!(Place::parse(bad).is_none(), "{bad}");
    }
}

#[test]
fn lines_that_read_the_same_are_told_apart_by_their_order() {
    let text = "let a = f();\n\n    g(a);\n  let b = 0;\ng(a);".to_owned();
    let sources = Sources::of([("a.rs", text)].into_iter());
    let of = |row: usize| {
        let place = Place::parse(&format!("a.rs:{row}:1|copy|0")).expect("a line");
        (sources.code(&place).to_owned(), sources.order(&place))
    };
    assert_eq!(of(3), ("g(a);".to_owned(), 0));
    assert_eq!(of(4), ("let b = 0;".to_owned(), 0));
    assert_eq!(of(5), ("g(a);".to_owned(), 1));
    // A file that is not there, or shorter than it was.
    assert_eq!(of(6), (String::new(), 1));
    let other = Place::parse("b.rs:1:1|copy|0").expect("a line");
    assert_eq!((sources.code(&other), sources.order(&other)), ("", 0));
}
