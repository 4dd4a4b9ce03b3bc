//! Tests of rows at once, without proofs.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering::SeqCst},
        Barrier,
    },
    time::Duration,
};

use super::{super::results::Results, ask, machine, proven, Ask, Degree, Row};
use crate::{AtOnce, Error, Existing, Store, Task};

fn tasks(degrees: &[u32], bytes: u64) -> Vec<Task<Ask>> {
    let task = |&degree: &u32| {
        let what = ask("s", Degree::Fixed(degree), 1, 2);
        Task { name: what.to_string(), what, cost: 1.0, bytes }
    };
    degrees.iter().map(task).collect()
}

fn degree(ask: &Ask) -> u32 {
    ask.degree.fixed().expect("a number")
}

fn degrees(store: &Store<Row>) -> Vec<u32> {
    store.results.rows.iter().filter_map(|row| row.degree).collect()
}

fn open(dir: &std::path::Path, existing: Existing) -> Store<Row> {
    Store::open_on(dir, existing, Results::new(machine(), None)).expect("opened")
}

/// Rows are in the order in which they are asked for, whichever is ready first; files hold all.
#[test]
fn rows_at_once_stand_in_their_order() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let (both, at_once) = (Barrier::new(2), AtOnce { rows: 2, bytes: None });
    let work = |ask: &Ask| {
        both.wait();
        // The later one ends first.
        std::thread::sleep(Duration::from_millis(if [10, 12].contains(&degree(ask)) {
            80
        } else {
            0
        }));
        Ok::<_, Error>(proven(ask, degree(ask), 0.1))
    };
    store.fill(4, tasks(&[10, 11, 12, 13], 0), at_once, work).expect("made");
    assert_eq!(degrees(&store), [10, 11, 12, 13]);
    let resumed = open(dir.path(), Existing::Resume);
    assert!(resumed.results.rows == store.results.rows);
}

/// Rows that do not fit the memory together run one after the other.
#[test]
fn memory_holds_rows_back() {
    for (bytes, expected) in [(5, 2), (6, 1), (11, 1)] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut store = open(dir.path(), Existing::Refuse);
        let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |ask: &Ask| {
            most.fetch_max(working.fetch_add(1, SeqCst) + 1, SeqCst);
            std::thread::sleep(Duration::from_millis(100));
            working.fetch_sub(1, SeqCst);
            Ok::<_, Error>(proven(ask, degree(ask), 0.1))
        };
        let at_once = AtOnce { rows: 3, bytes: Some(10) };
        store.fill(4, tasks(&[10, 11, 12, 13], bytes), at_once, work).expect("made");
        assert_eq!(most.load(SeqCst), expected);
    }
}

/// An error ends the sweep; what was at work beside it is kept, and nothing more is begun.
#[test]
fn an_error_ends_the_sweep() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let (both, begun) = (Barrier::new(2), AtomicUsize::new(0));
    let work = |ask: &Ask| {
        begun.fetch_add(1, SeqCst);
        if degree(ask) <= 11 {
            both.wait();
        }
        if degree(ask) == 10 {
            return Err(Error::usage("the disk is full".into()));
        }
        std::thread::sleep(Duration::from_millis(100));
        Ok::<_, Error>(proven(ask, degree(ask), 0.1))
    };
    let all: Vec<u32> = (10..110).collect();
    let at_once = AtOnce { rows: 2, bytes: None };
    let error = store.fill(100, tasks(&all, 0), at_once, work).expect_err("a full disk");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    // How many depends on who is faster; all of them would take ten seconds.
    let begun = begun.load(SeqCst);
    assert!(begun < 100 && degrees(&store) == all[1..begun], "{begun}");
    assert!(open(dir.path(), Existing::Resume).results.rows == store.results.rows);
}

/// So does a panic.
#[test]
fn a_panic_ends_the_sweep() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut store = open(dir.path(), Existing::Refuse);
    let work = |ask: &Ask| match degree(ask) {
        11 => panic!("eleven"),
        degree => Ok(proven(ask, degree, 0.1)),
    };
    let ended = store.fill(3, tasks(&[10, 11, 12], 0), AtOnce::ONE, work);
    assert!(matches!(ended, Err(Error::Panic(said)) if said == "eleven"));
    assert_eq!(degrees(&store), [10]);
}

/// Rows share the threads of a sweep, and the results say so.
#[test]
fn results_tell_how_many_rows_ran_at_once() {
    let [alone, two] = [1, 2].map(|jobs| machine().shared_by(jobs, 4));
    assert!(!alone.is_like(&two) && alone.jobs.is_none());
    assert!(two.summary().contains(", 2 rows at once"), "{}", two.summary());
    assert!(two.lines().contains(&"rows at once: 2".to_owned()));
}
