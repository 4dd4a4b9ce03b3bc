//! Tests of the library: keys and proofs of the smallest shape.

use std::sync::OnceLock;

use muster_circuits::{KeyKind, PointHash, Request, Scheme, Shape, Statement, Witness};
use muster_params::Srs;

use crate::{
    sample::{Plan, Sample, Source},
    Keys, ProofKind,
};

pub(crate) mod case;
mod compact;
mod constraints;
mod keys;
mod mask;
pub(crate) mod parts;
mod proofs;
mod samples;

/// What a proof is made from.
pub(crate) struct Fixture {
    pub(crate) srs: Srs,
    pub(crate) keys: Keys,
    pub(crate) sample: Sample,
    pub(crate) statement: Statement,
    pub(crate) witness: Witness,
}

/// The keys for proofs of this kind, with their SRS.
pub(crate) fn keys_of(kind: ProofKind) -> (&'static Srs, &'static Keys) {
    static COMPACT: OnceLock<(Srs, Keys)> = OnceLock::new();
    let Fixture { srs, keys, .. } = fixture();
    if kind == ProofKind::Fast {
        return (srs, keys);
    }
    let (srs, keys) = COMPACT.get_or_init(|| {
        let plan = Keys::plan(keys.shape(), None).unwrap();
        let srs = Srs::insecure(plan.srs_degree()).unwrap();
        let keys = Keys::make_compact(&srs, keys.shape(), &plan).unwrap();
        (srs, keys)
    });
    (srs, keys)
}

/// Two of a committee of three sign.
pub(crate) fn fixture() -> &'static Fixture {
    static FIXTURE: OnceLock<Fixture> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let shape = Shape::fit(&Request::new(Scheme::Eddsa, 3, 2)).unwrap();
        let srs = Srs::insecure(shape.degree()).unwrap();
        let keys = Keys::make(&srs, &shape).unwrap();
        let plan = Plan {
            keys: KeyKind::Coordinates,
            scheme: Scheme::Eddsa,
            form: None,
            hash: PointHash::default(),
            signers: 3,
            signing: 2,
            message: None,
            tree: (shape.arity, shape.depth),
        };
        let sample = Sample::new(&plan, Source::from_text("library")).unwrap();
        let key_set_root = shape.tree(&sample.committee).unwrap().root();
        let statement = Statement {
            key_set_root,
            threshold: 2,
            message: sample.message.clone(),
            signers: None,
        };
        let (terms, signatures) = (shape.terms().unwrap(), &sample.signatures);
        let witness = terms.verify(&statement, &sample.committee, signatures).unwrap();
        Fixture { srs, keys, sample, statement, witness }
    })
}
