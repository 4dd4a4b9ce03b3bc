//! Challenges for which there is no proof, at both levels: the prover draws again, with new random numbers everywhere.

use std::{cell::RefCell, rc::Rc};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::{Transcript, VerifyError};

use super::{
    super::{
        every::every,
        sample::{rng, Keys, Sample},
    },
    packs::in_order,
};
use crate::{
    logup::{
        run::{Round, Run},
        trace::Trace,
        writer::{Oracle, Writer},
    },
    profile::Stopwatch,
};

/// The places of challenges among all that are squeezed.
const X: usize = 5;
const U: usize = 7;
const X_2: usize = 11;
const U_2: usize = 13;

/// Challenges by their places, which are said the first time that they are asked for.
type Replaced = Vec<(usize, Fr)>;

/// The transcript of the specification, but for those.
#[derive(Clone)]
struct Stub {
    transcript: Transcript,
    /// Shared by all copies.
    replaced: Rc<RefCell<Replaced>>,
    squeezed: usize,
}

impl Oracle for Stub {
    fn absorb(&mut self, item: &[u8]) {
        self.transcript.absorb(item);
    }

    fn squeeze(&mut self) -> Fr {
        let challenge = Oracle::squeeze(&mut self.transcript);
        let place = self.squeezed;
        self.squeezed += 1;
        let mut replaced = self.replaced.borrow_mut();
        match replaced.iter().position(|(at, _)| *at == place) {
            Some(due) => replaced.remove(due).1,
            None => challenge,
        }
    }
}

/// A proof, and how often columns were filled for it.
fn prove(keys: &Keys, sample: &Sample, replaced: Replaced) -> (Vec<u8>, usize) {
    let replaced = Rc::new(RefCell::new(replaced));
    let stub = Stub { transcript: Transcript::compact(), replaced, squeezed: 0 };
    let (mut random, mut watch) = (rng(1), Stopwatch::start());
    let mut filled = vec![];
    let mut run = Run {
        prover: &keys.prover,
        trace: Trace::new(&keys.prover.system, &keys.columns, &mut random, &mut watch),
        writer: Writer::new(stub, true),
        edit: |round, made: &mut Vec<crate::logup::blinded::Blinded>| {
            if round == Round::Advice {
                filled.push(made[0].numbers.clone());
            }
        },
    };
    let proof = run.proof(sample.advice.clone(), &sample.inputs);
    let usable = sample.protocol.usable();
    for pair in filled.windows(2) {
        assert_eq!(pair[0][..usable], pair[1][..usable], "the witness is the same");
        assert!(pair[0][usable..].iter().zip(&pair[1][usable..]).all(|(one, two)| one != two));
    }
    (proof, filled.len())
}

#[test]
fn the_prover_draws_again() {
    let sample = every(0);
    let keys = Keys::compact(&sample, in_order(&sample.protocol, 4));
    let decider = keys.prover.decider.as_ref().unwrap();
    let row = |row: i32| keys.prover.system.point(Fr::ONE, row);
    let row_2 = |row: i32| decider.system.point(Fr::ONE, row);
    let (honest, count) = prove(&keys, &sample, vec![]);
    assert_eq!((count, honest), (1, keys.prove(&sample, 1)));
    let v = Fr::from(3);
    let [of_pack, of_decider] = [4, 10].map(|stride| v.pow([stride]));
    let degenerate = [
        vec![(X, Fr::ZERO)],
        vec![(X, row(0))],
        vec![(X, row(5))],
        vec![(X, row(-1))],
        vec![(X, of_pack), (U, v)],
        vec![(X, of_pack * row(-1)), (U, v)],
        vec![(X, v), (U, v)],
        vec![(X_2, Fr::ZERO)],
        vec![(X_2, row_2(0))],
        vec![(X_2, row_2(77))],
        vec![(X_2, of_decider), (U_2, v)],
        vec![(X_2, of_decider * row_2(-1)), (U_2, v)],
        vec![(X_2, v), (U_2, v)],
    ];
    for replaced in degenerate {
        let (proof, count) = prove(&keys, &sample, replaced.clone());
        assert_eq!(count, 2, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Ok(()), "{replaced:?}");
    }
    // Any other challenge is as good as its own, to whoever has it of the same transcript.
    for replaced in [(X, v), (U, v), (U, Fr::ZERO), (X_2, v), (U_2, v)] {
        let (proof, count) = prove(&keys, &sample, vec![replaced]);
        assert_eq!(count, 1, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Err(VerifyError::Equation), "{replaced:?}");
    }
}
