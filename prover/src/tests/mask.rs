//! Proofs that say who signed.

use std::fs;

use muster_circuits::{Request, Scheme, Shape, SignerMask, Statement};
use muster_params::Srs;

use super::{fixture, Fixture};
use crate::{files::ProofFile, prove, Keys, VerifyError};

/// Who signed is a part of the statement: proofs are of those who did, and of nobody else.
#[test]
fn a_proof_is_of_the_signers_who_are_named() {
    let Fixture { sample, statement, keys: without, .. } = fixture();
    let wanted = Request { mask: true, ..Request::new(Scheme::Eddsa, 3, 2) };
    let shape = Shape::fit(&wanted).unwrap();
    let srs = Srs::insecure(shape.degree()).unwrap();
    let keys = Keys::make(&srs, &shape).unwrap();
    let (terms, committee, signatures) =
        (shape.terms().unwrap(), &sample.committee, &sample.signatures);
    let signers = terms.signers(shape.slots, committee, signatures, 2).unwrap();
    let named = |signers: Option<SignerMask>| Statement { signers, ..statement.clone() };
    let statement = named(signers.clone());
    let witness = terms.verify(&statement, committee, signatures).unwrap();
    let proof = prove(&srs, &keys, &witness).unwrap();
    let key = keys.verifier();
    assert_eq!(key.verify(&statement, &proof), Ok(()));
    assert_eq!(key.verify_batch(&[(statement.clone(), &proof)]), Ok(()));
    for word in 0..8usize {
        let others = (0..3).filter(|member| word >> member & 1 == 1);
        let other = SignerMask::new(3, others).ok();
        let verdict = key.verify(&named(other.clone()), &proof);
        assert_eq!(verdict.is_ok(), other == signers);
    }
    // Of no set, and of another one.
    for other in [None, SignerMask::new(4, signers.iter().flat_map(SignerMask::iter)).ok()] {
        assert_eq!(key.verify(&named(other), &proof), Err(VerifyError::Signers));
    }
    let verdict = without.verifier().verify(&statement, &proof);
    assert_eq!(verdict, Err(VerifyError::Signers));
    // A file keeps them.
    let file = ProofFile::new(&keys, &statement, proof);
    assert_eq!(file.signers(), signers);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("proof.json");
    fs::write(&path, file.to_json()).unwrap();
    assert_eq!(ProofFile::read(&path).unwrap(), file);
    let other = ProofFile::new(without, &fixture().statement, file.proof);
    assert_eq!(other.signers(), None);
}
