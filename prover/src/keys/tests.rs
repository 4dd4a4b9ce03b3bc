//! What keys are held to.

use std::{
    sync::{Arc, Barrier},
    thread,
};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_circuits::{CircuitShape, Request, Scheme, Shape};
use muster_params::{import, Origin, Srs};
use muster_verifier::Key;
use rayon::prelude::*;

use super::{description, CircuitKeys, Keys, SrsReference, VerifierKey};
use crate::{
    logup::Reading,
    profile::{Phase, Stopwatch},
    prove,
    tests::{
        fixture,
        parts::{described, other_keys, recommitted},
        Fixture,
    },
    Error, Memory, VerifyError, BAD_INPUT,
};

/// The verifier's half, with a key that says something else.
fn verifier_of(key: Key) -> VerifierKey {
    let VerifierKey { shape, srs, .. } = fixture().keys.verifier();
    VerifierKey { shape, key: Arc::new(key), srs }
}

/// A key leaves out columns that nothing queries: circuits have none.
#[test]
fn no_column_is_left_out() {
    for scheme in [Scheme::Schnorr, Scheme::EcdsaSecp256k1, Scheme::Ed25519, Scheme::BlsBls12381] {
        let shape = Shape::fit(&Request::new(scheme, 2, 1)).unwrap();
        let constraints = shape.layout.constraints();
        let inputs = shape.public_inputs();
        let Reading { protocol, fixed, advice, all_advice } =
            Reading::of(&constraints, shape.degree(), inputs).unwrap();
        assert!(fixed.into_iter().eq(0..constraints.num_fixed_columns()), "{scheme}");
        assert!(advice.into_iter().eq(0..constraints.num_advice_columns()), "{scheme}");
        assert_eq!(all_advice, protocol.advice());
        assert_eq!(protocol.fixed(), constraints.num_fixed_columns());
        assert_eq!(protocol.copied().len(), constraints.permutation().get_columns().len());
        assert_eq!(protocol.inputs(), inputs);
        assert_eq!(constraints.num_selectors(), 0, "{scheme}: each is a fixed column");
    }
}

/// Each commitment of a key is looked at: with any other point in its place it is no key of the circuit; nor is it with other constraints
/// or under another SRS.
#[test]
fn a_verifying_key_is_held_to_its_circuit() {
    let Fixture { keys, srs, .. } = fixture();
    let honest = keys.verifier();
    assert!(honest.is_made_from(srs).unwrap());
    for place in 0..honest.key.fixed().len() + honest.key.sigma().len() {
        let other = verifier_of(recommitted(&honest.key, place));
        assert!(!other.is_made_from(srs).unwrap(), "commitment {place}");
    }
    for (name, key) in other_keys(&honest.key) {
        assert!(!verifier_of(key).is_made_from(srs).unwrap(), "{name}");
    }
    let other = Srs::insecure(srs.k()).unwrap();
    assert!(!honest.is_made_from(&other).unwrap(), "another SRS");
    // The SRS of the same numbers that says otherwise where it is from.
    let raw = raw_file(srs);
    let renamed = import::raw(raw.path(), None).unwrap();
    assert!(!honest.is_made_from(&renamed).unwrap());
    let told = import::raw_told(raw.path(), srs.origin().clone()).unwrap();
    assert!(honest.is_made_from(&told).unwrap());
    assert!(honest.is_made_from(&Srs::insecure(srs.k() + 1).unwrap()).is_err());
}

/// A stranger's keys whose layout has no room for their circuit are no keys of it, and nothing panics.
#[test]
fn a_layout_without_room_has_no_keys() {
    let Fixture { keys, srs, .. } = fixture();
    let mut shape = keys.shape().clone();
    shape.slots *= 4;
    assert_eq!(shape.layout, keys.shape().layout);
    let VerifierKey { key, srs: reference, .. } = keys.verifier();
    let key = described(&key, description(&shape));
    let verifier = VerifierKey { shape, key: Arc::new(key), srs: reference };
    assert!(!verifier.is_made_from(srs).unwrap());
}

/// Each column of a proving key is looked at, its verifying key, and where cells are placed.
#[test]
fn a_proving_key_is_held_to_its_circuit() {
    let Fixture { keys, srs, .. } = fixture();
    assert!(keys.is_made_from(srs).unwrap());
    let (shape, key) = (keys.shape(), keys.circuit.verifier());
    let constraints = shape.layout.constraints();
    let with = |key: &Arc<Key>, own| {
        let reading = Reading::of(&constraints, shape.degree(), shape.public_inputs()).unwrap();
        let circuit = CircuitKeys::of(key.clone(), reading, own).unwrap();
        Keys { circuit, ..keys.clone() }
    };
    let honest = keys.circuit.own();
    assert!(with(key, honest.to_vec()).is_made_from(srs).unwrap());
    for place in 0..honest.len() {
        let mut own = honest.to_vec();
        own[place] = exchanged(&honest[place]);
        assert!(!with(key, own).is_made_from(srs).unwrap(), "column {place}");
    }
    let other = Arc::new(recommitted(key, 0));
    let changed = with(&other, honest.to_vec());
    assert!(!changed.is_made_from(srs).unwrap(), "the half that provers have");
    let verifier = VerifierKey { key: other, ..keys.verifier() };
    assert!(!Keys { verifier: verifier.clone(), ..keys.clone() }.is_made_from(srs).unwrap());
    assert!(!Keys { verifier, ..changed }.is_made_from(srs).unwrap(), "both halves");
    let mut moved = keys.clone();
    moved.placement.constants.push(Fr::ONE);
    assert!(!moved.is_made_from(srs).unwrap());
    assert!(!keys.is_made_from(&Srs::insecure(srs.k()).unwrap()).unwrap(), "another SRS");
    assert!(keys.is_made_from(&Srs::insecure(srs.k() + 1).unwrap()).is_err());
}

