//! Statements of any committee, with what proves them.

use muster_circuits::{CircuitShape, Request, Scheme, Shape, Statement, Witness};
use muster_gates::GateCircuit;
use muster_params::Srs;

use crate::{
    sample::{Plan, Sample, Source},
    Keys, ProofKind,
};

/// A statement, and what proves it.
pub(crate) struct Case {
    pub(crate) srs: Srs,
    pub(crate) keys: Keys,
    pub(crate) statement: Statement,
    pub(crate) witness: Witness,
}

impl Case {
    /// `signing` of a committee of `signers`.
    pub(crate) fn new(scheme: Scheme, signing: usize, signers: usize) -> Self {
        Self::of(&Request::new(scheme, signers, signing))
    }

    /// As many as there are slots, of a committee that fills the set.
    pub(crate) fn of(request: &Request) -> Self {
        Self::at(&Shape::fit(request).unwrap(), request.slots)
    }

    /// `signing` of a committee that fills the set.
    pub(crate) fn at(shape: &Shape, signing: usize) -> Self {
        Self::for_kind(shape, signing, ProofKind::Fast)
    }

    /// The same with keys for proofs of this kind.
    pub(crate) fn for_kind(shape: &Shape, signing: usize, kind: ProofKind) -> Self {
        let srs = Srs::insecure(Keys::srs_degree(shape, kind).unwrap()).unwrap();
        let keys = Keys::make_for(&srs, shape, kind).unwrap();
        let plan = Plan {
            keys: shape.keys,
            scheme: shape.scheme,
            form: Some(shape.message),
            hash: shape.hash,
            signers: shape.capacity,
            signing,
            message: None,
            tree: (shape.arity, shape.depth),
        };
        let sample = Sample::new(&plan, Source::from_text("bytes")).unwrap();
        let key_set_root = shape.tree(&sample.committee).unwrap().root();
        let (message, threshold) = (sample.message.clone(), signing as u64);
        let (terms, committee, signatures) =
            (shape.terms().unwrap(), &sample.committee, &sample.signatures);
        let signers = terms.signers(shape.slots, committee, signatures, threshold).unwrap();
        let statement = Statement { key_set_root, threshold, message, signers };
        let witness = terms.verify(&statement, committee, signatures).unwrap();
        Self { srs, keys, statement, witness }
    }

    pub(crate) fn circuit(&self) -> GateCircuit {
        let Self { keys, witness, .. } = self;
        keys.shape().prover_circuit(witness, keys.placement().clone()).unwrap()
    }
}
