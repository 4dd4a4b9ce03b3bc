//! What a prover may say of a message and its length that is not so: each lie is refused by one constraint alone.

use std::ops::RangeInclusive;

use super::{
    super::{below_2_128_of_hint, whole_limbs, Message, Padded, Rule, SizeHint, HALF},
    *,
};
use muster_forgery::testing::Walk;

const RULE: Rule = Rule { block: 64, first: 0x80, tail: 8, prefix: 0 };
/// The gate that keeps a bit a bit.
const BIT: &str = "1 column a + b * c = out";

/// What refuses these halves with a length and a bound, taken apart as the hint says, alone and behind another message.
fn refusing(halves: &[u64], length: (u64, usize), hint: Option<&SizeHint>) -> Vec<String> {
    let [alone, behind] = build(halves, length, hint).map(|(mut test, _)| test.failing(vec![]));
    assert_eq!(alone, behind, "behind another message");
    alone
}

/// These halves with a length and a bound, taken apart as the hint says: alone, and behind a message of zeros, so that
/// what code asks for the first time and the second may get lost one without the other. The rows of the message that is
/// given.
fn build(
    halves: &[u64],
    (length, bound): (u64, usize),
    hint: Option<&SizeHint>,
) -> [(TestCircuit, RangeInclusive<usize>); 2] {
    [false, true].map(|is_behind| {
        let mut first = 0;
        let test = TestCircuit::new(layout(12, &[]), |ctx| {
            let mut pad = |halves: &[u64], length: u64, hint: Option<&SizeHint>| {
                first = ctx.advice.len();
                let halves = ctx.assign_witnesses(halves.iter().map(|half| Fr::from(*half)));
                let length = ctx.load_witness(Fr::from(length));
                let honest = SizeHint::new(length.value(), bound);
                let message = Message { halves: &halves, length, bound };
                Padded::of_hint(ctx, message, (RULE, hint.unwrap_or(&honest)));
            };
            if is_behind {
                pad(&vec![0; halves.len()], bound as u64, None);
            }
            pad(halves, length, hint);
        });
        (test, first..=first + halves.len())
    })
}

/// Walks from what refuses the same to all that can refuse it in its place. The message and its length stay.
fn walk(halves: &[u64], length: (u64, usize), hint: Option<&SizeHint>) -> Walk {
    let [alone, behind] = build(halves, length, hint).map(|(test, given)| test.walk(given));
    assert!(behind.sums >= alone.sums && behind.copies >= alone.copies, "{behind:?}, {alone:?}");
    alone
}

fn bits<const N: usize>(ones: &[(usize, Fr)]) -> [Fr; N] {
    let mut bits = [Fr::ZERO; N];
    ones.iter().for_each(|(place, value)| bits[*place] = *value);
    bits
}

fn hint(used: &[u64], bytes: &[(usize, Fr)]) -> SizeHint {
    let used = used.iter().map(|used| Fr::from(*used)).collect();
    SizeHint { used, bytes: bits::<HALF>(bytes) }
}

const ONE: Fr = Fr::ONE;

#[test]
fn unused_halves_are_0() {
    assert!(refusing(&[9, 0], (16, 32), None).is_empty());
    // The byte behind the message is not that of the padding, so no sum grows too large.
    assert_eq!(refusing(&[9, 1], (16, 32), None), ["copy"]);
    assert_eq!(refusing(&[0, 1], (0, 32), None), ["copy"]);
    // The first half of a message of nothing.
    assert_eq!(refusing(&[1], (0, 16), None), ["copy"]);
}

/// Fifteen bytes and the sixteenth, which is behind the message.
#[test]
fn bytes_behind_the_message_are_0() {
    assert!(refusing(&[0x0900], (15, 16), None).is_empty());
    assert_eq!(refusing(&[0x0901], (15, 16), None), ["copy"]);
    assert_eq!(refusing(&[0, 1], (17, 32), None), ["copy"]);
}

