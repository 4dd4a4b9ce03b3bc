//! Limbs cut into words, and lies about the pieces.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{biguint_to_fe, fe_to_biguint, modulus},
};
use num_bigint::{BigUint, RandBigInt};
use num_traits::One;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::super::{
    chip::ForeignField,
    integer::element,
    regroup::{element_bits, elements, elements_of_hint, split_of_hint, words, words_apart},
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    foreign::{ForeignChip, ForeignLayout},
    vertical, GateContext, Layout,
};
use muster_schemes::curve::weierstrass::Curve;

const WORD: usize = 64;

fn circuit(range_bits: usize, build: impl FnOnce(&mut GateContext)) -> TestCircuit {
    let equations = ForeignField::new(Curve::Edwards25519.p()).all();
    let foreign = ForeignLayout::new(&modulus::<Fr>(), range_bits, 4, &equations);
    let k = if range_bits > 12 { range_bits as u32 + 1 } else { 13 };
    let layout = Layout { range_bits, foreign: vec![foreign], ..layout(k, &[]) };
    TestCircuit::new(layout, |ctx| {
        (0..4).for_each(|_| drop(element(ctx.chips.foreign(), &BigUint::ZERO)));
        build(ctx);
    })
}

fn digits(number: &BigUint, count: usize) -> Vec<Fr> {
    digits_of(WORD, number, count)
}

fn digits_of(bits: usize, number: &BigUint, count: usize) -> Vec<Fr> {
    let mask = (BigUint::one() << bits) - 1u8;
    (0..count).map(|i| biguint_to_fe(&((number >> (bits * i)) & &mask))).collect()
}

/// There and back, with lookups of all lengths.
#[test]
fn words_and_elements() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for range_bits in 8..=16 {
        let top = (BigUint::one() << 255) - 1u8;
        for number in [BigUint::ZERO, top, rng.gen_biguint(255)] {
            let test = circuit(range_bits, |ctx| {
                let number_in_circuit = element(ctx.chips.foreign(), &number);
                let widths = number_in_circuit.shape().widths();
                let limbs: Vec<_> = number_in_circuit.limbs().iter().copied().zip(widths).collect();
                let found = words(ctx, &limbs, WORD);
                let values: Vec<_> = found.iter().map(|word| *word.value()).collect();
                assert_eq!(values, digits(&number, 4));
                let found = elements(ctx, ctx.chips.foreign(), &found, WORD);
                let each = element_bits(ctx.chips.foreign());
                let sum = found
                    .iter()
                    .rev()
                    .fold(BigUint::ZERO, |sum, element| (sum << each) + element.value());
                assert_eq!(sum, number);
            });
            test.assert_satisfied();
        }
    }
}

/// Another word than the limbs make, of words of many pieces: whatever a prover changes on the way is refused.
#[test]
fn words_of_numbers_apart_are_bound() {
    const STRIDE: usize = 264;
    for word in 0..3 {
        let mut claims = vec![];
        let test = circuit(8, |ctx| {
            let third: BigUint = (BigUint::one() << 255) / 3u8;
            let limbs: Vec<Vec<_>> = [third.clone(), third >> 1]
                .iter()
                .map(|number| {
                    let number = element(ctx.chips.foreign(), number);
                    let widths = number.shape().widths();
                    number.limbs().iter().copied().zip(widths).collect()
                })
                .collect();
            let above = ctx.load_witness(Fr::from(77));
            let words = words_apart(ctx, (&limbs, STRIDE), 192, (above, 60));
            assert_eq!(words.len(), 3);
            let cells = limbs.iter().flatten().map(|(cell, _)| *cell).chain([above]);
            let given = cells.map(|cell| (cell, *cell.value()));
            let other = (words[word], *words[word].value() + Fr::one());
            for (cell, value) in given.chain([other]).collect::<Vec<_>>() {
                claims.push(ctx.advice.len());
                let claim = ctx.load_witness(value);
                vertical::assert_equal(ctx, &cell, &claim);
            }
        });
        let walk = test.walk(claims);
        assert!(walk.sums >= 1 && walk.copies >= 4, "{word}: {walk:?}");
    }
}

