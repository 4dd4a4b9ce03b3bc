//! Proofs: accepted, rejected, and in batches.

use std::{collections::HashSet, time::Instant};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{CircuitShape, Rejection, Scheme, Statement};
use muster_gates::Placement;
use muster_params::Srs;
use rayon::ThreadPoolBuilder;

use super::{fixture, keys_of, Fixture};
use crate::{
    profile::Stopwatch, proof::run, prove, prove_profiled, BatchError, Error, Memory, Phase, Proof,
    ProofKind, VerifierKey, VerifyError, BAD_INPUT,
};

fn proof(kind: ProofKind) -> Proof {
    let (srs, keys) = keys_of(kind);
    prove(srs, keys, &fixture().witness).unwrap()
}

/// A proof for a statement that need not be that of the witness.
fn prove_unchecked(
    kind: ProofKind,
    statement: &Statement,
    placement: &Placement,
) -> Result<Proof, Error> {
    let (srs, keys) = keys_of(kind);
    let witness = &fixture().witness;
    let circuit = keys.shape().prover_circuit(witness, placement.clone()).unwrap();
    run(srs, keys, circuit, statement, &mut Stopwatch::start())
}

/// The bad ones of a batch, by one thread that takes all of them, by two, and by one for each.
fn faults(key: &VerifierKey, batch: &[(Statement, Proof)]) -> Vec<(usize, VerifyError)> {
    let batch: Vec<_> = batch.iter().map(|(statement, proof)| (statement.clone(), proof)).collect();
    let [one, two, each] = [1, 2, batch.len().max(1)].map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let verdict = pool.install(|| key.verify_batch(&batch));
        verdict.err().map_or_else(Vec::new, |BatchError(bad)| bad)
    });
    assert!(one == two && one == each);
    one
}

#[test]
fn every_kind_has_proofs_of_its_own() {
    let statement = &fixture().statement;
    for kind in ProofKind::ALL {
        let key = keys_of(kind).1.verifier();
        let proof = proof(kind);
        for other in ProofKind::ALL {
            let read = Proof::new(other, proof.bytes());
            assert_eq!(key.verify(statement, &read).is_ok(), kind == other);
        }
        assert_eq!(proof.kind(), kind);
        let again = self::proof(kind);
        // Both formats begin with commitments that hide advice columns, in compact by packs.
        let count = match kind {
            ProofKind::Compact => 1,
            ProofKind::Fast => fixture().keys.circuit.advice_columns(),
        };
        let columns =
            |proof: &Proof| proof.bytes()[..32 * count].chunks(32).map(<[u8]>::to_vec).collect();
        let [one, other]: [HashSet<_>; 2] = [&proof, &again].map(columns);
        assert!(one.is_disjoint(&other), "fresh blinding factors");
        assert_eq!(key.verify(statement, &again), Ok(()));
    }
}

/// Its public inputs are four, and the proving system takes any number of them.
#[test]
fn a_message_of_another_kind_is_refused() {
    let statement = Statement { message: [0; 32].into(), ..fixture().statement.clone() };
    let refused = VerifyError::Message(Scheme::Eddsa);
    for kind in ProofKind::ALL {
        let key = keys_of(kind).1.verifier();
        let proof = proof(kind);
        assert_eq!(key.verify(&statement, &proof), Err(refused.clone()));
        assert_eq!(faults(&key, &[(statement.clone(), proof)]), [(0, refused.clone())]);
    }
}

/// A proof that is good for its own committee is none for the one that is expected.
#[test]
fn a_proof_is_held_to_what_is_expected() {
    let proofs = ProofKind::ALL.map(proof);
    let good = fixture().statement.clone();
    let others = [
        Statement { key_set_root: good.key_set_root + Fr::one(), ..good.clone() },
        Statement { threshold: good.threshold + 1, ..good.clone() },
        Statement { threshold: good.threshold - 1, ..good.clone() },
        Statement { threshold: 0, ..good.clone() },
        Statement { message: Fr::one().into(), ..good.clone() },
    ];
    for proof in proofs {
        let key = keys_of(proof.kind()).1.verifier();
        for other in &others {
            assert_eq!(key.verify(other, &proof), Err(VerifyError::Invalid));
        }
        assert_eq!(key.verify(&good, &proof), Ok(()));
    }
}