/// The quotient of these bytes: low bits that are too many, and a bit that is none.
#[test]
fn a_quotient_has_128_bits() {
    let build = |range_bits: usize, cell: Fr, low: Fr, high: &[(usize, Fr)]| {
        let layout = Layout { range_bits, ..layout(14, &[]) };
        TestCircuit::new(layout, |ctx| {
            let cell = ctx.load_witness(cell);
            let count = 128 - whole_limbs(ctx.chips);
            let high = &bits::<11>(high)[..count];
            below_2_128_of_hint(ctx, cell, (low, high));
        })
    };
    let refusing = |range_bits: usize, cell: Fr, low: Fr, high: &[(usize, Fr)]| {
        build(range_bits, cell, low, high).failing(vec![])
    };
    let power = |bits: u64| Fr::from(2).pow_vartime([bits]);
    for range_bits in [8, 12] {
        assert!(refusing(range_bits, Fr::from(77), Fr::from(77), &[]).is_empty());
        let range = ["range: limb is below 2^b"];
        assert_eq!(refusing(range_bits, -ONE, -ONE, &[]), range);
        assert_eq!(refusing(range_bits, power(128), power(128), &[]), range);
        assert_eq!(refusing(range_bits, Fr::from(77), Fr::from(76), &[]), ["copy"]);
    }
    // Lookups of 12 bits end with 120.
    assert!(refusing(12, power(127), Fr::ZERO, &[(7, ONE)]).is_empty());
    let two = Fr::from(2);
    build(12, power(128), Fr::ZERO, &[(7, two)]).assert_bit_is_bound(two);
    build(12, -power(120), Fr::ZERO, &[(0, -ONE)]).assert_bit_is_bound(-ONE);
}

/// The same of the sum of its lookups of 13 bits, which end with 117, and of as many bits as there may be.
#[test]
fn the_bits_of_a_quotient_are_bound() {
    for is_behind in [false, true] {
        let mut given = vec![];
        let layout = Layout { range_bits: 13, ..layout(14, &[]) };
        let test = TestCircuit::new(layout, |ctx| {
            if is_behind {
                given.push(ctx.advice.len());
                let cell = ctx.load_witness(ONE);
                below_2_128_of_hint(ctx, cell, (ONE, &[Fr::ZERO; 11]));
            }
            given.push(ctx.advice.len());
            let cell = ctx.load_witness(Fr::from(77));
            below_2_128_of_hint(ctx, cell, (Fr::from(5), &[ONE; 11]));
        });
        let Walk { sums, copies } = test.walk(given);
        assert!(sums >= 12 && copies >= 24, "{sums}, {copies}");
    }
}

/// Halves that are used with one between them that is not.
#[test]
fn used_halves_come_first() {
    let full = [(HALF - 1, ONE)];
    assert!(refusing(&[5, 7, 0], (32, 48), Some(&hint(&[1, 1, 0], &full))).is_empty());
    assert_eq!(refusing(&[5, 0, 7], (32, 48), Some(&hint(&[1, 0, 1], &full))), ["copy"]);
    // An empty message with a used half behind it.
    assert_eq!(refusing(&[0, 0], (16, 32), Some(&hint(&[0, 1], &[]))), ["copy"]);
}

/// Numbers whose sums are those of bits, of halves that hold nothing: a length is taken apart by bits alone.
#[test]
fn sizes_are_bits() {
    let two = Fr::from(2);
    let of_bytes = hint(&[1], &[(3, two), (2, -ONE)]);
    assert_eq!(refusing(&[0], (5, 16), Some(&of_bytes)), [BIT]);
    // One that is no bit, at an even place and at an odd one: two bytes by 1 + 3 - 2, three by 2 + 4 - 3.
    for (length, place) in [(2, 1), (3, 2)] {
        let bits = [(place - 1, ONE), (place, -ONE), (place + 1, ONE)];
        for (mut test, _) in build(&[0], (length, 16), Some(&hint(&[1], &bits))) {
            test.assert_bit_is_bound(-ONE);
        }
    }
    let of_halves = hint(&[1, 2, 0], &[(HALF - 1, ONE)]);
    assert_eq!(refusing(&[0; 3], (48, 48), Some(&of_halves)), [BIT]);
    let of_the_first = hint(&[2, 0], &[(0, ONE), (HALF - 1, ONE)]);
    assert_eq!(refusing(&[0; 2], (17, 32), Some(&of_the_first)), [BIT]);
}

