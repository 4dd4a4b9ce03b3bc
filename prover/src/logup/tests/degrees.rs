//! No degree is bounded, and none has to be: what polynomials of a higher degree can show is what columns can.

use std::fs;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    SerdeFormat,
};
use muster_engine::Backend;
use muster_params::{import, ParamsError, Srs};

use super::{
    copies::nine_columns,
    every::{every, ROWS},
    judge::judge,
    lookups::{number, two_tables},
    mirror::{quotient, value, Insight},
    sample::{rng, Keys, Sample},
};
use crate::{
    logup::{
        blinded::{value_of, Blinded, BLINDERS},
        prover::Prover,
        run::Round,
    },
    polynomial::{powers, Numbers},
    Error,
};

/// A column with a multiple of `Xⁿ − 1`, in circuits whose quotients have room for it, is the column that it was.
#[test]
fn a_column_of_a_higher_degree_is_as_good() {
    let mut lookups = two_tables();
    let mut copies = nine_columns();
    for is_good in [true, false] {
        for (round, column) in [
            (Round::Advice, 0),
            (Round::Advice, 1),
            (Round::Multiplicities, 0),
            (Round::Multiplicities, 1),
        ] {
            check(&lookups, (round, column), is_good);
        }
        // Alone in its chunk.
        check(&copies, (Round::Advice, 8), is_good);
        (lookups.advice[0][3], lookups.advice[1][3]) = (number(9), number(8));
        copies.advice[8][4] += Fr::ONE;
    }
}

fn check(sample: &Sample, (round, place): (Round, usize), is_good: bool) {
    assert_eq!(judge(sample).is_ok(), is_good);
    let keys = Keys::of(sample);
    for count in 1..=BLINDERS {
        let mut random = rng(count as u64);
        let accepted = keys.accept(sample, |now, columns| {
            if now == round {
                let blinders = (0..count).map(|_| Fr::random(&mut random)).collect();
                columns[place].blinders = blinders;
            }
        });
        assert_eq!(accepted, is_good, "column {place}, {count} coefficients");
    }
}

/// The joined constraints at `z`, from the values of all columns on the coset of `z`.
fn constraints(keys: &Keys, columns: &[Blinded], challenges: &[Fr; 5], z: Fr) -> Fr {
    let polynomials = Insight::polynomials(keys, columns);
    let values = polynomials.iter().map(|of| {
        (0..ROWS as i32).map(|row| value(keys, of, keys.prover.system.point(z, row))).collect()
    });
    let values: Vec<Numbers> = values.collect();
    let values: Vec<&[Fr]> = values.iter().map(Vec::as_slice).collect();
    let inputs = muster_engine::Inputs { rows: ROWS, columns: &values, parameters: challenges };
    keys.prover.system.programs.constraints.evaluate(Backend::portable(), inputs)[0][0]
}

/// With four blinders a quotient has `4n` coefficients, and the cosets know all of them. With five there are more.
#[test]
fn four_blinders_fit_and_five_do_not() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    let rows = insight.challenges.rows;
    let mut random = rng(3);
    let z = Fr::random(&mut random);
    let zn = z.pow([ROWS as u64]);
    let holds = |columns: &[Blinded]| {
        let pieces = quotient(&keys, columns, &rows);
        let parts = pieces.iter().zip(powers(zn));
        let quotient: Fr = parts.map(|(piece, power)| power * value_of(piece, z)).sum();
        quotient * (zn - Fr::ONE) == constraints(&keys, columns, &rows, z)
    };
    let columns = insight.coefficients(&keys);
    assert!(holds(&columns));
    let pieces = quotient(&keys, &columns, &rows);
    assert_ne!(pieces[3][ROWS - 1], Fr::ZERO, "the degree is 4n − 1");
    // Two helpers, the sum, the product and a difference. Nothing of degree 4 is multiplied with the sum.
    for place in columns.len() - 5..columns.len() {
        let mut columns = columns.clone();
        columns[place].blinders = (0..BLINDERS).map(|_| Fr::random(&mut random)).collect();
        assert!(holds(&columns));
        columns[place].blinders.push(Fr::random(&mut random));
        assert_eq!(holds(&columns), place == columns.len() - 3, "{place}");
    }
}

/// A file of exactly `2^k` powers: the user learns what is missing, and how to get it.
#[test]
fn one_power_too_few_is_refused() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let srs = Srs::insecure(4).unwrap();
    assert!(Prover::new(Backend::portable(), &srs, keys.key.clone(), None).is_ok());
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut bytes = vec![];
    srs.params().write_custom(&mut bytes, SerdeFormat::RawBytes).unwrap();
    fs::write(file.path(), bytes).unwrap();
    let short = import::raw(file.path(), Some(4)).unwrap();
    let error = Prover::new(Backend::portable(), &short, keys.key.clone(), None).unwrap_err();
    assert!(matches!(error, Error::Params(ParamsError::NoFurtherPowers { k: 4, .. })));
    let text = error.to_string();
    assert!(text.contains("has 2^4 powers, but this prover needs 2^4 + 4"), "{text}");
    assert!(text.contains("import the next larger file of the same ceremony"), "{text}");

    for k in [3, 5] {
        let srs = Srs::insecure(k).unwrap();
        let error = Prover::new(Backend::portable(), &srs, keys.key.clone(), None).unwrap_err();
        assert_eq!(error.to_string(), format!("the SRS is for k = {k}, and the key for k = 4"));
    }
}
