use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::biguint_to_fe,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{
    columns::{slot, ACC, CHECKED, SHIFT, SIDE, W},
    rows::{
        chain_rows, CARRY_A, CARRY_E, CARRY_E_MORE, CARRY_W, COMPRESSION, MESSAGE, STATE, STEP,
        WORD_A, WORD_E, WORD_W,
    },
    Word,
};
use crate::{
    gate::{
        testing::{layout, TestCircuit},
        Chips, Forged, Layout,
    },
    hash::sha256::native::{compress, BLOCK, INITIAL, ROUNDS},
};

/// Bits of a lookup of these circuits.
const RANGE_BITS: usize = 8;

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
            assert_eq!(*cell.cell().value(), Fr::from(u64::from(*word)));
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
    chain_rows(1) + row
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

/// What reads a cell beside the running sum.
fn is_read(step: usize, row: usize) -> bool {
    let sum = step >= STATE + ROUNDS;
    let round = step.checked_sub(STATE).filter(|_| !sum);
    match row {
        WORD_A | WORD_E => round.is_none(),
        WORD_W => round.is_some_and(|round| round < MESSAGE),
        CARRY_A | CARRY_E => round.is_some() || sum,
        CARRY_E_MORE => round.is_some(),
        CARRY_W => round.is_some_and(|round| round >= MESSAGE),
        _ => false,
    }
}

/// Every column, on a sample of rows that meets all kinds of steps.
#[test]
fn every_cell_is_bound() {
    let mut test = one_block(2);
    test.assert_satisfied();
    let advice = test.advice();
    // Steps of hash values have bits of `w` that nobody reads.
    let read = |column: usize, row: usize| {
        let step = row / STEP;
        match column {
            SIDE => is_read(step, row % STEP),
            _ if (W..ACC).contains(&column) => (STATE..STATE + ROUNDS).contains(&step),
            _ => true,
        }
    };
    // All rows of a step of each kind beside the sums, and a sample of bits.
    let steps = [0, STATE, STATE + 40, STATE + ROUNDS - 1, STATE + ROUNDS];
    let sums = steps.iter().flat_map(|step| STEP * step..STEP * (step + 1));
    let sums = sums.flat_map(|row| [(ACC, row), (SIDE, row)]);
    let bits = steps.iter().map(|step| STEP * step).chain((5..chain_rows(1)).step_by(113));
    let bits = bits.flat_map(|row| (0..ACC).map(move |column| (column, row)));
    for (column, row) in sums.chain(bits) {
        let old = advice[column][second(row)];
        let more = if column < ACC { None } else { Some(old + Fr::from(4)) };
        for value in more.into_iter().chain([Fr::ONE - old]) {
            let forged = Forged { column, row: second(row), value };
            let kept = test.is_satisfied_with(forged);
            assert!(!kept || !read(column, row), "column {column}, row {row}");
        }
    }
}

/// A cell that is false by one, with all running sums behind it in its step as the terms would have
/// them: what the step comes to tells.
#[test]
fn sums_cannot_begin_elsewhere() {
    let mut test = one_block(4);
    let advice = test.advice();
    for step in [0, STATE, STATE + 30, STATE + ROUNDS] {
        for more in [Fr::ONE, slot(1), -slot(2), Fr::from(SHIFT)] {
            let mut more = more;
            let forged = (0..STEP).map(|row| {
                let row = second(STEP * step + row);
                let value = advice[ACC][row] + more;
                more *= Fr::from(16);
                Forged { column: ACC, row, value }
            });
            let forged: Vec<_> = forged.collect();
            assert_eq!(test.failing(forged), ["end of a step", "running sum"], "step {step}");
        }
    }
}

/// A carry that is false by one, made up for in a word or by another carry.
#[test]
fn carries_are_bound() {
    let mut test = one_block(3);
    test.assert_satisfied();
    let advice = test.advice();
    for step in [STATE, STATE + 20, STATE + ROUNDS - 1, STATE + ROUNDS] {
        let side = |row: usize| second(STEP * step + row);
        for row in [CARRY_A, CARRY_E, CARRY_E_MORE, CARRY_W] {
            for more in [Fr::ONE, -Fr::ONE] {
                let value = advice[SIDE][side(row)] + more;
                let kept = test.is_satisfied_with(Forged { column: SIDE, row: side(row), value });
                assert!(!kept || !is_read(step, row), "step {step}, row {row}");
            }
        }
        // The words of a round next to each other in the sum: one too many here, 2^60 too few there.
        let row = side(STEP - 1);
        let value = advice[ACC][row] + slot(1) - Fr::from(SHIFT);
        assert!(!test.is_satisfied_with(Forged { column: ACC, row, value }));
    }
}

