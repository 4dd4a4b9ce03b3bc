//! Samples.

use muster_circuits::{verify, Request, Scheme, Shape, Statement};

use crate::sample::{Plan, Sample, Source};

#[test]
fn samples_are_what_they_are_asked_to_be() {
    for scheme in Scheme::ALL {
        let shape = Shape::fit(&Request::new(scheme, 7, 5)).unwrap();
        let tree = (shape.arity, shape.depth);
        let plan = Plan { scheme, signers: 7, signing: 5, message: None, tree };
        let sample = Sample::new(&plan, Source::random()).unwrap();
        let mut signers = sample.signatures.members();
        signers.dedup();
        assert_eq!((sample.committee.members().len(), signers.len()), (7, 5));
        let key_set_root = shape.tree(&sample.committee).unwrap().root();
        let statement = Statement { key_set_root, threshold: 5, message: sample.message };
        verify(&shape, &statement, &sample.committee, &sample.signatures).unwrap();
        let secrets = sample.secrets().unwrap();
        assert_eq!(secrets["secret_keys"].as_array().unwrap().len(), 7);
        assert!(!format!("{sample:?}").contains(secrets["secret_keys"][0].as_str().unwrap()));
    }
}

#[test]
fn impossible_samples_are_refused() {
    for (signers, signing) in [(0, 0), (0, 1), (3, 0), (3, 4)] {
        let tree = (5, 1);
        let plan = Plan { scheme: Scheme::Schnorr, signers, signing, message: None, tree };
        assert!(Sample::new(&plan, Source::random()).is_err());
    }
}
