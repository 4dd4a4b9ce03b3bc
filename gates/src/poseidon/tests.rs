use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use super::{
    rows_each,
    schedule::Schedule,
    trace::{Rows, Trace},
};
use crate::{
    forgery::forger::Failure,
    forgery::testing::{layout, TestCircuit},
    Forged, Layout, PoseidonLayout,
};
use muster_schemes::hash::poseidon::{native, PoseidonSpec, FULL_ROUNDS, MAX_WIDTH, MIN_WIDTH};

fn circuit(layout: Layout, width: usize, count: usize) -> TestCircuit {
    TestCircuit::new(layout, |ctx| {
        let chip = ctx.chips.poseidon(width);
        for i in 0..count {
            let state: Vec<Fr> = (0..width).map(|j| Fr::from((31 * i + j) as u64)).collect();
            let cells: Vec<_> = state.iter().copied().map(QuantumCell::Witness).collect();
            let permuted = chip.permute(&cells);
            let mut expected = state;
            native::permute(PoseidonSpec::get(width), &mut expected);
            assert!(permuted
                .after
                .iter()
                .zip(&expected)
                .all(|(cell, value)| cell.value() == value));
        }
    })
}

#[test]
fn agrees_with_the_native_permutation() {
    for (width, columns) in [
        (3, 1),
        (3, 2),
        (3, 3),
        (3, 6),
        (5, 3),
        (5, 5),
        (6, 1),
        (6, 2),
        (6, 3),
        (6, 6),
        (9, 3),
        (17, 3),
    ] {
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 2 }];
        circuit(Layout { poseidon, ..layout(9, &[]) }, width, 3).assert_satisfied();
    }
}

#[test]
fn agrees_at_every_width() {
    for width in MIN_WIDTH..=MAX_WIDTH {
        let poseidon = vec![PoseidonLayout { width, columns: 1, lanes: 1 }];
        circuit(Layout { poseidon, ..layout(9, &[]) }, width, 1).assert_satisfied();
    }
}

#[test]
fn the_trace_ends_in_the_native_permutation() {
    for width in MIN_WIDTH..=MAX_WIDTH {
        let spec = PoseidonSpec::get(width);
        let state: Vec<Fr> = (1..=width).map(|i| Fr::from(i as u64)).collect();
        let mut expected = state.clone();
        native::permute(spec, &mut expected);
        for rows in (1..=6).filter_map(|columns| Rows::try_new(spec, columns)) {
            let schedule = Schedule::new(spec, rows.entries(), rows.slots());
            let Trace { inputs, powers } = Trace::new(&schedule, &rows, &state);
            assert_eq!(inputs[..width], state);
            assert_eq!(inputs[powers.len()..][..width], expected);
            assert_eq!(inputs.len() + powers.len(), rows.cells());
        }
    }
}

/// The lane's first advice column; in front of it lie those of the Edwards gate.
const FIRST_COLUMN: usize = 6;

#[test]
fn every_cell_is_bound() {
    // Two permutations leave rows free; inputs are witnesses here, so changing one changes the
    // hash.
    for (width, columns) in [(3, 2), (6, 6)] {
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 1 }];
        let mut test = circuit(Layout { poseidon, ..layout(9, &[]) }, width, 2);
        let shape = Rows::new(PoseidonSpec::get(width), columns);
        let survivors: Vec<_> = (0..2 * columns)
            .flat_map(|column| (0..shape.total()).map(move |row| (column, row)))
            .filter(|&(column, row)| {
                let value = Fr::from(0xbad);
                test.is_satisfied_with(Forged { column: FIRST_COLUMN + column, row, value })
            })
            .collect();
        // The rows of the state after the last round have no powers; what fills them up is free.
        let free = |&(column, row): &(usize, usize)| {
            let element = row.checked_sub(shape.output_row()).map(|row| row * columns + column);
            element.is_some_and(|element| column >= columns || element >= width)
        };
        assert!(survivors.iter().all(free), "{survivors:?}");
        let filling = shape.entries() - width;
        assert_eq!(survivors.len(), shape.entries() + filling, "width {width}, {columns} columns");
    }
}

/// A false input with its true fourth power fails the linear constraints.
#[test]
fn every_input_is_bound() {
    for (width, columns) in [(3, 2), (6, 3)] {
        let spec = PoseidonSpec::get(width);
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 1 }];
        let mut test = circuit(Layout { poseidon, ..layout(9, &[]) }, width, 2);
        let shape = Rows::new(spec, columns);
        let schedule = Schedule::new(spec, shape.entries(), shape.slots());
        let value = Fr::from(0xbad);
        for (row, offsets) in shape.offsets(&schedule).into_iter().enumerate() {
            for (column, offset) in offsets.iter().enumerate() {
                let power = (value + offset).square().square();
                let input = FIRST_COLUMN + column;
                let forged = vec![
                    Forged { column: input, row, value },
                    Forged { column: input + columns, row, value: power },
                ];
                assert!(!test.is_satisfied_with_all(forged), "row {row}, column {column}");
            }
        }
    }
}

#[test]
fn rows_and_cells() {
    for (width, columns, rows, cells) in [
        (3, 1, 84, 165),
        (3, 3, 28, 165),
        (6, 1, 114, 222),
        (6, 2, 57, 222),
        (6, 3, 38, 222),
        (6, 6, 19, 222),
    ] {
        assert_eq!(rows_each(width, columns), Some(rows));
        assert_eq!(Rows::new(PoseidonSpec::get(width), columns).cells(), cells);
    }
}