/// A limb in three pieces, by hints that move bits up or down: range checks alone refuse them, where the
/// pieces are whole lookups and where they are not.
#[test]
fn pieces_are_short() {
    let widths = [16, 24, 8];
    for range_bits in [8, 10, 13] {
        let number = BigUint::from(0x1234_5678_9abc_u64);
        let build_of = |hints: [BigUint; 3]| {
            circuit(range_bits, |ctx| {
                let limb = ctx.load_witness(biguint_to_fe(&number));
                split_of_hint(ctx, limb, &widths, &hints);
                ctx.chips.foreign().enter_all();
            })
        };
        let build = |hints: [u64; 3]| build_of(hints.map(BigUint::from));
        let [low, middle, high] = [0x9abc_u64, 0x34_5678, 0x12];
        build([low, middle, high]).assert_satisfied();
        for hints in [
            [low + (1 << 16), middle - 1, high],
            [low, middle + (1 << 24), high - 1],
            [low + (3 << 16), middle - 3, high],
        ] {
            assert!(build(hints).fails_range_checks_alone(vec![]), "{range_bits} {hints:?}");
        }
        // A fraction of the native field in the highest piece makes up for a lower one.
        let rest = Fr::from(0x12) - Fr::from(1 << 40).invert().expect("not 0");
        let hints = [(low + 1).into(), middle.into(), fe_to_biguint(&rest)];
        assert!(build_of(hints).fails_range_checks_alone(vec![]), "{range_bits}");
        let other = [low + 1, middle, high];
        assert!(!build(other).is_satisfied());
    }
}

/// Other pieces than those of the limb, alone and behind the right ones, and whatever could make up for them.
#[test]
fn pieces_make_the_limb() {
    for is_behind in [false, true] {
        let mut row = 0;
        let test = circuit(8, |ctx| {
            let mut split = |hints: [u64; 3]| {
                row = ctx.advice.len();
                let limb = ctx.load_witness(Fr::from(0x1234_5678_9abc));
                split_of_hint(ctx, limb, &[16, 24, 8], &hints.map(BigUint::from));
            };
            if is_behind {
                split([0x9abc, 0x34_5678, 0x12]);
            }
            split([0x9abd, 0x34_5679, 0x12]);
        });
        let walk = test.walk([row]);
        assert!(walk.sums >= 2 && walk.copies >= 5, "{walk:?}");
    }
}

/// Limbs above the whole ones that are all 1, and the cell of the context that they are to be equal to.
#[test]
fn limbs_above_the_whole_ones_are_0() {
    const WORDS: usize = 8;
    let number = ChaCha20Rng::seed_from_u64(4).gen_biguint((WORD * WORDS) as u64);
    let mut test = circuit(12, |ctx| {
        let chip = ctx.chips.foreign();
        let words = ctx.assign_witnesses(digits(&number, WORDS));
        let (each, format) = (element_bits(chip), chip.block().format());
        let hint = |(i, part): (usize, BigUint)| {
            let left = (WORD * WORDS - each * i).min(each);
            let above = (0..format.limbs()).map(|limb| limb * format.limb_bits());
            let ones = above.filter(|place| *place >= left);
            ones.fold(part, |hint, place| hint + (BigUint::one() << place))
        };
        let hints = hints(chip, &number, WORD * WORDS).into_iter().enumerate();
        let hints: Vec<_> = hints.map(hint).collect();
        elements_of_hint(ctx, chip, (&words, WORD), &hints);
    });
    assert_eq!(test.failing(vec![]), ["copy"]);
    // The first cell behind the words.
    let zero = test.in_row(WORDS, Fr::one());
    assert_eq!(test.advice()[zero.column][zero.row], Fr::zero());
    assert_eq!(test.failing(vec![zero]), ["copy"]);
}

/// Words of pieces of limbs, two of which are other ones, and whatever could make up for it. The longer words are made of five
/// pieces.
#[test]
fn words_are_their_pieces() {
    for (bits, count) in [(WORD, 8), (170, 3)] {
        let number = ChaCha20Rng::seed_from_u64(5).gen_biguint((bits * count) as u64);
        for word in 0..count {
            let test = circuit(10, |ctx| {
                let chip = ctx.chips.foreign();
                assert_eq!(chip.block().format().limb_bits(), 40);
                let words = ctx.assign_witnesses(digits_of(bits, &number, count));
                let ends = (BigUint::one() << (bits - 1)) + 1u8;
                let hints = hints(chip, &(&number ^ (ends << (bits * word))), bits * count);
                elements_of_hint(ctx, chip, (&words, bits), &hints);
            });
            let walk = test.walk(0..count);
            assert!(walk.sums >= 2 && walk.copies >= 5, "{bits} {word}: {walk:?}");
        }
    }
}

