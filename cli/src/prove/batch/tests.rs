#![allow(clippy::unwrap_used)]

use std::{fs::File, sync::Arc};

use super::{read, report::counted};
use crate::{
    files::{CommitteeFile, Listing},
    progress::Progress,
    tests::{fixture, Fixture},
    Seats,
};

/// Every item takes a copy, and none hashes the tree again.
#[test]
fn a_common_committee_has_its_tree() {
    let Fixture { keys, sample, .. } = fixture();
    let (scheme, kind) = (keys.shape().scheme, keys.shape().keys);
    let committee = sample.committee.clone();
    let file = CommitteeFile { scheme, keys: kind, committee, narrowed: None, left_out: vec![] };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("committee.json");
    file.write(&mut File::create(&path).unwrap()).unwrap();
    let terms = keys.shape().terms().unwrap();
    let listing = Listing::read(&path, Seats::One).unwrap();
    let (path, file) = read((path, listing), &terms, &Progress::quiet()).unwrap();
    let [one, other] = [(); 2].map(|()| file.clone().tree(&path, &terms).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
}

#[test]
fn numbers_of_proofs() {
    assert_eq!([0, 1, 2].map(counted), ["0 proofs", "1 proof", "2 proofs"]);
}