#[test]
fn a_batch_holds_iff_all_its_proofs_do() {
    for kind in ProofKind::ALL {
        let key = keys_of(kind).1.verifier();
        let statement = &fixture().statement;
        let good = [(); 4].map(|()| (statement.clone(), proof(kind)));
        assert!(faults(&key, &[]).is_empty());
        assert!(faults(&key, &good).is_empty());
        for bad in 0..good.len() {
            let mut batch = good.clone();
            batch[bad].0.threshold = 1;
            assert_eq!(faults(&key, &batch), [(bad, VerifyError::Invalid)]);
            let mut batch = good.clone();
            batch[bad].1 = Proof::new(kind, [batch[bad].1.bytes(), &[7]].concat());
            let found = faults(&key, &batch);
            let is_it = |place: &usize| *place == bad;
            let is_named =
                matches!(&found[..], [(place, VerifyError::Unreadable(_))] if is_it(place));
            assert!(is_named, "{found:?}");
        }
        // Two statements that are off by the same in opposite directions: no sum hides them.
        for pair in [[0, 1], [0, 2], [1, 3]] {
            let mut batch = good.clone();
            batch[pair[0]].0.key_set_root += Fr::one();
            batch[pair[1]].0.key_set_root -= Fr::one();
            assert_eq!(faults(&key, &batch), pair.map(|bad| (bad, VerifyError::Invalid)));
        }
    }
}

/// A proof of the other format is named, and the rest of the batch still holds.
#[test]
fn a_batch_is_of_one_format() {
    let key = fixture().keys.verifier();
    let batch = ProofKind::ALL.map(|kind| (fixture().statement.clone(), proof(kind)));
    assert_eq!(faults(&key, &batch), [(1, VerifyError::Kind(ProofKind::Compact))]);
}

#[test]
fn a_false_statement_is_named_before_it_is_proven() {
    let Fixture { srs, keys, sample, statement, .. } = fixture();
    let attempt = |srs: &Srs, statement: &Statement| {
        let (committee, signatures) = (&sample.committee, &sample.signatures);
        let terms = keys.shape().terms().unwrap();
        let witness = terms.verify(statement, committee, signatures).map_err(Error::from)?;
        prove(srs, keys, &witness)
    };
    let too_much = Statement { threshold: 3, ..statement.clone() };
    let weight = Rejection::Weight { weight: 2, threshold: 3 };
    assert!(matches!(attempt(srs, &too_much), Err(Error::Rejected(found)) if found == weight));
    let root = Statement { key_set_root: Fr::one(), ..statement.clone() };
    assert!(matches!(attempt(srs, &root), Err(Error::Rejected(Rejection::Root))));
    let other = Srs::insecure(srs.k()).unwrap();
    assert!(matches!(attempt(&other, statement), Err(Error::WrongSrs { .. })));
    // Bases of another one would stay with the keys.
    assert!(matches!(keys.prepare(&other, Memory::Low), Err(Error::WrongSrs { .. })));
    assert!(keys.prepare(srs, Memory::Low).is_ok());
}

/// The prover makes bytes of either witness: one whose cell of a constant holds something else, and one
/// whose root is not that of the set.
#[test]
fn a_witness_that_does_not_hold_gives_no_proof() {
    let Fixture { keys, statement, .. } = fixture();
    let good = keys.placement();
    let mut forged = good.clone();
    forged.constants[0] += Fr::one();
    let root = Statement { key_set_root: Fr::one(), ..statement.clone() };
    for kind in ProofKind::ALL {
        assert!(prove_unchecked(kind, statement, good).is_ok());
        let error = prove_unchecked(kind, statement, &forged).unwrap_err();
        assert!(matches!(error, Error::Unproven(VerifyError::Invalid)), "{error}");
        assert_eq!(error.exit_code(), BAD_INPUT);
        assert!(error.to_string().contains("was discarded"), "{error}");

        let error = prove_unchecked(kind, &root, good).unwrap_err();
        assert!(matches!(error, Error::Unproven(VerifyError::Invalid)), "{error}");
    }
}

/// Each moment belongs to one phase, and the phases are those of the prover.
#[test]
fn profiles_say_where_the_time_went() {
    let Fixture { keys, witness, .. } = fixture();
    let advice = keys.circuit.advice_columns();
    for kind in ProofKind::ALL {
        let (srs, keys) = keys_of(kind);
        let start = Instant::now();
        let made = prove_profiled(srs, keys, witness);
        let (taken, (_, profile)) = (start.elapsed(), made.unwrap());
        assert!(profile.total() <= taken && profile.total() > taken / 2, "{profile:?} {taken:?}");
        let count = |phase| profile.spent(phase).count;
        assert_eq!(count(Phase::Verification), 1);
        assert_eq!(count(Phase::Witness), advice);
        for phase in [Phase::Commitments, Phase::Transforms, Phase::Quotient, Phase::Openings] {
            assert!(count(phase) > 0, "{phase:?}");
        }
    }
}
