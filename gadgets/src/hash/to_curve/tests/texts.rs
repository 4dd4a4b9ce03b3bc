//! Lies about the words of messages, and about bits.

use halo2_base::{halo2_proofs::halo2curves::ff::Field, utils::fe_to_biguint, QuantumCell};

use super::{
    expand::{bits, Mask, BITS},
    message::split_of_hint,
    *,
};
use muster_forgery::{forger::Failure, testing::Walk};
use muster_gates::{
    sha2::{Sha256, Word},
    vertical::assert_equal,
};

/// Room in one column for sums.
fn narrow() -> Layout {
    Layout { vertical_columns: 1, ..room(13, &[]) }
}

/// A half of so many bytes, split by these hints.
fn split(half: BigUint, bytes: usize, words: &[u32], rest: impl Into<BigUint>) -> TestCircuit {
    split_behind(0, half, bytes, words, rest)
}

/// The same behind others that are 0.
fn split_behind(
    before: usize,
    half: BigUint,
    bytes: usize,
    words: &[u32],
    rest: impl Into<BigUint>,
) -> TestCircuit {
    TestCircuit::new(narrow(), |ctx| {
        let words: Vec<_> = words.iter().map(|word| BigUint::from(*word)).collect();
        for _ in 0..before {
            let zero = BigUint::default();
            let half = ctx.load_zero();
            split_of_hint(ctx, (half, bytes), &vec![zero.clone(); words.len()], &zero);
        }
        let half = ctx.load_witness(biguint_to_fe(&half));
        split_of_hint(ctx, (half, bytes), &words, &rest.into());
    })
}

/// The half of these words and of `rest`, whose lowest bit counts `2^place`.
fn half(words: [u32; 2], (rest, place): (u64, usize)) -> BigUint {
    let [a, b] = words.map(BigUint::from);
    (a << 96usize) + (b << 64usize) + (BigUint::from(rest) << place)
}

#[test]
fn nothing_stands_behind_a_message() {
    // Ten bytes: two words and two bytes.
    let honest = half([7, 9], (0xabcd, 48));
    split(honest.clone(), 10, &[7, 9], 0xabcd_u64).assert_satisfied();
    for before in [0, 1] {
        let split = |half, rest: u64| split_behind(before, half, 10, &[7, 9], rest);
        split(honest.clone(), 0xabce).assert_sum_is_bound(3);
        split(honest.clone() + 1u8, 0xabcd).assert_sum_is_bound(3);
        // Fifteen bytes are as many parts as there can be.
        let most = half([7, 9], (5, 32)) + (0xabcd_u32 << 8);
        split_behind(before, most, 15, &[7, 9, 5], 0xabce_u64).assert_sum_is_bound(4);
    }
    // As much as a word more in the last bytes, and one less in the word.
    let mut longer = split(honest, 10, &[7, 8], 0x1_abcd_u64);
    assert!(longer.fails_range_checks_alone(vec![]));
}

/// A fraction in the field, which is short once it is moved up as far as short ones are: alone, and behind a part that is short.
#[test]
fn bytes_behind_the_last_word_are_no_fraction() {
    let rest = Fr::from(1 << 8).invert().expect("not 0");
    let half = Fr::from(1 << 56).square() * rest;
    for before in [0, 1] {
        let mut test = TestCircuit::new(narrow(), |ctx| {
            let honest = [(Fr::ZERO, Fr::ZERO); 1];
            for (half, rest) in honest[..before].iter().chain([&(half, rest)]) {
                let half = ctx.load_witness(*half);
                split_of_hint(ctx, (half, 2), &[], &fe_to_biguint(rest));
            }
        });
        assert!(test.fails_range_checks_alone(vec![]), "{before}");
    }
}

/// A word that is longer than any range check of a word lets pass, as `gates/src/sha2` has it: the first in a half that is too long
/// itself, the second with less in the first.
#[test]
fn words_of_a_message_are_short() {
    let words = [0x0123_4567, 0x89ab_cdef];
    let honest = half(words, (0xabcd, 48));
    let mut test = split(honest.clone(), 10, &words, 0xabcd_u64);
    let [first, second] = words.map(|word| Fr::from(u64::from(word)));
    let (honest, more) = (biguint_to_fe(&honest), Fr::from(1 << 45));
    let longer = (honest, honest + more * biguint_to_fe::<Fr>(&(BigUint::from(1u8) << 96usize)));
    for changes in [
        vec![(first, first + more), longer],
        vec![(first, first - Fr::from(1 << 13)), (second, second + more)],
    ] {
        let forger = test.forger();
        // Wherever they are copied to.
        let cells = test.replace(&changes).into_iter();
        let starts: Vec<_> = cells.map(|cell| ((cell.column, cell.row), cell.value)).collect();
        // One limb is too large, and nothing else is.
        let failures = test.failures_with(forger.rewrite(&starts));
        let [Failure::Lookup(name, _)] = &failures[..] else { panic!("{failures:?}") };
        assert!(name.starts_with("range"), "{name}");
    }
}

