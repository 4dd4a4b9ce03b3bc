//! Strings in circuit against strings of bytes.

mod lies;
mod walks;

use halo2_base::{
    halo2_proofs::halo2curves::{
        bn256::Fr,
        ff::{Field, PrimeField},
    },
    AssignedValue,
};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{string::Cells, Frame, Short, Text, UncheckedText, Varint};
use crate::hash::padding::Message;
use muster_forgery::testing::{self, TestCircuit};
use muster_gates::{small::Bit, vertical::assert_equal, Forged, GateContext, Layout};

fn layout(k: u32, range_bits: usize) -> Layout {
    Layout { constant_rows: 300, range_bits, ..testing::layout(k, &[]) }
}

/// Bytes as halves, zeros behind them.
fn halves(bytes: &[u8], count: usize) -> Vec<Fr> {
    let mut padded = bytes.to_vec();
    padded.resize(16 * count, 0);
    let half = |half: &[u8]| Fr::from_u128(u128::from_be_bytes(half.try_into().unwrap()));
    padded.chunks(16).map(half).collect()
}

fn number(cell: &AssignedValue<Fr>) -> usize {
    let bytes = cell.value().to_repr();
    assert!(bytes[8..].iter().all(|byte| *byte == 0), "a small number");
    u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize
}

/// The bytes of a string, behind which zeros follow.
fn bytes(cells: &[AssignedValue<Fr>], length: &AssignedValue<Fr>, each: usize) -> Vec<u8> {
    let of_cell = |cell: &AssignedValue<Fr>| {
        let mut bytes = cell.value().to_repr();
        bytes.reverse();
        assert!(bytes[..32 - each].iter().all(|byte| *byte == 0), "{each} bytes");
        bytes[32 - each..].to_vec()
    };
    let mut bytes: Vec<_> = cells.iter().flat_map(of_cell).collect();
    let rest = bytes.split_off(number(length));
    assert!(rest.iter().all(|byte| *byte == 0), "zeros follow");
    bytes
}

fn of_short(short: &Short) -> Vec<u8> {
    let (least, most) = short.bounds();
    let bytes = bytes(&[short.cell()], &short.length(), most);
    assert!((least..=most).contains(&bytes.len()));
    bytes
}

fn of_cells(cells: &Cells) -> Vec<u8> {
    let bytes = bytes(&cells.halves, &cells.length, 16);
    assert!((cells.least..=cells.most).contains(&bytes.len()));
    bytes
}

fn of_text(text: &Text) -> Vec<u8> {
    of_cells(text.cells())
}

fn of_draft(draft: &UncheckedText) -> Vec<u8> {
    let Message { halves, length, bound } = draft.message();
    assert_eq!(draft.bounds().1, bound);
    bytes(halves, &length, 16)
}

/// A text of these bytes whose length is a witness.
fn variable(ctx: &mut GateContext, bytes: &[u8], bound: usize) -> Text {
    let halves = ctx.assign_witnesses(halves(bytes, bound.div_ceil(16)));
    let length = ctx.load_witness(Fr::from(bytes.len() as u64));
    Text::of_message(ctx, Message { halves: &halves, length, bound })
}

