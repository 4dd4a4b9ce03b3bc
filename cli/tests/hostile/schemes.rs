//! Key directories of shapes with gates that the fixture's has not: of curves over other fields, of hashes, of BLS.

use std::sync::OnceLock;

use muster_circuits::{KeyKind, Mode, Request, Scheme, Shape};
use muster_prover::{Keys, VerifierKey};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

use super::{changed, fixture, json::Edit};

const COUNT: usize = 5;

fn shapes() -> &'static [Value; COUNT] {
    static SHAPES: OnceLock<[Value; COUNT]> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let of = |scheme| Request::new(scheme, 4, 2);
        let complement = Some(Mode::Complement);
        [
            of(Scheme::EcdsaSecp256k1),
            Request { keys: KeyKind::Address, ..of(Scheme::EcdsaSecp256k1) },
            of(Scheme::BlsBn254),
            Request { absent: Some(2), mode: complement, ..of(Scheme::BlsBn254) },
            Request { mode: Some(Mode::WholeSet), ..of(Scheme::BlsBls12381) },
        ]
        .map(|request| serde_json::to_value(Shape::fit(&request).unwrap()).unwrap())
    })
}

/// Without a change such a directory is read: what is refused below is not refused for something else.
#[test]
fn directories_of_all_these_shapes_are_read() {
    for shape in shapes() {
        let mut directory = fixture().directory.clone();
        directory.manifest["shape"] = shape.clone();
        let dir = changed(&mut directory, &[], (true, true));
        let key = VerifierKey::load(dir.path()).unwrap();
        assert!(key.verify(&fixture().statement, &fixture().proof).is_err(), "{shape}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Keys that have the sizes that such a shape asks for, and then are changed: what is read, verifies nothing.
    #[test]
    fn key_directories_of_all_these_shapes(
        edits in vec(any::<Edit>(), 0..5),
        shape in 0..COUNT,
        fit: bool,
        seal: bool,
    ) {
        let mut directory = fixture().directory.clone();
        directory.manifest["shape"] = shapes()[shape].clone();
        directory.fit();
        let dir = changed(&mut directory, &edits, (fit, seal));
        let verifier = VerifierKey::load(dir.path());
        if let Ok(key) = &verifier {
            prop_assert!(key.verify(&fixture().statement, &fixture().proof).is_err());
        } else {
            prop_assert!(!(edits.is_empty() && seal), "{:?}", verifier.err());
        }
        prop_assert!(Keys::load(dir.path()).is_err() || verifier.is_ok());
    }
}
