//! The words of all other members by themselves, each constraint behind them.

use ff::Field;
use halo2_base::Context;
use halo2curves::bn256::Fr;

use super::{
    super::{assert_room, complement},
    complement::{all_but, Claim, Rows},
};
use muster_forgery::{
    forger::Failure,
    testing::{layout, TestCircuit, Walk},
};
use muster_gates::{Forged, GateContext};

/// The gate of a product.
const PRODUCT: &str = "1 column a + b * c = out";

/// A claim, and what the others of its words are said to be.
type Said<'a> = (Claim<'a>, &'a [Fr]);

fn subtract(ctx: &mut GateContext, claims: &[Said<'_>]) -> Rows {
    let mut rows = Rows::default();
    let load = |ctx: &mut Context<Fr>, rows: &mut Vec<usize>, value: Fr| {
        rows.push(ctx.advice.len());
        ctx.load_witness(value)
    };
    for (claim, said) in claims {
        let word = |word: &Fr| load(ctx, &mut rows.words, *word);
        let words: Vec<_> = claim.words.iter().map(word).collect();
        let members = load(ctx, &mut rows.members, Fr::from(claim.members));
        let others = complement(ctx, (&words, claim.capacity), members);
        for (other, said) in others.iter().zip(*said) {
            let said = ctx.load_constant(*said);
            ctx.constrain_equal(other, &said);
        }
    }
    rows
}

fn subtracted(claims: &[Said<'_>]) -> (TestCircuit, Rows) {
    let mut rows = Rows::default();
    let test = TestCircuit::new(layout(11, &[6]), |ctx| rows = subtract(ctx, claims));
    (test, rows)
}

/// Words of two, with members in both and in the first alone: all cells follow from what they are of, and others are refused by
/// single constraints.
#[test]
fn each_word_of_the_others_is_bound() {
    let said = [Fr::from(0b101), Fr::from(0b10)];
    for (members, absent, said) in
        [(250, &[0, 2, 249][..], said), (100, &[0, 2], [said[0], Fr::ZERO])]
    {
        let own = all_but(300, members, absent);
        let claim = Claim { capacity: 300, members, words: &own, absent, unused: 0 };
        let truth = (claim, &said[..]);
        let (test, rows) = subtracted(&[truth, truth]);
        test.assert_satisfied();
        let Walk { sums, copies } = test.walk_from_everywhere(rows.all());
        assert!(sums > 3 && copies > 10, "{members}: {sums} {copies}");
        for word in [0, 1] {
            let mut other = said;
            other[word] += Fr::ONE;
            for before in [&[][..], &[truth]] {
                let (test, rows) = subtracted(&[before, &[(claim, &other[..])]].concat());
                let Walk { sums, copies } = test.walk(rows.all());
                assert!(sums > 1 && copies > 2, "{members}, {word}: {sums} {copies}");
            }
        }
    }
}

/// The number of members in the last word, with each of its bits flipped: the others of its words are those of that number.
#[test]
fn each_bit_of_the_number_is_bound() {
    let own = all_but(300, 100, &[0, 2]);
    let claim = Claim { capacity: 300, members: 100, words: &own, absent: &[0, 2], unused: 0 };
    let others = |members: u64| [Fr::from(2).pow([members]) - Fr::ONE - own[0], Fr::ZERO];
    let said = others(100);
    let truth = (claim, &said[..]);
    for i in 0..8 {
        let said = others(100 ^ 1 << i);
        let lie = (claim, &said[..]);
        for before in [&[][..], &[truth]] {
            let (test, rows) = subtracted(&[before, &[lie]].concat());
            let Walk { sums, copies } = test.walk(rows.all());
            assert!(sums > 1 && copies > 2, "{i}: {sums} {copies}");
        }
    }
}

/// Of 250 members 248 are in the full word, and two in the last one; of 498 there are 496 in two full words, and so on. There is one more, who
/// is said to have signed, and all that follows is true of it.
#[test]
fn the_last_word_has_the_members_who_are_in_no_full_one() {
    for full in 1..9 {
        let members = full * 248 + 2;
        let capacity = members as usize + 50;
        let own = all_but(capacity, members, &[0, 2]);
        let claim = Claim { capacity, members, words: &own, absent: &[0, 2], unused: 0 };
        let words = all_but(capacity, members + 1, &[0, 2]);
        let more = Claim { members: members + 1, words: &words, ..claim };
        let mut said = vec![Fr::ZERO; own.len()];
        said[0] = Fr::from(0b101);
        let (truth, lie) = ((claim, &said[..]), (more, &said[..]));
        one_more(&[], truth, lie, full);
        one_more(&[truth], truth, lie, full);
    }
}

/// The `full`-th product of the sum of those who are in full words is refused, and so is each of its cells in its place.
fn one_more(before: &[Said<'_>], truth: Said<'_>, lie: Said<'_>, full: u64) {
    let (mut test, rows) = subtracted(&[before, &[truth]].concat());
    test.assert_satisfied();
    let forger = test.forger();
    let column = test.advice().len() - 1;
    let cells = test.advice()[column].clone();
    let (members, capacity) = (truth.0.members, truth.0.capacity as u64);
    // `members + 1·room = capacity` holds as it is.
    let room = [members, 1, capacity - members, capacity].map(Fr::from);
    let room = 2 + cells.windows(4).rposition(|cells| cells == room).expect("room");
    let number = *rows.members.last().expect("a number");
    let kept = [number, room].map(|row| forger.bound_to((column, row))).concat();
    let lies = [before, &[lie]].concat();
    let mut forged = test.written_by(|ctx| drop(subtract(ctx, &lies)));
    forged.retain(|cell| !kept.contains(&(cell.column, cell.row)));
    let mut gate = gate_that_fails(&mut test, &forged);
    // Products of words that are not the last one hold, too, if the sum so far is kept.
    for _ in 1..full {
        forged.retain(|cell| (cell.column, cell.row) != (column, gate + 3));
        gate = gate_that_fails(&mut test, &forged);
    }
    // `members + 1·(-248·full) = 3` holds once one of its cells is another.
    let (members, in_full) = (Fr::from(members), Fr::from(248 * full));
    let bit = (in_full - Fr::ONE) * in_full.invert().expect("not 0");
    let cells = [members + Fr::ONE, bit, Fr::ONE - in_full, Fr::from(2)];
    for (row, value) in (gate..).zip(cells) {
        let mut forged = forged.clone();
        forged.retain(|cell| (cell.column, cell.row) != (column, row));
        forged.push(test.in_row(row, value));
        // The sum so far is no copy, but what the product before gives.
        let expected = if row == gate && full > 1 { PRODUCT } else { "copy" };
        assert_eq!(test.failing(forged), [expected], "row {row}");
    }
}

fn gate_that_fails(test: &mut TestCircuit, forged: &[Forged]) -> usize {
    let failures = test.failures_with(forged.to_vec());
    let [Failure::Gate(_, gate)] = failures[..] else { panic!("{failures:?}") };
    gate
}

/// A word, and those behind it, that is said to be full, though the last one is in front of it. All that follows is true of it.
#[test]
fn words_are_full_if_the_last_one_is_behind_them() {
    let own = all_but(300, 100, &[0, 2]);
    let claim = Claim { capacity: 300, members: 100, words: &own, absent: &[0, 2], unused: 0 };
    let small = Claim { capacity: 6, members: 3, words: &own[1..], absent: &[0, 1, 2], unused: 0 };
    let ones = |members: u64| Fr::from(2).pow([members]) - Fr::ONE;
    let said = [[0b111, 0], [0b101, 0]].map(|words| words.map(Fr::from));
    for before in [&[][..], &[(small, &said[0][..])]] {
        let truth = (claim, &said[1][..]);
        let (mut test, rows) = subtracted(&[before, &[truth]].concat());
        test.assert_satisfied();
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let cells = test.advice()[column].clone();
        // `1 + (-1)·1 = 0`, and in front of the first word `0 + 0·(2^248 - 1) = 0`.
        let start = [Fr::ONE, -Fr::ONE, Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO, ones(248)];
        let start = cells.windows(7).rposition(|cells| cells == start).expect("a sum");
        for first in [0, 1] {
            let words = &rows.words[rows.words.len() - 2..];
            let changed = (first..2).flat_map(|word| {
                let row = start + 14 * word;
                let last = if word == 0 { ones(100) } else { Fr::ZERO };
                let more = [(row + 7, ones(248)), (row + 10, ones(248) + last)];
                [(row + 3, Fr::ONE), (words[word], own[word] + ones(248))].into_iter().chain(more)
            });
            let forged = changed.flat_map(|(row, value)| {
                let bound = forger.bound_to((column, row)).into_iter();
                bound.map(move |(column, row)| Forged { column, row, value })
            });
            let forged: Vec<_> = forged.collect();
            let failures = test.failures_with(forged.clone());
            let [Failure::Gate(_, gate)] = failures[..] else { panic!("{first}: {failures:?}") };
            assert_eq!(gate, start + 14 * first);
            let cells = if first == 0 { [2, 0, 0, 0] } else { [1, -1, -1, 0] };
            for (row, value) in (gate..).zip(cells) {
                // Times 0 nothing makes up for it.
                if (first, row) == (1, gate + 1) {
                    continue;
                }
                let value = if value < 0 { -Fr::ONE } else { Fr::from(value as u64) };
                let mut forged = forged.clone();
                forged.retain(|cell| (cell.column, cell.row) != (column, row));
                forged.push(test.in_row(row, value));
                assert_eq!(test.failing(forged), ["copy"], "{first}: row {row}");
            }
        }
    }
}

/// What there is room for is the difference: no other number in the range.
#[test]
fn room_is_what_is_left() {
    for before in [&[][..], &[(200, 47)]] {
        let mut test = TestCircuit::new(layout(11, &[6]), |ctx| {
            for (value, room) in [before, &[(250, 2)]].concat() {
                let value = ctx.load_witness(Fr::from(value));
                let bound = ctx.load_constant(*value.value());
                ctx.constrain_equal(&value, &bound);
                assert_room(ctx, value, (Fr::from(room), 247));
            }
        });
        test.assert_sum_is_bound(1);
    }
}