#[test]
fn the_solved_exit_is_triangular() {
    for width in MIN_WIDTH..=MAX_WIDTH {
        let schedule = Schedule::new(PoseidonSpec::get(width), width, width);
        for (i, outputs) in schedule.solved_exit.outputs.iter().enumerate() {
            assert!(outputs.iter().take(i).all(|weight| *weight == Fr::zero()));
        }
    }
}

#[test]
fn cost_of_width_three() {
    let test = circuit(layout(9, &[3]), 3, 1);
    let (_, _, cells) = test.gates().usage().poseidon[0];
    assert_eq!(cells, 165);
}

/// Each element of the state before the first round, with the whole permutation and the one that hashes on.
#[test]
fn every_element_of_a_state_is_bound() {
    for (width, columns) in [(3, 2), (5, 3), (6, 6)] {
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 1 }];
        let mut test = TestCircuit::new(Layout { poseidon, ..layout(9, &[]) }, |ctx| {
            let chip = ctx.chips.poseidon(width);
            let mut state = vec![QuantumCell::Constant(Fr::from(5))];
            let values = (1..width as u64).map(|i| Fr::from(100 + i));
            state.extend(values.map(|value| QuantumCell::Existing(ctx.load_witness(value))));
            let after = chip.permute(&state).after;
            chip.permute(&after.into_iter().map(QuantumCell::Existing).collect::<Vec<_>>());
        });
        test.assert_satisfied();
        let forger = test.forger();
        let rows = rows_each(width, columns).expect("it can be laid out");
        for first in [0, rows] {
            for element in 0..width {
                let place = (FIRST_COLUMN + element % columns, first + element / columns);
                let value = forger.value(place) + Fr::one();
                let what = format!("width {width}, row {first}, element {element}");
                test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
            }
        }
    }
}

/// Cells that each constraint computes, with all that follows from them to the end: the one constraint refuses
/// them, by itself. Behind the partial rounds constraints compute a state together, so it is given so that
/// all of them hold but one.
#[test]
fn each_constraint_is_needed() {
    for (width, columns) in [(6, 6), (17, 3)] {
        let poseidon = vec![PoseidonLayout { width, columns, lanes: 1 }];
        let mut test = circuit(Layout { poseidon, ..layout(9, &[]) }, width, 1);
        let spec = PoseidonSpec::get(width);
        let shape = Rows::new(spec, columns);
        let schedule = Schedule::new(spec, shape.entries(), shape.slots());
        let forger = test.forger();
        let mut exit = vec![];
        // The first rows of the partial rounds, and all from their last ones on.
        let each = shape.entries() / columns;
        let half = FULL_ROUNDS / 2 * each;
        let late = shape.output_row() - half;
        for row in (half..half + each).chain(late - 2..shape.total()) {
            for column in 0..2 * columns {
                let place = (FIRST_COLUMN + column, row);
                let forged = forger.rewrite(&[(place, forger.value(place) + Fr::one())]);
                // What fills up a round after the partial ones, and powers of the state at the end.
                let element = row.checked_sub(late).map(|row| row * columns + column);
                let fills = element.is_some_and(|element| element % shape.entries() >= width);
                let is_free = if column < columns { fills } else { row >= shape.output_row() };
                let is_exit = |f: &Failure| matches!(f, Failure::Gate(name, _) if name == "exit");
                match &test.failures_with(forged)[..] {
                    [] => assert!(is_free, "column {column}, row {row}"),
                    [Failure::Gate(..)] => assert!(!is_free, "column {column}, row {row}"),
                    failures if failures.iter().all(is_exit) => exit.push(place),
                    failures => panic!("column {column}, row {row}: {failures:?}"),
                }
            }
        }
        assert_eq!(exit.len(), width);
        for constraint in 0..width {
            let mut change = vec![Fr::zero(); width];
            change[constraint] = Fr::one();
            let change = solve(schedule.solved_exit.state.clone(), change);
            let starts = exit.iter().zip(change);
            let starts = starts.map(|(place, more)| (*place, forger.value(*place) + more));
            let forged = forger.rewrite(&starts.collect::<Vec<_>>());
            let failures = test.failures_with(forged);
            assert_eq!(failures.len(), 1, "{failures:?}");
        }
    }
}

/// The solution of a square system.
fn solve(mut rows: Vec<Vec<Fr>>, mut right: Vec<Fr>) -> Vec<Fr> {
    for i in 0..rows.len() {
        let pivot = (i..rows.len()).find(|row| rows[*row][i] != Fr::zero()).expect("regular");
        rows.swap(i, pivot);
        right.swap(i, pivot);
        let inverse = rows[i][i].invert().expect("not zero");
        rows[i].iter_mut().for_each(|cell| *cell *= inverse);
        right[i] *= inverse;
        let (chosen, value) = (rows[i].clone(), right[i]);
        for j in (0..rows.len()).filter(|j| *j != i) {
            let factor = rows[j][i];
            rows[j].iter_mut().zip(&chosen).for_each(|(cell, c)| *cell -= factor * c);
            right[j] -= factor * value;
        }
    }
    right
}
