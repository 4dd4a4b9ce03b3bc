//! Every cell of strings rewritten with all that follows from it, and walks from what refuses that.

use super::{
    super::{shift::Shift, string::assert_are_halves},
    *,
};
use muster_forgery::testing::Walk;

/// Walks from every cell of what `build` makes of the cells that are `given`: twice in a circuit, so that what code asks for
/// the first time and the second may get lost one without the other. How many sums and copies refuse a witness alone.
fn walk(
    layout: Layout,
    given: &[Fr],
    build: impl Fn(&mut GateContext, &[AssignedValue<Fr>]),
) -> (usize, usize) {
    let mut rows = vec![];
    let test = TestCircuit::new(layout, |ctx| {
        for _ in 0..2 {
            let first = ctx.advice.len();
            let cells = ctx.assign_witnesses(given.iter().copied());
            rows.extend(first..ctx.advice.len());
            build(ctx, &cells);
        }
    });
    let Walk { sums, copies } = test.walk_from_everywhere(rows.iter().copied());
    assert_eq!(test.open_values_given(rows.iter().copied()), (vec![], 0));
    assert_eq!(test.open_classes_given(rows), (vec![], 0));
    (sums, copies)
}

fn small() -> Layout {
    layout(11, 8)
}

/// A text of a given string: two halves and their length.
fn of_given(ctx: &mut GateContext, cells: &[AssignedValue<Fr>]) -> Text {
    Text::of_message(ctx, Message { halves: &cells[..2], length: cells[2], bound: 19 })
}

fn given(string: &[u8]) -> Vec<Fr> {
    [&halves(string, 2)[..], &[Fr::from(string.len() as u64)]].concat()
}

#[test]
fn lengths_taken_apart() {
    for (length, most) in [(21, 40), (40, 40), (5, 40), (101, 127)] {
        let (sums, copies) = walk(small(), &[Fr::from(length)], |ctx, cells| {
            Shift::new(ctx, cells[0], (0, most));
        });
        assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    }
}

#[test]
fn numbers_that_are_written() {
    for (value, most) in [(300, 999_999), (5, (1 << 14) - 1), ((1 << 21) - 1, u64::MAX)] {
        let (sums, copies) = walk(small(), &[Fr::from(value)], |ctx, cells| {
            let number = Varint::new(ctx, value, most);
            let cell = number.value(ctx);
            assert_equal(ctx, &cell, &cells[0]);
            number.behind(ctx, &[8]);
        });
        assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    }
}

/// A number whose groups and bytes are those of another value than the one that is claimed, alone and behind an honest
/// one: everything that the value is made of.
#[test]
fn numbers_have_their_values() {
    for before in 0..2 {
        // The claim, and the number as it was chosen.
        let mut rows = 0..0;
        let test = TestCircuit::new(small(), |ctx| {
            for i in 0..=before {
                let claimed = ctx.load_witness(Fr::from(300 + u64::from(i == before)));
                let number = Varint::new(ctx, 300, u64::MAX);
                rows = 0..ctx.advice.len();
                let value = number.value(ctx);
                assert_equal(ctx, &value, &claimed);
            }
        });
        let Walk { sums, copies } = test.walk(rows);
        assert!(sums >= 10 && copies >= 10, "{sums}, {copies}");
    }
}

/// Nothing follows from what is put together here, so that its own sums alone refuse another string.
#[test]
fn shorts_behind_others() {
    let given = [300, 0x6465].map(Fr::from);
    let (sums, copies) = walk(small(), &given, |ctx, cells| {
        let [first, second] = [2, 3].map(|bytes| Short::number(ctx, cells[0], bytes));
        let is_some = Bit::is_not_zero(ctx, cells[1]);
        let number = Varint::new(ctx, 300, 999_999);
        let cell = number.value(ctx);
        assert_equal(ctx, &cell, &cells[0]);
        let number = number.behind(ctx, &[8]);
        let all = [
            number.kept(ctx, is_some),
            Short::constant(ctx, &[7; 13]).kept(ctx, is_some),
            first.then(ctx, &number).then(ctx, &second),
            number.then(ctx, &first),
        ];
        assert_eq!(all.map(|short| short.bounds()), [(0, 4), (0, 13), (5, 9), (2, 6)]);
    });
    assert!(sums >= 20 && copies >= 20, "{sums}, {copies}");
}