/// The elements of a number of so many bits.
fn hints(chip: &ForeignChip, number: &BigUint, bits: usize) -> Vec<BigUint> {
    let each = element_bits(chip);
    let mask = (BigUint::one() << each) - 1u8;
    (0..bits.div_ceil(each)).map(|i| (number >> (each * i)) & &mask).collect()
}

/// Words that are limbs: another one is refused by its copy.
#[test]
fn words_are_their_limbs() {
    const COUNT: usize = 4;
    let number = ChaCha20Rng::seed_from_u64(6).gen_biguint(40 * COUNT as u64);
    for word in 0..COUNT {
        let mut test = circuit(10, |ctx| {
            let chip = ctx.chips.foreign();
            let limb_bits = chip.block().format().limb_bits();
            let words = ctx.assign_witnesses(digits_of(limb_bits, &number, COUNT));
            let other = &number ^ (BigUint::one() << (limb_bits * word));
            let hints = hints(chip, &other, limb_bits * COUNT);
            elements_of_hint(ctx, chip, (&words, limb_bits), &hints);
        });
        assert_eq!(test.failing(vec![]), ["copy"]);
    }
}

/// Words of up to seven pieces, of limbs that are given.
#[test]
fn long_words_are_determined() {
    const LIMBS: usize = 12;
    let mut given = vec![];
    let test = circuit(8, |ctx| {
        for first in [1000, 2000] {
            let row = ctx.advice.len();
            given.extend(row..row + LIMBS);
            let limbs = ctx.assign_witnesses((first..).take(LIMBS).map(Fr::from));
            let limbs: Vec<_> = limbs.into_iter().map(|limb| (limb, 11)).collect();
            words(ctx, &limbs, WORD);
        }
    });
    test.assert_satisfied();
    assert_eq!(test.open_values_given(given), (vec![], 0));
}

/// Elements of other numbers, or with more in the limbs above the whole ones, which no word has.
#[test]
fn elements_are_those_of_the_words() {
    let number = ChaCha20Rng::seed_from_u64(2).gen_biguint(512);
    for range_bits in [8, 12, 13] {
        let build = |change: &dyn Fn(&mut Vec<BigUint>, usize)| {
            circuit(range_bits, |ctx| {
                let chip = ctx.chips.foreign();
                let words: Vec<_> =
                    digits(&number, 8).into_iter().map(|word| ctx.load_witness(word)).collect();
                let mut hints = hints(chip, &number, 512);
                assert_eq!(hints.len(), 3);
                change(&mut hints, element_bits(chip));
                elements_of_hint(ctx, chip, (&words, WORD), &hints);
            })
        };
        build(&|_, _| ()).assert_satisfied();
        for place in 0..2 {
            let mut above = build(&|hints, each| hints[place] += BigUint::one() << each);
            assert_eq!(above.failing(vec![]), ["copy"], "{range_bits} {place}");
        }
        let last = build(&|hints, each| hints[2] += BigUint::one() << (each - 1));
        assert!(!last.is_satisfied());
        for place in 0..3 {
            let other = build(&|hints, _| hints[place] ^= BigUint::one());
            assert!(!other.is_satisfied());
        }
    }
}

/// The range of an element, whose pieces have bits to spare in some lookups: the same number in limbs of which the lowest is
/// too long. Nothing else refuses it there; nor is a limb that stands in pieces too long without them.
#[test]
fn elements_are_in_range() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut complaints = vec![];
    for (range_bits, words) in (9..=14).flat_map(|bits| [5, 7, 8].map(|words| (bits, words))) {
        let number = rng.gen_biguint((WORD * words) as u64);
        let mut has_two_limbs = false;
        let test = circuit(range_bits, |ctx| {
            let given = ctx.assign_witnesses(digits(&number, words));
            elements(ctx, ctx.chips.foreign(), &given, WORD);
            let limb_bits = ctx.chips.foreign().block().format().limb_bits();
            has_two_limbs = (WORD * words) % element_bits(ctx.chips.foreign()) > limb_bits;
        });
        if has_two_limbs {
            complaints.push(test.complaints_of_relations("field/foreign/regroup"));
        }
    }
    assert!(complaints.iter().any(Vec::is_empty), "{complaints:#?}");
    let is_of_pieces = |complaint: &String| complaint.contains("Equation");
    assert!(!complaints.iter().flatten().any(is_of_pieces), "{complaints:#?}");
}