/// Messages that end at each place of a word, and in each word of a half, each of them twice: the halves are given and all words but
/// one, and whatever else is rewritten is refused. Range checks leave a word more than its bits until SHA-256 reads it, so two words
/// that nothing gives could make up for each other. What stands behind them fills the last word.
#[test]
fn words_of_messages_are_determined() {
    let (mut all_sums, mut all_copies) = (0, 0);
    for (bytes, free) in (1..=17).flat_map(|bytes| (0..=bytes / 4).map(move |free| (bytes, free))) {
        let mut given = vec![];
        let test = TestCircuit::new(narrow(), |ctx| {
            for _ in 0..2 {
                let (text, behind) = (vec![0x5a; bytes], vec![0xc3; 4 - bytes % 4]);
                let row = ctx.advice.len();
                let message = message(ctx, &text);
                let all = [text, behind.clone()].concat();
                let numbers: Vec<_> = all.chunks(4).map(BigUint::from_bytes_be).collect();
                let expected = ctx.assign_witnesses(numbers.iter().map(biguint_to_fe));
                given.extend(row..ctx.advice.len());
                let words = message.words(ctx, &behind);
                let values = words.iter().map(|word| fe_to_biguint(word.cell().value()));
                assert!(values.eq(numbers), "{bytes}");
                for (i, (word, expected)) in words.iter().zip(&expected).enumerate() {
                    match word.cell() {
                        QuantumCell::Existing(cell) if i != free => {
                            assert_equal(ctx, &cell, expected);
                        }
                        // A constant is one that the circuit and whoever reads it agree on.
                        _ => {}
                    }
                }
            }
        });
        test.assert_satisfied();
        let Walk { sums, copies } = test.walk_from_everywhere(given);
        (all_sums, all_copies) = (all_sums + sums, all_copies + copies);
    }
    assert!(all_sums > 50 && all_copies > 200, "{all_sums}, {all_copies}");
}

/// A word that differs from 5, for hints of the bits of both.
fn differing(words: [u32; 2], hints: [Option<Vec<Fr>>; 2], found: Option<u32>) -> TestCircuit {
    TestCircuit::new(narrow(), |ctx| {
        let [first, second]: [Word<Sha256>; 2] = words.map(|word| Word::witness(ctx.range, word));
        let [a, b] = hints;
        let mask = Mask::of_hint(ctx, first, &a.unwrap_or_else(|| bits(&first)));
        let hints = b.unwrap_or_else(|| bits(&second));
        let word = mask.differing_of_hint(ctx, &second, &hints);
        if let Some(found) = found {
            assert_eq!(fe_to_biguint(word.cell().value()), found.into());
        }
    })
}

#[test]
fn bits_are_bits_of_their_word() {
    let words = [0x8000_0006, 0xffff_fffa];
    differing(words, [None, None], Some(words[0] ^ words[1])).assert_satisfied();
    let numbers = |low: [u64; 3]| {
        let mut all = vec![Fr::ZERO; BITS];
        all.iter_mut().zip(low).for_each(|(bit, low)| *bit = Fr::from(low));
        Some(all)
    };
    // 6 = 3·2, 12 = 3·4.
    for (word, low) in [(6, [0, 3, 0]), (12, [0, 0, 3])] {
        for hints in [[numbers(low), None], [None, numbers(low)]] {
            differing([word; 2], hints, None).assert_bit_is_bound(Fr::from(3));
        }
    }
    let ones = Some(vec![Fr::ONE; BITS]);
    for hints in [[ones.clone(), None], [None, ones]] {
        differing([u32::MAX - 1; 2], hints, None).assert_sum_is_bound(BITS - 1);
    }
}

/// All is bound, but the words, which are given.
#[test]
fn bits_of_words_are_determined() {
    let test = TestCircuit::new(narrow(), |ctx| {
        let cells = [0x8000_0006u32, 0xffff_fffa].map(|word| Fr::from(u64::from(word)));
        let words = ctx.assign_witnesses(cells);
        let words: Vec<_> = words.into_iter().map(|cell| Word::existing(ctx.range, cell)).collect();
        let mask = Mask::new(ctx, words[0]);
        for word in &words {
            mask.differing(ctx, word);
        }
    });
    test.assert_satisfied();
    assert_eq!(test.open_values_given(0..2), (vec![], 0));
    assert_eq!(test.open_classes_given(0..2), (vec![], 0));
}
