//! What a prover may say of strings that is not so: each lie is refused by one constraint alone.

use super::{
    super::{
        assert_bits,
        join::place,
        power_of_two,
        shift::{self, Shift},
        string::{assert_are_halves, halves_of},
        varint,
    },
    *,
};
use crate::hash::padding::byte_power;
use muster_forgery::testing::{Walk, SHA256_GATE};

const RANGE: [&str; 1] = ["range: limb is below 2^b"];
const COPY: [&str; 1] = ["copy"];
const SUM: [&str; 1] = ["1 column a + b * c = out"];
const ONE: Fr = Fr::ONE;

/// A circuit with a lie, and one that has the truth before it: what code asks for the first time and the second may get
/// lost one without the other.
fn told<T>(
    build: impl Fn(&mut GateContext, &T),
    truth: &T,
    lie: &T,
    layout: &Layout,
) -> [TestCircuit; 2] {
    let told = |all: &[&T]| {
        TestCircuit::new(layout.clone(), |ctx| {
            all.iter().for_each(|one| build(ctx, one));
        })
    };
    [told(&[lie]), told(&[truth, lie])]
}

/// What refuses a lie, alone and behind the truth.
fn refusing_in<T>(
    layout: &Layout,
    build: impl Fn(&mut GateContext, &T),
    truth: &T,
    lie: &T,
) -> Vec<String> {
    let [alone, behind] = told(build, truth, lie, layout).map(|mut test| test.failing(vec![]));
    assert_eq!(alone, behind, "behind the truth");
    alone
}

/// The same with lookups of eight bits.
fn refusing<T>(build: impl Fn(&mut GateContext, &T), truth: &T, lie: &T) -> Vec<String> {
    refusing_in(&layout(11, 8), build, truth, lie)
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
    let write = |ctx: &mut GateContext, hint: &varint::Hint| {
        varint::Varint::of_hint(ctx, hint, most);
    };
    refusing(write, &varint::Hint::new(1, most), &varint::Hint { bytes, groups })
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
    TestCircuit::new(layout(11, 8), |ctx| {
        let number = Varint::new(ctx, 1, u64::MAX);
        let takes: Vec<_> = (0..=10).map(|bytes| *number.takes(bytes).value()).collect();
        assert_eq!(takes.iter().sum::<Fr>(), ONE);
        assert_eq!(number.behind(ctx, &[]).bounds(), (0, 10));
    });
    let nanos = 999_999_999;
    let groups = |value: u64| [0, 7, 14, 21, 28].map(|bit| (value >> bit & 0x7f) as i64);
    assert!(number(nanos, 5, &groups(nanos)).is_empty());
    assert_eq!(number(nanos, 5, &groups(nanos + 1)), RANGE);
}

/// What is left to the bound is checked: limbs of another number, where the number is one more.
#[test]
fn numbers_are_compared_with_their_bound() {
    let nanos = 999_999_999u64;
    let hint = |value: u64| {
        let groups = [0, 7, 14, 21, 28].map(|bit| Fr::from(value >> bit & 0x7f));
        let mut groups = groups.to_vec();
        groups[4] -= ONE;
        varint::Hint { bytes: 5, groups }
    };
    let write = |ctx: &mut GateContext, hint: &varint::Hint| {
        varint::Varint::of_hint(ctx, hint, nanos);
    };
    let [truth, lie] = [hint(nanos), hint(nanos + 1)];
    let own = told(write, &truth, &truth, &layout(11, 8));
    for (own, mut test) in own.iter().zip(told(write, &truth, &lie, &layout(11, 8))) {
        own.assert_satisfied();
        let column = test.vertical().start - 1;
        let (own, cells) = (own.advice()[column].clone(), test.advice()[column].clone());
        // Below 2^30, in four limbs.
        let first = cells.iter().position(|cell| *cell == -ONE).expect("less than nothing is left");
        let rows = (first..first + 4).filter(|row| own[*row] != cells[*row]);
        let forged = rows.map(|row| Forged { column, row, value: own[row] });
        let forged: Vec<_> = forged.collect();
        assert_eq!(test.failing(forged), COPY);
    }
}

#[test]
fn a_number_of_fixed_bytes_has_no_more() {
    let short = |ctx: &mut GateContext, value: &Fr| {
        let cell = ctx.load_witness(*value);
        Short::number(ctx, cell, 2);
    };
    let largest = Fr::from(0xffff);
    for range_bits in [8, 12] {
        let layout = layout(13, range_bits);
        assert!(refusing_in(&layout, short, &largest, &largest).is_empty());
        for value in [largest + ONE, -ONE] {
            assert_eq!(refusing_in(&layout, short, &largest, &value), RANGE);
        }
    }
}

