use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    rows::{chain_rows, COMPRESSION, PAIRS, STATE, STEP},
    slot, Word, A, ACC, E, SHIFT, W, WIDTH,
};
use crate::{
    gate::{
        testing::{layout, TestCircuit},
        Chips, Forged, Layout,
    },
    hash::sha256::native::{compress, BLOCK, INITIAL, ROUNDS},
};

fn circuit(lanes: usize, build: impl FnOnce(&Chips)) -> TestCircuit {
    let layout = Layout { sha256_lanes: lanes, ..layout(12, &[]) };
    TestCircuit::new(layout, |_, chips| build(chips))
}

fn words(block: &[u8; BLOCK]) -> [u32; 16] {
    std::array::from_fn(|i| u32::from_be_bytes(block[4 * i..4 * i + 4].try_into().unwrap()))
}

fn random_block(rng: &mut ChaCha20Rng) -> [u8; BLOCK] {
    std::array::from_fn(|_| rng.gen())
}

/// A chain over `blocks`, checked against the native one.
fn chain(chips: &Chips, blocks: &[[u8; BLOCK]]) {
    let messages: Vec<_> =
        blocks.iter().map(|block| words(block).map(|w| Word::witness(&chips.range, w))).collect();
    let compressed = chips.sha256().compress(&chips.range, &INITIAL.map(Word::constant), &messages);
    let mut state = INITIAL;
    for (block, value) in blocks.iter().zip(&compressed.values) {
        state = compress(state, block);
        for (word, cell) in state.iter().zip(value) {
            assert_eq!(*cell.value(), Fr::from(u64::from(*word)));
        }
    }
}

/// The second of two chains of one compression: the mock prover cannot tell of a failure whose gate
/// reaches above the first row.
fn one_block(seed: u64) -> TestCircuit {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    circuit(1, |chips| {
        chain(chips, &[[0; BLOCK]]);
        chain(chips, &[random_block(&mut rng)]);
    })
}

/// Row of the second chain.
fn second(row: usize) -> usize {
    1 + chain_rows(1) + row
}

#[test]
fn compresses() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for lanes in [1, 2] {
        let layout = Layout { sha256_lanes: lanes, ..layout(14, &[]) };
        let test = TestCircuit::new(layout, |_, chips| {
            chain(chips, &[[0; BLOCK]]);
            chain(chips, &[[0xff; BLOCK], random_block(&mut rng)]);
            chain(chips, &[random_block(&mut rng), random_block(&mut rng), random_block(&mut rng)]);
            chain(chips, &[random_block(&mut rng)]);
        });
        test.assert_satisfied();
    }
}

/// Every column, on a stepped sample of rows that meets all kinds of steps.
#[test]
fn every_cell_is_bound() {
    let mut test = one_block(2);
    test.assert_satisfied();
    assert!(!test.is_satisfied_with(Forged { column: ACC, row: second(0) - 1, value: Fr::ONE }));
    let advice = test.advice();
    let rounds = |step: usize| (STATE..STATE + ROUNDS).contains(&step);
    let free = |column: usize, row: usize| {
        let (step, last) = (row / STEP, row % STEP == PAIRS);
        let round = step.wrapping_sub(STATE);
        match column {
            // Steps of hash values have bits of `w` that nobody reads.
            _ if column == W || column == W + 1 => {
                if last {
                    // The lower cell is a carry, if only of scheduled words; the upper one a word.
                    !rounds(step) || (column == W) == (round < 16)
                } else {
                    !rounds(step)
                }
            }
            3 => last && rounds(step),
            // Hash values that are taken in have no carries.
            0 | 2 => last && step < STATE,
            _ => false,
        }
    };
    for row in (0..chain_rows(1)).step_by(113).chain((16..chain_rows(1)).step_by(17 * STEP)) {
        for (column, cells) in advice.iter().enumerate().take(WIDTH) {
            let old = cells[second(row)];
            for value in [Fr::ONE - old, old + Fr::from(4)] {
                let forged = Forged { column, row: second(row), value };
                let kept = test.is_satisfied_with(forged);
                let may = free(column, row);
                assert!(!kept || may, "column {column}, row {row}");
            }
        }
    }
}

/// A carry that is false by one, made up for in the word or by another carry.
#[test]
fn carries_are_bound() {
    let mut test = one_block(3);
    test.assert_satisfied();
    let advice = test.advice();
    for step in [STATE, STATE + 20, STATE + ROUNDS - 1, STATE + ROUNDS] {
        let row = second(STEP * step + PAIRS);
        for column in [A, A + 1, E, W] {
            for value in [advice[column][row] + Fr::ONE, advice[column][row] - Fr::ONE] {
                let forged = vec![Forged { column, row, value }];
                let unread = column == W && !(STATE + 16..STATE + ROUNDS).contains(&step);
                let kept = test.is_satisfied_with_all(forged);
                assert!(!kept || unread, "step {step}, column {column}");
            }
        }
        // The words of a round next to each other in the sum: one too many here, 2^60 too few there.
        let value = advice[ACC][row - 1] + slot(1) - Fr::from(SHIFT);
        assert!(!test.is_satisfied_with(Forged { column: ACC, row: row - 1, value }));
    }
}

/// A message word that is larger than a word, so that the other sums of its step come out wrong.
#[test]
fn words_of_the_message_are_words() {
    let circuit = |more: Fr| {
        circuit(1, |chips| {
            chain(chips, &[[0; BLOCK]]);
            let mut message = [Word::constant(0); 16];
            let large = halo2_base::QuantumCell::Witness(more);
            message[3] = Word::existing(&chips.range, chips.range.check(large, 128));
            chips.sha256().compress(&chips.range, &INITIAL.map(Word::constant), &[message]);
        })
    };
    assert!(circuit(Fr::from(SHIFT - 1)).is_satisfied());
    for more in [Fr::from(SHIFT), Fr::from(SHIFT) * Fr::from(16), slot(1), -Fr::ONE] {
        assert!(!circuit(more).is_satisfied());
    }
}

#[test]
fn sums_do_not_meet() {
    // See the bound beside the weights.
    let largest = slot(3) * Fr::from(1 << 36);
    let bits = halo2_base::utils::fe_to_biguint(&largest).bits();
    assert!(bits < 253);
}

#[test]
fn rows() {
    let test = one_block(5);
    assert_eq!(test.gates().usage().sha256_rows, 2 * 72 * 17);
    assert_eq!(chain_rows(2) - chain_rows(1), COMPRESSION * STEP);
}
