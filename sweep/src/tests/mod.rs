//! Tests of what all sweeps share, and of the small ones; those of the files are where there are most rows.

mod bls_threshold;
mod filling;
mod frost;
mod pool;
mod pvss;

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use super::{
    fill::Room,
    machine::{rfc3339, HALO2_AXIOM},
    median, memory,
    progress::{roughly, Clock},
    rounded, Row, MICROSECONDS, NANOSECONDS,
};

/// The columns are all fields of a row, in their order.
pub(crate) fn assert_columns<R: Row>(row: &R) {
    let json = serde_json::to_string(row).expect("plain data");
    let columns: Vec<&str> = R::COLUMNS.split(',').collect();
    let places: Vec<_> =
        columns.iter().map(|column| json.find(&format!("\"{column}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{json}");
    let row = serde_json::to_value(row).expect("plain data");
    assert_eq!(row.as_object().map(serde_json::Map::len), Some(columns.len()));
}

#[test]
fn sizes_of_memory() {
    assert_eq!(memory::parse("8GiB"), Ok(8 << 30));
    assert_eq!(memory::parse("512 MiB"), Ok(512 << 20));
    assert_eq!(memory::parse("1.5g"), Ok(3 << 29));
    assert_eq!(memory::parse("2GB"), Ok(2_000_000_000));
    assert_eq!(memory::parse("12345"), Ok(12_345));
    for bad in ["", "GiB", "0", "-1", "8GiBs", "1e400", "..", "inf", "99999999TiB"] {
        assert!(memory::parse(bad).is_err(), "{bad}");
    }
    assert_eq!(memory::human(999), "999 B");
    assert_eq!(memory::human(1 << 20), "1.00 MiB");
    assert_eq!(memory::human(431 << 20), "431 MiB");
    if cfg!(target_os = "linux") {
        let peak = memory::peak().expect("Linux tells");
        assert!(peak > 1 << 20 && peak < memory::physical().expect("Linux tells"));
    }
}

#[test]
fn medians() {
    assert_eq!(rounded(1.5e-9, NANOSECONDS), 2e-9);
    assert_eq!(median(vec![3.0, 1.0, 2.0], MICROSECONDS), 2.0);
    assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0], MICROSECONDS), 2.5);
    assert_eq!(median(vec![0.123_456_789], MICROSECONDS), 0.123_457);
    assert_eq!(median(vec![], MICROSECONDS), 0.0);
}

#[test]
fn the_clock_learns() {
    let start = Instant::now();
    let at = |seconds: u64| start + Duration::from_secs(seconds);
    let mut clock = Clock::new(10.0, 1);
    assert_eq!(clock.left(at(0)), Duration::from_secs(10));
    clock.start(0, "row", 2.0, at(0));
    assert_eq!(clock.left(at(1)), Duration::from_secs(9));
    // Twice as slow as thought.
    clock.finish(0, true, at(4));
    assert_eq!(clock.left(at(4)), Duration::from_secs(16));
    clock.start(1, "row", 4.0, at(4));
    assert_eq!(clock.left(at(20)), Duration::from_secs(8));
    clock.finish(1, false, at(20));
    assert_eq!(clock.left(at(20)), Duration::from_secs(8));
}

/// Two rows at once, each of which has half the machine.
#[test]
fn the_clock_knows_of_rows_at_once() {
    let start = Instant::now();
    let at = |seconds: u64| start + Duration::from_secs(seconds);
    let left = |clock: &Clock, seconds: u64| clock.left(at(seconds)).as_secs();
    let mut clock = Clock::new(12.0, 2);
    assert_eq!(left(&clock, 0), 12);
    clock.start(0, "row", 2.0, at(0));
    clock.start(1, "row", 8.0, at(0));
    assert_eq!(left(&clock, 0), 16);
    // As fast as thought.
    clock.finish(0, true, at(4));
    clock.start(2, "row", 2.0, at(4));
    // The long one takes 16 seconds, whatever happens beside it.
    assert_eq!(left(&clock, 4), 12);
    clock.finish(2, true, at(8));
    assert_eq!(left(&clock, 8), 8);
    clock.finish(1, true, at(16));
    assert_eq!(left(&clock, 16), 0);
}

/// Memory is given out as far as it goes; one alone gets what it wants.
#[test]
fn rooms_are_not_crowded() {
    let room = Room::new(Some(10));
    drop(room.enter(11));
    let (first, second) = (room.enter(4), room.enter(6));
    let (inside, left) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        // The large one is let in before the small one that comes later, though there is room for that earlier.
        let large = scope.spawn(|| {
            let part = room.enter(10);
            assert_eq!((inside.fetch_add(1, SeqCst), left.load(SeqCst)), (0, 2));
            part
        });
        while !room.is_awaited() {
            thread::yield_now();
        }
        let small = scope.spawn(|| {
            let _part = room.enter(1);
            inside.fetch_add(1, SeqCst)
        });
        for part in [first, second] {
            left.fetch_add(1, SeqCst);
            drop(part);
        }
        drop(large.join().expect("let in"));
        assert_eq!(small.join().expect("let in"), 1);
    });
    let all = Room::new(None);
    let parts = [(); 3].map(|()| all.enter(u64::MAX / 4));
    drop(parts);
}

#[test]
fn times_to_wait() {
    assert_eq!(roughly(Duration::from_millis(100)), "1 s");
    assert_eq!(roughly(Duration::from_secs(100)), "2 min");
    assert_eq!(roughly(Duration::from_secs(7_500)), "2 h 05 min");
}

#[test]
fn dates() {
    assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
    assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(rfc3339(1_735_689_599), "2024-12-31T23:59:59Z");
    assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
}

#[test]
fn the_version_is_that_of_the_lock_file() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    if let Ok(lock) = fs::read_to_string(lock) {
        assert!(lock.contains(&format!("name = \"halo2-axiom\"\nversion = \"{HALO2_AXIOM}\"")));
    }
}