/// Two numbers of bytes, none, and a length that is another's.
#[test]
fn one_size_makes_the_length() {
    assert_eq!(refusing(&[0], (3, 16), Some(&hint(&[1], &[(0, ONE), (1, ONE)]))), ["copy"]);
    assert_eq!(refusing(&[0, 0], (16, 32), Some(&hint(&[1, 1], &[]))), ["copy"]);
    assert_eq!(refusing(&[0], (4, 16), Some(&hint(&[1], &[(2, ONE)]))), ["copy"]);
    // Beyond the bound, within the half that has it.
    assert!(refusing(&[0, 0], (20, 20), None).is_empty());
    assert_eq!(refusing(&[0, 0], (21, 20), None), ["copy"]);
}

/// Whatever makes up for bytes behind the message: in an unused half, and in each place of the last one.
#[test]
fn everything_that_bytes_behind_the_message_touch_is_bound() {
    walk(&[9, 1], (16, 32), None);
    walk(&[0, 1], (0, 32), None);
    walk(&[1], (0, 16), None);
    for length in 1..16 {
        let Walk { sums, copies } = walk(&[1], (length, 16), None);
        assert!(sums >= 16 && copies >= 16, "{length}: {sums}, {copies}");
    }
    // In the last one of many.
    let mut halves = [257; 14];
    halves[13] = 1;
    let Walk { sums, copies } = walk(&halves, (13 * 16 + 15, 14 * 16), None);
    assert!(sums >= 30 && copies >= 30, "{sums}, {copies}");
}

/// Whatever makes up for a length that is taken apart in another way.
#[test]
fn everything_that_takes_a_length_apart_is_bound() {
    let full = [(HALF - 1, ONE)];
    walk(&[0; 3], (32, 48), Some(&hint(&[1, 0, 1], &full)));
    walk(&[0; 4], (48, 64), Some(&hint(&[1, 1, 0, 1], &full)));
    walk(&[0, 0], (16, 32), Some(&hint(&[0, 1], &[])));
    let all: Vec<_> = (0..HALF).map(|place| (place, ONE)).collect();
    let Walk { sums, copies } = walk(&[0], (136, 16), Some(&hint(&[1], &all)));
    assert!(sums >= 15 && copies >= 16, "{sums}, {copies}");
    for length in 34..=48 {
        let Walk { sums, copies } = walk(&[0; 3], (length, 33), None);
        assert!(sums >= 15 && copies >= 15, "{length}: {sums}, {copies}");
    }
}

/// Each cell of the padding is rewritten, with all that follows from it: of messages that end in each part of their
/// bound.
#[test]
fn padding_is_determined() {
    for (length, bound) in [(5u64, 250usize), (40, 64), (56, 70), (64, 64), (129, 200), (200, 209)]
    {
        // The bytes of a half, as far as the last eight of it belong to the message.
        let half = |half: u64| match length.saturating_sub(16 * half).min(16) {
            bytes @ 9.. => 0x4d << (8 * (16 - bytes)),
            _ => 0,
        };
        let halves: Vec<_> = (0..bound.div_ceil(16) as u64).map(half).collect();
        for (test, given) in build(&halves, (length, bound), None) {
            // What stands before it is given, too.
            let given = (0..=halves.len()).chain(given);
            assert_eq!(test.open_values_given(given.clone()), (vec![], 0), "{length} of {bound}");
            assert_eq!(test.open_classes_given(given), (vec![], 0), "{length} of {bound}");
        }
    }
}
