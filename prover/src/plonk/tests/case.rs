use muster_circuits::{KeyKind, Request, Scheme, Shape, Statement, ThresholdCircuit, Witness};
use muster_params::Srs;

use crate::{
    sample::{Plan, Sample, Source},
    Keys,
};

/// A statement, and what proves it.
pub(super) struct Case {
    pub(super) srs: Srs,
    pub(super) keys: Keys,
    pub(super) statement: Statement,
    pub(super) witness: Witness,
}

impl Case {
    /// `signing` of a committee of `signers`.
    pub(super) fn new(scheme: Scheme, signing: usize, signers: usize) -> Self {
        let shape = Shape::fit(&Request::new(scheme, signers, signing)).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let keys = Keys::make(&srs, &shape).unwrap();
        let plan = Plan {
            keys: KeyKind::Coordinates,
            scheme,
            form: None,
            signers,
            signing,
            message: None,
            tree: (shape.arity, shape.depth),
        };
        let sample = Sample::new(&plan, Source::from_text("bytes")).unwrap();
        let key_set_root = shape.tree(&sample.committee).unwrap().root();
        let message = sample.message.clone();
        let statement =
            Statement { key_set_root, threshold: signing as u64, message, signers: None };
        let (terms, signatures) = (shape.terms().unwrap(), &sample.signatures);
        let witness = terms.verify(&statement, &sample.committee, signatures).unwrap();
        Self { srs, keys, statement, witness }
    }

    pub(super) fn circuit(&self) -> ThresholdCircuit {
        let Self { keys, witness, .. } = self;
        ThresholdCircuit::prover(keys.shape(), witness, keys.placement().clone()).unwrap()
    }
}
