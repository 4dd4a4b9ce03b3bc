//! How long keys of strangers take.

use std::{fs, time::Duration};

use super::sample;
use crate::Key;

/// The longest file of a key that Muster reads.
const LONGEST: usize = 1 << 22;
/// Before the description: the magic, kind, hash, SRS and τ.
const HEAD: usize = 147;
/// Where the kind stands.
const KIND: usize = 16;
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

/// A key of so many fixed columns, advice columns and inputs, up to these nodes, constraints and tables.
fn lists(k: u32, columns: [usize; 3], lists: [List; 3]) -> Vec<u8> {
    let mut bytes = sample::key().to_bytes()[..HEAD].to_vec();
    for count in [0, k as usize, (1 << k) - RANDOM_ROWS, 1].into_iter().chain(columns) {
        bytes.extend(number(count));
    }
    for (count, entries) in lists {
        bytes.extend(number(count));
        bytes.extend(entries);
    }
    bytes
}

/// The same with zeros behind them.
fn key(k: u32, fixed: usize, three: [List; 3]) -> Vec<u8> {
    let mut bytes = lists(k, [fixed, 0, 0], three);
    bytes.resize(LONGEST, 0);
    bytes
}

/// The time for which the calling thread has had a processor.
fn processor() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first is a number"))
}

/// Behind a key's lists: packs of these polynomials, one for each, of which one is the key's; commitments that are the identity; and
/// as many rows of the decider as there may be, so that all are counted.
fn packs(mut bytes: Vec<u8>, polynomials: &[usize]) -> Vec<u8> {
    bytes[KIND] = 2;
    bytes.extend([0; 4]);
    bytes.extend(number(polynomials.len()));
    for &polynomial in polynomials {
        bytes.extend([number(1), number(polynomial)].concat());
    }
    bytes.extend([0; 64]);
    bytes.extend(number(16));
    bytes.extend([0; 64]);
    bytes
}

/// A `compact` key with a table in one fixed column: `m`, `φ` and the column each have a pack.
fn compact(inputs: usize, nodes: List, listed: List) -> Vec<u8> {
    packs(lists(13, [1, 0, inputs], [nodes, listed, table(1)]), &[2, 0, 1])
}

/// Cells of the inputs, each of which is a constraint, behind one of a fixed column.
fn shown(rotations: usize) -> List {
    let cell_of = |place| match place {
        0 => cell(0, 0),
        place => [&[3][..], &number(31 * place)].concat(),
    };
    cells(rotations + 1, cell_of)
}

/// A key that is one: each of 64 columns is read at 256 rows, and no two at the same ones.
fn rotation_sets() -> Vec<u8> {
    let place = |cell_number: usize| (cell_number / 256, cell_number % 256);
    let count = 64 * 256 - 3;
    let nodes = cells(count, |cell_number| {
        let (column, rotation) = place(cell_number);
        cell(column, if rotation == 255 { 255 + column } else { rotation })
    });
    let mut bytes = lists(13, [64, 0, 0], [nodes, constraints(count), table(1)]);
    bytes.extend([0; 4]);
    bytes.extend([0; 64 * 64]);
    bytes
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
        (
            "one cell again and again",
            key(13, 1, [cells(most, |_| cell(0, 0)), constraints(most), table(1)]),
        ),
        ("cells of many columns", {
            let nodes = cells(most, |place| cell(place * 7919 % 16_000, 0));
            key(13, 16_000, [nodes, constraints(most), table(1)])
        }),
        ("rotations", key(26, 1, [cells(most, |row| cell(0, row)), constraints(most), table(1)])),
        ("rotations of many columns", {
            let nodes = cells(most, |place| cell(place / 250, place % 250));
            key(26, most.div_ceil(250), [nodes, constraints(most), table(1)])
        }),
        ("products", key(13, 1, [cells(most, product), constraints(most), table(1)])),
        ("inputs", key(13, 1, [cells(1, |_| cell(0, 0)), none(), table(LONGEST / 4 - 100)])),
        (
            "as many inputs as there may be",
            key(13, 1, [cells(1, |_| cell(0, 0)), none(), table(65_525)]),
        ),
        ("tables", {
            let one = [number(1), number(0), number(1), number(0)].concat();
            let tables = (LONGEST / 16 - 100, one.repeat(LONGEST / 16 - 100));
            key(13, 1, [cells(1, |_| cell(0, 0)), none(), tables])
        }),
        ("rotation sets", rotation_sets()),
        ("a decider that shows too many inputs", compact(1024, shown(256), constraints(257))),
        ("a decider that shows inputs", compact(16, shown(256), constraints(257))),
        ("a decider of products", compact(0, cells(most, product), constraints(most))),
        ("a decider of cells", compact(0, cells(most, |_| cell(0, 0)), constraints(most))),
        (
            "as many products as there may be",
            compact(0, cells(1 << 16, product), constraints(1 << 16)),
        ),
        (
            "as many cells as there may be",
            compact(0, cells(1 << 16, |_| cell(0, 0)), constraints(1 << 16)),
        ),
        (
            "packs",
            packs(
                lists(13, [1, 0, 0], [cells(1, |_| cell(0, 0)), none(), table(1)]),
                &vec![0; LONGEST / 8 - 100],
            ),
        ),
    ];
    for (name, bytes) in keys {
        let times = (0..5).map(|_| {
            let start = processor();
            let read = Key::read(&bytes).err();
            (processor() - start, read)
        });
        let (time, error) = times.min_by_key(|(time, _)| *time).expect("there are five");
        let error = error.map_or("it is a key".into(), |error| error.to_string());
        println!("{name}: {time:.1?}, {error}");
    }
}
