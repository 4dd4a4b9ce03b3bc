//! Provers that commit to other packs, open other points, or say other numbers than the format asks for: refused.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_testing::sampled;
use muster_verifier::{Column, Pack, Protocol, Round as PackRound, VerifyError};

use super::{
    super::{
        every::{every, parts},
        judge::judge,
        sample::{rng, Keys, Sample},
    },
    packs::{in_order, packing},
};
use crate::logup::{blinded::Blinded, run::Round, to_bytes};

/// A circuit with everything, in packs of four places, some of which are not used.
fn keys() -> (Sample, Keys) {
    let sample = every(0);
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    assert_eq!(keys.verify(&sample, &keys.prove(&sample, 1)), Ok(()));
    (sample, keys)
}

/// What the verifier says of a proof by another prover.
fn refused(sample: &Sample, keys: &Keys) {
    let proof = keys.prove(sample, 1);
    assert_eq!(keys.verify(sample, &proof), Err(VerifyError::Equation));
}

#[test]
fn columns_of_a_pack_have_their_places() {
    let (sample, mut keys) = keys();
    for number in 0..keys.prover.system.packs.len() {
        let pack = keys.prover.system.packs[number].clone();
        for places in 1..pack.polynomials.len() {
            keys.prover.system.packs[number].polynomials.swap(0, places);
            refused(&sample, &keys);
            keys.prover.system.packs[number] = pack.clone();
        }
    }
}

#[test]
fn packs_have_an_order() {
    let (sample, mut keys) = keys();
    let count = keys.prover.system.packs.len();
    for first in 1..count {
        let packs = &keys.prover.system.packs;
        if packs[first - 1].rotations != packs[first].rotations
            || packs[first - 1].polynomials.len() != packs[first].polynomials.len()
        {
            continue;
        }
        keys.prover.system.packs.swap(first - 1, first);
        refused(&sample, &keys);
        keys.prover.system.packs.swap(first - 1, first);
    }
}

/// An honest prover's value of a place that the key leaves empty is 0, whatever stands there.
#[test]
fn places_that_are_not_used_are_0() {
    let (sample, mut keys) = keys();
    let mut tried = 0;
    for number in 0..keys.prover.system.packs.len() {
        let pack = keys.prover.system.packs[number].clone();
        if pack.round == PackRound::Key || pack.polynomials.len() == 4 {
            continue;
        }
        let first = pack.polynomials[0];
        keys.prover.system.packs[number].polynomials.push(first);
        refused(&sample, &keys);
        keys.prover.system.packs[number] = pack;
        tried += 1;
    }
    assert!(tried > 0);
}

/// A multiple of `Xⁿ − 1` is 0 in every row, so that no constraint could see it; but it is not 0 where packs are opened.
#[test]
fn places_that_are_not_used_are_0_between_the_rows() {
    // One column more, which holds zeros and is copied nowhere.
    let (mut sample, mut parts) = (every(0), parts());
    let column = parts.advice;
    parts.advice += 1;
    parts.copied.push(Column::Advice(column));
    sample.protocol = Protocol::new(parts).unwrap();
    let (rows, copied) = (sample.protocol.rows(), sample.next.len());
    sample.next.push((0..rows).map(|row| (copied, row)).collect());
    sample.advice.push(vec![Fr::ZERO; rows]);
    let mut keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let is_free = |pack: &&mut Pack| {
        let is_first = pack.round == PackRound::First && pack.polynomials.len() < 4;
        is_first && !pack.polynomials.contains(&column)
    };
    let pack = keys.prover.system.packs.iter_mut().find(is_free).expect("a pack with room");
    pack.polynomials.push(column);
    for blinders in [vec![], vec![Fr::ONE], vec![Fr::ZERO, Fr::from(5)]] {
        // The column of zeros may stand there, and where it belongs it may be any multiple.
        let is_zero = blinders.is_empty();
        let accepted = keys.accept(&sample, |round, made| {
            if round == Round::Advice {
                let numbers = vec![Fr::ZERO; rows];
                made[column] = Blinded { numbers, blinders: blinders.clone() };
            }
        });
        assert_eq!(accepted, is_zero, "{blinders:?}");
    }
}

/// At a row more than the key says, with the values that are there.
#[test]
fn packs_are_opened_where_the_key_says() {
    let (sample, mut keys) = keys();
    for number in 0..keys.prover.system.packs.len() {
        let pack = keys.prover.system.packs[number].clone();
        for rotation in [-2, 5] {
            keys.prover.system.packs[number].rotations.push(rotation);
            refused(&sample, &keys);
            keys.prover.system.packs[number] = pack.clone();
        }
    }
}

