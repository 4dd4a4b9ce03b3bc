//! What a prover may say of strings that is not so: each lie is refused by one constraint alone.

use super::{
    super::{
        bounded::power_of_two,
        join::place,
        shift::{self, Shift},
        string::halves_of,
        varint,
    },
    *,
};
use crate::hash::padding::byte_power;

const RANGE: [&str; 1] = ["range: limb is below 2^b"];
const COPY: [&str; 1] = ["copy"];
const SUM: [&str; 1] = ["1 column a + b * c = out"];
const ONE: Fr = Fr::ONE;

fn circuit(build: impl FnOnce(&mut Context<Fr>, &Chips)) -> TestCircuit {
    TestCircuit::new(layout(12, 8), build)
}

fn refusing(build: impl FnOnce(&mut Context<Fr>, &Chips)) -> Vec<String> {
    circuit(build).failing(vec![])
}

/// What refuses a number up to `most` that is written in so many bytes, with these groups of bits in them.
fn number(most: u64, bytes: usize, groups: &[i64]) -> Vec<String> {
    let group = |group: i64| {
        if group < 0 {
            -Fr::from(group.unsigned_abs())
        } else {
            Fr::from(group as u64)
        }
    };
    let groups = (0..groups.len()).map(|i| group(groups[i] - i64::from(i + 1 == bytes))).collect();
    refusing(|ctx, chips| {
        varint::Varint::of_hint(ctx, chips, &varint::Hint { bytes, groups }, most);
    })
}

#[test]
fn numbers_are_written_in_the_fewest_bytes() {
    let largest = (1 << 14) - 1;
    assert!(number(largest, 1, &[5, 0]).is_empty());
    assert!(number(largest, 2, &[5, 1]).is_empty());
    assert!(number(largest, 0, &[0, 0]).is_empty());
    // 85 00, and 00 for 0.
    assert_eq!(number(largest, 2, &[5, 0]), RANGE);
    assert_eq!(number(largest, 1, &[0, 0]), RANGE);
    assert_eq!(number(largest, 2, &[0, 0]), RANGE);
}

#[test]
fn bytes_have_seven_bits_each() {
    let largest = (1 << 14) - 1;
    assert_eq!(number(largest, 1, &[128, 0]), RANGE);
    assert_eq!(number(largest, 2, &[128, 1]), RANGE);
    assert_eq!(number(largest, 2, &[-1, 1]), RANGE);
    assert_eq!(number(largest, 2, &[1, 128]), RANGE);
    // A number in bytes that are not used.
    assert_eq!(number(largest, 1, &[5, 1]), RANGE);
    assert_eq!(number(largest, 0, &[1, 0]), RANGE);
    assert_eq!(number(largest, 1, &[5, -1]), RANGE);
}

#[test]
fn numbers_have_their_bound() {
    // 2^64 in the tenth byte; an eleventh one has no place.
    let mut groups = [0; 10];
    groups[9] = 1;
    assert!(number(u64::MAX, 10, &groups).is_empty());
    groups[9] = 2;
    assert_eq!(number(u64::MAX, 10, &groups), RANGE);
    circuit(|ctx, chips| {
        let number = Varint::new(ctx, chips, 1, u64::MAX);
        let takes: Vec<_> = (0..=10).map(|bytes| *number.takes(bytes).value()).collect();
        assert_eq!(takes.iter().sum::<Fr>(), ONE);
        assert_eq!(number.behind(ctx, &[]).bounds(), (0, 10));
    });
    let nanos = 999_999_999;
    let groups = |value: u64| [0, 7, 14, 21, 28].map(|bit| (value >> bit & 0x7f) as i64);
    assert!(number(nanos, 5, &groups(nanos)).is_empty());
    assert_eq!(number(nanos, 5, &groups(nanos + 1)), RANGE);
}

#[test]
fn a_number_of_fixed_bytes_has_no_more() {
    for range_bits in [8, 12] {
        for (value, is_small) in
            [(Fr::from(0xffff), true), (Fr::from(0x1_0000), false), (-ONE, false)]
        {
            let test = TestCircuit::new(layout(13, range_bits), |ctx, chips| {
                let cell = ctx.load_witness(value);
                Short::number(ctx, chips, cell, 2);
            });
            let mut test = test;
            let refusing = test.failing(vec![]);
            assert_eq!(refusing, if is_small { vec![] } else { RANGE.map(String::from).to_vec() });
        }
    }
}

#[test]
fn halves_have_16_bytes() {
    for range_bits in [8, 9, 12] {
        for half in [power_of_two(128), -ONE, power_of_two(131)] {
            let mut test = TestCircuit::new(layout(13, range_bits), |ctx, chips| {
                let half = ctx.load_witness(half);
                Text::of_halves(ctx, chips, &[half]);
            });
            assert_eq!(test.failing(vec![]), RANGE);
            let mut test = TestCircuit::new(layout(13, range_bits), |ctx, chips| {
                let half = ctx.load_witness(half);
                let length = ctx.load_witness(Fr::from(16));
                Text::of_message(ctx, chips, Message { halves: &[half], length, bound: 16 });
            });
            assert!(test.failing(vec![]).contains(&RANGE[0].to_owned()));
        }
    }
}

#[test]
fn zeros_follow_a_message() {
    let message = |half: u64, length: u64| {
        refusing(|ctx, chips| {
            let half = ctx.load_witness(Fr::from(half));
            let length = ctx.load_witness(Fr::from(length));
            Text::of_message(ctx, chips, Message { halves: &[half], length, bound: 16 });
        })
    };
    assert!(message(0x100, 15).is_empty());
    assert_eq!(message(0x101, 15), COPY);
}

