#![allow(clippy::unwrap_used)]

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{KeyKind, PointHash, Request, Scheme, Shape, Statement};
use muster_prover::{
    check_constraints,
    sample::{Plan, Sample, Source},
};

use super::{sample, Quorum};

/// The k-of-n circuit takes the signatures of groups as it takes any others.
#[test]
fn groups_sign_in_circuit() {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 4, 2)).unwrap();
    let tree = (shape.arity, shape.depth);
    let keys = KeyKind::Coordinates;
    let plan = Plan {
        scheme: Scheme::Schnorr,
        keys,
        form: None,
        hash: PointHash::default(),
        signers: 4,
        signing: 2,
        message: None,
        tree,
    };
    let quorum = Quorum::new(3, 5).unwrap();
    let made = sample(&plan, quorum, Source::from_text("groups")).unwrap();
    let Sample { committee, signatures, message, .. } = made;
    let key_set_root = shape.tree(&committee).unwrap().root();
    let statement = Statement { key_set_root, threshold: 2, message, signers: None };
    let terms = shape.terms().unwrap();
    let witness = terms.verify(&statement, &committee, &signatures).unwrap();
    check_constraints(&shape, &witness).unwrap();

    // The same signatures on another message.
    let statement = Statement { message: Fr::one().into(), ..statement };
    assert!(terms.verify(&statement, &committee, &signatures).is_err());
    for scheme in [Scheme::Eddsa, Scheme::Musig] {
        let plan = Plan { scheme, ..plan.clone() };
        assert!(sample(&plan, quorum, Source::random()).is_err());
    }
    assert!(Quorum::new(1, 3).is_none() && Quorum::new(4, 3).is_none());
    assert_eq!("7/10".parse(), Ok(Quorum::new(7, 10).unwrap()));
    assert!("7".parse::<Quorum>().is_err() && "7/6".parse::<Quorum>().is_err());
}
