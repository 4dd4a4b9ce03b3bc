//! MuSig2: whole sessions, and each way to cheat in one.

use ff::Field;
use halo2curves::bn256::Fr;

use super::*;
use crate::curve::edwards::{Point, PointError, Scalar, SubgroupPoint};
use crate::signature::schnorr::{Schnorr, SecretKey};
use crate::signature::tests::suite::{rng, run, BrokenRng};
use crate::signature::{SignatureError, SignatureScheme};

const ROOT: u64 = 1234;

fn keys(n: u8) -> (Vec<SecretKey>, KeyAggregation) {
    let secrets: Vec<_> = (1..=n).map(|i| SecretKey::from_seed(&[i; 32]).unwrap()).collect();
    let public: Vec<_> = secrets.iter().map(SecretKey::public_key).collect();
    let aggregation = KeyAggregation::new(&Fr::from(ROOT), &public).unwrap();
    (secrets, aggregation)
}

/// The nonces of the first round, one pair a signer.
fn nonces(
    secrets: &[SecretKey],
    keys: &KeyAggregation,
    message: &Fr,
) -> (Vec<SecretNonce>, Vec<PublicNonce>) {
    let mut rng = rng(5);
    let draw = |key| SecretNonce::generate(key, keys, Some(message), &mut rng);
    let secret: Vec<_> = secrets.iter().map(draw).collect();
    let public = secret.iter().map(SecretNonce::public).collect();
    (secret, public)
}

type Shares = Vec<(PublicNonce, PartialSignature)>;

fn shares(session: &Session<'_>, secrets: &[SecretKey], own: Vec<SecretNonce>) -> Shares {
    let share = |(key, nonce): (&SecretKey, SecretNonce)| {
        (nonce.public(), session.sign(key, nonce).unwrap())
    };
    secrets.iter().zip(own).map(share).collect()
}

#[test]
fn suite() {
    run::<Musig>();
}

#[test]
fn sessions_of_all_sizes_verify() {
    let message = Fr::from(99);
    for n in [1, 2, 3, 7, 20] {
        let (secrets, keys) = keys(n);
        let (own, public) = nonces(&secrets, &keys, &message);
        let session = Session::new(&keys, &AggregateNonce::new(&public), &message).unwrap();
        let shares = shares(&session, &secrets, own);
        for (i, (nonce, share)) in shares.iter().enumerate() {
            assert_eq!(session.verify_partial(i, nonce, share), Ok(()));
        }
        let signature = session.aggregate(&shares).unwrap();
        assert_eq!(signature.r(), session.r());
        assert_eq!(Musig::verify(&keys.aggregate(), &message, &signature), Ok(()));
        let refused = Err(SignatureError::Equation);
        assert_eq!(Musig::verify(&keys.aggregate(), &Fr::ONE, &signature), refused);
        assert_eq!(Musig::verify(&secrets[0].public_key(), &message, &signature), refused);
        // The challenge is another than that of plain Schnorr.
        assert_eq!(Schnorr::verify(&keys.aggregate(), &message, &signature), refused);
    }
}

#[test]
fn aggregate_key_follows_the_specification() {
    use crate::hash::poseidon::{domain, hash_with_domain, permute, PoseidonSpec};
    use ff::PrimeField;
    let (secrets, keys) = keys(6);
    let x: Vec<_> = secrets.iter().map(|secret| secret.public_key().x()).collect();
    let padding = SubgroupPoint::generator().x();
    let tag = domain("muster.keylist.v1");
    let link = hash_with_domain(tag, &[Fr::from(ROOT), x[0], x[1], x[2], x[3]]);
    let link = hash_with_domain(tag, &[link, x[4], x[5], padding, padding]);
    let mut state = [domain("muster.keyagg.v1"), link, Fr::ZERO, Fr::ZERO, Fr::ZERO, Fr::ZERO];
    permute(PoseidonSpec::get(6), &mut state);
    // Six coefficients are three elements, each an integer below 2^256: the high half first.
    let two_to_128 = Scalar::from_u128(u128::MAX) + Scalar::ONE;
    let coefficient = |i: usize| {
        let bytes = state[i / 2].to_repr();
        let half = &bytes.as_ref()[if i.is_multiple_of(2) { 16..32 } else { 0..16 }];
        let v = u128::from_le_bytes(half.try_into().unwrap());
        Scalar::from_u128(v).double() + Scalar::ONE - two_to_128
    };
    let parts = secrets.iter().enumerate().map(|(i, secret)| {
        assert_eq!(keys.coefficients()[i], coefficient(i));
        Point::from(secret.public_key()).mul(&coefficient(i))
    });
    assert_eq!(Point::from(keys.aggregate()), parts.sum());
    let other = KeyAggregation::new(&Fr::ONE, keys.keys()).unwrap();
    assert_ne!(other.aggregate(), keys.aggregate());
}

