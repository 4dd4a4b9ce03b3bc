//! What verifiers reject, and that it costs no more than accepting.

use muster_testing::sampled;

use super::*;
use crate::{contract::Export, Error};

/// A verifier, and the gas that a bad proof may take.
struct Judge {
    generated: Generated,
    evm: Evm,
    contract: Address,
    limit: u64,
}

impl Judge {
    fn some() -> Vec<Self> {
        let judge = |generated: Generated| {
            let (mut evm, contract) = generated.deployed();
            let good = evm.call(contract, &generated.calldata()).unwrap();
            Self { generated, evm, contract, limit: good.execution_gas * 6 / 5 }
        };
        sampled(all(), 3).into_iter().map(judge).collect()
    }

    fn call(&mut self, calldata: &[u8]) -> Outcome {
        self.evm.call(self.contract, calldata).unwrap()
    }

    /// Reverts without data, spends no more than a fifth more than a good proof.
    #[track_caller]
    fn reject(&mut self, calldata: &[u8], what: &str) -> Outcome {
        let outcome = self.call(calldata);
        assert!(!outcome.success && outcome.output.is_empty(), "{what}: {outcome:?}");
        assert!(outcome.execution_gas <= self.limit, "{what}: {outcome:?}");
        outcome
    }

    /// As [`Self::reject`], and so does our own verifier.
    #[track_caller]
    fn reject_like_ours(&mut self, calldata: &[u8], what: &str) {
        assert!(!self.generated.natively(calldata), "{what}");
        self.reject(calldata, what);
    }

    /// Places of the points in calldata.
    fn points(&self) -> Vec<usize> {
        let protocol = &self.generated.protocol;
        let before = (protocol.proof()..protocol.first_evaluation()).step_by(POINT);
        before.chain((protocol.opening()..protocol.calldata()).step_by(POINT)).collect()
    }

    /// More gas than is spent before anything is computed: a twentieth of a good proof's.
    fn early(&self) -> u64 {
        self.generated.gas() / 20
    }

    /// Places of the scalars in calldata.
    fn scalars(&self) -> Vec<usize> {
        let protocol = &self.generated.protocol;
        let evaluations = protocol.first_evaluation()..protocol.opening();
        (0..protocol.proof()).chain(evaluations).step_by(WORD).collect()
    }
}

#[test]
fn every_word_counts() {
    for mut judge in Judge::some() {
        let good = judge.generated.calldata();
        for place in sampled((0..good.len()).step_by(WORD), 8) {
            // The lowest bit, the highest, and all of them.
            for (byte, mask) in [(WORD - 1, 1), (0, 0x80)] {
                let mut bad = good.clone();
                bad[place + byte] ^= mask;
                judge.reject_like_ours(&bad, &format!("{mask:#x} at {place}"));
            }
            let mut bad = good.clone();
            bad[place..place + WORD].iter_mut().for_each(|byte| *byte = !*byte);
            judge.reject_like_ours(&bad, &format!("all bits at {place}"));
        }
    }
}

#[test]
fn scalars_and_coordinates_are_canonical() {
    for mut judge in Judge::some() {
        let good = judge.generated.calldata();
        for place in sampled(judge.scalars(), 4) {
            let mut bad = good.clone();
            assert!(add(&mut bad[place..place + WORD], SCALARS));
            let outcome = judge.reject(&bad, &format!("r more at {place}"));
            assert!(outcome.execution_gas < judge.early(), "before anything else: {outcome:?}");
            assert!(!judge.generated.natively(&bad));
            let mut bad = good.clone();
            bad[place..place + WORD].fill(0);
            assert!(add(&mut bad[place..place + WORD], SCALARS));
            judge.reject_like_ours(&bad, &format!("r at {place}"));
        }
        let coordinates = judge.points().into_iter().flat_map(|point| [point, point + WORD]);
        for place in sampled(coordinates, 4) {
            let mut bad = good.clone();
            assert!(add(&mut bad[place..place + WORD], COORDINATES));
            judge.reject_like_ours(&bad, &format!("q more at {place}"));
        }
    }
}

