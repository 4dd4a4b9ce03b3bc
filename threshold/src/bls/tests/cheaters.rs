use proptest::prelude::*;

use super::{dealt, drawn, rng, MESSAGE};
use crate::bls::{
    deal, Ciphersuite, Error, Group, Identities, MinPkBasicBls12381, MinSigBasicBls12381,
    MinSigBasicBn254, SecretShare, SignatureShare,
};

/// Shares of all signers, those at some places signing something else.
fn shares<S: Ciphersuite<Signed = [u8]>>(
    secrets: &[SecretShare<S>],
    bad: &[usize],
) -> Vec<SignatureShare<S>> {
    let message = |place| if bad.contains(&place) { b"something else" } else { MESSAGE };
    secrets.iter().enumerate().map(|(place, secret)| secret.sign(message(place))).collect()
}

fn named<S: Ciphersuite<Signed = [u8]>>(
    group: &Group<S>,
    secrets: &[SecretShare<S>],
    mut bad: Vec<usize>,
) {
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
            // All of them, if one was met.
            assert!(made.bad.is_empty() || made.bad == indices);
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
        let (group, secrets) = dealt::<MinSigBasicBls12381>(Identities::RootsOfUnity, threshold, signers);
        named(&group, &secrets, drawn(bad, signers, seed));
        let (group, secrets) = dealt::<MinPkBasicBls12381>(Identities::Consecutive, threshold, signers);
        named(&group, &secrets, drawn(bad, signers, seed));
    }
}

#[test]
fn bad_shares_on_bn254() {
    let (group, secrets) = dealt::<MinSigBasicBn254>(Identities::Consecutive, 5, 9);
    named(&group, &secrets, vec![0, 8]);
    named(&group, &secrets, (0..9).collect());
    named(&group, &secrets, vec![]);
}

#[test]
fn errors_that_cancel_are_found() {
    // Two shares exchanged between their signers: their plain product is that of good ones.
    let (group, secrets) = dealt::<MinSigBasicBls12381>(Identities::Consecutive, 4, 4);
    let mut shares = shares(&secrets, &[]);
    let other = shares[0].signature;
    shares[0].signature = shares[1].signature;
    shares[1].signature = other;
    let (bad, _) = group.bad_shares(MESSAGE, &shares, &mut rng(4)).unwrap();
    assert_eq!(bad, [1, 2]);
}

/// Pairing checks beyond the one of the happy path, for one bad share at each of some places.
fn checks_for_one(signers: usize, places: &[usize]) {
    let (group, secrets) =
        dealt::<MinSigBasicBls12381>(Identities::RootsOfUnity, signers - 1, signers);
    let mut shares = shares(&secrets, &[]);
    for &place in places {
        let good = shares[place];
        shares[place] = secrets[place].sign(b"something else");
        let made = group.aggregate(MESSAGE, &shares, &mut rng(4)).unwrap();
        assert_eq!(made.bad, [place as u32 + 1]);
        // The one that failed, those of the search, and the one of the signature without it.
        let search = made.pairing_checks - 2;
        assert!(search <= 1 + signers.next_power_of_two().ilog2() as usize, "{search} checks");
        shares[place] = good;
    }
}

#[test]
fn one_bad_share_takes_few_checks() {
    checks_for_one(2, &[0]);
    checks_for_one(37, &[0, 17, 35]);
    // 2^11 shares: 12 checks, whichever is bad.
    checks_for_one(2048, &[0, 1365, 2046]);
}

/// As many bad ones as there can be, in several orders. To put one spare share after the other in the
/// place of a bad one would take 1,144 checks in the first of them.
#[test]
fn many_bad_spares_take_one_search() {
    const SIGNERS: usize = 255;
    let threshold = SIGNERS.div_ceil(2);
    let (group, secrets) =
        dealt::<MinSigBasicBls12381>(Identities::Consecutive, threshold, SIGNERS);
    let good_first: Vec<usize> = (127..254).collect();
    let bad_first: Vec<usize> = (0..127).collect();
    let mixed: Vec<usize> = (0..127).map(|i| 2 * i).collect();
    for (bad, checks) in [(good_first, 131), (bad_first, 130), (mixed, 256)] {
        let shares = shares(&secrets, &bad);
        let made = group.aggregate(MESSAGE, &shares, &mut rng(4)).unwrap();
        assert!(made.bad.iter().map(|index| *index as usize - 1).eq(bad));
        assert!(group.public_key().verify(MESSAGE, &made.signature));
        assert_eq!(made.pairing_checks, checks);
    }
}

/// The signers' keys and the group's, changed.
fn forged<S: Ciphersuite<Signed = [u8]>>(identities: Identities) {
    let (group, _) = dealt::<S>(identities, 3, 6);
    let (other, _) = deal::<S>(identities, 3, 6, &mut rng(9)).unwrap();
    let (mine, theirs) = (group.signers(), other.signers());
    let new = |threshold, key, signers: &[_]| {
        Group::new(identities, threshold, key, signers.to_vec(), &mut rng(4)).map(|_| ())
    };
    let (key, wrong) = (*group.public_key(), Err(Error::WrongKeys { threshold: 3 }));
    assert_eq!(new(3, key, mine), Ok(()));
    assert_eq!(new(3, *other.public_key(), theirs), Ok(()));
    // More are asked for than need be.
    assert_eq!(new(4, key, mine), Ok(()));
    assert_eq!(new(2, key, mine), Err(Error::WrongKeys { threshold: 2 }));
    assert_eq!(new(1, key, mine), Err(Error::WrongKeys { threshold: 1 }));
    assert_eq!(new(3, *other.public_key(), mine), wrong);
    assert_eq!(new(3, mine[0], mine), wrong);
    for i in 0..6 {
        let mut one = mine.to_vec();
        one[i] = theirs[i];
        assert_eq!(new(3, key, &one), wrong);
        // Glued from two dealers' groups.
        let glued = [&mine[..i], &theirs[i..]].concat();
        assert_eq!(new(3, key, &glued), wrong);
        let mut swapped = mine.to_vec();
        swapped.swap(i, (i + 1) % 6);
        assert_eq!(new(3, key, &swapped), wrong);
    }
    // Any three of three signers' keys are on such a polynomial, but the group's key is not.
    assert_eq!(new(3, key, &mine[1..4]), wrong);
}

#[test]
fn keys_that_do_not_belong_together_are_no_group() {
    for identities in Identities::ALL {
        forged::<MinSigBasicBls12381>(identities);
        forged::<MinPkBasicBls12381>(identities);
        forged::<MinSigBasicBn254>(identities);
    }
}
