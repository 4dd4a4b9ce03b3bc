#![allow(clippy::unwrap_used)]

use std::{fs::File, sync::Arc};

use muster_circuits::{KeyKind, PointHash, Request, Scheme, Shape};
use muster_prover::{
    files::{CommitteeFile, Listing},
    sample::{Plan, Sample, Source},
    Seats,
};

use super::{read, report::counted};
use crate::progress::Progress;

/// All items borrow it, and none hashes the tree again.
#[test]
fn a_common_committee_has_its_tree() {
    let (scheme, kind) = (Scheme::Eddsa, KeyKind::Coordinates);
    let shape = Shape::fit(&Request::new(scheme, 3, 2)).unwrap();
    let plan = Plan {
        scheme,
        keys: kind,
        form: None,
        hash: PointHash::default(),
        signers: 3,
        signing: 2,
        message: None,
        tree: (shape.arity, shape.depth),
    };
    let committee = Sample::new(&plan, Source::from_text("batch")).unwrap().committee;
    let file = CommitteeFile { scheme, keys: kind, committee, narrowed: None, left_out: vec![] };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("committee.json");
    file.write(&mut File::create(&path).unwrap()).unwrap();
    let terms = shape.terms().unwrap();
    let listing = Listing::read(&path, Seats::One).unwrap();
    let (path, file) = read((path, listing), &terms, &Progress::quiet()).unwrap();
    let [one, other] = [(); 2].map(|()| file.clone().tree(&path, &terms).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
}

#[test]
fn numbers_of_proofs() {
    assert_eq!([0, 1, 2].map(counted), ["0 proofs", "1 proof", "2 proofs"]);
}
