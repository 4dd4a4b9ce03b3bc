//! Signatures by several.

use halo2curves::bn256::Fr;
use rand::{Rng, RngCore};

use super::*;
use crate::signature::instructions::NativeInstructions;
use muster_schemes::signature::{bls::tags, Choices, SignedBytes};

/// What our verification, blst's and the equation over coordinates say of an aggregate, which is one thing.
fn verdict<S: Peer>(keys: &[OwnedKey<S>], message: &[u8], signature: &[u8]) -> bool {
    let scheme = Bls::<S>::with(Choices::default());
    let members: Vec<PublicKey> = keys.iter().map(|key| (*key).into()).collect();
    let text = SignedBytes::new(message).into();
    let ours = scheme.decode_member_signature(signature).is_ok_and(|signature| {
        scheme.verify_all(&Fr::zero(), &members, &text, &[signature]).is_ok()
    });
    let points: Vec<_> = keys.iter().map(|key| key.key().to_bytes()).collect();
    let blst = S::verifies(&points, message, signature);
    let equation = S::holds(&points, message, signature);
    assert_eq!([ours, equation], [blst.is_ok(); 2], "{}: {blst:?}", S::SCHEME);
    ours
}

#[test]
fn aggregates_are_judged_as_by_blst() {
    judges_aggregates::<MinPkPopBls12381>();
    judges_aggregates::<MinSigPopBls12381>();
}

fn judges_aggregates<S: Peer>() {
    let rng = &mut muster_testing::rng();
    for n in 1..=6 {
        // One more than sign.
        let secrets: Vec<_> = (0..=n).map(|_| Bls::<S>::keygen(rng)).collect();
        let keys: Vec<_> = secrets.iter().map(OwnedKey::of).collect();
        let mut message = vec![0; rng.gen_range(0..100)];
        rng.fill_bytes(&mut message);
        let other = [&message[..], &[0]].concat();
        let by = |secrets: &[SecretKey<S>]| S::signed(secrets, &message, S::TAG);
        let say = |keys: &[OwnedKey<S>], signature: &[u8]| verdict(keys, &message, signature);

        let (signers, good) = (&keys[..n], by(&secrets[..n]));
        assert!(say(signers, &good));
        assert!(say(&signers.iter().rev().copied().collect::<Vec<_>>(), &good));
        assert!(!verdict(signers, &other, &good));
        // One more than signed, and one less; the same of the keys.
        assert!(!say(signers, &by(&secrets)));
        assert!(!say(&keys, &good));
        assert!(!say(&keys[1..n], &good));
        if n > 1 {
            assert!(!say(signers, &by(&secrets[1..n])));
        }
        // Somebody else in the place of the first.
        assert!(!say(signers, &by(&secrets[1..])));
        assert!(!say(&keys[1..], &good));
        // The first one twice.
        let twice = [&secrets[..n], &secrets[..1]].concat();
        let signers_twice = [signers, &signers[..1]].concat();
        assert!(!say(signers, &by(&twice)));
        assert!(!say(&signers_twice, &good));
        assert!(say(&signers_twice, &by(&twice)));
        // Under another tag, the opposite of it, and a bit that is another one.
        let tagged = S::signed(&secrets[..n], &message, tags::BLS12381_G2_POSSESSION);
        assert!(!say(signers, &tagged));
        for (place, bit) in [(0, FLAGS[2]), (rng.gen_range(1..good.len()), 1)] {
            let mut changed = good.clone();
            changed[place] ^= bit;
            assert!(!say(signers, &changed));
        }
    }
}

/// Keys that cancel, and no keys: with the signature that makes the equation hold, which is the identity, too.
#[test]
fn sums_that_are_the_identity_are_judged_as_by_blst() {
    judges_identities::<MinPkPopBls12381>();
    judges_identities::<MinSigPopBls12381>();
}

fn judges_identities<S: Peer>() {
    let scalar = S::Scalar::random(&mut muster_testing::rng());
    let secrets = [scalar, -scalar].map(|scalar| SecretKey::from_scalar(&scalar).expect("not 0"));
    let keys = secrets.each_ref().map(OwnedKey::<S>::of);
    let message = b"of nobody";
    let identity = S::signed(&secrets, message, S::TAG);
    assert_eq!(taken_apart(&identity).0, FLAGS[0] + FLAGS[1]);
    for signature in [identity, S::signed(&secrets[..1], message, S::TAG)] {
        assert!(!verdict(&keys, message, &signature));
        assert!(!verdict::<S>(&[], message, &signature));
    }
}
