//! The product and its differences: what a forger may change of them, and what not.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use muster_verifier::{Column, Protocol, ProtocolParts};

use super::{
    judge::judge,
    sample::{rng, Keys, Sample},
};
use crate::{
    logup::{
        blinded::{Blinded, BLINDERS},
        run::Round,
    },
    polynomial::Numbers,
};

const ROWS: usize = 8;
const USABLE: usize = 5;

/// Nine columns, which are three chunks, and cycles of one to three cells.
pub(super) fn nine_columns() -> Sample {
    let parts = ProtocolParts {
        k: 3,
        usable: USABLE,
        fixed: 0,
        advice: 9,
        inputs: 0,
        nodes: vec![],
        constraints: vec![],
        tables: vec![],
        copied: (0..9).map(Column::Advice).collect(),
    };
    let protocol = Protocol::new(parts).unwrap();
    let mut random = rng(1);
    let mut advice: Vec<Numbers> =
        (0..9).map(|_| (0..ROWS).map(|_| Fr::random(&mut random)).collect()).collect();
    let next = Sample::no_copies(&protocol);
    let mut copies = vec![];
    for ((column, row), from) in
        [((1, 0), (0, 0)), ((4, 3), (0, 0)), ((8, 4), (3, 2)), ((5, 1), (5, 0))]
    {
        advice[column][row] = advice[from.0][from.1];
        copies.push(((column, row), from));
    }
    let mut sample = Sample { protocol, fixed: vec![], next, advice, inputs: vec![] };
    copies.into_iter().for_each(|(one, two)| sample.copy(one, two));
    sample
}

/// Changes the product (0), or a difference.
fn edits(change: impl Fn(&mut [Blinded])) -> impl FnMut(Round, &mut Vec<Blinded>) {
    move |round, columns| {
        if round == Round::Arguments {
            change(columns);
        }
    }
}

#[test]
fn the_product_begins_at_1_and_is_bound_everywhere() {
    let sample = nine_columns();
    let keys = Keys::of(&sample);
    assert!(keys.accept(&sample, |_, _| ()));
    let scale = |columns: &mut [Blinded], factor: Fr| {
        let numbers = columns.iter_mut().flat_map(|column| &mut column.numbers);
        numbers.for_each(|number| *number *= factor);
    };
    // With 0 all steps hold, and with any other factor as well.
    for factor in [Fr::ZERO, Fr::from(2), -Fr::ONE] {
        assert!(!keys.accept(&sample, edits(|columns| scale(columns, factor))));
    }
    let all_zero = |columns: &mut [Blinded]| {
        scale(columns, Fr::ZERO);
        columns.iter_mut().for_each(|column| column.blinders = vec![Fr::ZERO; BLINDERS - 1]);
        columns.iter_mut().for_each(|column| column.blinders.push(Fr::ONE));
    };
    assert!(!keys.accept(&sample, edits(all_zero)));
    for (column, row) in sampled((0..3).flat_map(|it| (0..ROWS).map(move |row| (it, row))), 4) {
        let change = |columns: &mut [Blinded]| columns[column].numbers[row] += Fr::ONE;
        assert!(!keys.accept(&sample, edits(change)), "column {column}, row {row}");
    }
}

/// A product that is 0 from some row on forgives what comes after it, and does not come back to 1.
#[test]
fn a_product_of_0_forgives_nothing() {
    let mut sample = nine_columns();
    sample.advice[4][3] += Fr::ONE;
    assert!(judge(&sample).is_err());
    let keys = Keys::of(&sample);
    for from in 0..ROWS {
        let zeros = |columns: &mut [Blinded]| {
            columns.iter_mut().for_each(|column| column.numbers[from..].fill(Fr::ZERO));
        };
        assert!(!keys.accept(&sample, edits(zeros)), "from row {from}");
        let one = |columns: &mut [Blinded]| {
            columns[0].numbers[from..].fill(Fr::ONE);
            columns[1..].iter_mut().for_each(|column| column.numbers[from..].fill(Fr::ZERO));
        };
        assert!(!keys.accept(&sample, edits(one)), "from row {from}");
    }
}

#[test]
fn chunks_have_an_order() {
    let sample = nine_columns();
    let keys = Keys::of(&sample);
    assert!(!keys.accept(&sample, edits(|columns| columns.swap(1, 2))));
    assert!(!keys.accept(&sample, edits(|columns| columns.swap(0, 1))));
}

/// One cell of each copied column, and one of each row.
#[test]
fn every_cell_of_a_cycle_is_bound() {
    let honest = nine_columns();
    let keys = Keys::of(&honest);
    let cells = (0..9).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
    for (column, row) in sampled(cells, 6) {
        let mut filled = honest.clone();
        let accepted = keys.accept(&honest, |round, columns| {
            if round == Round::Advice {
                columns[column].numbers[row] += Fr::ONE;
                filled.advice = columns.iter().map(|column| column.numbers.clone()).collect();
            }
        });
        assert_eq!(accepted, honest.next[column][row] == (column, row), "{column}, {row}");
        assert_eq!(accepted, judge(&filled).is_ok());
    }
}

/// Columns of a prover whose σ or tables are not those that the key commits to.
#[test]
fn fixed_columns_are_those_of_the_key() {
    let honest = nine_columns();
    let keys = Keys::of(&honest);
    let mut forged = honest.clone();
    // Parts the cycle, so that its cell may be anything.
    forged.copy((4, 3), (0, 0));
    forged.advice[4][3] += Fr::ONE;
    let (mut theirs, own) = (Keys::of(&honest), Keys::of(&forged));
    assert_eq!(judge(&forged), Ok(()));
    assert!(own.accept(&forged, |_, _| ()));
    theirs.columns = own.columns;
    assert!(!theirs.accept(&forged, |_, _| ()));
    assert!(!keys.accept(&forged, |_, _| ()));

    let honest = super::lookups::two_tables();
    for table in 0..2 {
        let mut forged = honest.clone();
        forged.fixed[table][4] = Fr::from(77);
        let copied = (0..ROWS).filter(|row| forged.advice[table][*row] == honest.fixed[table][4]);
        let copied: Vec<usize> = copied.collect();
        copied.into_iter().for_each(|row| forged.advice[table][row] = Fr::from(77));
        let own = Keys::of(&forged);
        let mut theirs = Keys::of(&honest);
        theirs.columns = own.columns;
        assert!(!theirs.accept(&forged, |_, _| ()), "table {table}");
    }
}
