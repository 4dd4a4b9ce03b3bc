use proptest::prelude::*;

use super::{dealt, drawn, rng, MESSAGE};
use crate::bls::{
    Bn254, Error, Group, Identities, MinPublicKey, MinSignature, SecretShare, SignatureShare, Suite,
};

/// Shares of all signers, those at some places signing something else.
fn shares<S: Suite>(secrets: &[SecretShare<S>], bad: &[usize]) -> Vec<SignatureShare<S>> {
    let message = |place| if bad.contains(&place) { b"something else" } else { MESSAGE };
    secrets.iter().enumerate().map(|(place, secret)| secret.sign(message(place))).collect()
}

fn named<S: Suite>(group: &Group<S>, secrets: &[SecretShare<S>], mut bad: Vec<usize>) {
    let shares = shares(secrets, &bad);
    bad.sort_unstable();
    let indices: Vec<u32> = bad.iter().map(|&place| place as u32 + 1).collect();
    let (found, _) = group.bad_shares(MESSAGE, &shares, &mut rng(4)).unwrap();
    assert_eq!(found, indices);

    // Aggregation leaves them out while there are enough others.
    let (threshold, good) = (group.threshold(), shares.len() - bad.len());
    match group.aggregate(MESSAGE, &shares, &mut rng(5)) {
        Ok(made) => {
            assert!(good >= threshold);
            assert!(group.public_key().verify(MESSAGE, &made.signature));
            assert!(made.bad.iter().all(|index| indices.contains(index)));
            assert!(!made.signers.indices().iter().any(|index| indices.contains(index)));
        }
        Err(error) => {
            assert!(good < threshold);
            assert_eq!(error, Error::TooFewShares { found: good, threshold, bad: indices });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn every_bad_share_is_named(
        signers in 1usize..24,
        of in any::<prop::sample::Index>(),
        wrong in any::<prop::sample::Index>(),
        seed in any::<u64>(),
    ) {
        let (threshold, bad) = (of.index(signers) + 1, wrong.index(signers + 1));
        let (group, secrets) = dealt::<MinSignature>(Identities::RootsOfUnity, threshold, signers);
        named(&group, &secrets, drawn(bad, signers, seed));
        let (group, secrets) = dealt::<MinPublicKey>(Identities::Consecutive, threshold, signers);
        named(&group, &secrets, drawn(bad, signers, seed));
    }
}

#[test]
fn bad_shares_on_bn254() {
    let (group, secrets) = dealt::<Bn254>(Identities::Consecutive, 5, 9);
    named(&group, &secrets, vec![0, 8]);
    named(&group, &secrets, (0..9).collect());
    named(&group, &secrets, vec![]);
}

#[test]
fn errors_that_cancel_are_found() {
    // Two shares exchanged between their signers: their plain product is that of good ones.
    let (group, secrets) = dealt::<MinSignature>(Identities::Consecutive, 4, 4);
    let mut shares = shares(&secrets, &[]);
    let other = shares[0].signature;
    shares[0].signature = shares[1].signature;
    shares[1].signature = other;
    let (bad, _) = group.bad_shares(MESSAGE, &shares, &mut rng(4)).unwrap();
    assert_eq!(bad, [1, 2]);
}

/// Pairing checks beyond the one of the happy path, for one bad share at each of some places.
fn checks_for_one(threshold: usize, places: &[usize]) {
    let signers = threshold + 1;
    let (group, secrets) = dealt::<MinSignature>(Identities::RootsOfUnity, threshold, signers);
    let mut shares = shares(&secrets, &[]);
    for &place in places {
        let good = shares[place];
        shares[place] = secrets[place].sign(b"something else");
        let made = group.aggregate(MESSAGE, &shares, &mut rng(4)).unwrap();
        assert_eq!(made.bad, [place as u32 + 1]);
        // The one that failed, those of the search, and the one of the signature without it.
        let search = made.pairing_checks - 2;
        assert!(search <= 1 + threshold.next_power_of_two().ilog2() as usize, "{search} checks");
        shares[place] = good;
    }
}

#[test]
fn one_bad_share_takes_few_checks() {
    checks_for_one(1, &[0]);
    checks_for_one(37, &[0, 17, 36]);
    // 2^11 shares: 12 checks, whichever is bad.
    checks_for_one(2048, &[0, 1365, 2047]);
}

#[test]
fn a_key_that_is_not_the_signers() {
    let (group, secrets) = dealt::<MinSignature>(Identities::Consecutive, 2, 3);
    let key = group.signers()[0];
    let wrong = Group::new(Identities::Consecutive, 2, key, group.signers().to_vec()).unwrap();
    let error = wrong.aggregate(MESSAGE, &shares(&secrets, &[]), &mut rng(4)).unwrap_err();
    assert_eq!(error, Error::WrongGroupKey);
}
