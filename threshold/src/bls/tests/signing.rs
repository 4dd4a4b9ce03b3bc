use blst::{min_pk, min_sig, BLST_ERROR};
use proptest::prelude::*;

use super::{dealt, drawn, rng, MESSAGE};
use crate::bls::{
    deal, Ciphersuite, Error, Group, Identities, MinPkBasicBls12381, MinSigBasicBls12381,
    MinSigBasicBn254, SecretShare, Signature, SignatureShare, Synthetic,
};

/// Any t sign, any t − 1 do not.
fn any_subset<S: Ciphersuite<Signed = [u8]>>(
    identities: Identities,
    threshold: usize,
    signers: usize,
    seed: u64,
) {
    let (group, secrets) = dealt::<S>(identities, threshold, signers);
    let places = drawn(threshold, signers, seed);
    let shares: Vec<SignatureShare<S>> =
        places.iter().map(|&place| secrets[place].sign(MESSAGE)).collect();
    let made = group.aggregate(MESSAGE, &shares, &mut rng(2)).unwrap();
    assert!(group.public_key().verify(MESSAGE, &made.signature));
    assert!(!group.public_key().verify(b"another message", &made.signature));
    assert_eq!((made.pairing_checks, made.bad), (1, vec![]));

    let (found, bad) = (threshold - 1, vec![]);
    let too_few = group.aggregate(MESSAGE, &shares[1..], &mut rng(2)).unwrap_err();
    assert_eq!(too_few, Error::TooFewShares { found, threshold, bad });
    // Nor is it a group in which t − 1 of them do.
    let (key, signers) = (*group.public_key(), group.signers().to_vec());
    let with = |threshold| Group::new(identities, threshold, key, signers.clone(), &mut rng(3));
    with(threshold).unwrap();
    if threshold > 1 {
        let threshold = threshold - 1;
        assert_eq!(with(threshold).unwrap_err(), Error::WrongKeys { threshold });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_subset_of_the_threshold_signs(
        signers in 1usize..20,
        of in any::<prop::sample::Index>(),
        roots in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let threshold = of.index(signers) + 1;
        let identities = Identities::ALL[usize::from(roots)];
        any_subset::<MinSigBasicBls12381>(identities, threshold, signers, seed);
        any_subset::<MinPkBasicBls12381>(identities, threshold, signers, seed);
        any_subset::<MinSigBasicBn254>(identities, threshold, signers, seed);
    }
}

/// A signature and its key as bytes.
fn signed<S: Ciphersuite<Signed = [u8]>>() -> (Vec<u8>, Vec<u8>) {
    let (group, secrets) = dealt::<S>(Identities::RootsOfUnity, 5, 9);
    let shares: Vec<_> = secrets[3..8].iter().map(|secret| secret.sign(MESSAGE)).collect();
    let made = group.aggregate(MESSAGE, &shares, &mut rng(2)).unwrap();
    (group.public_key().to_bytes(), made.signature.to_bytes())
}

#[test]
fn blst_accepts_threshold_signatures() {
    let tag = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
    let (key, signature) = signed::<MinSigBasicBls12381>();
    let key = min_sig::PublicKey::key_validate(&key).unwrap();
    let signature = min_sig::Signature::sig_validate(&signature, true).unwrap();
    let verdict = signature.verify(true, MESSAGE, tag, &[], &key, true);
    assert_eq!(verdict, BLST_ERROR::BLST_SUCCESS);
    assert_ne!(signature.verify(true, b"", tag, &[], &key, true), BLST_ERROR::BLST_SUCCESS);

    let tag = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_";
    let (key, signature) = signed::<MinPkBasicBls12381>();
    let key = min_pk::PublicKey::key_validate(&key).unwrap();
    let signature = min_pk::Signature::sig_validate(&signature, true).unwrap();
    let verdict = signature.verify(true, MESSAGE, tag, &[], &key, true);
    assert_eq!(verdict, BLST_ERROR::BLST_SUCCESS);
}

#[test]
fn one_signer_signs_as_blst_does() {
    let bytes = [7; 32];
    let share = SecretShare::<MinPkBasicBls12381>::from_bytes(1, bytes).unwrap();
    let secret = min_pk::SecretKey::from_bytes(&bytes).unwrap();
    assert_eq!(share.public_key().to_bytes(), secret.sk_to_pk().to_bytes());
    let signature = secret.sign(MESSAGE, MinPkBasicBls12381::TAG, &[]);
    assert_eq!(share.sign(MESSAGE).signature.to_bytes(), signature.to_bytes());
}

#[test]
fn all_subsets_make_the_same_signature() {
    let (group, secrets) = dealt::<MinSigBasicBn254>(Identities::Consecutive, 3, 6);
    let shares: Vec<_> = secrets.iter().map(|secret| secret.sign(MESSAGE)).collect();
    let made = |places: [usize; 3]| -> Signature<MinSigBasicBn254> {
        let taken = places.map(|place| shares[place]);
        group.aggregate(MESSAGE, &taken, &mut rng(2)).unwrap().signature
    };
    assert_eq!(made([0, 1, 2]), made([5, 3, 1]));
}

#[test]
fn shares_are_signatures_of_their_signers() {
    let (group, secrets) = dealt::<MinSigBasicBls12381>(Identities::Consecutive, 2, 3);
    let share = secrets[1].sign(MESSAGE);
    assert_eq!(group.verify_share(MESSAGE, &share), Ok(true));
    assert_eq!(group.verify_share(b"", &share), Ok(false));
    assert_eq!(group.verify_share(MESSAGE, &SignatureShare { index: 1, ..share }), Ok(false));
    let unknown = Error::UnknownIndex { index: 4, signers: 3 };
    assert_eq!(group.verify_share(MESSAGE, &SignatureShare { index: 4, ..share }), Err(unknown));
    group.check_secret(&secrets[2]).unwrap();
    let other = SecretShare::from_bytes(1, *secrets[2].to_bytes()).unwrap();
    assert_eq!(group.check_secret(&other), Err(Error::OtherSecret { index: 1 }));
}

#[test]
fn identifiers_that_are_none() {
    let (group, secrets) = dealt::<MinSigBasicBls12381>(Identities::Consecutive, 2, 3);
    let aggregate = |indices: [u32; 2]| {
        let share = secrets[0].sign(MESSAGE);
        let shares = indices.map(|index| SignatureShare { index, ..share });
        group.aggregate(MESSAGE, &shares, &mut rng(2)).unwrap_err()
    };
    assert_eq!(aggregate([0, 1]), Error::ZeroIndex);
    assert_eq!(aggregate([2, 2]), Error::DuplicateIndex { index: 2 });
    assert_eq!(aggregate([2, 9]), Error::UnknownIndex { index: 9, signers: 3 });
    let none = group.aggregate(MESSAGE, &[], &mut rng(2)).unwrap_err();
    assert_eq!(none, Error::TooFewShares { found: 0, threshold: 2, bad: vec![] });
}

#[test]
fn thresholds_that_are_none() {
    for (threshold, signers) in [(0, 3), (4, 3)] {
        let error =
            deal::<MinSigBasicBn254>(Identities::Consecutive, threshold, signers, &mut rng(1));
        assert_eq!(error.unwrap_err(), Error::Threshold { threshold, signers });
    }
    let error = deal::<MinSigBasicBn254>(Identities::Consecutive, 0, 0, &mut rng(1)).unwrap_err();
    assert_eq!(error, Error::CommitteeSize { signers: 0 });
}

fn synthetic<S: Ciphersuite<Signed = [u8]>>(identities: Identities, threshold: usize) {
    let domain = Synthetic::<S>::domain(identities, 2 * threshold - 1).unwrap();
    let made = Synthetic::<S>::new(&domain, threshold, MESSAGE, &mut rng(3)).unwrap();
    let coefficients = domain.coefficients(&made.signers).unwrap();
    let signature = made.combine(&coefficients).unwrap();
    assert!(made.key.verify(MESSAGE, &signature));
}

#[test]
fn synthetic_shares_are_good() {
    for identities in Identities::ALL {
        for threshold in [1, 5, 300] {
            synthetic::<MinSigBasicBls12381>(identities, threshold);
            synthetic::<MinSigBasicBn254>(identities, threshold);
        }
        synthetic::<MinPkBasicBls12381>(identities, 20);
    }
}