#[test]
fn other_points_are_rejected() {
    for mut judge in Judge::some() {
        let good = judge.generated.calldata();
        let points = judge.points();
        for (number, place) in sampled(points.iter().copied().enumerate(), 4) {
            let mut generator = [0; POINT];
            generator[WORD - 1] = 1;
            generator[POINT - 1] = 2;
            let next = points[(number + 1) % points.len()];
            let others = [&[0; POINT][..], &generator, &good[next..next + POINT]];
            for other in others {
                let mut bad = good.clone();
                bad[place..place + POINT].copy_from_slice(other);
                judge.reject_like_ours(&bad, &format!("{} at {place}", hex::encode(other)));
            }
        }
    }
}

/// Each costs all the gas that its precompile is given, and none keeps the others from being asked.
#[test]
fn points_that_are_all_off_the_curve_cost_little_more() {
    for mut judge in Judge::some() {
        let mut bad = judge.generated.calldata();
        for place in judge.points() {
            bad[place + WORD - 1] ^= 1;
        }
        judge.reject_like_ours(&bad, "no point is on the curve");
    }
}

#[test]
fn public_inputs_keep_their_places_and_number() {
    for mut judge in Judge::some() {
        let (inputs, proof) = (judge.generated.inputs.clone(), judge.generated.proof.clone());
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let mut swapped = inputs.clone();
            swapped.swap(a, b);
            judge.reject_like_ours(&calldata(&swapped, &proof), &format!("swapped {a} and {b}"));
        }
        for place in 0..inputs.len() {
            let mut other = inputs.clone();
            other[place] += Fr::one();
            judge.reject_like_ours(&calldata(&other, &proof), &format!("one more: {place}"));
        }
        judge.reject(&calldata(&inputs[..2], &proof), "a missing input");
        judge.reject(&calldata(&[&inputs[..], &[Fr::zero()]].concat(), &proof), "a surplus input");
        judge.reject(&proof, "no inputs");
    }
}

#[test]
fn calldata_has_one_length() {
    for mut judge in Judge::some() {
        let good = judge.generated.calldata();
        let proof = WORD * judge.generated.inputs.len();
        for short in [0, 1, 4, proof, good.len() - WORD, good.len() - 1] {
            let outcome = judge.reject(&good[..short], &format!("{short} bytes"));
            assert!(outcome.execution_gas < judge.early(), "before anything else: {outcome:?}");
        }
        for surplus in [1, WORD, POINT] {
            judge.reject(&[&good[..], &vec![0; surplus]].concat(), &format!("{surplus} more"));
        }
        judge.reject(&vec![0; good.len()], "zeros");
        judge.reject(&vec![0xff; good.len()], "ones");
    }
}

#[test]
fn proofs_belong_to_their_key() {
    let proofs: Vec<_> = all().iter().map(Generated::calldata).collect();
    for mut judge in Judge::some() {
        let own = judge.generated.calldata();
        for proof in &proofs {
            if *proof == own {
                assert!(judge.call(proof).accepted());
            } else {
                judge.reject(proof, "a proof of another key");
            }
        }
    }
}

/// Without a compiler nobody runs the contract, and still no bad proof becomes a fixture.
#[test]
fn bad_proofs_are_refused_without_a_compiler() {
    for generated in &sampled(all(), 3) {
        let Generated { key, proof, .. } = generated;
        let export = Export::new(contract_key(key), None).unwrap();
        let verdict = |statement: &Statement, proof: &[u8]| {
            export.clone().with_proof(statement, proof).map(|export| export.gas())
        };
        let statement = generated.statement();
        assert_eq!(verdict(&statement, proof), Ok(None));
        let reject = |statement: &Statement, proof: &[u8], what: &str| {
            let verdict = verdict(statement, proof);
            assert!(matches!(verdict, Err(Error::Proof(_))), "{what}: {verdict:?}");
        };
        let threshold = statement.threshold + 1;
        reject(&Statement { threshold, ..statement.clone() }, proof, "another threshold");
        let other = match statement.message {
            Message::Field(_) => Message::Digest([0; 32]),
            Message::Digest(_) | Message::Bytes(_) | Message::Plain(_) | Message::Point(_) => {
                Message::Field(Fr::zero())
            }
        };
        reject(
            &Statement { message: other, ..statement.clone() },
            proof,
            "a message of another kind",
        );
        let mut bad = proof.clone();
        *bad.last_mut().unwrap() ^= 1;
        reject(&statement, &bad, "another byte");
        reject(&statement, &proof[1..], "a byte less");
        reject(&statement, &[&proof[..], &[0]].concat(), "a byte more");
        reject(&statement, &[], "nothing");
    }
}