/// A key with another stride or other places is another key.
#[test]
fn proofs_are_for_one_packing() {
    let sample = every(0);
    let all: Vec<Keys> = [(3, 1), (4, 1), (4, 2)]
        .map(|(stride, seed)| {
            Keys::compact(&sample, packing(&sample.protocol, stride, &mut rng(seed)))
        })
        .into();
    for (one, keys) in all.iter().enumerate() {
        let proof = keys.prove(&sample, 1);
        for (other, verifier) in all.iter().enumerate() {
            assert_eq!(verifier.verify(&sample, &proof).is_ok(), one == other);
        }
    }
    let fast = Keys::of(&sample);
    assert!(fast.verify(&sample, &all[0].prove(&sample, 1)).is_err());
    assert!(all[0].verify(&sample, &fast.prove(&sample, 1)).is_err());
}

/// What is made in each round is bound: any number of it plus one.
#[test]
fn every_number_is_bound() {
    let (sample, keys) = keys();
    let mut counts = vec![];
    keys.forge(&sample, 7, |round, made| {
        counts.push((round, made.iter().map(|made| made.numbers.len()).collect::<Vec<_>>()));
    });
    let later = [
        Round::Pieces,
        Round::Values,
        Round::Weights,
        Round::Wires,
        Round::DeciderProduct,
        Round::DeciderQuotient,
    ];
    let usable = (1 << keys.key.as_compact().unwrap().decider_k()) - 4;
    for (round, counts) in counts.into_iter().filter(|(round, _)| later.contains(round)) {
        let all = counts
            .iter()
            .enumerate()
            .flat_map(|(column, count)| (0..*count).map(move |row| (column, row)));
        // Values in rows that take none in, and numbers of random rows, are free.
        let is_free = |row: usize| {
            round == Round::Values
                && keys
                    .prover
                    .decider
                    .as_ref()
                    .unwrap()
                    .decider
                    .cells()
                    .iter()
                    .all(|cell| cell.row != row)
        };
        let is_random = |row: usize| matches!(round, Round::Values | Round::Wires) && row >= usable;
        let bound: Vec<_> = all.filter(|(_, row)| !is_free(*row) && !is_random(*row)).collect();
        let share = (bound.len() / 6).max(1);
        for (column, row) in sampled(bound, share) {
            let accepted = keys.accept(&sample, |now, made: &mut Vec<Blinded>| {
                if now == round {
                    made[column].numbers[row] += Fr::ONE;
                }
            });
            assert!(!accepted, "{round:?}, {column}, {row}");
        }
    }
}

/// A false witness, whose prover says of each value in turn that it is another one, is refused; nor does another `R` or another quotient make up for it.
#[test]
fn no_number_makes_up_for_a_false_witness() {
    let mut sample = every(0);
    sample.advice[1][3] += Fr::ONE;
    assert!(judge(&sample).is_err());
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let cells = keys.prover.decider.as_ref().unwrap().decider.cells().len();
    for (round, count) in [(Round::Values, cells), (Round::Weights, 6), (Round::Pieces, 40)] {
        for place in sampled(0..count, (count / 4).max(1)) {
            let accepted = keys.accept(&sample, |now, made| {
                if now == round {
                    let end = made[0].numbers.len();
                    made[0].numbers[place % end] += Fr::from(7);
                }
            });
            assert!(!accepted, "{round:?}, {place}");
        }
    }
}

/// The decider of another circuit, with as many rows.
#[test]
fn a_decider_is_of_one_circuit() {
    let (sample, mut keys) = keys();
    let mut parts = super::super::every::parts();
    // Another constant in the gate, so that the honest columns do not meet it.
    parts.nodes[8] = muster_verifier::Node::Constant(crate::logup::blinded::scalar(&Fr::from(5)));
    let other =
        Sample { protocol: muster_verifier::Protocol::new(parts).unwrap(), ..sample.clone() };
    let others = Keys::compact(&other, in_order(&other.protocol, 4));
    let [ours, theirs] = [&keys, &others].map(|keys| keys.key.as_compact().unwrap().decider_k());
    assert_eq!(ours, theirs);
    assert_ne!(
        keys.key.as_compact().unwrap().decider(),
        others.key.as_compact().unwrap().decider()
    );
    keys.prover.decider = others.prover.decider;
    refused(&sample, &keys);
}

/// All points of two proofs of one witness are different, and so are all numbers that are shown but those of the key.
#[test]
fn no_point_is_said_twice() {
    let (sample, keys) = keys();
    let [one, two] = [1, 2].map(|seed| {
        let compact = keys.key.as_compact().unwrap();
        let inputs: Vec<_> = sample.inputs.iter().map(to_bytes).collect();
        compact.calldata(&inputs, &keys.prove(&sample, seed)).unwrap()
    });
    assert_eq!(one.len(), two.len());
    // Both coordinates, since the other half of a point may be that of its inverse.
    for (place, (one, two)) in one.chunks(32).zip(two.chunks(32)).enumerate() {
        assert_ne!(one, two, "word {place}");
    }
}