/// Texts that begin within a half, and constants, to which nothing else is put.
#[test]
fn texts_that_move() {
    for (layout, length) in [(small(), 5), (small(), 3), (layout(13, 12), 5)] {
        let mut rng = ChaCha20Rng::seed_from_u64(57);
        let given = [given(&random(&mut rng, 18)), vec![Fr::from(length)]].concat();
        let (sums, copies) = walk(layout, &given, |ctx, cells| {
            let text = of_given(ctx, cells);
            let shift = Shift::new(ctx, cells[3], (0, 15));
            let moved = shift.moved(ctx, &text);
            assert_are_halves(ctx, &moved);
            Text::constant(ctx, &[9; 18]);
            Text::constant(ctx, &[8; 7]);
        });
        assert!(sums >= 20 && copies >= 20, "{sums}, {copies}");
    }
}

#[test]
fn shorts_and_their_halves() {
    for (value, most) in [(300, 999_999), (5, 127)] {
        let given = [Fr::from(value), Fr::from(0x6465)];
        let (sums, copies) = walk(small(), &given, |ctx, cells| {
            let number = Varint::new(ctx, value, most);
            let cell = number.value(ctx);
            assert_equal(ctx, &cell, &cells[0]);
            let is_some = Bit::is_not_zero(ctx, cells[0]);
            let short = number.behind(ctx, &[8]);
            let tag = Short::constant(ctx, &[7; 13]).kept(ctx, is_some);
            let two = Short::number(ctx, cells[1], 2);
            let short = tag.then(ctx, &short).then(ctx, &two);
            let length = short.length_byte(ctx);
            let short = length.then(ctx, &short);
            Text::of_short(ctx, &short);
            Text::of_short(ctx, &two);
        });
        assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    }
}

#[test]
fn strings_behind_others() {
    for (before, after) in [(5, 3), (18, 16)] {
        let mut rng = ChaCha20Rng::seed_from_u64(55);
        let both = [random(&mut rng, before), random(&mut rng, after)];
        let both: Vec<_> = both.iter().flat_map(|string| given(string)).collect();
        let (sums, copies) = walk(layout(12, 8), &both, |ctx, cells| {
            let [first, last] = [0, 3].map(|i| of_given(ctx, &cells[i..]));
            first.then(ctx, &last).then(ctx, &last).text(ctx);
        });
        assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    }
}

/// Strings of more halves, and one behind a constant, which is the first that needs a 0.
#[test]
fn longer_strings_behind_others() {
    let mut rng = ChaCha20Rng::seed_from_u64(58);
    let (before, after) = (random(&mut rng, 37), random(&mut rng, 61));
    let halves = [halves(&before, 5), halves(&after, 4)].concat();
    let given = [&halves[..], &[37, 61].map(Fr::from)].concat();
    let (sums, copies) = walk(layout(13, 8), &given, |ctx, cells| {
        let text = |ctx: &mut GateContext, halves: &[AssignedValue<Fr>], length, bound| {
            Text::of_message(ctx, Message { halves, length, bound })
        };
        let first = text(ctx, &cells[..5], cells[9], 80);
        let last = text(ctx, &cells[5..9], cells[10], 64);
        first.then(ctx, &last).text(ctx);
    });
    assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
    let (sums, copies) = walk(small(), &[Fr::from(0x6465)], |ctx, cells| {
        let number = Short::number(ctx, cells[0], 8);
        let number = Text::of_short(ctx, &number);
        Text::constant(ctx, &[7; 13]).then(ctx, &number).text(ctx);
    });
    assert!(sums >= 2 && copies >= 2, "{sums}, {copies}");
}