/// 19 bytes as 16 and three: other numbers with the same sum.
#[test]
fn a_short_string_is_cut_in_one_way() {
    let cut = |more: Fr| {
        refusing(|ctx, chips| {
            let cell = ctx.load_witness(Fr::from(0x0123_4567_89ab_cdef));
            let short = Short::number(ctx, chips, cell, 19);
            halves_of(ctx, chips, &short, Fr::from(0xab_cdef) + more);
        })
    };
    assert!(cut(Fr::ZERO).is_empty());
    assert_eq!(cut(byte_power(3)), RANGE);
    assert_eq!(cut(-byte_power(3)), RANGE);
    // The first part is no integer.
    assert_eq!(cut(ONE), RANGE);
}

fn shift(length: u64, hint: &shift::Hint) -> TestCircuit {
    circuit(|ctx, chips| {
        let length = ctx.load_witness(Fr::from(length));
        Shift::of_hint(ctx, chips, length, ((0, 40), hint));
    })
}

#[test]
fn a_length_is_taken_apart_in_one_way() {
    let honest = shift::Hint::new(&Fr::from(21));
    assert!(shift(21, &honest).failing(vec![]).is_empty());
    assert_eq!(shift(22, &honest).failing(vec![]), SUM);
    assert_eq!(shift(21, &shift::Hint { halves: 2, ..honest }).failing(vec![]), SUM);
    assert_eq!(shift(21, &shift::Hint { down: byte_power(10), ..honest }).failing(vec![]), SUM);
    assert_eq!(shift(21, &shift::Hint { down: Fr::ZERO, ..honest }).failing(vec![]), SUM);
    // 21 = 16·0 + 21, and numbers that add up to 5 and are no bits.
    let places = [1, 2, 4, 8].map(Fr::from);
    for (i, place) in places.into_iter().enumerate() {
        let mut bits = [Fr::ZERO; 4];
        bits[i] = Fr::from(5) * place.invert().unwrap();
        let factor = ONE + bits[i] * (byte_power(1 << i) - ONE);
        let down = byte_power(16) * factor.invert().unwrap();
        let hint = shift::Hint { halves: 1, bits, down };
        shift(21, &hint).assert_bit_is_bound(bits[i]);
    }
}

/// A half of 16 bytes behind `length` zeros, of which the prover says that `moved` go to the next one.
fn moved(length: u64, half: Fr, moved: Fr) -> Vec<String> {
    refusing(|ctx, chips| {
        let length = ctx.load_witness(Fr::from(length));
        let shift = Shift::new(ctx, chips, length, (0, 15));
        let half = ctx.load_witness(half);
        let text = Text::of_halves(ctx, chips, &[half]);
        shift.moved_of_hints(ctx, chips, (&text, &[moved]));
    })
}

#[test]
fn what_moves_and_what_is_kept_are_integers() {
    let half = power_of_two(64) * Fr::from(77) + Fr::from(5);
    assert!(moved(8, half, Fr::from(5)).is_empty());
    // Not a half whose parts are numbers of so few bits.
    assert_eq!(moved(8, half, Fr::from(5) - power_of_two(64)), RANGE);
    assert_eq!(moved(8, half, Fr::from(6)), RANGE);
    assert_eq!(moved(8, half, half + power_of_two(64)), RANGE);
    // All of the half would move by 16 bytes, that is, by 0 in the next one.
    assert_eq!(moved(0, half * power_of_two(60), half * power_of_two(60)), RANGE);
}

/// Eight bytes behind eight bytes fill a half; behind it there is room for nothing.
#[test]
fn nothing_moves_behind_the_bound() {
    let lie = |more: Fr| {
        refusing(|ctx, chips| {
            let first = Text::constant(ctx, &[1; 8]);
            let cell = ctx.load_witness(Fr::from(0x0202_0202_0202_0202));
            let second = Short::number(ctx, chips, cell, 8);
            let second = Text::of_short(ctx, chips, &second);
            let end = Shift::new(ctx, chips, first.length(), first.bounds());
            let moved = end.moved_of_hints(ctx, chips, (&second, &[more]));
            let cells = place(ctx, (first.cells(), &end), (second.cells(), &moved));
            super::super::string::assert_are_halves(ctx, chips, &cells.halves);
        })
    };
    assert!(lie(Fr::ZERO).is_empty());
    assert_eq!(lie(byte_power(8)), SUM);
}

/// A byte more moves to the next half than there is room for: the half is too large.
#[test]
fn the_halves_of_a_draft_are_shown() {
    let lie = |more: Fr| {
        refusing(|ctx, chips| {
            let first = Text::constant(ctx, &[1; 8]);
            let cells = ctx.assign_witnesses([power_of_two(127), Fr::from(3)]);
            let second = Text::of_halves(ctx, chips, &cells);
            let end = Shift::new(ctx, chips, first.length(), first.bounds());
            let hints = [more, Fr::from(3)];
            let moved = end.moved_of_hints(ctx, chips, (&second, &hints));
            let cells = place(ctx, (first.cells(), &end), (second.cells(), &moved));
            super::super::string::assert_are_halves(ctx, chips, &cells.halves);
        })
    };
    assert!(lie(Fr::ZERO).is_empty());
    assert_eq!(lie(byte_power(8)), RANGE);
}

#[test]
fn a_frame_says_its_own_length() {
    let lie = |said: &dyn Fn(u64) -> u64| {
        refusing(|ctx, chips| {
            let [a, b] = [b"a", b"b"].map(|bytes| Text::constant(ctx, bytes));
            let frame = Frame::new(ctx, chips, &a);
            frame.fill_of_hint(ctx, chips, (&b, &b), said).text(ctx, chips);
        })
    };
    assert!(lie(&|length| length).is_empty());
    assert_eq!(lie(&|length| length + 1), COPY);
    assert_eq!(lie(&|_| 0), COPY);
}