/// `muster schemes` prints the formula above: the coefficients bind the list, not the root alone.
#[test]
fn the_description_has_every_tag() {
    let equation = Musig::description().equation;
    for tag in [LIST_DOMAIN, KEY_DOMAIN, CHALLENGE_DOMAIN, "the list of all signers"] {
        assert!(equation.contains(tag), "{tag}: {equation}");
    }
}

/// The coefficients depend on the whole list: a part of it, or another order, has others throughout.
#[test]
fn coefficients_bind_the_list() {
    let x: Vec<_> = (1..=11u64).map(Fr::from).collect();
    let root = Fr::from(ROOT);
    let all = coefficients(&root, &x);
    assert_eq!(all.len(), 11);
    let mut swapped = x.clone();
    swapped.swap(3, 9);
    let others = [&x[..10], &x[1..], &swapped].map(|list| coefficients(&root, list));
    let others = others.into_iter().chain([coefficients(&Fr::ONE, &x)]);
    for other in others {
        assert!(other.iter().all(|a| !all.contains(a)));
    }
    for i in 0..all.len() {
        assert!(!all[..i].contains(&all[i]), "each coefficient is another");
    }
}

#[test]
fn a_cheater_is_named() {
    let message = Fr::from(7);
    let (secrets, keys) = keys(4);
    for cheater in 0..4 {
        let (own, public) = nonces(&secrets, &keys, &message);
        let session = Session::new(&keys, &AggregateNonce::new(&public), &message).unwrap();
        let mut shares = shares(&session, &secrets, own);
        let bad = shares[cheater].1.scalar() + Scalar::ONE;
        shares[cheater].1 = PartialSignature::from_bytes(&bad.to_bytes()).unwrap();
        let (nonce, share) = shares[cheater];
        let named = MusigError::BadPartial(cheater);
        assert_eq!(session.verify_partial(cheater, &nonce, &share), Err(named));
        assert_eq!(session.aggregate(&shares), Err(named));
    }
}

#[test]
fn shares_out_of_place_are_refused() {
    let message = Fr::from(7);
    let (secrets, keys) = keys(3);
    let (own, public) = nonces(&secrets, &keys, &message);
    let session = Session::new(&keys, &AggregateNonce::new(&public), &message).unwrap();
    let shares = shares(&session, &secrets, own);

    let (nonce, share) = shares[0];
    assert_eq!(session.verify_partial(1, &nonce, &share), Err(MusigError::BadPartial(1)));
    assert_eq!(session.verify_partial(3, &nonce, &share), Err(MusigError::UnknownSigner(3)));
    assert_eq!(
        session.verify_partial(0, &shares[1].0, &share),
        Err(MusigError::BadPartial(0)),
        "another signer's nonce"
    );
    let missing = MusigError::Contributions { expected: 3, found: 2 };
    assert_eq!(session.aggregate(&shares[..2]), Err(missing));
    assert_eq!(
        session.aggregate(&[shares[0], shares[0], shares[2]]),
        Err(MusigError::BadPartial(1))
    );

    // Shares of another message's session do not fit.
    let other = Session::new(&keys, &AggregateNonce::new(&public), &Fr::ONE).unwrap();
    assert_eq!(other.aggregate(&shares), Err(MusigError::BadPartial(0)));
}

#[test]
fn nonces_other_than_the_session_s_are_noticed() {
    let message = Fr::from(7);
    let (secrets, keys) = keys(2);
    let (own, public) = nonces(&secrets, &keys, &message);
    // Both signers run a session in which the first nonce counts twice.
    let wrong = AggregateNonce::new(&[public[0], public[0], public[1]]);
    let session = Session::new(&keys, &wrong, &message).unwrap();
    let shares = shares(&session, &secrets, own);
    assert_eq!(session.aggregate(&shares), Err(MusigError::NonceMismatch));
}

