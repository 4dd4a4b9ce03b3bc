//! The words that a chain takes in and gives.

use halo2_base::utils::{biguint_to_fe, fe_to_biguint};

use super::*;
use crate::{sha2::Order, GateContext};

/// A message word that is larger than a word, so that the other sums of its step come out wrong.
fn words_of_the_message_are_words<H: Twin>(bits: usize) {
    let format = format::<H>(bits);
    let circuit = |more: Fr| {
        circuit::<H>(bits, |chips| {
            let mut message = constants([0; MESSAGE]);
            let large = halo2_base::QuantumCell::Witness(more);
            message[3] = Word::existing(&chips.range, chips.range.check(large, 128));
            let first = constants(H::initial());
            H::chip(chips).compress(&chips.range, &first, &[message]);
        })
    };
    assert!(circuit(format.shift() - Fr::ONE).is_satisfied());
    let sixteen = format.shift() * Fr::from(16);
    for more in [format.shift(), sixteen, format.slot(1), -Fr::ONE] {
        assert!(!circuit(more).is_satisfied());
    }
}

#[test]
fn words_of_the_message_are_words_of_sha256() {
    words_of_the_message_are_words::<Sha256>(4);
}

#[test]
fn words_of_the_message_are_words_of_sha512() {
    for bits in [4, 16] {
        words_of_the_message_are_words::<Sha512>(bits);
    }
}

/// Words of a hash value of which one is too large by what the other is too small by: the sum that they come to is the
/// same, and their range checks are in the way, of all that goes on from them in running sums.
fn words_of_a_hash_value_are_words<H: Twin>(bits: usize) {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let mut words = vec![];
    let mut test = circuit::<H>(bits, |chips| {
        let message = constants(random_block::<H>(&mut rng));
        let first = constants(H::initial());
        let compressed = H::chip(chips).compress(&chips.range, &first, &[message]);
        words.extend(compressed.values[0].map(|word| *word.cell().value()));
    });
    test.assert_satisfied();
    let slot = format::<H>(bits).slot(1);
    for i in 0..STATE {
        for sign in [Fr::ONE, -Fr::ONE] {
            let (a, e) = (words[i], words[i + STATE]);
            let forged = replaced::<H>(&test, &[(a, a + sign * slot), (e, e - sign)]);
            assert_eq!(test.failing(forged), ["range: limb is below 2^b"], "{i}");
        }
    }
}

/// Overwrites of every cell that holds one of the first values by the second one, and of the running sums by which it is
/// range-checked.
fn replaced<H: Twin>(test: &TestCircuit, changes: &[(Fr, Fr)]) -> Vec<Forged> {
    let advice = test.advice();
    let shifted = |value: Fr, limb: usize| {
        biguint_to_fe::<Fr>(&(fe_to_biguint(&value) >> (RANGE_BITS * limb)))
    };
    let mut forged = test.replace(changes);
    let starts: Vec<_> = forged.iter().map(|cell| (cell.column, cell.row)).collect();
    for (column, row) in starts {
        let old = advice[column][row];
        let (_, new) = changes.iter().find(|change| change.0 == old).expect("replaced");
        if advice[column].get(row + 1) == Some(&shifted(old, 1)) {
            forged.extend((1..H::SPEC.word / RANGE_BITS).map(|limb| Forged {
                column,
                row: row + limb,
                value: shifted(*new, limb),
            }));
        }
    }
    forged
}

#[test]
fn words_of_a_hash_value_are_words_of_sha256() {
    words_of_a_hash_value_are_words::<Sha256>(4);
}

#[test]
fn words_of_a_hash_value_are_words_of_sha512() {
    for bits in [4, 16] {
        words_of_a_hash_value_are_words::<Sha512>(bits);
    }
}

/// Eight words of cells at the head of a block, little-endian, as Ed25519 hashes them.
fn behind_a_prefix(ctx: &mut GateContext, prefix: [u64; 8]) {
    chain::<Sha512>(ctx.chips, &[[0; MESSAGE]]);
    let mut block = constants::<Sha512, MESSAGE>([5; MESSAGE]);
    for (word, integer) in block.iter_mut().zip(prefix) {
        let cell = ctx.load_witness(Fr::from(integer));
        *word = Word::existing(ctx.range, cell).in_order(Order::Little);
    }
    let first = constants(Sha512::initial());
    ctx.chips.sha512().compress_in(ctx.range, &first, &[block], Order::Little);
}

