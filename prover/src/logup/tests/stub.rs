//! A transcript with challenges that are as good as never squeezed.

use std::{cell::RefCell, rc::Rc};

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_verifier::Transcript;

use super::sample::{rng, Keys, Sample};
use crate::{
    logup::{
        blinded::Blinded,
        run::{Oracle, Round, Run, Writer},
        trace::Trace,
    },
    profile::Stopwatch,
};

/// The places of challenges among all that are squeezed.
pub(super) const THETA: usize = 0;
pub(super) const LOOKUP: usize = 1;
pub(super) const BETA: usize = 2;
pub(super) const GAMMA: usize = 3;
pub(super) const X: usize = 5;
pub(super) const U: usize = 7;
pub(super) const BETA_2: usize = 8;
pub(super) const GAMMA_2: usize = 9;
pub(super) const X_2: usize = 11;
pub(super) const U_2: usize = 13;

/// Challenges by their places, which are said the first time that they are asked for.
pub(super) type Replaced = Vec<(usize, Fr)>;

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

/// A proof with challenges replaced, and how often columns were filled for it. Each time, all that is random is another.
pub(super) fn prove(keys: &Keys, sample: &Sample, replaced: Replaced) -> (Vec<u8>, usize) {
    let is_compact = keys.prover.decider.is_some();
    let transcript = if is_compact { Transcript::compact() } else { Transcript::new() };
    let stub = Stub { transcript, replaced: Rc::new(RefCell::new(replaced)), squeezed: 0 };
    let (mut random, mut watch) = (rng(1), Stopwatch::start());
    let (mut filled, mut pieces) = (vec![], vec![]);
    let mut run = Run {
        prover: &keys.prover,
        trace: Trace {
            system: &keys.prover.system,
            key: &keys.columns,
            rng: &mut random,
            watch: &mut watch,
        },
        writer: Writer::new(stub, is_compact),
        edit: |round, made: &mut Vec<Blinded>| match round {
            Round::Advice => filled.push(made[0].numbers.clone()),
            Round::Pieces => pieces.push(made[0].numbers.clone()),
            _ => {}
        },
    };
    let proof = run.proof(sample.advice.clone(), &sample.inputs);
    let usable = sample.protocol.usable();
    for pair in filled.windows(2) {
        assert_eq!(pair[0][..usable], pair[1][..usable], "the witness is the same");
        assert!(pair[0][usable..].iter().zip(&pair[1][usable..]).all(|(one, two)| one != two));
    }
    assert!(pieces.windows(2).all(|pair| pair[0] != pair[1]));
    (proof, filled.len())
}