#[test]
fn strangers_cannot_sign() {
    let message = Fr::from(7);
    let (secrets, keys) = keys(2);
    let (mut own, public) = nonces(&secrets, &keys, &message);
    let session = Session::new(&keys, &AggregateNonce::new(&public), &message).unwrap();
    let stranger = SecretKey::from_seed(&[200; 32]).unwrap();
    let nonce = SecretNonce::generate(&stranger, &keys, None, &mut rng(1));
    assert_eq!(session.sign(&stranger, nonce), Err(MusigError::NotASigner));
    let of_second = own.pop().unwrap();
    assert_eq!(session.sign(&secrets[0], of_second), Err(MusigError::WrongNonce));
}

#[test]
fn bad_key_lists_are_refused() {
    let root = Fr::from(ROOT);
    assert_eq!(KeyAggregation::new(&root, &[]).err(), Some(MusigError::NoSigner));
    let key = SecretKey::from_seed(&[1; 32]).unwrap().public_key();
    let list = [SubgroupPoint::generator(), key, key];
    assert_eq!(KeyAggregation::new(&root, &list).err(), Some(MusigError::DuplicateKey(2)));
}

/// A cosigner who answers last can send the negative of the others' nonces.
#[test]
fn an_aggregate_nonce_of_zero_is_refused() {
    let (secrets, keys) = keys(1);
    let (_, public) = nonces(&secrets, &keys, &Fr::ONE);
    let bytes = public[0].to_bytes();
    let negative = |half: &[u8]| {
        let point = SubgroupPoint::from_bytes(half).unwrap().to_affine();
        (-point).to_bytes()
    };
    let cancelling = [negative(&bytes[..32]), negative(&bytes[32..])].concat();
    let cancelling = PublicNonce::from_bytes(&cancelling).unwrap();
    let aggregate = AggregateNonce::new(&[public[0], cancelling]);
    assert!(aggregate.points().iter().all(|p| p.is_identity()));
    assert_eq!(
        Session::new(&keys, &aggregate, &Fr::ONE).err(),
        Some(MusigError::AggregateNonce(PointError::Identity))
    );
}

#[test]
fn a_broken_generator_gives_other_nonces_for_other_sessions() {
    let (secrets, two) = keys(2);
    let (_, three) = keys(3);
    let draw = |key: &SecretKey, keys: &KeyAggregation, message: Option<u64>| {
        let message = message.map(Fr::from);
        SecretNonce::generate(key, keys, message.as_ref(), &mut BrokenRng(0)).public()
    };
    let first = draw(&secrets[0], &two, Some(0));
    assert_eq!(first, draw(&secrets[0], &two, Some(0)));
    assert_ne!(first, draw(&secrets[0], &two, Some(1)));
    assert_ne!(first, draw(&secrets[0], &two, None));
    assert_ne!(first, draw(&secrets[0], &three, Some(0)));
    assert_ne!(first, draw(&secrets[1], &two, Some(0)));
    let bytes = first.to_bytes();
    assert_ne!(bytes[..32], bytes[32..]);
}

#[test]
fn encodings() {
    let (secrets, keys) = keys(1);
    let (own, public) = nonces(&secrets, &keys, &Fr::ONE);
    assert_eq!(PublicNonce::from_bytes(&public[0].to_bytes()), Ok(public[0]));
    let wrong = MusigError::WrongLength { expected: 64, found: 63 };
    assert_eq!(PublicNonce::from_bytes(&[1; 63]), Err(wrong));
    let nothing = MusigError::Nonce(PointError::NonCanonical);
    assert_eq!(PublicNonce::from_bytes(&[255; 64]), Err(nothing));
    assert_eq!(PartialSignature::from_bytes(&[255; 32]), Err(MusigError::ScalarNotReduced));
    let wrong = MusigError::WrongLength { expected: 32, found: 33 };
    assert_eq!(PartialSignature::from_bytes(&[0; 33]), Err(wrong));
    let text = format!("{:?}", own[0]);
    assert!(!text.contains("k:"), "{text}");
}
