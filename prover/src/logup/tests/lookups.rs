//! Multiplicities and the sum: what a forger may change of them, and what not.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Inputs};
use muster_testing::sampled;
use muster_verifier::{Column, Node, Protocol, ProtocolParts, Table};

use super::{
    circuit::circuit,
    every::cell,
    judge::judge,
    sample::{rng, Keys, Sample},
};
use crate::{
    logup::{blinded::Blinded, run::Round},
    polynomial::Numbers,
};

const ROWS: usize = 16;
const USABLE: usize = 10;
/// In the random rows stand numbers that the tables do not have, as far as lookups are concerned.
const TABLES: [[u64; ROWS]; 2] = [
    [0, 1, 2, 2, 3, 4, 5, 5, 5, 0, 9, 9, 9, 9, 9, 9],
    [7, 7, 0, 1, 1, 3, 6, 2, 2, 7, 8, 8, 8, 8, 8, 8],
];
const ABSENT: [u64; 2] = [9, 8];

pub(super) fn number(number: u64) -> Fr {
    Fr::from(number)
}

/// Two tables, and a column for each that is looked up in it. The sum takes table 0 along, and a helper the other.
pub(super) fn two_tables() -> Sample {
    let parts = ProtocolParts {
        k: 4,
        usable: USABLE,
        fixed: 2,
        advice: 2,
        inputs: 0,
        nodes: [Column::Fixed(0), Column::Fixed(1), Column::Advice(0), Column::Advice(1)]
            .map(|column| cell(column, 0))
            .to_vec(),
        constraints: vec![],
        tables: (0..2)
            .map(|table| Table { expressions: vec![table], inputs: vec![vec![2 + table]] })
            .collect(),
        copied: vec![],
    };
    let protocol = Protocol::new(parts).unwrap();
    let fixed = TABLES.map(|table| table.map(number).to_vec()).to_vec();
    let advice = TABLES.map(|table| (0..ROWS).map(|row| number(table[row * 3 % USABLE])).collect());
    Sample { protocol, fixed, next: vec![], advice: advice.to_vec(), inputs: vec![] }
}

/// Whether a proof is accepted after a change of a table's multiplicities.
fn accepts(keys: &Keys, sample: &Sample, table: usize, change: impl Fn(&mut Numbers)) -> bool {
    keys.accept(sample, |round, columns| {
        if round == Round::Multiplicities {
            change(&mut columns[table].numbers);
        }
    })
}

#[test]
fn one_more_here_and_one_less_there_is_good_between_equal_rows() {
    let sample = two_tables();
    let keys = Keys::of(&sample);
    let rows = (0..USABLE).flat_map(|from| (0..USABLE).map(move |to| (from, to)));
    let cases = rows.filter(|(from, to)| from != to).flat_map(|pair| [(0, pair), (1, pair)]);
    // Equal rows are few.
    let (equal, unequal): (Vec<_>, Vec<_>) =
        cases.partition(|(table, (from, to))| TABLES[*table][*from] == TABLES[*table][*to]);
    assert_eq!((equal.len(), unequal.len()), (20, 160));
    for (cases, good) in [(sampled(equal, 5), true), (sampled(unequal, 20), false)] {
        for (table, (from, to)) in cases {
            let accepted = accepts(&keys, &sample, table, |counts| {
                counts[from] -= Fr::ONE;
                counts[to] += Fr::ONE;
            });
            assert_eq!(accepted, good, "table {table}, from {from} to {to}");
        }
    }
}

#[test]
fn counts_are_bound_in_usable_rows_and_nowhere_else() {
    let sample = two_tables();
    let keys = Keys::of(&sample);
    let cases = (0..ROWS).flat_map(|row| [(0, row), (1, row)]);
    for (table, row) in sampled(cases, 4) {
        for by in [Fr::ONE, -Fr::ONE, Fr::random(&mut rng(row as u64))] {
            let accepted = accepts(&keys, &sample, table, |counts| counts[row] += by);
            assert_eq!(accepted, row >= USABLE, "table {table}, row {row}");
        }
    }
}

/// A value that stands in the table's random rows alone is in no row of it, whatever is counted there or elsewhere.
#[test]
fn what_a_table_lacks_is_refused_whatever_is_counted() {
    for (table, absent) in ABSENT.into_iter().enumerate() {
        let mut sample = two_tables();
        sample.advice[table][3] = number(absent);
        assert!(judge(&sample).is_err());
        let keys = Keys::of(&sample);
        assert!(!keys.accept(&sample, |_, _| ()));
        let mut random = rng(table as u64);
        for row in sampled(0..ROWS, 4).into_iter().chain([USABLE]) {
            for count in [Fr::ONE, Fr::random(&mut random)] {
                assert!(!accepts(&keys, &sample, table, |counts| counts[row] += count), "{row}");
                assert!(
                    !accepts(&keys, &sample, 1 - table, |counts| counts[row] += count),
                    "{row}"
                );
            }
        }
        let everything =
            |counts: &mut Numbers| counts.iter_mut().for_each(|count| *count += Fr::ONE);
        assert!(!accepts(&keys, &sample, table, everything));
    }
}

/// Without its table's term a helper has nothing that the inputs' terms cancel with; likewise the sum.
#[test]
fn no_term_of_a_table_can_be_left_out() {
    let sample = two_tables();
    let keys = Keys::of(&sample);
    for table in 0..2 {
        assert!(!accepts(&keys, &sample, table, |counts| counts[..USABLE].fill(Fr::ZERO)));
        assert!(accepts(&keys, &sample, table, |counts| counts[USABLE..].fill(Fr::ZERO)));
    }
}

