//! One thing that is false, and everything that follows from it: what is false is the only thing that refuses it.

use super::{
    super::{
        sparse::Digits,
        trace::{permutation_of, Step},
    },
    *,
};

/// A digit of a word that lies in a chunk of its own wherever the word is turned.
const DIGIT: usize = 20;
/// A round in which a lie is told.
const LYING: usize = 7;

/// Another digit, of another parity.
fn turn(digit: &mut u8) {
    *digit ^= 1;
}

/// What refuses the permutation of `words` in which a prover says this of the round `lying`.
fn refusing(
    test: &mut TestCircuit,
    words: &[u64],
    lying: usize,
    says: impl Fn(Step, &mut [Digits]),
) -> Vec<String> {
    let words: Vec<_> = words.iter().map(|word| spread(*word)).collect();
    let advice = test.advice();
    let rows = permutation_of(&words, |round, step, words| {
        if round == lying {
            says(step, words);
        }
    });
    let cells = rows.iter().enumerate().flat_map(|(row, cells)| {
        let cells = cells.iter().enumerate();
        cells.map(move |(column, value)| Forged { column, row, value: *value })
    });
    let forged: Vec<_> = cells.filter(|cell| cell.value != advice[cell.column][cell.row]).collect();
    assert!(!forged.is_empty());
    test.failing(forged)
}

/// Each lane of a round is the word that the state before makes it.
#[test]
fn lanes_are_bound() {
    let words = random_state(19);
    let mut test = one_permutation(19);
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        let failing = refusing(&mut test, &words, LYING, |step, words| {
            if step == (Step::Lane { x, y }) {
                turn(&mut words[0][DIGIT]);
            }
        });
        assert_eq!(failing, ["lane"], "{x}, {y}");
    }
}

/// The sum of each column is that of its five lanes.
#[test]
fn sums_of_columns_are_bound() {
    let words = random_state(23);
    let mut test = one_permutation(23);
    for column in 0..SIDE {
        let failing = refusing(&mut test, &words, LYING, |step, sums| {
            if step == Step::Sums {
                turn(&mut sums[column][DIGIT]);
            }
        });
        assert_eq!(failing, ["column"], "{column}");
    }
}

/// Digits are not looked up as a byte: 2 is the digit 2, whose parity is 0, and not a bit in the next place.
#[test]
fn sums_of_columns_are_no_bytes() {
    // Two lanes of a column have the same bit.
    let mut words = vec![0; SIDE * SIDE];
    [words[0], words[SIDE]] = [1; 2];
    let mut test =
        circuit(1, |chips| drop(chips.keccak().permute_without_last_constant(&witnesses(&words))));
    test.assert_satisfied();
    let failing = refusing(&mut test, &words, 0, |step, words| match step {
        Step::Sums => assert_eq!(words[0][..2], [2, 0]),
        Step::Columns => words[0][1] = 1,
        Step::Lane { .. } => {}
    });
    assert_eq!(failing, ["keccak: parities of columns"]);
}

/// Nor is a byte looked up as digits.
#[test]
fn bytes_are_no_digits() {
    let mut test = circuit(1, |chips| {
        chips.keccak().spread_half(QuantumCell::Witness(Fr::from(2)));
    });
    test.assert_satisfied();
    // The lowest byte comes first, and the word of its lane goes on for eight rows.
    let mut forged = vec![Forged { column: Y, row: 1, value: Fr::ZERO }];
    forged.extend((1..9).map(|row| Forged { column: V, row, value: Fr::ZERO }));
    assert_eq!(test.failing(forged), ["keccak: parities"]);
}
