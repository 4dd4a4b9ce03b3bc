//! Proofs: accepted, rejected, and in batches.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{Rejection, Statement};
use muster_params::Srs;

use super::{fixture, Fixture};
use crate::{
    batch_verify, commitment::Engine, proof::BatchItem, prove, verify, Error, ProofFault,
    TranscriptKind, VerifierKey,
};

fn proof(kind: TranscriptKind) -> Vec<u8> {
    let Fixture { srs, keys, sample, statement } = fixture();
    prove(srs, keys, statement, &sample.committee, &sample.signatures, kind).unwrap()
}

fn item(name: &str, proof: &[u8], kind: TranscriptKind) -> BatchItem {
    let public_inputs = fixture().statement.public_inputs().to_vec();
    BatchItem { name: name.into(), public_inputs, proof: proof.to_vec(), kind }
}

fn faults(key: &VerifierKey, items: &[BatchItem]) -> Vec<(String, ProofFault)> {
    match batch_verify(key, items) {
        Ok(()) => vec![],
        Err(Error::BadProofs(bad)) => bad
            .into_iter()
            .map(|(name, fault)| (name.to_str().unwrap().to_owned(), fault))
            .collect(),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn every_transcript_has_proofs_of_its_own() {
    let key = fixture().keys.verifier();
    let inputs = fixture().statement.public_inputs();
    for kind in TranscriptKind::ALL {
        let proof = proof(kind);
        for other in TranscriptKind::ALL {
            assert_eq!(verify(&key, &inputs, &proof, other).is_ok(), kind == other);
        }
        let again = self::proof(kind);
        assert_ne!(proof, again, "fresh blinding factors");
        assert_eq!(verify(&key, &inputs, &again, kind), Ok(()));
    }
}

#[test]
fn the_number_of_public_inputs_is_checked() {
    let key = fixture().keys.verifier();
    let proof = proof(TranscriptKind::Blake2b);
    let inputs = fixture().statement.public_inputs();
    // Trailing zeros would change nothing for the proving system.
    for inputs in [&inputs[..2], &[&inputs[..], &[Fr::zero()]].concat(), &[]] {
        let fault = verify(&key, inputs, &proof, TranscriptKind::Blake2b).unwrap_err();
        assert_eq!(fault, ProofFault::PublicInputs { expected: 3, found: inputs.len() });
    }
}

#[test]
fn a_batch_holds_iff_all_its_proofs_do() {
    let key = fixture().keys.verifier();
    let proofs = TranscriptKind::ALL.map(|kind| (kind, proof(kind)));
    let good: Vec<_> = proofs.iter().map(|(kind, proof)| item(kind.name(), proof, *kind)).collect();
    assert!(faults(&key, &[]).is_empty());
    assert!(faults(&key, &good).is_empty());
    for bad in 0..good.len() {
        let mut items = good.clone();
        items[bad].public_inputs[1] = Fr::from(1);
        let name = TranscriptKind::ALL[bad].name().to_owned();
        assert_eq!(faults(&key, &items), [(name.clone(), ProofFault::Invalid)]);
        let mut items = good.clone();
        items[bad].proof.push(7);
        assert_eq!(faults(&key, &items), [(name, ProofFault::NotCanonical)]);
    }
    // Two proofs whose public inputs are exchanged: no sum hides them.
    let mut items = good;
    items[0].public_inputs[2] += Fr::one();
    items[1].public_inputs[2] -= Fr::one();
    assert_eq!(faults(&key, &items).len(), 2);
}

#[test]
fn a_false_statement_is_named_before_it_is_proven() {
    let Fixture { srs, keys, sample, statement } = fixture();
    let attempt = |srs: &Srs, statement: &Statement| {
        let (committee, signatures) = (&sample.committee, &sample.signatures);
        prove(srs, keys, statement, committee, signatures, TranscriptKind::Blake2b).unwrap_err()
    };
    let too_much = Statement { threshold: 3, ..*statement };
    let weight = Rejection::Weight { weight: 2, threshold: 3 };
    assert!(matches!(attempt(srs, &too_much), Error::Rejected(found) if found == weight));
    let root = Statement { key_set_root: Fr::one(), ..*statement };
    assert!(matches!(attempt(srs, &root), Error::Rejected(Rejection::Root)));
    let other = Srs::insecure(srs.k()).unwrap();
    assert!(matches!(attempt(&other, statement), Error::WrongSrs { .. }));
}

#[test]
fn a_witness_that_the_native_check_would_refuse_proves_nothing() {
    let Fixture { srs, keys, sample, statement } = fixture();
    let false_statement = Statement { threshold: 3, ..*statement };
    let circuit = muster_circuits::ThresholdCircuit::prover(
        keys.shape(),
        &false_statement,
        &sample.committee,
        &sample.signatures,
        keys.placement().clone(),
    )
    .unwrap();
    let (pk, inputs) = (keys.proving_key(), false_statement.public_inputs());
    let kind = TranscriptKind::Blake2b;
    let engine = Engine::new(srs.params(), keys.prepared(srs));
    let verdict = crate::proof::prove_circuit(&engine, pk, circuit, &inputs, kind)
        .map(|proof| verify(&keys.verifier(), &inputs, &proof, kind));
    assert!(!matches!(verdict, Ok(Ok(()))));
}
