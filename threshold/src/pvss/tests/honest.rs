//! What honest dealers make is accepted, adds up and decrypts.

use ff::Field;
use group::prime::PrimeCurveAffine;
use muster_testing::sampled;

use super::support::{rng, search, Stage};
use crate::{
    pairing_curve::{Fr, G2Affine},
    pvss::{deal, decrypt, reconstruct, verify, Dealt, Error, Share, Subtranscript, Variant},
};

/// Each variant and each chunk in every run; all pairs of them where all cases are asked for.
#[test]
fn every_variant_and_chunk() {
    for shift in sampled(0..3, 3) {
        for (place, variant) in Variant::ALL.into_iter().enumerate() {
            honest_from_end_to_end(variant, [8, 16, 32][(place + shift) % 3]);
        }
    }
}

fn honest_from_end_to_end(variant: Variant, bits: u32) {
    let stage = Stage::of(variant, bits);
    let secret = Fr::random(rng(5));
    let dealt = deal(&stage.session, 2, &stage.keys[1], &secret, &mut rng(6)).expect("a dealing");
    let expected = stage.session.shape().transcript_bytes() + 96;
    assert_eq!(dealt.as_bytes().len(), expected);
    let read = Dealt::from_bytes(&stage.session, 2, dealt.as_bytes()).expect("its bytes");
    assert_eq!(read, dealt);
    assert_eq!(read.encode(), dealt.as_bytes());
    let verified = verify(&stage.session, &read).expect("it holds");
    let sum = Subtranscript::from(&verified);
    let mut shares = vec![];
    for player in 1..=4 {
        let keys = &stage.keys[player - 1];
        let own = decrypt(&stage.session, &sum, player, keys, search()).expect("shares");
        assert_eq!(own.len(), [2, 1, 0, 3][player - 1]);
        shares.extend(own);
    }
    let found = reconstruct(&stage.session, &sum, &shares[2..]).expect("a secret");
    assert_eq!(*found, secret, "{variant} {bits}");
}

/// Any four shares of six, whoever's they are, and no three.
#[test]
fn any_shares_of_a_threshold_reconstruct() {
    let stage = Stage::of(Variant::Compact, 8);
    let secret = Fr::from(77);
    let dealt = deal(&stage.session, 4, &stage.keys[3], &secret, &mut rng(8)).unwrap();
    let sum = Subtranscript::from(&verify(&stage.session, &dealt).unwrap());
    let open = |player: usize| {
        decrypt(&stage.session, &sum, player, &stage.keys[player - 1], search()).unwrap()
    };
    let shares: Vec<_> = (1..=4).flat_map(open).collect();
    for set in 0u32..1 << shares.len() {
        let chosen: Vec<_> = (0..shares.len()).filter(|share| set >> share & 1 == 1).collect();
        let own: Vec<_> = chosen.iter().map(|share| shares[*share].clone()).collect();
        match reconstruct(&stage.session, &sum, &own) {
            Ok(found) => assert!(*found == secret && own.len() >= 4),
            Err(error) => {
                assert_eq!(error, Error::TooFewShares { found: own.len(), needed: 4 });
                assert!(own.len() < 4);
            }
        }
    }
    // The same share again is no other one; another value is not the one committed to.
    let same = vec![shares[0].clone(); 4];
    assert!(reconstruct(&stage.session, &sum, &same).is_err());
    let wrong = Share::from_bytes(1, *shares[1].to_bytes()).unwrap();
    let refused = reconstruct(&stage.session, &sum, &[wrong]).map(|_| ());
    assert_eq!(refused, Err(Error::WrongShare { share: 1 }));
}

/// Commitments of a sum that nobody verified need be of no polynomial.
#[test]
fn another_secret_than_the_one_committed_to() {
    let stage = Stage::of(Variant::Compact, 8);
    let session = &stage.session;
    let dealt = deal(session, 4, &stage.keys[3], &Fr::from(77), &mut rng(8)).unwrap();
    let sum = Subtranscript::from(&verify(session, &dealt).unwrap());
    let mut bytes = sum.to_bytes(session);
    // The commitment to the secret stands behind 56 bytes and the bitmap of four dealers.
    bytes[57..57 + 96].copy_from_slice(&G2Affine::generator().to_compressed());
    let changed = Subtranscript::from_bytes(session, &bytes).unwrap();
    let open = |player: usize| {
        decrypt(session, &changed, player, &stage.keys[player - 1], search()).unwrap()
    };
    let shares: Vec<_> = (1..=4).flat_map(open).collect();
    assert_eq!(*reconstruct(session, &sum, &shares).unwrap(), Fr::from(77));
    let refused = reconstruct(session, &changed, &shares).map(|_| ());
    assert_eq!(refused, Err(Error::WrongSecret));
}

/// With another player's keys, or a sum whose ciphertexts are not those of its commitments.
#[test]
fn decryption_that_fails_says_whose() {
    let stage = Stage::of(Variant::Compact, 8);
    let dealt = deal(&stage.session, 4, &stage.keys[3], &Fr::from(3), &mut rng(8)).unwrap();
    let mut sum = Subtranscript::from(&verify(&stage.session, &dealt).unwrap());
    let open = |sum: &Subtranscript, player: usize, keys: usize| {
        decrypt(&stage.session, sum, player, &stage.keys[keys - 1], search()).map(|own| own.len())
    };
    assert!(matches!(open(&sum, 1, 2), Err(Error::OtherKey { player: 1, .. })));
    assert!(matches!(open(&sum, 5, 2), Err(Error::UnknownPlayer { player: 5, .. })));
    assert_eq!(open(&sum, 3, 3), Ok(0));
    sum.ciphertexts.swap(0, 1);
    assert_eq!(open(&sum, 1, 1), Err(Error::Decryption { player: 1 }));
    assert_eq!(open(&sum, 2, 2), Ok(1));
}
