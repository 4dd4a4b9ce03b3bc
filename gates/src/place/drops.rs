//! Constraints that are dropped as they are recorded, to see which test notices.
//!
//! Two environment variables, read once per process:
//!
//! - `MUSTER_PLACES` names a file, to which every place that records something is appended, once. A line that begins
//!   with `+` names a place without which a refused forged witness is accepted (see [`credit`](super::credit)).
//! - `MUSTER_DROP` names a file of such lines: what they name is not recorded.
//!
//! A line reads `file:line:column|what|part`. The part is even for what a circuit records on its first, third, … visit
//! to the place, and odd for the others.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    fs::{File, OpenOptions},
    io::Write,
    panic::Location,
    sync::{Mutex, OnceLock},
};

/// What is recorded, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Recorded {
    file: String,
    line: u32,
    column: u32,
    what: String,
    part: usize,
}

impl Recorded {
    /// Reads a line of a list.
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('|');
        let (place, what, part) = (fields.next()?, fields.next()?, fields.next()?);
        let mut place = place.rsplitn(3, ':');
        let (column, row, file) = (place.next()?, place.next()?, place.next()?);
        Some(Self {
            file: file.to_owned(),
            line: row.parse().ok()?,
            column: column.parse().ok()?,
            what: what.to_owned(),
            part: part.parse().ok()?,
        })
    }

    fn is(&self, location: &Location, what: &str, part: usize) -> bool {
        self.position() == (location.line(), location.column(), part)
            && self.what == what
            && self.file == file(location)
    }

    /// Tells most places apart without comparing strings.
    fn position(&self) -> (u32, u32, usize) {
        (self.line, self.column, self.part)
    }
}

/// What is dropped, by position.
#[derive(Debug, Default)]
struct Dropped {
    places: HashMap<(u32, u32, usize), Vec<Recorded>>,
    /// Whether a range check is among them.
    has_ranges: bool,
}

impl Dropped {
    /// Reads a list; fails with the first line that is not valid.
    fn parse(list: &str) -> Result<Self, &str> {
        let mut dropped = Self::default();
        for line in list.lines() {
            let place = Recorded::parse(line).ok_or(line)?;
            dropped.has_ranges |= place.what == "range";
            dropped.places.entry(place.position()).or_default().push(place);
        }
        Ok(dropped)
    }

    fn has(&self, location: &Location, what: &str, part: usize) -> bool {
        self.places
            .get(&(location.line(), location.column(), part))
            .is_some_and(|places| places.iter().any(|place| place.is(location, what, part)))
    }
}

/// The file, from the root of the repository. Of a generic function that another crate compiles the compiler has the whole path.
fn file<'a>(location: &Location<'a>) -> &'a str {
    let root = env!("CARGO_MANIFEST_DIR").strip_suffix("gates").unwrap_or_default();
    let file = location.file();
    file.strip_prefix(root).unwrap_or(file)
}

/// What identifies a place: where it is, what is recorded, and the part.
pub type Key = (&'static Location<'static>, &'static str, usize);

/// Places that were listed already, those that were noticed, and the list.
struct List {
    known: HashSet<Key>,
    noticed: HashSet<Key>,
    file: File,
}

impl List {
    fn write(&mut self, mark: &str, (location, what, part): Key) {
        let (file, line, column) = (file(location), location.line(), location.column());
        // Written in one piece, since the test may be stopped at any time.
        let entry = format!("{mark}{file}:{line}:{column}|{what}|{part}\n");
        self.file.write_all(entry.as_bytes()).expect("the list is writable");
    }
}

enum Mode {
    /// Everything is kept.
    Keep,
    /// Everything is kept, and listed.
    List(Mutex<List>),
    Drop(Dropped),
}

/// Whether the environment names what to drop.
pub fn is_asked() -> bool {
    std::env::var_os("MUSTER_DROP").is_some()
}

fn mode() -> &'static Mode {
    static MODE: OnceLock<Mode> = OnceLock::new();
    MODE.get_or_init(|| {
        if let Some(path) = std::env::var_os("MUSTER_DROP") {
            let list = std::fs::read_to_string(&path);
            let list = list.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let dropped = Dropped::parse(&list);
            eprintln!("warning: constraints are dropped, as MUSTER_DROP says: nothing is proven");
            return Mode::Drop(dropped.unwrap_or_else(|line| panic!("MUSTER_DROP: {line:?}")));
        }
        let Some(path) = std::env::var_os("MUSTER_PLACES") else {
            return Mode::Keep;
        };
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Mode::List(Mutex::new(List { known: HashSet::new(), noticed: HashSet::new(), file }))
    })
}

