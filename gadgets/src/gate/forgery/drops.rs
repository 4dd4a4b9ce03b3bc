//! Constraints that are dropped as they are recorded, to see which test notices.
//!
//! Two variables of the environment, read once a process:
//!
//! - `MUSTER_PLACES` names a file, to which every place that records something is appended, once.
//! - `MUSTER_DROP` is a line of such a file: what it names is not recorded.
//!
//! A line reads `file:line:column|what|part`. The part is even for what is recorded the first time, the
//! third, … that a circuit comes to the place, and odd for the others.

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
        (self.line, self.column, self.part) == (location.line(), location.column(), part)
            && self.what == what
            && self.file == location.file()
    }
}

/// Places that were listed already, and the list.
struct List {
    known: HashSet<(&'static Location<'static>, &'static str, usize)>,
    file: File,
}

enum Mode {
    /// Everything is kept.
    Keep,
    /// The same, and listed.
    List(Mutex<List>),
    Drop(Recorded),
}

fn mode() -> &'static Mode {
    static MODE: OnceLock<Mode> = OnceLock::new();
    MODE.get_or_init(|| {
        if let Ok(line) = std::env::var("MUSTER_DROP") {
            let dropped = Recorded::parse(&line);
            return Mode::Drop(dropped.unwrap_or_else(|| panic!("MUSTER_DROP: {line:?}")));
        }
        let Some(path) = std::env::var_os("MUSTER_PLACES") else {
            return Mode::Keep;
        };
        let file = OpenOptions::new().append(true).create(true).open(&path);
        let file = file.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Mode::List(Mutex::new(List { known: HashSet::new(), file }))
    })
}

thread_local! {
    /// How often this thread came to a place since it began a circuit.
    static VISITS: RefCell<HashMap<&'static Location<'static>, usize>> = RefCell::default();
}

/// A new circuit begins: a circuit is recorded by one thread, and one after the other.
pub(in crate::gate) fn begin() {
    VISITS.with_borrow_mut(HashMap::clear);
}

/// Counts a visit of `location`; whether their number before was odd.
pub(in crate::gate) fn is_odd(location: &'static Location<'static>) -> bool {
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
pub(in crate::gate) fn keeps(
    location: &'static Location<'static>,
    what: &'static str,
    part: usize,
) -> bool {
    match mode() {
        Mode::Keep => true,
        Mode::Drop(dropped) => !dropped.is(location, what, part),
        Mode::List(list) => {
            let mut list = list.lock().expect("no thread panics while it holds the lock");
            if list.known.insert((location, what, part)) {
                let (file, line, column) = (location.file(), location.line(), location.column());
                writeln!(list.file, "{file}:{line}:{column}|{what}|{part}")
                    .expect("the list is writable");
            }
            true
        }
    }
}

/// Whether what is dropped is a range check, which lookups must then be told of.
pub(in crate::gate) fn is_range() -> bool {
    matches!(mode(), Mode::Drop(dropped) if dropped.what == "range")
}

#[test]
fn a_line_of_the_list_is_read() {
    let here = Location::caller();
    let line = format!("{}:{}:{}|copy|7", here.file(), here.line(), here.column());
    let read = Recorded::parse(&line).expect("a line");
    assert!(read.is(here, "copy", 7));
    assert!(!read.is(here, "copy", 6));
    assert!(!read.is(here, "gate", 7));
    assert!(Recorded::parse("copy").is_none());
}