#[test]
fn strings_behind_their_lengths() {
    let mut rng = ChaCha20Rng::seed_from_u64(56);
    let strings = [18, 16].map(|length| random(&mut rng, length));
    let strings: Vec<_> = strings.iter().flat_map(|string| given(string)).collect();
    let (sums, copies) = walk(layout(13, 8), &strings, |ctx, cells| {
        let [middle, last] = [0, 3].map(|i| of_given(ctx, &cells[i..]));
        let first = Text::constant(ctx, &[9]).then(ctx, &middle).text(ctx);
        let frame = Frame::new(ctx, &first);
        frame.fill(ctx, (&middle, &last)).text(ctx);
    });
    assert!(sums >= 100 && copies >= 100, "{sums}, {copies}");
}

/// Every cell is rewritten with all that follows from it, alone and with its copies: of texts, numbers and frames whose
/// inputs are given.
#[test]
fn strings_are_determined() {
    for (before, value, after) in [(5, 300, 3), (16, 0, 15), (18, 127, 16), (0, 1 << 13, 1)] {
        let mut rng = ChaCha20Rng::seed_from_u64(54);
        let strings = [random(&mut rng, before), random(&mut rng, after)];
        let mut rows = 0..0;
        let test = TestCircuit::new(layout(13, 8), |ctx| {
            let all: Vec<_> = strings.iter().flat_map(|string| given(string)).collect();
            let cells = ctx.assign_witnesses(all.into_iter().chain([Fr::from(value)]));
            rows = 0..cells.len();
            let number = Varint::new(ctx, value, 999_999);
            let cell = number.value(ctx);
            assert_equal(ctx, &cell, &cells[6]);
            let is_some = Bit::is_not_zero(ctx, cells[2]);
            let short = number.behind(ctx, &[8]);
            let tag = Short::constant(ctx, &[7; 13]).kept(ctx, is_some);
            let short = tag.then(ctx, &short);
            let short = Text::of_short(ctx, &short);
            let [first, last] = [0, 3].map(|i| of_given(ctx, &cells[i..]));
            let tag = Text::constant(ctx, &[9]);
            let first = tag.then(ctx, &first).text(ctx);
            let frame = Frame::new(ctx, &first);
            frame.fill(ctx, (&short, &last)).text(ctx);
        });
        test.assert_satisfied();
        // 0 has no inverse, so whatever stands in its place; nor has an empty message a last half (hash/padding), of which
        // the quotient by its zeros could be bound.
        let is_empty = before == 0;
        let free = |value: Fr| if is_empty { vec![value] } else { vec![] };
        let (cells, classes) =
            (test.open_values_given(rows.clone()), test.open_classes_given(rows));
        assert_eq!(cells, (free(Fr::ONE), 0), "{before} {value} {after}");
        assert_eq!(classes, (free(Fr::ZERO), 0), "{before} {value} {after}");
    }
}

/// A string that may end in any of many halves, as messages that are hashed to a curve may, and what stands behind it.
#[test]
fn long_strings_are_determined() {
    const HALVES: usize = 14;
    let mut rng = ChaCha20Rng::seed_from_u64(59);
    let string = random(&mut rng, 190);
    let mut rows = 0..0;
    let test = TestCircuit::new(layout(13, 8), |ctx| {
        let length = Fr::from(string.len() as u64);
        let cells = ctx.assign_witnesses(halves(&string, HALVES).into_iter().chain([length]));
        rows = 0..cells.len();
        let message =
            Message { halves: &cells[..HALVES], length: cells[HALVES], bound: 16 * HALVES };
        let text = Text::of_message(ctx, message);
        let behind = Text::constant(ctx, &[7; 13]);
        (0..2).for_each(|_| drop(text.then(ctx, &behind).text(ctx)));
    });
    test.assert_satisfied();
    assert_eq!(test.open_values_given(rows.clone()), (vec![], 0));
    assert_eq!(test.open_classes_given(rows), (vec![], 0));
}
