use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};

use super::*;
use crate::{
    chain,
    forgery::testing::{layout, TestCircuit},
    Forged, Layout,
};

/// Rows that are kept for constants.
const ROWS: usize = 64;
/// Index of the vertical column: behind six of the Edwards gate and one of range checks.
const COLUMN: usize = 7;

/// Loads each of `constants`; the cells are the first of the column.
fn circuit(constants: &[Fr]) -> TestCircuit {
    TestCircuit::new(Layout { constant_rows: ROWS, ..layout(9, &[]) }, |ctx| {
        for constant in constants {
            ctx.load_constant(*constant);
        }
    })
}

fn samples() -> Vec<Fr> {
    vec![Fr::ZERO, Fr::ONE, -Fr::ONE, shift(), Fr::from(0xbeef)]
}

#[test]
fn constants_of_all_kinds() {
    circuit(&samples()).assert_satisfied();
    // A constant that is asked for twice has one cell.
    let twice: Vec<_> = samples().into_iter().chain(samples()).collect();
    circuit(&twice).assert_satisfied();
}

/// A constant with all its copies forged: nothing but the gate speaks against it.
#[test]
fn constants_cannot_be_forged() {
    let constants = samples();
    let mut test = circuit(&constants);
    let first = test.advice()[COLUMN].len() - ROWS;
    let mut sorted = constants.clone();
    sorted.sort();
    for (row, constant) in constants.iter().enumerate() {
        let place = sorted.iter().position(|c| c == constant).expect("each has a cell");
        for value in [*constant + Fr::ONE, *constant - shift(), -*constant - Fr::ONE] {
            let cell = |row| Forged { column: COLUMN, row, value };
            assert!(!test.is_satisfied_with_all(vec![cell(row), cell(first + place)]));
            // Alone the copy gives it away.
            assert!(!test.is_satisfied_with(cell(row)));
        }
    }
}

/// A constant with all its copies, and with the sum and the running sum that go on from it.
#[test]
fn nothing_but_the_gate_refuses_another_constant() {
    let thousand = Fr::from(1_000);
    let mut test = TestCircuit::new(Layout { constant_rows: ROWS, ..layout(9, &[]) }, |ctx| {
        let terms = [3, 5].map(|c| [c, c + 1].map(|c| QuantumCell::Witness(Fr::from(c))).into());
        let sum = chain::sum(ctx, QuantumCell::Constant(thousand), &terms);
        ctx.range.check(sum, 24);
        ctx.load_constant(thousand);
    });
    test.assert_satisfied();
    let forger = test.forger();
    let cells = forger.bound_to((COLUMN, 0));
    assert_eq!(cells.len(), 3, "the start of the sum, the other use, and what is loaded");
    let starts: Vec<_> = cells.into_iter().map(|place| (place, Fr::from(2_000))).collect();
    let forged = forger.rewrite(&starts);
    assert!(forged.len() > starts.len() + 3, "the sum and its range check go on from it");
    assert_eq!(test.failing(forged), ["loaded"]);
}

#[test]
#[should_panic(expected = "the constants fit their rows")]
fn too_many_constants() {
    circuit(&(0..=ROWS as u64).map(Fr::from).collect::<Vec<_>>()).is_satisfied();
}

#[test]
#[should_panic(expected = "a row that loads nothing binds nothing")]
fn the_one_constant_that_cannot_be_loaded() {
    circuit(&[-shift()]).is_satisfied();
}
