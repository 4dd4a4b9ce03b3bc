//! Keys of the format `compact`: made, stored, and held to their circuit.

use std::fs;

use muster_circuits::{KeyKind, Request, Scheme, Shape};
use muster_params::{Srs, SrsCache};
use muster_testing::sampled;
use muster_verifier::Round;

use super::{fixture, keys_of, Fixture};
use crate::{
    keys::{Plan, SHAPE_FILE, VERIFYING_KEY_FILE},
    prove, Error, Keys, ProofKind, VerifierKey, VerifyError,
};

fn compact() -> (&'static Srs, &'static Keys) {
    keys_of(ProofKind::Compact)
}

/// A plan that is not the usual one is one more good plan.
#[test]
fn any_stride_serves() {
    let Fixture { keys, statement, witness, .. } = fixture();
    let usual = Keys::plan(keys.shape(), None).unwrap();
    println!(
        "stride {}, {} packs, 2^{} rows of the decider",
        usual.packing().stride(),
        usual.packing().packs().len(),
        usual.decider_k()
    );
    for stride in sampled([1, 5], 2) {
        let plan = Keys::plan(keys.shape(), Some(stride)).unwrap();
        assert_eq!(plan.packing().stride(), stride);
        let srs = Srs::insecure(plan.srs_degree()).unwrap();
        let keys = Keys::make_compact(&srs, keys.shape(), &plan).unwrap();
        let proof = prove(&srs, &keys, witness).unwrap();
        assert_eq!(keys.verifier().verify(statement, &proof), Ok(()));
        assert!(keys.is_made_from(&srs).unwrap());
    }
    for stride in [0, 257] {
        assert!(matches!(Keys::plan(keys.shape(), Some(stride)), Err(Error::Usage(_))));
    }
}

/// Of the first circuit, with many columns, eight packs would be faster. The second has six: with two packs of its 111
/// columns of the key all would have 56 places.
#[test]
fn a_verification_on_a_chain_has_its_bound() {
    let address =
        Request { keys: KeyKind::Address, ..Request::new(Scheme::EcdsaSecp256k1, 19, 13) };
    for (wanted, packs, stride, of_key) in
        [(address, 5, 33, 2), (Request::new(Scheme::BlsBls12381, 512, 512), 6, 37, 3)]
    {
        let plan = Keys::plan(&Shape::fit(&wanted).unwrap(), None).unwrap();
        let packing = plan.packing();
        let found = (packing.packs().len(), packing.stride(), packing.count(Round::Key));
        assert_eq!(found, (packs, stride, of_key));
    }
}

#[test]
fn an_srs_has_the_powers_that_the_plan_needs() {
    let (srs, keys) = compact();
    let plan = Keys::plan(keys.shape(), None).unwrap();
    assert_eq!(keys.verifier().srs_degree(), plan.srs_degree());
    assert!(plan.powers() <= (1 << srs.k()) + 4 && plan.powers() > (1 << (srs.k() - 1)) + 4);
    let short = Srs::insecure(srs.k() - 1).unwrap();
    let refused = Keys::make_compact(&short, keys.shape(), &plan).unwrap_err().to_string();
    assert!(refused.contains(&format!("need one of k = {}", srs.k())), "{refused}");
    assert!(matches!(Keys::make(srs, keys.shape()), Err(Error::Usage(_))), "fast has its own");
}

#[test]
fn what_is_stored_is_read() {
    let Fixture { statement, witness, .. } = fixture();
    let (srs, keys) = compact();
    let (dir, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    keys.save(dir.path(), false).unwrap();
    let mut loaded = Keys::load(dir.path()).unwrap();
    assert_eq!(loaded.vk_digest(), keys.vk_digest());
    let cache = SrsCache::new(cache.path());
    loaded.keep_bases_in(cache.clone());
    assert!(!loaded.has_bases(srs) && fixture().keys.has_bases(&fixture().srs));
    let proof = prove(srs, &loaded, witness).unwrap();
    assert!(loaded.has_bases(srs));
    let mut again = Keys::load(dir.path()).unwrap();
    assert!(!again.has_bases(srs), "without the cache");
    again.keep_bases_in(cache.clone());
    assert!(again.has_bases(srs));
    let verifier = VerifierKey::load(dir.path()).unwrap();
    assert_eq!(verifier.verify(statement, &proof), Ok(()));
    assert_eq!(
        verifier.verify_batch(&[(statement.clone(), &proof), (statement.clone(), &proof)]),
        Ok(())
    );
    let packing = verifier.key().as_compact().unwrap().packing();
    assert!(cache.pack_bases_path(srs, keys.shape().degree(), packing.stride()).exists());
    assert_eq!(proof.bytes().len(), 32 * (proof_points(&verifier) + proof_scalars(&verifier)));
    let long = verifier.calldata(statement, &proof).unwrap();
    assert_eq!(long.len(), 64 * proof_points(&verifier) + 32 * (proof_scalars(&verifier) + 1));
    let inputs: Vec<_> = statement.public_inputs().iter().map(crate::logup::to_bytes).collect();
    assert_eq!(verifier.key().verify(&inputs, &long), Ok(()));

    // A key of another shape, or one that somebody changed.
    let path = dir.path().join(VERIFYING_KEY_FILE);
    let good = fs::read(&path).unwrap();
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    fs::write(&path, bad).unwrap();
    let refused = VerifierKey::load(dir.path()).unwrap_err().to_string();
    assert!(refused.contains(VERIFYING_KEY_FILE), "{refused}");
    fs::write(&path, good).unwrap();
    assert!(dir.path().join(SHAPE_FILE).exists());
}

fn proof_points(key: &VerifierKey) -> usize {
    use muster_verifier::Round::{First, Second};
    let packing = key.key().as_compact().unwrap().packing();
    packing.count(First) + packing.count(Second) + 9
}

fn proof_scalars(key: &VerifierKey) -> usize {
    key.key().as_compact().unwrap().packing().packs().len() + 18
}

/// A decider or a pack of something else is found by those who have the SRS.
#[test]
fn keys_are_compared_with_their_circuit() {
    let (srs, keys) = compact();
    assert!(keys.is_made_from(srs).unwrap());
    assert!(keys.verifier().is_made_from(srs).unwrap());
    let other = Srs::insecure(srs.k()).unwrap();
    assert!(!keys.is_made_from(&other).unwrap());
}

#[test]
fn each_format_has_its_keys() {
    let Fixture { witness, statement, .. } = fixture();
    let (srs, keys) = compact();
    let proof = prove(srs, keys, witness).unwrap();
    assert_eq!(proof.kind(), ProofKind::Compact);
    let fast = fixture().keys.verifier();
    let refused = VerifyError::Kind(ProofKind::Compact);
    assert_eq!(fast.verify(statement, &proof), Err(refused.clone()));
    assert_eq!(fast.calldata(statement, &proof), Err(refused));
    let again = Plan::of(keys.verifier().key().protocol(), None).unwrap();
    assert_eq!(again, Keys::plan(keys.shape(), None).unwrap());
}