/// Words of a prefix that are others for the hash alone are refused by copies alone, two ends of each; and one that is
/// larger than a word, which a carry of its step makes up for, by its range check alone.
#[test]
fn words_of_a_prefix_are_words() {
    let mut rng = ChaCha20Rng::seed_from_u64(14);
    let [prefix, others]: [[u64; 8]; 2] = rng.r#gen();
    let layout = Layout { range_columns: 2, ..Sha512::layout(1, 16) };
    let mut test = TestCircuit::new(layout, |ctx| behind_a_prefix(ctx, prefix));
    test.assert_satisfied();
    let advice = test.advice();
    let mut forged = test.written_by(|ctx| behind_a_prefix(ctx, others));
    // The vertical gate has the last column.
    forged.retain(|cell| cell.column + 1 < advice.len());
    assert_eq!(test.failing(forged.clone()), ["copy"]);
    assert_eq!(test.broken_copies(forged).len(), 2 * prefix.len());
    let (format, sides) = (format::<Sha512>(16), Sha512::SPEC.sides);
    let column = format.side();
    for (i, word) in prefix.into_iter().map(Fr::from).enumerate() {
        let row = advice[column].iter().position(|cell| *cell == word).expect("it is read");
        let row = row - sides.word_w + sides.carry_a;
        let carry = advice[column][row];
        let sign = if carry == Fr::ZERO { Fr::ONE } else { -Fr::ONE };
        let more = sign * format.shift() * format.slot(2).invert().expect("a power of 2");
        let mut forged = replaced::<Sha512>(&test, &[(word, word + more)]);
        forged.push(Forged { column, row, value: carry + sign });
        assert_eq!(test.failing(forged), ["range: limb is below 2^b"], "{i}");
    }
}

/// The words of a first hash value and of two blocks.
fn all_words<H: Twin>(seed: u64) -> Vec<u64> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let messages = [(); 2].map(|()| random_block::<H>(&mut rng));
    [&H::initial()[..], &messages[0], &messages[1]].concat()
}

fn other<H: Sha2>(all: &[u64], word: usize) -> u64 {
    all[word] ^ 1 << (word % H::SPEC.word)
}

fn compress<H: Twin>(chips: &Chips, all: &[Word<H>]) {
    let (first, messages) = all.split_at(WORDS);
    let messages: Vec<[Word<H>; MESSAGE]> =
        messages.chunks(MESSAGE).map(|words| words.try_into().unwrap()).collect();
    H::chip(chips).compress(&chips.range, first.try_into().unwrap(), &messages);
}

/// Chains from another start: with another word of the first hash value, or of a message, everything that follows from
/// it holds, and what binds the word is a copy alone. The words are constants, or cells that are given.
fn chains_start_with<H: Twin>(bits: usize, are_cells: bool, words: impl Iterator<Item = usize>) {
    let all = all_words::<H>(8);
    let build = |chips: &Chips, changed: Option<usize>| {
        let words = all.iter().enumerate().map(|(i, integer)| {
            let given = are_cells.then(|| Word::witness(&chips.range, word::<H>(*integer)));
            let constant = |integer: u64| Word::constant(word::<H>(integer));
            if changed == Some(i) {
                constant(other::<H>(&all, i))
            } else {
                given.unwrap_or_else(|| constant(*integer))
            }
        });
        let words: Vec<_> = words.collect();
        compress::<H>(chips, &words);
    };
    let mut test = circuit::<H>(bits, |chips| build(chips, None));
    test.assert_satisfied();
    for word in words {
        let forged = test.written_by(|ctx| {
            chain::<H>(ctx.chips, &[[0; MESSAGE]]);
            build(ctx.chips, Some(word));
        });
        assert!(forged.len() > 100, "{word}");
        let start = Fr::from(other::<H>(&all, word));
        test.assert_only_a_copy_refuses(&word.to_string(), forged, start);
    }
}

/// Words of the first hash value and of a block, each `step`th, and some of the next block.
fn some_words(step: usize) -> impl Iterator<Item = usize> {
    let second = WORDS + MESSAGE;
    (0..second).step_by(step).chain((second..second + MESSAGE).step_by(5))
}

#[test]
fn chains_of_sha256_start_with_the_words_that_were_given() {
    chains_start_with::<Sha256>(4, false, some_words(1));
}

#[test]
fn chains_of_sha512_start_with_the_words_that_were_given() {
    for (bits, number) in sampled([(16, 1), (8, 5), (4, 7)], 3) {
        chains_start_with::<Sha512>(bits, false, some_words(number));
    }
}

#[test]
fn chains_of_sha256_start_with_the_cells_that_were_given() {
    chains_start_with::<Sha256>(4, true, 0..WORDS + MESSAGE);
}

#[test]
fn chains_of_sha512_start_with_the_cells_that_were_given() {
    chains_start_with::<Sha512>(16, true, 0..WORDS + MESSAGE);
}