/// Of lookups that do not end with so many bits, both checks: a number that is too large, and one whose product with what
/// is left of the lookup is small.
#[test]
fn numbers_of_bits_between_lookups_are_integers() {
    let number = |ctx: &mut GateContext, value: &Fr| {
        let cell = ctx.load_witness(*value);
        assert_bits(ctx, cell, (16, 16));
    };
    let layout = layout(13, 12);
    let largest = power_of_two(16) - ONE;
    assert!(refusing_in(&layout, number, &largest, &largest).is_empty());
    // 24 bits in whole lookups, of which the product with 2^8 has 32; a fraction whose product is 1.
    let fraction = power_of_two(8).invert().unwrap();
    for lie in [power_of_two(16), power_of_two(24) - ONE, fraction] {
        assert_eq!(refusing_in(&layout, number, &ONE, &lie), RANGE);
    }
}

#[test]
fn halves_have_16_bytes() {
    for range_bits in [8, 9, 12] {
        for half in [power_of_two(128), -ONE, power_of_two(131)] {
            let layout = layout(13, range_bits);
            let of_halves = |ctx: &mut GateContext, half: &Fr| {
                let half = ctx.load_witness(*half);
                Text::of_halves(ctx, &[half]);
            };
            assert_eq!(refusing_in(&layout, of_halves, &ONE, &half), RANGE);
            let of_message = |ctx: &mut GateContext, half: &Fr| {
                let half = ctx.load_witness(*half);
                let length = ctx.load_witness(Fr::from(16));
                Text::of_message(ctx, Message { halves: &[half], length, bound: 16 });
            };
            let refusing = refusing_in(&layout, of_message, &ONE, &half);
            assert!(refusing.contains(&RANGE[0].to_owned()));
        }
    }
}

#[test]
fn zeros_follow_a_message() {
    let message = |half: u64, length: u64| {
        let build = |ctx: &mut GateContext, &(half, length): &(u64, u64)| {
            let half = ctx.load_witness(Fr::from(half));
            let length = ctx.load_witness(Fr::from(length));
            Text::of_message(ctx, Message { halves: &[half], length, bound: 16 });
        };
        refusing(build, &(0x100, 15), &(half, length))
    };
    assert!(message(0x100, 15).is_empty());
    assert_eq!(message(0x101, 15), COPY);
}

/// Where a message is hashed, the hash shows what a text is.
#[test]
fn a_message_that_is_hashed_is_a_text() {
    let layout = Layout {
        sha256: Some(SHA256_GATE),
        range_columns: 2,
        constant_rows: 512,
        ..layout(13, 12)
    };
    let message = |half: Fr, length: u64| {
        let build = |ctx: &mut GateContext, &(half, length): &(Fr, u64)| {
            let half = ctx.load_witness(half);
            let length = ctx.load_witness(Fr::from(length));
            let message = Message { halves: &[half], length, bound: 15 };
            let (text, _) = Text::with_sha256(ctx, message);
            assert_eq!(text.bounds(), (0, 15));
        };
        refusing_in(&layout, build, &(Fr::from(0x100), 15), &(half, length))
    };
    assert!(message(Fr::from(0x100), 15).is_empty());
    // A byte behind the message, one more than there may be, and no half at all.
    for (half, length) in [
        (Fr::from(0x101), 15),
        (Fr::from(0x100), 14),
        (Fr::from(0x100), 16),
        (power_of_two(128), 15),
        (-ONE, 15),
    ] {
        assert!(!message(half, length).is_empty(), "{half:?}, {length}");
    }
}

/// 19 bytes as 16 and three: other numbers with the same sum.
#[test]
fn a_short_string_is_cut_in_one_way() {
    let cut = |more: Fr| {
        let build = |ctx: &mut GateContext, more: &Fr| {
            let cell = ctx.load_witness(Fr::from(0x0123_4567_89ab_cdef));
            let short = Short::number(ctx, cell, 19);
            halves_of(ctx, &short, Fr::from(0xab_cdef) + more);
        };
        refusing(build, &Fr::ZERO, &more)
    };
    assert!(cut(Fr::ZERO).is_empty());
    assert_eq!(cut(byte_power(3)), RANGE);
    assert_eq!(cut(-byte_power(3)), RANGE);
    // The first part is no integer.
    assert_eq!(cut(ONE), RANGE);
}

fn shift(length: u64, most: usize, hint: &shift::Hint) -> [TestCircuit; 2] {
    let build = |ctx: &mut GateContext, (length, hint): &(u64, shift::Hint)| {
        let length = ctx.load_witness(Fr::from(*length));
        Shift::of_hint(ctx, length, ((0, most), hint));
    };
    let honest = shift::Hint::new(&Fr::from(length));
    told(build, &(length, honest), &(length, *hint), &layout(11, 8))
}

