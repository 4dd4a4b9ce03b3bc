#![allow(clippy::unwrap_used)]

use std::{fs::File, sync::Arc};

use super::{common, making::caught, report::counted};
use crate::{
    files::CommitteeFile,
    progress::Progress,
    tests::{fixture, Fixture},
    Error, Seats, BAD_INPUT,
};

/// Every item takes a copy, and none hashes the tree again.
#[test]
fn a_common_committee_has_its_tree() {
    let Fixture { keys, sample, .. } = fixture();
    let (scheme, kind) = (keys.shape().scheme, keys.shape().keys);
    let committee = sample.committee.clone();
    let file = CommitteeFile { scheme, keys: kind, committee, narrowed: None };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("committee.json");
    file.write(&mut File::create(&path).unwrap()).unwrap();
    let (path, file) = common(&path, Seats::One, keys, &Progress::quiet()).unwrap();
    let terms = keys.shape().terms().unwrap();
    let [one, other] = [(); 2].map(|()| file.clone().tree(&path, &terms).unwrap());
    assert!(Arc::ptr_eq(&one, &other));
}

#[test]
fn a_panic_is_an_error() {
    assert!(matches!(caught(|| Ok(7)), Ok(7)));
    let refused = caught(|| -> Result<(), _> { Err(Error::Usage("no".into())) });
    assert!(matches!(refused, Err(Error::Usage(reason)) if reason == "no"));
    let zero = usize::from(counted(0).is_empty());
    let panics: [fn(usize) -> usize; 2] = [|zero| 1 / zero, |zero| [0; 1][zero + 1]];
    for (panic, part) in panics.into_iter().zip(["divide by zero", "out of bounds"]) {
        let error = caught(|| Ok(panic(zero))).unwrap_err();
        assert_eq!(error.exit_code(), BAD_INPUT);
        let text = error.to_string();
        assert!(text.contains("a bug in Muster") && text.contains(part), "{text}");
    }
}

#[test]
fn numbers_of_proofs() {
    assert_eq!([0, 1, 2].map(counted), ["0 proofs", "1 proof", "2 proofs"]);
}