/// Changes the helper (0) or the sum (1).
fn edits(place: usize, change: impl Fn(&mut Numbers)) -> impl FnMut(Round, &mut Vec<Blinded>) {
    move |round, columns| {
        if round == Round::Arguments {
            change(&mut columns[place].numbers);
        }
    }
}

#[test]
fn the_sum_may_begin_anywhere_and_must_come_back() {
    let sample = two_tables();
    let keys = Keys::of(&sample);
    assert!(keys.accept(&sample, edits(1, |sum| sum.iter_mut().for_each(|it| *it += Fr::ONE))));
    // From some row on it is another one: no step is false but that one, and the one around the end.
    for row in sampled(1..ROWS, 3) {
        let jump = |sum: &mut Numbers| sum[row..].iter_mut().for_each(|it| *it += number(5));
        assert!(!keys.accept(&sample, edits(1, jump)), "row {row}");
    }
    // What is missing, added in the last row or in the random ones.
    let mut short = sample.clone();
    short.advice[0][3] = number(ABSENT[0]);
    for row in [USABLE, ROWS - 1] {
        let back = |sum: &mut Numbers| {
            let first = sum[0];
            sum[row..].fill(first);
        };
        assert!(!keys.accept(&short, edits(1, back)), "row {row}");
        assert!(!keys.accept(&short, edits(1, |sum| sum.fill(Fr::ZERO))));
    }
}

/// Helpers are bound in all rows.
#[test]
fn helpers_are_bound_everywhere() {
    let sample = two_tables();
    let keys = Keys::of(&sample);
    for row in sampled(0..ROWS, 4) {
        assert!(!keys.accept(&sample, edits(0, |helper| helper[row] += Fr::ONE)), "row {row}");
    }
    assert!(!keys.accept(&sample, edits(0, |helper| helper.fill(Fr::ZERO))));
}

/// For every pair of tables: an input that is the other table's row of zeros, or any other of its rows, once the difference of the tags is added,
/// and counted there.
#[test]
fn tags_tell_tables_apart() {
    let mut sample = three_tables();
    let honest = sample.advice.clone();
    let keys = Keys::of(&sample);
    assert!(keys.accept(&sample, |_, _| ()));
    let pairs = (0..3).flat_map(|from| (0..3).map(move |to| (from, to)));
    let pairs =
        pairs.filter(|(from, to)| from != to).flat_map(|pair| (0..5).map(move |row| (pair, row)));
    for ((from, to), row) in sampled(pairs, 3) {
        for difference in [to as i64 - from as i64, from as i64 - to as i64, 0] {
            let tag = number(difference.unsigned_abs());
            let tag = if difference < 0 { -tag } else { tag };
            sample.advice = honest.clone();
            sample.advice[from][2] = sample.fixed[to][row] + tag;
            if judge(&sample).is_ok() {
                continue;
            }
            let counts = |counts: &mut Numbers| counts[row] += Fr::ONE;
            assert!(!accepts(&keys, &sample, to, counts), "{from}, {to}, {row}");
        }
    }
}

/// With `θ = 0` a tuple is its table's tag: no column stands beside it.
#[test]
fn tags_stand_alone() {
    for seed in sampled(0..200, 20) {
        let sample = circuit(seed);
        let keys = Keys::of(&sample);
        let (prover, rows) = (&keys.prover, sample.protocol.rows());
        let mut random = rng(seed);
        let columns: Vec<Numbers> = (0..prover.system.columns.count)
            .map(|_| (0..rows).map(|_| Fr::random(&mut random)).collect())
            .collect();
        let columns: Vec<&[Fr]> = columns.iter().map(Vec::as_slice).collect();
        let inputs = Inputs { rows, columns: &columns, parameters: &[Fr::ZERO] };
        let tuples = prover.system.programs.tuples.evaluate(Backend::portable(), inputs);
        let tables = sample.protocol.tables().iter().enumerate();
        let tags: Vec<u64> =
            tables.flat_map(|(tag, table)| vec![tag as u64; 1 + table.inputs.len()]).collect();
        assert_eq!(tuples, tags.iter().map(|tag| vec![number(*tag); rows]).collect::<Vec<_>>());
    }
}

/// Three tables with a row of zeros each, far apart but for that.
pub(super) fn three_tables() -> Sample {
    let columns = (0..3).map(Column::Fixed).chain((0..3).map(Column::Advice));
    let nodes: Vec<Node> = columns.map(|column| cell(column, 0)).collect();
    let tables = (0..3).map(|it| Table { expressions: vec![it], inputs: vec![vec![3 + it]] });
    let parts = ProtocolParts {
        k: 3,
        usable: 5,
        fixed: 3,
        advice: 3,
        inputs: 0,
        nodes,
        constraints: vec![],
        tables: tables.collect(),
        copied: vec![],
    };
    let table = |index: u64| (0..8).map(|row| number(row * 100 * (index + 1))).collect();
    let columns: Vec<Numbers> = (0..3).map(table).collect();
    let (fixed, advice) = (columns.clone(), columns);
    let protocol = Protocol::new(parts).unwrap();
    Sample { protocol, fixed, next: vec![], advice, inputs: vec![] }
}
