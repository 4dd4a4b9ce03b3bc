//! Challenges for which there is no proof: the prover draws again. That the verifier refuses them is a test of its own.

use std::{cell::Cell, rc::Rc};

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_verifier::{Transcript, VerifyError};

use super::{
    every::every,
    sample::{rng, Keys, Sample},
};
use crate::{
    logup::{
        run::{Round, Run},
        trace::Trace,
        writer::{Oracle, Writer},
    },
    polynomial::Numbers,
    profile::Stopwatch,
};

/// Which challenge is replaced, and by what.
#[derive(Clone, Copy, Debug)]
enum Replaced {
    Nothing,
    X(Fr),
    /// `u`, by so many times `x`.
    U(Fr),
}

/// The transcript of the specification, but for one challenge the first time that it is asked for.
#[derive(Clone)]
struct Stub {
    transcript: Transcript,
    replaced: Replaced,
    /// Whether that is still to come: in all copies.
    is_due: Rc<Cell<bool>>,
    squeezed: usize,
    x: Fr,
}

const X: usize = 5;
const U: usize = 7;

impl Oracle for Stub {
    fn absorb(&mut self, item: &[u8]) {
        self.transcript.absorb(item);
    }

    fn squeeze(&mut self) -> Fr {
        let mut challenge = Oracle::squeeze(&mut self.transcript);
        match (self.replaced, self.squeezed) {
            (Replaced::X(x), X) if self.is_due.take() => challenge = x,
            (Replaced::U(factor), U) if self.is_due.take() => challenge = factor * self.x,
            _ => {}
        }
        if self.squeezed == X {
            self.x = challenge;
        }
        self.squeezed += 1;
        challenge
    }
}

/// A proof, and the pieces of the quotient as each attempt hid them.
fn prove(keys: &Keys, sample: &Sample, replaced: Replaced) -> (Vec<u8>, Vec<Vec<Numbers>>) {
    let transcript = Transcript::new();
    let is_due = Rc::new(Cell::new(true));
    let transcript = Stub { transcript, replaced, is_due, squeezed: 0, x: Fr::ZERO };
    let (mut random, mut watch) = (rng(1), Stopwatch::start());
    let mut attempts = vec![];
    let mut run = Run {
        prover: &keys.prover,
        trace: Trace::new(&keys.prover.system, &keys.columns, &mut random, &mut watch),
        writer: Writer::new(transcript, false),
        edit: |round, made: &mut Vec<_>| {
            if round == Round::Pieces {
                let pieces = made.iter().map(|it: &crate::logup::blinded::Blinded| &it.numbers);
                attempts.push(pieces.cloned().collect());
            }
        },
    };
    let proof = run.proof(sample.advice.clone(), &sample.inputs);
    (proof, attempts)
}

#[test]
fn the_prover_draws_again() {
    let sample = every(0);
    let keys = Keys::of(&sample);
    let row = |row: i32| keys.prover.system.point(Fr::ONE, row);
    let (honest, attempts) = prove(&keys, &sample, Replaced::Nothing);
    assert_eq!((attempts.len(), honest), (1, keys.prove(&sample, 1)));
    let degenerate = [0, 1, 5, -1].map(|it| Replaced::X(row(it)));
    let degenerate = degenerate.into_iter().chain([Replaced::X(Fr::ZERO)]);
    // 0 and 1 are the rotations at which polynomials of this circuit are opened.
    for replaced in degenerate.chain([0, 1].map(|it| Replaced::U(row(it)))) {
        let (proof, attempts) = prove(&keys, &sample, replaced);
        assert_eq!(attempts.len(), 2, "{replaced:?}");
        for (one, two) in attempts[0].iter().zip(&attempts[1]) {
            assert_ne!(one, two, "{replaced:?}: with new random numbers");
        }
        assert_eq!(keys.verify(&sample, &proof), Ok(()), "{replaced:?}");
    }
    // Any other challenge is as good as its own, to whoever has it of the same transcript.
    for replaced in [Replaced::X(Fr::from(2)), Replaced::U(row(-1)), Replaced::U(Fr::ZERO)] {
        let (proof, attempts) = prove(&keys, &sample, replaced);
        assert_eq!(attempts.len(), 1, "{replaced:?}");
        assert_eq!(keys.verify(&sample, &proof), Err(VerifyError::Equation), "{replaced:?}");
    }
}