fn random(rng: &mut ChaCha20Rng, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// A varint as protobuf's documents describe it, byte by byte.
fn written(value: u64) -> Vec<u8> {
    let count = (1..10).find(|count| value >> (7 * count) == 0).unwrap_or(10);
    let byte = |i: usize| (value >> (7 * i) & 0x7f) as u8 | if i + 1 < count { 0x80 } else { 0 };
    (0..count).map(byte).collect()
}

#[test]
fn varints_are_those_of_protobuf() {
    let borders = (1..10).flat_map(|bytes| [(1u64 << (7 * bytes)) - 1, 1 << (7 * bytes)]);
    let values: Vec<_> = borders.chain([0, 1, 300, u64::MAX, 999_999_999]).collect();
    let mosts = [1, 127, 128, 999_999_999, u64::from(u32::MAX), (1 << 14) - 1, u64::MAX];
    for range_bits in [8, 9, 12] {
        let test = TestCircuit::new(layout(16, range_bits), |ctx| {
            for most in mosts {
                for value in values.iter().copied().filter(|value| *value <= most) {
                    let varint = Varint::new(ctx, value, most);
                    assert_eq!(*varint.value(ctx).value(), Fr::from(value));
                    let expected = if value == 0 { vec![] } else { written(value) };
                    assert_eq!(of_short(&varint.behind(ctx, &[])), expected, "{value}");
                    if most < u64::MAX {
                        continue;
                    }
                    let field = [&[8][..], &expected].concat();
                    let expected = if value == 0 { vec![] } else { field };
                    assert_eq!(of_short(&varint.behind(ctx, &[8])), expected, "{value}");
                    let size = expected.len() - usize::from(value > 0);
                    for bytes in 0..=10 {
                        let takes = number(&varint.takes(bytes)) == 1;
                        assert_eq!(takes, bytes == size, "{value}");
                    }
                }
            }
        });
        test.assert_satisfied();
    }
}

#[test]
fn shorts_are_put_together() {
    let test = TestCircuit::new(layout(12, 8), |ctx| {
        let a = Short::constant(ctx, b"abc");
        let cell = ctx.load_witness(Fr::from(0x6465));
        let number = Short::number(ctx, cell, 2);
        assert_eq!(of_short(&number), b"de");
        let varint = Varint::new(ctx, 300, u64::MAX).behind(ctx, &[9]);
        let nothing = Varint::new(ctx, 0, 500).behind(ctx, &[9]);
        let [yes, no] = [1, 0].map(|is| {
            let cell = ctx.load_witness(Fr::from(is));
            Bit::is_not_zero(ctx, cell)
        });
        let all = a.then(ctx, &varint).then(ctx, &nothing).then(ctx, &number);
        assert_eq!(of_short(&all), b"abc\x09\xac\x02de");
        assert_eq!(all.bounds(), (5, 3 + 11 + 3 + 2));
        assert_eq!(of_short(&all.kept(ctx, yes)), b"abc\x09\xac\x02de");
        assert_eq!(of_short(&all.kept(ctx, no)), b"");
        let kept = all.kept(ctx, no).then(ctx, &number);
        assert_eq!(of_short(&kept), b"de");
        assert_eq!(of_short(&all.length_byte(ctx)), [8]);
        assert_eq!(of_text(&Text::of_short(ctx, &all)), b"abc\x09\xac\x02de");
        assert_eq!(of_text(&Text::of_short(ctx, &varint)), [9, 0xac, 2]);
    });
    test.assert_satisfied();
}

/// Every place within a half, with second strings that end in the same half, the next one and later.
#[test]
fn texts_are_put_together() {
    let mut rng = ChaCha20Rng::seed_from_u64(51);
    for range_bits in [8, 9, 12] {
        let test = TestCircuit::new(layout(17, range_bits), |ctx| {
            for length in 0..=35 {
                let first = random(&mut rng, length);
                let text = variable(ctx, &first, 35);
                for (size, bound) in [(0, 1), (1, 16), (16, 16), (rng.gen_range(3..50), 50)] {
                    let second = random(&mut rng, size);
                    let joined = variable(ctx, &second, bound);
                    let joined = text.then(ctx, &joined);
                    assert_eq!(of_draft(&joined), [&first[..], &second].concat());
                    assert_eq!(joined.bounds(), (0, 35 + bound));
                    joined.text(ctx);
                }
            }
        });
        test.assert_satisfied();
    }
}

#[test]
fn three_texts_are_put_together() {
    let mut rng = ChaCha20Rng::seed_from_u64(52);
    let test = TestCircuit::new(layout(14, 12), |ctx| {
        for (a, b, c) in [(3, 19, 33), (16, 0, 7), (0, 16, 16), (15, 2, 50)] {
            let parts = [random(&mut rng, a), random(&mut rng, b), random(&mut rng, c)];
            let [first, second, third] = [(0, 16), (1, 19), (2, 50)]
                .map(|(part, bound): (usize, usize)| variable(ctx, &parts[part], bound));
            let joined = first.then(ctx, &second).then(ctx, &third);
            assert_eq!(of_draft(&joined), parts.concat());
            joined.text(ctx);
        }
        let constant = Text::constant(ctx, b"a constant of more than a half");
        let halves = ctx.assign_witnesses([Fr::from(7), Fr::from(8)]);
        let halves = Text::of_halves(ctx, &halves);
        let joined = constant.then(ctx, &halves).text(ctx);
        let expected =
            [&b"a constant of more than a half"[..], &7u128.to_be_bytes(), &8u128.to_be_bytes()];
        assert_eq!(of_text(&joined), expected.concat());
    });
    test.assert_satisfied();
}

#[test]
#[should_panic(expected = "no half wraps")]
fn four_texts_are_too_many() {
    let mut gates = muster_gates::Gates::new(&layout(12, 8), false);
    let ctx = &mut gates.context();
    let text = Text::constant(ctx, b"x");
    text.then(ctx, &text).then(ctx, &text).then(ctx, &text);
}

#[test]
fn frames_say_the_length_of_what_follows() {
    let mut rng = ChaCha20Rng::seed_from_u64(53);
    for (before, sizes) in
        [(1, vec![(0, 0), (5, 50)]), (93, (20..40).map(|b| (b % 7, b)).collect())]
    {
        let before = random(&mut rng, before);
        let test = TestCircuit::new(layout(15, 12), |ctx| {
            let halves = ctx.assign_witnesses(halves(&before, 7));
            let length = ctx.load_witness(Fr::from(before.len() as u64));
            let beginning = Text::of_message(ctx, Message { halves: &halves, length, bound: 98 });
            let one = Text::constant(ctx, b"!");
            let beginning = one.then(ctx, &beginning).text(ctx);
            let frame = Frame::new(ctx, &beginning);
            for (b, c) in sizes {
                let parts =
                    [b"!".to_vec(), before.clone(), random(&mut rng, b), random(&mut rng, c)];
                let [middle, end] = [(2, 19), (3, 52)]
                    .map(|(part, bound): (usize, usize)| variable(ctx, &parts[part], bound));
                let filled = frame.fill(ctx, (&middle, &end));
                let content = parts.concat();
                assert_eq!(of_draft(&filled), [written(content.len() as u64), content].concat());
                filled.text(ctx);
            }
        });
        test.assert_satisfied();
    }
}
