//! The words of all other members by themselves, each constraint behind them.

use ff::Field;
use halo2_base::Context;
use halo2curves::bn256::Fr;

use super::{
    super::complement::{assert_room, complement},
    complement::{all_but, rows_of_bits, Claim, Rows},
};
use crate::gate::{
    forger::Failure,
    testing::{layout, TestCircuit, Walk},
};

/// The others of each claim's words, which are said to be these.
fn subtracted(claims: &[(Claim<'_>, [Fr; 2])]) -> (TestCircuit, Rows) {
    let mut rows = Rows::default();
    let test = TestCircuit::new(layout(11, &[6]), |ctx, chips| {
        let load = |ctx: &mut Context<Fr>, rows: &mut Vec<usize>, value: Fr| {
            rows.push(ctx.advice.len());
            ctx.load_witness(value)
        };
        for (claim, said) in claims {
            let word = |word: &Fr| load(ctx, &mut rows.words, *word);
            let words: Vec<_> = claim.words.iter().map(word).collect();
            let members = load(ctx, &mut rows.members, Fr::from(claim.members));
            let others = complement(ctx, chips, (&words, claim.capacity), members);
            for (other, said) in others.iter().zip(said) {
                let said = ctx.load_constant(*said);
                ctx.constrain_equal(other, &said);
            }
        }
    });
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
        let truth = (claim, said);
        let (test, rows) = subtracted(&[truth, truth]);
        test.assert_satisfied();
        let Walk { sums, copies } = test.walk_from_everywhere(rows.all());
        assert!(sums > 3 && copies > 10, "{members}: {sums} {copies}");
        for word in [0, 1] {
            let mut other = said;
            other[word] += Fr::ONE;
            for before in [&[][..], &[truth]] {
                let (test, rows) = subtracted(&[before, &[(claim, other)]].concat());
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
    let truth = (claim, others(100));
    for i in 0..8 {
        let lie = (claim, others(100 ^ 1 << i));
        for before in [&[][..], &[truth]] {
            let (test, rows) = subtracted(&[before, &[lie]].concat());
            let Walk { sums, copies } = test.walk(rows.all());
            assert!(sums > 1 && copies > 2, "{i}: {sums} {copies}");
        }
    }
}

/// Of 250 members 248 are in the full word, and two in the last one. There is one more, who is said to have signed, and all that
/// follows is true of it.
#[test]
fn the_last_word_has_the_members_who_are_in_no_full_one() {
    let own = all_but(300, 250, &[0, 2]);
    let claim = Claim { capacity: 300, members: 250, words: &own, absent: &[0, 2], unused: 0 };
    let truth = (claim, [Fr::from(0b101), Fr::ZERO]);
    for before in [&[][..], &[truth]] {
        let (mut test, rows) = subtracted(&[before, &[truth]].concat());
        test.assert_satisfied();
        let forger = test.forger();
        let column = test.advice().len() - 1;
        let cells = test.advice()[column].clone();
        let first = rows_of_bits(&cells, 2)[0];
        // In front of the bits the sum, and behind them `rest + 1·room = 247`.
        let room = [2, 1, 245, 247].map(Fr::from);
        let room = 2 + cells.windows(4).rposition(|cells| cells == room).expect("room");
        let word = *rows.words.last().expect("a word");
        let lie = [
            (first - 1, Fr::from(3)),
            (first, Fr::ONE),
            (room, Fr::from(244)),
            (word, own[1] + Fr::from(0b100)),
        ];
        let starts = lie.into_iter().flat_map(|(row, value)| {
            let bound = forger.bound_to((column, row)).into_iter();
            bound.map(move |place| (place, value))
        });
        let forged = forger.rewrite(&starts.collect::<Vec<_>>());
        let failures = test.failures_with(forged.clone());
        let [Failure::Gate(_, gate)] = failures[..] else { panic!("{failures:?}") };
        assert_eq!(gate, first - 4);
        // `250 + 1·(-248) = 3` holds once one of its cells is another.
        let bit = Fr::from(247) * Fr::from(248).invert().expect("not 0");
        let cells = [Fr::from(251), bit, -Fr::from(247), Fr::from(2)];
        for (row, value) in (gate..).zip(cells) {
            let mut forged = forged.clone();
            forged.retain(|cell| (cell.column, cell.row) != (column, row));
            forged.push(test.in_row(row, value));
            assert_eq!(test.failing(forged), ["copy"], "row {row}");
        }
    }
}

/// What there is room for is the difference: no other number in the range.
#[test]
fn room_is_what_is_left() {
    for before in [&[][..], &[(200, 47)]] {
        let mut test = TestCircuit::new(layout(11, &[6]), |ctx, chips| {
            for (value, room) in [before, &[(250, 2)]].concat() {
                let value = ctx.load_witness(Fr::from(value));
                let bound = ctx.load_constant(*value.value());
                ctx.constrain_equal(&value, &bound);
                assert_room(ctx, chips, value, (Fr::from(room), 247));
            }
        });
        test.assert_sum_is_bound(1);
    }
}
