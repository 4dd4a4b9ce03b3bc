//! Openings: each commitment and each value has its place.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use muster_verifier::VerifyError;

use super::{
    every::every,
    mirror::{value, Insight},
    sample::Keys,
};
use crate::logup::openings::{Openings, Part};

fn words(proof: &[u8]) -> Vec<[u8; 32]> {
    proof.as_chunks().0.to_vec()
}

/// Two points, or two values, exchanged in the bytes.
#[test]
fn nothing_in_a_proof_is_exchanged() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let proof = words(&keys.prove(&sample, 1));
    let values: usize = keys
        .key
        .protocol()
        .arrangement()
        .polynomials()
        .iter()
        .map(|opened| opened.rotations.len())
        .sum::<usize>()
        - 1;
    let points = proof.len() - values - 2;
    let is_value = |place: usize| (points..points + values).contains(&place);
    let pairs = (0..proof.len()).flat_map(|one| (0..one).map(move |two| (one, two)));
    let pairs =
        pairs.filter(|(one, two)| is_value(*one) == is_value(*two) && proof[*one] != proof[*two]);
    for (one, two) in sampled(pairs, 10) {
        let mut other = proof.clone();
        other.swap(one, two);
        let verdict = keys.verify(&sample, &other.concat());
        assert_eq!(verdict, Err(VerifyError::Equation), "{one}, {two}");
    }
}

/// The same by a prover who opens them so, with openings that fit.
#[test]
fn polynomials_have_an_order() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    let accepted = |change: &dyn Fn(&mut Vec<Part<'_>>)| {
        let proof = insight.reopened(&keys, &sample.inputs, change);
        let verdict = keys.verify(&sample, &proof);
        assert!(matches!(verdict, Ok(()) | Err(VerifyError::Equation)), "{verdict:?}");
        verdict.is_ok()
    };
    assert!(accepted(&|_| ()));
    let mut count = 0;
    insight.reopened(&keys, &sample.inputs, |parts| count = parts.len());
    let pairs = (0..count).flat_map(|one| (0..one).map(move |two| (one, two)));
    for (one, two) in sampled(pairs, 10) {
        assert!(!accepted(&|parts| parts.swap(one, two)), "{one}, {two}");
    }
    // Opened at one row more or less than where the key says, or at another one, with the value that is there or with the old one.
    for place in sampled(0..count, 3) {
        for by in [1, -1] {
            for is_new in [true, false] {
                let turned = |parts: &mut Vec<Part<'_>>| {
                    let part = &mut parts[place];
                    let rotations: Vec<i32> = part.rotations.iter().map(|it| it + by).collect();
                    part.rotations = Vec::leak(rotations);
                    for (rotation, to) in part.rotations.iter().zip(&mut part.values[0]) {
                        if is_new {
                            let point = keys.prover.system.point(insight.challenges.x, *rotation);
                            *to = value(&keys, part.of[0], point);
                        }
                    }
                };
                assert!(!accepted(&turned), "{place}, {by}, {is_new}");
            }
        }
        let changed = |parts: &mut Vec<Part<'_>>| parts[place].values[0][0] += Fr::ONE;
        assert!(!accepted(&changed), "{place}");
    }
}

#[test]
fn pieces_have_an_order() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let mut insight = Insight::of(&keys, &sample, 1, |_, _| ());
    for (one, two) in [(0, 1), (0, 3), (1, 2), (2, 3)] {
        insight.pieces.swap(one, two);
        let proof = insight.reopened(&keys, &sample.inputs, |_| ());
        assert_eq!(keys.verify(&sample, &proof), Err(VerifyError::Equation));
        insight.pieces.swap(one, two);
    }
}

/// A challenge at which there is no proof is not made up for: the prover draws again.
#[test]
fn there_is_no_opening_at_a_point_that_is_opened() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let insight = Insight::of(&keys, &sample, 1, |_, _| ());
    let x = insight.challenges.x;
    let columns = insight.coefficients(&keys);
    let polynomials = Insight::polynomials(&keys, &columns);
    let parts = || {
        let of = polynomials[0];
        let values = [x, keys.prover.system.point(x, 1)].map(|point| value(&keys, of, point));
        vec![Part { of: vec![of], rotations: &[0, 1], values: vec![values.to_vec()] }]
    };
    let quotient = Openings::quotient(&keys.prover.system, &[Fr::ONE; 4], &insight.pieces);
    let openings = Openings::new(&keys.prover.system, &parts(), quotient, (x, Fr::from(3)));
    let first = openings.first();
    for (rotation, is_there) in [(0, false), (1, false), (-1, true), (2, true)] {
        let second = openings.second(&first, keys.prover.system.point(x, rotation));
        assert_eq!(second.is_some(), is_there);
    }
}
