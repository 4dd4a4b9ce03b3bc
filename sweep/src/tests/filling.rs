//! Tests of rows at once, with rows that measure nothing.

use std::{
    path::Path,
    sync::{
        atomic::{AtomicUsize, Ordering::SeqCst},
        Arc, Barrier,
    },
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{AtOnce, Error, Existing, Machine, PlotOf, Results, Store};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    number: u64,
}

/// What is done for the row of this number, and how many bytes each row takes.
struct Settings {
    work: Box<dyn Fn(u64) -> Result<(), Error> + Sync>,
    bytes: u64,
}

impl crate::Row for Row {
    const COLUMNS: &'static str = "number";
    const PLOTS: &'static [PlotOf<Self>] = &[];
    type Case = u64;
    type Settings = Settings;

    fn is_of(&self, case: &u64) -> bool {
        self.number == *case
    }

    fn seconds(_: &u64, _: &Settings) -> f64 {
        1.0
    }

    fn bytes(_: &u64, settings: &Settings) -> u64 {
        settings.bytes
    }

    fn measure(case: &u64, settings: &Settings) -> Result<Self, Error> {
        (settings.work)(*case)?;
        Ok(Self { number: *case })
    }

    fn outcome(&self) -> String {
        "nothing".into()
    }
}

fn numbers(store: &Store<Row>) -> Vec<u64> {
    store.results.rows.iter().map(|row| row.number).collect()
}

fn open(dir: &Path, existing: Existing) -> Store<Row> {
    Store::open_on(dir, existing, Results::new(Machine::this(), None)).expect("opened")
}

fn pause() {
    thread::sleep(Duration::from_millis(100));
}

fn fill(
    store: &mut Store<Row>,
    cases: &[u64],
    at_once: AtOnce,
    work: impl Fn(u64) -> Result<(), Error> + Sync + 'static,
) -> Result<(), Error> {
    store.fill(cases, at_once, &Settings { work: Box::new(work), bytes: 0 })
}

/// Rows are in the order in which they are asked for, whichever is ready first; files hold all.
#[test]
fn rows_at_once_stand_in_their_order() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let (both, at_once) = (Barrier::new(2), AtOnce { rows: 2, bytes: None, until: None });
    let work = move |number| {
        both.wait();
        // The later one ends first.
        if [10, 12].contains(&number) {
            pause();
        }
        Ok(())
    };
    fill(&mut store, &[10, 11, 12, 13], at_once, work).expect("made");
    assert_eq!(numbers(&store), [10, 11, 12, 13]);
    assert_eq!(open(dir.path(), Existing::Resume).results.rows, store.results.rows);
}

/// A resumed sweep makes the rows that are missing, and puts them after those that are there.
#[test]
fn finished_rows_are_not_made_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    fill(&mut store, &[11, 13], AtOnce::ONE, |_| Ok(())).expect("made");
    let mut store = open(dir.path(), Existing::Resume);
    let work = |number| {
        assert!([10, 12].contains(&number));
        Ok(())
    };
    fill(&mut store, &[10, 11, 12, 13], AtOnce::ONE, work).expect("made");
    assert_eq!(numbers(&store), [11, 13, 10, 12]);
}

/// Rows that do not fit the memory together run one after the other.
#[test]
fn memory_holds_rows_back() {
    for (bytes, expected) in [(5, 2), (6, 1), (11, 1)] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut store = open(dir.path(), Existing::Refuse);
        let counts = Arc::new([const { AtomicUsize::new(0) }; 2]);
        let shared = Arc::clone(&counts);
        let work = Box::new(move |_| {
            let [working, most] = &*shared;
            most.fetch_max(working.fetch_add(1, SeqCst) + 1, SeqCst);
            pause();
            working.fetch_sub(1, SeqCst);
            Ok(())
        });
        let at_once = AtOnce { rows: 3, bytes: Some(10), until: None };
        store.fill(&[10, 11, 12, 13], at_once, &Settings { work, bytes }).expect("made");
        assert_eq!(counts[1].load(SeqCst), expected);
    }
}

/// An error ends the sweep; what was at work beside it is kept, and nothing more is begun.
#[test]
fn an_error_ends_the_sweep() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let (both, begun) = (Barrier::new(2), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&begun);
    let work = move |number| {
        count.fetch_add(1, SeqCst);
        if number <= 11 {
            both.wait();
        }
        if number == 10 {
            return Err(Error::usage("the disk is full".into()));
        }
        pause();
        Ok(())
    };
    let all: Vec<u64> = (10..110).collect();
    let at_once = AtOnce { rows: 2, bytes: None, until: None };
    let error = fill(&mut store, &all, at_once, work).expect_err("a full disk");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    // How many depends on who is faster; all of them would take ten seconds.
    let begun = begun.load(SeqCst);
    assert!(begun < 100 && numbers(&store) == all[1..begun], "{begun}");
    assert_eq!(open(dir.path(), Existing::Resume).results.rows, store.results.rows);
}

/// So does a panic.
#[test]
fn a_panic_ends_the_sweep() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let work = |number| {
        assert!(number != 11, "eleven");
        Ok(())
    };
    let ended = fill(&mut store, &[10, 11, 12], AtOnce::ONE, work);
    assert!(matches!(ended, Err(Error::Panic(said)) if said == "eleven"));
    assert_eq!(numbers(&store), [10]);
}