/// The same numbers, two of them exchanged.
fn exchanged(column: &[Fr]) -> Vec<Fr> {
    let mut column = column.to_vec();
    match (1..column.len()).find(|place| column[*place] != column[0]) {
        Some(other) => column.swap(0, other),
        // Of a column whose cells are all the same.
        None => column[0] += Fr::ONE,
    }
    column
}

/// What keys claim of their SRS is held to it before anything is made with it, prepared keys included.
#[test]
fn keys_are_held_to_what_they_say_of_their_srs() {
    let Fixture { keys, srs, witness, .. } = fixture();
    let json = |srs: &Srs| serde_json::to_value(SrsReference::new(srs)).unwrap();
    let other = json(&Srs::insecure(srs.k()).unwrap());
    let raw = raw_file(srs);
    let ceremony = json(&import::raw(raw.path(), None).unwrap());
    for (name, source, fields) in
        [("insecure", &ceremony, &["insecure", "origin"][..]), ("tau_g2", &other, &["tau_g2"])]
    {
        let mut said = json(srs);
        fields.iter().for_each(|field| said[*field] = source[*field].clone());
        let mut keys = keys.clone();
        keys.verifier.srs = serde_json::from_value(said).unwrap();
        let refused = prove(srs, &keys, witness).unwrap_err();
        let is_named = matches!(refused, Error::FalseClaim { field, .. } if field == name);
        assert!(is_named && refused.exit_code() == BAD_INPUT, "{refused}");
        assert!(refused.to_string().contains(&format!("shape.json: srs.{name}")), "{refused}");
        assert!(matches!(keys.check_srs(srs), Err(Error::FalseClaim { .. })));
        assert!(!keys.is_made_from(srs).unwrap(), "{name}");
    }
    // From a file that does not say that it is insecure, and one that does.
    let renamed = import::raw(raw.path(), None).unwrap();
    assert!(matches!(keys.check_srs(&renamed), Err(Error::FalseClaim { field: "insecure", .. })));
    let told = import::raw_told(raw.path(), Origin::Insecure).unwrap();
    keys.check_srs(&told).unwrap();
}

/// A proof is verified by what verifiers load, whatever else the keys have.
#[test]
fn a_proof_is_verified_by_the_key_that_verifiers_load() {
    let Fixture { keys, srs, witness, .. } = fixture();
    let verifier = verifier_of(recommitted(&keys.verifier.key, 0));
    let keys = Keys { verifier, ..keys.clone() };
    let refused = prove(srs, &keys, witness).unwrap_err();
    assert!(matches!(refused, Error::Unproven(VerifyError::Invalid)), "{refused}");
}

/// Keys that several threads prove with for the first time are prepared once, by whoever comes first; in a pool nobody waits
/// for a proof of its own.
#[test]
fn prepared_once() {
    let Fixture { srs, keys, .. } = fixture();
    let unprepared = Keys::make(srs, keys.shape()).unwrap();
    let prepared = |keys: &Keys| {
        let mut watch = Stopwatch::start();
        keys.circuit.prover(srs, &mut watch).unwrap();
        watch.profile.spent(Phase::Preparation).count
    };
    let (keys, start) = (unprepared.clone(), Barrier::new(4));
    let first = || {
        start.wait();
        prepared(&keys)
    };
    let threads = thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(first));
        threads.map(|thread| thread.join().unwrap())
    });
    assert_eq!(threads.iter().sum::<usize>(), 1);

    let keys = unprepared.clone();
    let counts: Vec<usize> = (0..16).into_par_iter().map(|_| prepared(&keys)).collect();
    assert!(counts.iter().sum::<usize>() >= 1);
    assert_eq!(prepared(&keys), 0);

    let count = |kept| unprepared.prepare(srs, kept).unwrap().spent(Phase::Preparation).count;
    assert_eq!([Memory::Low, Memory::Fast, Memory::Fast].map(count), [1, 0, 0]);
}

/// The keys of any circuit, given what is not theirs.
#[test]
fn a_circuit_is_proven_with_its_own_srs_and_inputs() {
    let Fixture { keys, srs, witness, statement, .. } = fixture();
    let prove = |srs: &Srs, inputs: &[Fr]| {
        let placement = keys.placement().clone();
        let circuit = keys.shape().prover_circuit(witness, placement).unwrap();
        keys.circuit.prove(srs, circuit, inputs)
    };
    let inputs = statement.public_inputs();
    let refused = |made: Result<Vec<u8>, Error>| matches!(made, Err(Error::Usage(_)));
    for k in [srs.k() - 1, srs.k(), srs.k() + 1] {
        assert!(refused(prove(&Srs::insecure(k).unwrap(), &inputs)), "{k}");
    }
    for inputs in [&inputs[1..], &[&inputs[..], &[Fr::ONE]].concat()] {
        assert!(refused(prove(srs, inputs)), "{} inputs", inputs.len());
    }
    let mut other = inputs.clone();
    other[0] += Fr::ONE;
    assert!(matches!(prove(srs, &other), Err(Error::Unproven(VerifyError::Invalid))));
    assert!(prove(srs, &inputs).is_ok());
}

fn raw_file(srs: &Srs) -> tempfile::NamedTempFile {
    let mut raw = tempfile::NamedTempFile::new().unwrap();
    srs.write_raw(&mut raw).unwrap();
    raw
}
