use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    QuantumCell::{Constant, Existing},
};

use super::Wanted;
use crate::{
    forgery::testing::{layout, TestCircuit},
    Forged, Layout,
};

/// Elements of an entry: as many as the longest keys have.
const ELEMENTS: usize = 8;
/// Entries of the set.
const ENTRIES: u64 = 5;
/// Columns of the gate: the only ones before those of range checks.
const OFFSET: usize = 0;

fn room() -> Layout {
    Layout { edwards_lanes: 0, set_elements: ELEMENTS, ..layout(10, &[]) }
}

/// The elements of an entry.
fn entry(index: u64) -> [Fr; ELEMENTS] {
    std::array::from_fn(|element| Fr::from(100 * (element as u64 + 1) + index))
}

/// Looks entries up, each by an index and with the elements of an entry.
fn looked_up(wanted: &[(Fr, u64)]) -> TestCircuit {
    let wanted: Vec<_> = wanted.iter().map(|(index, of)| (*index, entry(*of))).collect();
    found(&wanted)
}

/// Looks entries up, each by an index and with these elements.
fn found(wanted: &[(Fr, [Fr; ELEMENTS])]) -> TestCircuit {
    TestCircuit::new(room(), |ctx| {
        let cells = |i: u64| ctx.assign_witnesses(entry(i)).into_iter().map(Existing).collect();
        let mut entries: Vec<Vec<_>> = (0..ENTRIES - 1).map(cells).collect();
        entries.push(entry(ENTRIES - 1).map(Constant).to_vec());
        ctx.chips.set().set(&entries);
        let wanted = wanted.iter().map(|(index, elements)| {
            let elements = ctx.assign_witnesses(*elements);
            Wanted { index: *index, weight: elements[0], elements }
        });
        let wanted: Vec<_> = wanted.collect();
        let found = ctx.chips.set().look_up(ctx, 8, &wanted);
        for (number, (member, wanted)) in found.iter().zip(&wanted).enumerate() {
            assert_eq!(member.slot(), number as u64);
            assert_eq!(*member.offset().value() + Fr::from(member.slot()), wanted.index);
        }
    })
}

fn indices(wanted: &[u64]) -> Vec<(Fr, u64)> {
    wanted.iter().map(|index| (Fr::from(*index), *index)).collect()
}

#[test]
fn entries_are_looked_up_by_increasing_indices() {
    for wanted in [&[0][..], &[4], &[0, 1, 2, 3, 4], &[1, 3], &[0, 4]] {
        looked_up(&indices(wanted)).assert_satisfied();
    }
    // An offset is an index less its slot, so an index that stays makes it less.
    for wanted in [&[1, 1][..], &[3, 1], &[0, 4, 4]] {
        let mut test = looked_up(&indices(wanted));
        assert!(test.fails_range_checks_alone(vec![]), "{wanted:?}");
    }
}

#[test]
fn another_entry_than_that_of_the_index_is_refused() {
    for (index, of) in [(0, 1), (1, 0), (3, 4), (4, 0), (5, 0), (5, 4), (200, 1)] {
        let mut test = looked_up(&[(Fr::from(index), of)]);
        assert_eq!(test.failing(vec![]), ["set: entry of the index"], "{index}, {of}");
    }
    for other in 0..ENTRIES {
        assert_eq!(looked_up(&[(Fr::from(2), other)]).is_satisfied(), other == 2);
    }
}

#[test]
fn each_element_is_looked_up() {
    for element in 0..ELEMENTS {
        let mut other = entry(2);
        other[element] += Fr::ONE;
        let mut test = found(&[(Fr::from(2), other)]);
        assert_eq!(test.failing(vec![]), ["set: entry of the index"], "{element}");
    }
}

/// The key 0 of rows that are no entries, and the negative keys of rows that look up: with an offset below 0 whatever is looked up
/// is there.
#[test]
fn nothing_but_range_checks_keeps_offsets_from_rows_that_are_no_entries() {
    for below in [1, 2] {
        let mut test = looked_up(&[(-Fr::from(below), 7)]);
        let is_there = test.fails_range_checks_alone(vec![]);
        // A row of the key 0 has the zeros of nobody; -2 is the key of a row that looks up, if there is one in its slot.
        assert_eq!(is_there, below == 2, "{below}");
    }
}

/// Each element of each row is a copy of what was given.
#[test]
fn every_cell_is_bound() {
    let mut test = looked_up(&indices(&[1, 3]));
    let rows = ENTRIES as usize + 2;
    let advice = test.advice();
    for (column, cells) in advice.iter().enumerate().take(1 + ELEMENTS).skip(1) {
        for (row, cell) in cells.iter().enumerate().take(rows) {
            let value = *cell + Fr::ONE;
            let failing = test.failing(vec![Forged { column, row, value }]);
            assert!(failing.contains(&"copy".to_owned()), "{row}, {column}: {failing:?}");
        }
    }
    // An entry, and the row that looks it up, say the same of somebody else.
    for (entry, lookup) in [(1, rows - 2), (3, rows - 1)] {
        for column in 1..=ELEMENTS {
            let value = Fr::from(77);
            let both = [entry, lookup].map(|row| Forged { column, row, value });
            assert_eq!(test.failing(both.to_vec()), ["copy"], "{entry}, {column}");
        }
    }
    // Two entries that change places, with the offsets of those who look them up.
    let offsets = [(rows - 2, Fr::from(3)), (rows - 1, Fr::ZERO)];
    let offsets = offsets.map(|(row, value)| Forged { column: OFFSET, row, value });
    let mut moved = offsets.to_vec();
    for (column, cells) in advice.iter().enumerate().take(1 + ELEMENTS).skip(1) {
        moved.push(Forged { column, row: 1, value: cells[3] });
        moved.push(Forged { column, row: 3, value: cells[1] });
    }
    assert!(test.failing(moved).contains(&"copy".to_owned()));
}

#[test]
#[should_panic(expected = "there is one set")]
fn a_second_set_would_have_the_same_keys() {
    TestCircuit::new(room(), |ctx| {
        for _ in 0..2 {
            ctx.chips.set().set(&[entry(0).map(Constant).to_vec()]);
        }
    });
}