thread_local! {
    /// How often this thread came to a place since it began a circuit.
    static VISITS: RefCell<HashMap<&'static Location<'static>, usize>> = RefCell::default();
}

/// Begins a new circuit. Each circuit is recorded by one thread, one after the other.
pub fn begin() {
    VISITS.with_borrow_mut(HashMap::clear);
}

/// Counts a visit of `location`; returns whether the number of visits before was odd.
pub fn is_odd(location: &'static Location<'static>) -> bool {
    if matches!(mode(), Mode::Keep) {
        return false;
    }
    VISITS.with_borrow_mut(|visits| {
        let count = visits.entry(location).or_default();
        *count += 1;
        *count % 2 == 0
    })
}

/// Whether `what` is recorded for `location`.
pub fn keeps(location: &'static Location<'static>, what: &'static str, part: usize) -> bool {
    match mode() {
        Mode::Keep => true,
        Mode::Drop(dropped) => !dropped.has(location, what, part),
        Mode::List(list) => {
            let mut list = list.lock().expect("no thread panics while it holds the lock");
            if list.known.insert((location, what, part)) {
                list.write("", (location, what, part));
            }
            true
        }
    }
}

/// Whether this is no part of a mutation run: nothing is dropped, and nothing listed.
pub fn keeps_all() -> bool {
    matches!(mode(), Mode::Keep)
}

/// Whether places are listed.
pub fn lists() -> bool {
    matches!(mode(), Mode::List(_))
}

/// Whether [`noticed`] has listed `key` already.
pub fn is_noticed(key: &Key) -> bool {
    match mode() {
        Mode::List(list) => {
            let list = list.lock().expect("no thread panics while it holds the lock");
            list.noticed.contains(key)
        }
        Mode::Keep | Mode::Drop(_) => false,
    }
}

/// Lists that a forged witness is accepted without `key`.
pub fn noticed(key: Key) {
    if let Mode::List(list) = mode() {
        let mut list = list.lock().expect("no thread panics while it holds the lock");
        if list.noticed.insert(key) {
            list.write("+", key);
        }
    }
}

/// Whether a range check is dropped, which lookups must then be told of.
pub fn is_range() -> bool {
    matches!(mode(), Mode::Drop(dropped) if dropped.has_ranges)
}

#[test]
fn a_list_is_read() {
    let here = Location::caller();
    let line = format!("{}:{}:{}|copy|7", here.file(), here.line(), here.column());
    let other = format!("{}:{}:{}|range|2", here.file(), here.line(), here.column());
    let list = format!("{line}\n{other}\n");
    let dropped = Dropped::parse(&list).expect("a list");
    assert!(dropped.has(here, "copy", 7) && dropped.has(here, "range", 2) && dropped.has_ranges);
    assert!(!dropped.has(here, "copy", 6));
    assert!(!dropped.has(here, "gate", 7));
    assert!(!Dropped::parse(&line).expect("a list").has_ranges);
    assert_eq!(Dropped::parse("copy").expect_err("no line"), "copy");
}

#[test]
fn files_are_named_from_the_root() {
    assert_eq!(file(Location::caller()), "gates/src/place/drops.rs");
}
