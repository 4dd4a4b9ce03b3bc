//! How long keys of strangers take.

use std::{fs, time::Duration};

use super::sample;
use crate::Key;

/// The longest file of a key that Muster reads.
const LONGEST: usize = 1 << 22;
/// Before the description: the magic, kind, hash, SRS and τ.
const HEAD: usize = 147;
const RANDOM_ROWS: usize = 1024;

/// A list as a key has it: how many entries, and their bytes.
type List = (usize, Vec<u8>);

fn number(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("it is short").to_be_bytes()
}

/// A cell of a fixed column.
fn cell(column: usize, rotation: usize) -> Vec<u8> {
    [&[1][..], &number(column), &number(rotation)].concat()
}

fn cells(count: usize, entry: impl Fn(usize) -> Vec<u8>) -> List {
    (count, (0..count).flat_map(entry).collect())
}

/// All nodes are constraints.
fn constraints(count: usize) -> List {
    (count, (0..count).flat_map(number).collect())
}

/// Tables: one, of the first node, in which it is looked up so many times.
fn table(inputs: usize) -> List {
    (1, [number(1), number(0), number(inputs), number(0)].concat())
}

/// A key of these nodes, constraints and tables, and zeros behind them.
fn key(k: u32, fixed: usize, lists: [List; 3]) -> Vec<u8> {
    let mut bytes = sample::key().to_bytes()[..HEAD].to_vec();
    for count in [0, k as usize, (1 << k) - RANDOM_ROWS, 1, fixed, 0, 0] {
        bytes.extend(number(count));
    }
    for (count, entries) in lists {
        bytes.extend(number(count));
        bytes.extend(entries);
    }
    bytes.resize(LONGEST, 0);
    bytes
}

/// The time for which the calling thread has had a processor.
fn processor() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first is a number"))
}

fn columns(count: usize) -> Vec<u8> {
    key(13, count, [cells(count, |column| cell(column, 0)), constraints(count), table(1)])
}

/// ```sh
/// cargo test --release -p muster-verifier --lib tests::strangers -- --ignored --nocapture
/// ```
#[test]
#[ignore = "slow: a measurement"]
fn the_longest_keys() {
    // Thirteen bytes a node that is a constraint, but for a cell of the inputs.
    let most = LONGEST / 13 - 100;
    let product = |place| if place == 0 { cell(0, 0) } else { [&[5][..], &[0; 8]].concat() };
    let none = || (0, vec![]);
    let keys = [
        ("constants", key(13, 0, [cells(LONGEST / 33 - 10, |_| vec![0; 33]), none(), none()])),
        ("columns", columns(most)),
        ("as many values as there may be", columns((1 << 14) - 3)),
        ("rotations", key(26, 1, [cells(most, |row| cell(0, row)), constraints(most), table(1)])),
        ("products", key(13, 1, [cells(most, product), constraints(most), table(1)])),
        ("inputs", key(13, 1, [cells(1, |_| cell(0, 0)), none(), table(LONGEST / 4 - 100)])),
    ];
    for (name, bytes) in keys {
        let times = (0..5).map(|_| {
            let start = processor();
            let error = Key::read(&bytes).expect_err("it is no key");
            (processor() - start, error)
        });
        let (time, error) = times.min_by_key(|(time, _)| *time).expect("there are five");
        println!("{name}: {time:.1?}, {error}");
    }
}