#[test]
fn a_length_is_taken_apart_in_one_way() {
    let refusing_up_to = |most: usize, length: u64, hint: &shift::Hint| {
        let [alone, behind] = shift(length, most, hint).map(|mut test| test.failing(vec![]));
        assert_eq!(alone, behind);
        alone
    };
    let refusing = |length: u64, hint: &shift::Hint| refusing_up_to(40, length, hint);
    let honest = shift::Hint::new(&Fr::from(21));
    assert!(refusing(21, &honest).is_empty());
    // As a string may end in more halves, the sum has more parts.
    for most in (2..14).map(|halves| 16 * halves) {
        assert_eq!(refusing_up_to(most, 22, &honest), SUM);
    }
    assert_eq!(refusing(21, &shift::Hint { halves: 2, ..honest }), SUM);
    assert_eq!(refusing(21, &shift::Hint { down: byte_power(10), ..honest }), SUM);
    assert_eq!(refusing(21, &shift::Hint { down: Fr::ZERO, ..honest }), SUM);
    // 21 = 16·0 + 21, and numbers that add up to 5 and are no bits.
    let places = [1, 2, 4, 8].map(Fr::from);
    for (i, place) in places.into_iter().enumerate() {
        let mut bits = [Fr::ZERO; 4];
        bits[i] = Fr::from(5) * place.invert().unwrap();
        let factor = ONE + bits[i] * (byte_power(1 << i) - ONE);
        let down = byte_power(16) * factor.invert().unwrap();
        let hint = shift::Hint { halves: 1, bits, down };
        shift(21, 40, &hint).iter_mut().for_each(|test| test.assert_bit_is_bound(bits[i]));
    }
}

/// A half of 16 bytes behind `length` zeros, of which the prover says that `moved` go to the next one.
fn moved(length: u64, half: Fr, moved: Fr) -> Vec<String> {
    let build = |ctx: &mut GateContext, (half, moved): &(Fr, Fr)| {
        let length = ctx.load_witness(Fr::from(length));
        let shift = Shift::new(ctx, length, (0, 15));
        let half = ctx.load_witness(*half);
        let text = Text::of_halves(ctx, &[half]);
        shift.moved_of_hints(ctx, (&text, &[*moved]));
    };
    refusing(build, &(ONE, ONE), &(half, moved))
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

/// Eight bytes behind eight bytes, of which `hints` move to the next halves.
fn placed(ctx: &mut GateContext, second: &Text, hints: &[Fr]) {
    let first = Text::constant(ctx, &[1; 8]);
    let end = Shift::new(ctx, first.length(), first.bounds());
    let moved = end.moved_of_hints(ctx, (second, hints));
    let cells = place(ctx, (first.cells(), &end), (second.cells(), &moved));
    assert_are_halves(ctx, &cells.halves);
}

/// Eight bytes behind eight bytes fill a half; behind it there is room for nothing.
#[test]
fn nothing_moves_behind_the_bound() {
    let lie = |more: Fr| {
        let build = |ctx: &mut GateContext, more: &Fr| {
            let cell = ctx.load_witness(Fr::from(0x0202_0202_0202_0202));
            let second = Short::number(ctx, cell, 8);
            let second = Text::of_short(ctx, &second);
            placed(ctx, &second, &[*more]);
        };
        refusing(build, &Fr::ZERO, &more)
    };
    assert!(lie(Fr::ZERO).is_empty());
    assert_eq!(lie(byte_power(8)), SUM);
}

/// A byte more moves to the next half than there is room for: the half is too large.
#[test]
fn the_halves_of_a_draft_are_shown() {
    let lie = |more: Fr| {
        let build = |ctx: &mut GateContext, more: &Fr| {
            let cells = ctx.assign_witnesses([power_of_two(127), Fr::from(3)]);
            let second = Text::of_halves(ctx, &cells);
            placed(ctx, &second, &[*more, Fr::from(3)]);
        };
        refusing(build, &Fr::ZERO, &more)
    };
    assert!(lie(Fr::ZERO).is_empty());
    assert_eq!(lie(byte_power(8)), RANGE);
}

#[test]
fn a_frame_says_its_own_length() {
    let build = |ctx: &mut GateContext, said: &fn(u64) -> u64| {
        let [a, b] = [b"a", b"b"].map(|bytes| Text::constant(ctx, bytes));
        let frame = Frame::new(ctx, &a);
        frame.fill_of_hint(ctx, (&b, &b), said).text(ctx);
    };
    let honest: fn(u64) -> u64 = |length| length;
    let lie = |said: fn(u64) -> u64| refusing_in(&layout(13, 8), build, &honest, &said);
    assert!(lie(|length| length).is_empty());
    assert_eq!(lie(|length| length + 1), COPY);
    assert_eq!(lie(|_| 0), COPY);
    // The sum of the lengths that the other one is held against: what it is made of.
    for test in told(build, &honest, &((|length| length + 1) as fn(u64) -> u64), &layout(13, 8)) {
        let Walk { sums, copies } = test.walk([]);
        assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    }
}
