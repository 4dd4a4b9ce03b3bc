//! Samples.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    KeyKind, PointHash, PublicMessage, Request, Rule, Scheme, Shape, Statement, Suite,
};
use muster_testing::sampled;
use rand::RngCore;

use crate::sample::{Plan, Sample, Source};

/// All schemes, by coordinates and where there are any by addresses.
fn kinds() -> impl Iterator<Item = (Scheme, KeyKind)> {
    let by_address = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    Scheme::ALL.iter().map(|scheme| (*scheme, KeyKind::Coordinates)).chain([by_address])
}

#[test]
fn samples_are_what_they_are_asked_to_be() {
    let mut rng = muster_testing::rng();
    for (scheme, keys) in sampled(kinds(), 3) {
        let has = |rule: &Rule| Suite::new(scheme, keys, Some(*rule), None).is_ok();
        for rule in Rule::ALL.into_iter().filter(has).map(Some).chain([None]) {
            let shape = Shape::fit(&Request { keys, rule, ..Request::new(scheme, 7, 5) }).unwrap();
            let tree = (shape.arity, shape.depth);
            let plan = Plan {
                scheme,
                keys,
                form: None,
                hash: PointHash::default(),
                signers: 7,
                signing: 5,
                message: None,
                tree,
            };
            let sample =
                Sample::new(&plan, Source::from_text(&rng.next_u64().to_string())).unwrap();
            let mut signers = sample.signatures.members();
            signers.dedup();
            assert_eq!((sample.committee.members().len(), signers.len()), (7, 5));
            let key_set_root = shape.tree(&sample.committee).unwrap().root();
            let statement = Statement {
                key_set_root,
                threshold: 5,
                message: sample.message.clone(),
                signers: None,
            };
            let terms = shape.terms().unwrap();
            terms.verify(&statement, &sample.committee, &sample.signatures).unwrap();
            let secrets = sample.secrets().unwrap();
            assert_eq!(secrets["secret_keys"].as_array().unwrap().len(), 7);
            assert!(!format!("{sample:?}").contains(secrets["secret_keys"][0].as_str().unwrap()));
        }
    }
}

#[test]
fn impossible_samples_are_refused() {
    for (signers, signing) in [(0, 0), (0, 1), (3, 0), (3, 4)] {
        let tree = (5, 1);
        let (scheme, keys) = (Scheme::Schnorr, KeyKind::Coordinates);
        let plan = Plan {
            scheme,
            keys,
            form: None,
            hash: PointHash::default(),
            signers,
            signing,
            message: None,
            tree,
        };
        assert!(Sample::new(&plan, Source::random()).is_err());
    }
    for &scheme in Scheme::ALL {
        let keys = KeyKind::Address;
        let plan = Plan {
            scheme,
            keys,
            form: None,
            hash: PointHash::default(),
            signers: 3,
            signing: 2,
            message: None,
            tree: (5, 1),
        };
        let made = Sample::new(&plan, Source::random());
        assert_eq!(made.is_ok(), scheme == Scheme::EcdsaSecp256k1);
        let message = match scheme.suite().public_message() {
            PublicMessage::Element => [1; 32].into(),
            _ => Fr::one().into(),
        };
        let keys = KeyKind::Coordinates;
        let plan = Plan { keys, message: Some(message), ..plan };
        assert!(Sample::new(&plan, Source::random()).is_err(), "{scheme}");
    }
}
