//! The circuits that users have: a prover that takes any columns, and the judge.

use std::{collections::HashMap, sync::Arc};

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_circuits::{KeyKind, Request, Scheme, Shape};
use muster_engine::{Backend, Domain, Inputs};
use muster_testing::sampled;
use muster_verifier::Protocol;
use rand::{seq::SliceRandom, Rng};

use super::{
    judge::judge,
    sample::{points, rng, Cell, Keys, Sample},
};
use crate::{
    logup::{prover::Prover, run::Round, system::KeyColumns, Reading},
    polynomial::Numbers,
    synthesis,
    tests::case::Case,
    ProofKind,
};

/// The cycles that σ says.
fn cycles(protocol: &Protocol, sigma: &[Numbers]) -> Vec<Vec<Cell>> {
    let points = points(protocol.k());
    let mut names: HashMap<_, Cell> = HashMap::new();
    let mut shift = Fr::ONE;
    for column in 0..sigma.len() {
        names.extend(points.iter().enumerate().map(|(row, point)| {
            let name: Fr = shift * point;
            (name.to_repr(), (column, row))
        }));
        shift *= Fr::DELTA;
    }
    let cycle = |column: &Numbers| column.iter().map(|name| names[&name.to_repr()]).collect();
    sigma.iter().map(cycle).collect()
}

/// A key with what its prover needs on a back end, and a good witness.
pub(super) fn shipped(case: &Case, backend: Backend) -> (Sample, Keys) {
    let (key, shape) = (case.keys.circuit.verifier().clone(), case.keys.shape());
    let protocol = key.protocol().clone();
    let constraints = shape.layout.constraints();
    let reading = Reading::of(&constraints, shape.degree(), shape.public_inputs()).unwrap();
    let inputs = case.statement.public_inputs();
    let circuit = case.circuit();
    let advice = synthesis::advice(&protocol, reading.all_advice, &circuit, &inputs).unwrap();
    let advice = reading.advice.iter().map(|column| advice[*column].clone()).collect();
    let own = case.keys.circuit.own().to_vec();
    let (fixed, sigma) = own.split_at(protocol.fixed());
    let (fixed, next) = (fixed.to_vec(), cycles(&protocol, sigma));
    let columns = KeyColumns::new(&Domain::new(backend, protocol.k()).unwrap(), &protocol, own);
    let prover = Prover::new(backend, &case.srs, Arc::clone(&key), None).unwrap();
    (Sample { protocol, fixed, next, advice, inputs }, Keys { key, columns, prover })
}

/// Random cells of a column, which are mostly cells that a circuit fills, take the value of another cell, or any other. One change at least is a forgery.
fn forgeries(what: &str, case: &Case, seeds: Vec<u64>) {
    let (sample, keys) = shipped(case, Backend::best());
    tags(&keys);
    let (mut good, mut bad) = (0, 0);
    // Further seeds are for those whose cells are all free.
    for seed in [u64::MAX].into_iter().chain(seeds).chain(100..110) {
        if (100..110).contains(&seed) && bad > 0 {
            break;
        }
        let mut rng = rng(seed);
        let mut filled = sample.clone();
        let proof = keys.forge(&sample, 1, |round, columns| {
            if round != Round::Advice {
                return;
            }
            if seed != u64::MAX {
                let (column, rows) = (rng.gen_range(0..columns.len()), sample.protocol.rows());
                let numbers = &mut columns[column].numbers;
                let value = if rng.gen_ratio(1, 4) {
                    Fr::random(&mut rng)
                } else {
                    numbers[rng.gen_range(0..rows)]
                };
                let written: Vec<usize> =
                    (0..sample.protocol.usable()).filter(|row| numbers[*row] != Fr::ZERO).collect();
                let row = match written.choose(&mut rng) {
                    Some(row) if rng.gen_ratio(3, 4) => *row,
                    _ => rng.gen_range(0..rows),
                };
                numbers[row] = value;
            }
            filled.advice = columns.iter().map(|column| column.numbers.clone()).collect();
        });
        let (verdict, proved) = (judge(&filled), keys.verify(&sample, &proof));
        assert_eq!(verdict.is_ok(), proved.is_ok(), "{what}, {seed}: {verdict:?}, {proved:?}");
        assert!(seed != u64::MAX || proved.is_ok());
        *if proved.is_ok() { &mut good } else { &mut bad } += 1;
    }
    assert!(bad > 0, "{what}");
    println!("{what}: {good} proofs, {bad} forgeries");
}

/// With `θ = 0` the tuples of each table are its number.
fn tags(keys: &Keys) {
    let (prover, rows) = (&keys.prover, keys.key.protocol().rows());
    let columns: Vec<Numbers> = (0..prover.system.columns.count)
        .map(|column| (0..rows).map(|row| Fr::from((column + row) as u64)).collect())
        .collect();
    let columns: Vec<&[Fr]> = columns.iter().map(Vec::as_slice).collect();
    let inputs = Inputs { rows, columns: &columns, parameters: &[Fr::ZERO] };
    let tuples = prover.system.programs.tuples.evaluate(prover.system.backend, inputs);
    let tables = keys.key.protocol().tables().iter().enumerate();
    let tags = tables.flat_map(|(tag, table)| vec![tag as u64; 1 + table.inputs.len()]);
    for (tuple, tag) in tuples.iter().zip(tags) {
        assert!(tuple.iter().all(|number| *number == Fr::from(tag)));
    }
}

#[test]
fn forgeries_of_schnorr() {
    forgeries("1 of 2", &Case::new(Scheme::Schnorr, 1, 2), sampled(0..60, 10));
}

#[test]
fn forgeries_of_schnorr_for_chains() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 2, 1)).unwrap();
    forgeries("1 of 2", &Case::for_kind(&shape, 1, ProofKind::Compact), sampled(0..60, 20));
}

/// Each kind of circuit with few rows.
#[test]
fn forgeries_of_small_circuits() {
    for scheme in [Scheme::Schnorr, Scheme::Musig, Scheme::Eddsa] {
        forgeries(scheme.name(), &Case::new(scheme, 8, 16), sampled(0..6, 6));
    }
}

#[test]
#[ignore = "slow: keys and proofs of up to 2^16 rows"]
fn forgeries_of_large_circuits() {
    let large = Request::new(Scheme::Schnorr, 256, 128);
    let masked = Request { mask: true, ..Request::new(Scheme::Schnorr, 600, 8) };
    let [ecdsa, bip340, ed25519, bls] =
        [Scheme::EcdsaSecp256k1, Scheme::SchnorrSecp256k1, Scheme::Ed25519, Scheme::BlsBls12381]
            .map(|scheme| Request::new(scheme, 3, 2));
    let by_address = Request { keys: KeyKind::Address, ..ecdsa.clone() };
    for request in [large, masked, ecdsa, by_address, bip340, ed25519, bls] {
        let what = format!("{}, {} of {}", request.scheme, request.slots, request.capacity);
        forgeries(&what, &Case::of(&request), sampled(0..6, 6));
    }
}

#[test]
#[ignore = "slow: keys and 60 proofs of larger circuits"]
fn forgeries_of_other_schemes() {
    for scheme in [Scheme::EcdsaSecp256k1, Scheme::Ed25519] {
        forgeries(scheme.name(), &Case::new(scheme, 1, 2), sampled(0..60, 3));
    }
}