/// A word of the message with a carry, as if it were scheduled, and a scheduled one that a cell makes
/// up for.
#[test]
fn messages_have_no_carries_and_scheduled_words_no_message() {
    let mut test = one_block(6);
    let advice = test.advice();
    for (round, row) in [(3, CARRY_W), (30, WORD_W)] {
        let row = second(STEP * (STATE + round) + row);
        // Free, since nothing reads it; so no bit can be false by it either.
        let free = Forged { column: SIDE, row, value: Fr::ONE };
        assert!(test.is_satisfied_with(free));
        let bits = second(STEP * (STATE + round) + STEP - 1);
        let value = Fr::ONE - advice[W][bits];
        assert!(!test.is_satisfied_with_all(vec![free, Forged { column: W, row: bits, value }]));
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

/// Words of a hash value of which one is too large by what the other is too small by: the sum that they come
/// to is the same, and their range checks are in the way, of all that goes on from them in running sums.
#[test]
fn words_of_a_hash_value_are_words() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let mut words = vec![];
    let mut test = circuit(1, |chips| {
        chain(chips, &[[0; BLOCK]]);
        let message = self::words(&random_block(&mut rng)).map(Word::constant);
        let first = INITIAL.map(Word::constant);
        let compressed = chips.sha256().compress(&chips.range, &first, &[message]);
        words.extend(compressed.values[0].map(|word| *word.cell().value()));
    });
    test.assert_satisfied();
    let advice = test.advice();
    let shifted = |value: Fr, limb: usize| {
        biguint_to_fe::<Fr>(&(halo2_base::utils::fe_to_biguint(&value) >> (RANGE_BITS * limb)))
    };
    for i in 0..STATE {
        for sign in [Fr::ONE, -Fr::ONE] {
            let (a, e) = (words[i], words[i + STATE]);
            let changes = [(a, a + sign * slot(1)), (e, e - sign)];
            let mut forged = test.replace(&changes);
            let starts: Vec<_> = forged.iter().map(|cell| (cell.column, cell.row)).collect();
            for (column, row) in starts {
                let old = advice[column][row];
                let (_, new) = changes.iter().find(|change| change.0 == old).expect("replaced");
                if advice[column].get(row + 1) == Some(&shifted(old, 1)) {
                    forged.extend((1..32 / RANGE_BITS).map(|limb| Forged {
                        column,
                        row: row + limb,
                        value: shifted(*new, limb),
                    }));
                }
            }
            assert_eq!(test.failing(forged), ["range: limb is below 2^b"], "{i}");
        }
    }
}

/// Chains from another start: with another word of the first hash value, or of a message, everything that
/// follows from it holds, and what binds the word is a copy alone.
#[test]
fn chains_start_with_the_words_that_were_given() {
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let messages = [(); 2].map(|()| words(&random_block(&mut rng)));
    let all = [&INITIAL[..], &messages[0], &messages[1]].concat();
    let other = |word: usize| all[word] ^ 1 << (word % 32);
    let build = |chips: &Chips, changed: Option<usize>| {
        chain(chips, &[[0; BLOCK]]);
        let mut all = all.clone();
        if let Some(word) = changed {
            all[word] = other(word);
        }
        let all: Vec<_> = all.iter().copied().map(Word::constant).collect();
        let (first, messages) = all.split_at(INITIAL.len());
        let messages: Vec<[Word; MESSAGE]> =
            messages.chunks(MESSAGE).map(|words| words.try_into().unwrap()).collect();
        chips.sha256().compress(&chips.range, first.try_into().unwrap(), &messages);
    };
    let mut test = circuit(1, |chips| build(chips, None));
    test.assert_satisfied();
    // All words of a block, and some of the next one.
    let second = INITIAL.len() + MESSAGE;
    for word in (0..second).chain((second..all.len()).step_by(5)) {
        let forged = test.written_by(|_, chips| build(chips, Some(word)));
        assert!(forged.len() > 100, "{word}");
        let start = Fr::from(u64::from(other(word)));
        test.assert_only_a_copy_refuses(&word.to_string(), forged, start);
    }
}

/// The same of words that are cells, not constants.
#[test]
fn chains_start_with_the_cells_that_were_given() {
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    let messages = [(); 2].map(|()| words(&random_block(&mut rng)));
    let all = [&INITIAL[..], &messages[0], &messages[1]].concat();
    let other = |word: usize| all[word] ^ 1 << (word % 32);
    let build = |chips: &Chips, changed: Option<usize>| {
        chain(chips, &[[0; BLOCK]]);
        let all = all.iter().enumerate().map(|(i, word)| {
            let given = Word::witness(&chips.range, *word);
            if Some(i) == changed {
                Word::constant(other(i))
            } else {
                given
            }
        });
        let all: Vec<_> = all.collect();
        let (first, messages) = all.split_at(INITIAL.len());
        let messages: Vec<[Word; MESSAGE]> =
            messages.chunks(MESSAGE).map(|words| words.try_into().unwrap()).collect();
        chips.sha256().compress(&chips.range, first.try_into().unwrap(), &messages);
    };
    let mut test = circuit(1, |chips| build(chips, None));
    test.assert_satisfied();
    for word in 0..INITIAL.len() + MESSAGE {
        let forged = test.written_by(|_, chips| build(chips, Some(word)));
        assert!(forged.len() > 100, "{word}");
        let start = Fr::from(u64::from(other(word)));
        test.assert_only_a_copy_refuses(&word.to_string(), forged, start);
    }
}

#[test]
fn sums_do_not_meet() {
    // What a step's sum may differ from the words that it comes to, in each slot.
    let difference = (1 << 36) + (1u64 << CHECKED);
    assert!(difference < 1 << 59);
    let largest = slot(3) * Fr::from(difference);
    let bits = halo2_base::utils::fe_to_biguint(&largest).bits();
    assert!(bits + 1 < 253);
}

#[test]
fn rows() {
    let test = one_block(5);
    assert_eq!(test.gates().usage().sha256_rows, 2 * 72 * 8);
    assert_eq!(chain_rows(2) - chain_rows(1), COMPRESSION * STEP);
}
