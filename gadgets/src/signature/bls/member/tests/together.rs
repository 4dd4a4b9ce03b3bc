//! Signatures by several members.

use halo2curves::bn256::Fr;

use super::*;
use crate::signature::instructions::{NativeInstructions, Refusal, SignatureInstructions};
use muster_schemes::signature::{AggregateError, AnySignature, Choices, PointHash, SignedMessage};

fn scheme<S: CiphersuiteChip>() -> Bls<S> {
    Bls::with(Choices::default())
}

fn keys<S: CiphersuiteChip>(numbers: &[u8]) -> Vec<PublicKey> {
    numbers.iter().map(|number| key::<S>(*number).into()).collect()
}

fn signature<S: CiphersuiteChip>(numbers: &[u8], message: &S::Message) -> Vec<AnySignature> {
    let rng = || ChaCha20Rng::seed_from_u64(0);
    let signers = numbers.iter().map(|number| (secret::<S>(*number), rng())).collect();
    scheme::<S>().sign_all(&Fr::zero(), signers, message).expect("a sum")
}

fn verdict<S: CiphersuiteChip>(
    keys: &[PublicKey],
    message: &S::Message,
    signed: &[AnySignature],
) -> Option<Refusal> {
    scheme::<S>().verify_all(&Fr::zero(), keys, message, signed).err()
}

/// Two messages.
fn messages<S: CiphersuiteChip>() -> [S::Message; 2] {
    [7, 8].map(|seed| S::Message::random(&mut ChaCha20Rng::seed_from_u64(seed)))
}

#[test]
fn all_sign_together() {
    each!(sign_together);
}

fn sign_together<S: CiphersuiteChip>() {
    let [message, other] = messages::<S>();
    let keys = keys::<S>;
    let signed = signature::<S>(&[1, 2, 3], &message);
    let said =
        |keys: &[PublicKey], message, signed: &[AnySignature]| verdict::<S>(keys, message, signed);
    assert_eq!(said(&keys(&[1, 2, 3]), &message, &signed), None);
    assert_eq!(said(&keys(&[3, 1, 2]), &message, &signed), None);
    let refused = Some(Refusal::Aggregate(SignatureError::Equation));
    assert_eq!(said(&keys(&[1, 2]), &message, &signed), refused);
    assert_eq!(said(&keys(&[1, 2, 3, 4]), &message, &signed), refused);
    assert_eq!(said(&keys(&[1, 2, 3]), &other, &signed), refused);
    let nobody = Refusal::AggregateKey(BlsError::Identity.into());
    assert_eq!(said(&[], &message, &signed), Some(nobody));
    assert_eq!(said(&keys(&[1, 2, 3]), &message, &[]), Some(Refusal::WrongKind));
    let twice = [signed.clone(), signed].concat();
    assert_eq!(said(&keys(&[1, 2, 3]), &message, &twice), Some(Refusal::WrongKind));
}

/// To what all make together. A bad one is named, also if it makes up for another.
#[test]
fn signatures_add_up() {
    each!(adds_up);
}

fn adds_up<S: CiphersuiteChip>() {
    let [message, other] = messages::<S>();
    let keys = keys::<S>(&[1, 2, 2]);
    let keys: Vec<_> = keys.iter().collect();
    let one = |number| signature::<S>(&[number], &message).remove(0);
    let add = |signed: &[AnySignature], keys: &[&PublicKey]| {
        let scheme = scheme::<S>();
        let adds_keys = scheme.adds_keys().expect("they add up");
        adds_keys.add_up(keys, &message, signed).map(|sum| sum.to_bytes())
    };
    let all = signature::<S>(&[1, 2, 2], &message).remove(0).to_bytes();
    assert_eq!(add(&[one(1), one(2), one(2)], &keys), Ok(all));
    let bad = |signer| Err(Refusal::Signature { signer, rule: SignatureError::Equation });
    assert_eq!(add(&[one(2), one(1), one(2)], &keys), bad(0));
    assert_eq!(add(&[one(1), one(2), one(1)], &keys), bad(2));
    let of_other = signature::<S>(&[2], &other).remove(0);
    assert_eq!(add(&[one(1), of_other, one(2)], &keys), bad(1));
    assert_eq!(add(&[one(1), one(2)], &keys), Err(Refusal::WrongKind));
    let nobody = Refusal::AggregateKey(BlsError::Identity.into());
    assert_eq!(add(&[], &[]), Err(nobody));
}

#[test]
fn keys_and_signatures_of_other_suites_are_of_another_kind() {
    let message = [7; 32].into();
    let signed = signature::<MinSigPopBls12381>(&[1], &message);
    let keys = keys::<MinSigPopBls12381>(&[1]);
    assert_eq!(verdict::<MinSigPopBls12381>(&keys, &message, &signed), None);
    let others = super::together::keys::<MinSigPopBn254>(&[1]);
    assert_eq!(verdict::<MinSigPopBls12381>(&others, &message, &signed), Some(Refusal::WrongKind));
    let other = signature::<MinPkPopBls12381>(&[1], &[7; 32].into());
    assert_eq!(verdict::<MinSigPopBls12381>(&keys, &message, &other), Some(Refusal::WrongKind));
    for (keys, signed) in [(&others, &signed), (&keys, &other)] {
        let sum = scheme::<MinSigPopBls12381>();
        let sum = sum.adds_keys().expect("they add up").add_up(&[&keys[0]], &message, signed);
        assert_eq!(sum.err(), Some(Refusal::WrongKind));
    }
    assert_eq!(scheme::<MinSigPopBn254>().admits(&keys[0]), Err(SignatureError::OtherKey));
}

/// A key and its opposite: no key of a set is the generator, so with padding they have a sum all the same, but natively none.
#[test]
fn keys_that_cancel_sign_nothing() {
    each!(cancel);
}

fn cancel<S: CiphersuiteChip>() {
    let scalar = S::Scalar::from(1000);
    let of = |scalar| SecretKey::<S>::from_scalar(&scalar).expect("not 0");
    let cancelling = [scalar, -scalar].map(|scalar| OwnedKey::of(&of(scalar)).into());
    let [message, _] = messages::<S>();
    let signed = signature::<S>(&[1], &message);
    let refused = Some(Refusal::AggregateKey(AggregateError::Bls(BlsError::Identity)));
    assert_eq!(verdict::<S>(&cancelling, &message, &signed), refused);
}

/// Whoever makes up a key from the others signs for them all, which is why keys come with proofs.
#[test]
fn rogue_keys_are_not_admitted() {
    each!(admits_no_rogue_key);
}

fn admits_no_rogue_key<S: CiphersuiteChip>() {
    let [honest, own] = [1000, 2000].map(S::Scalar::from);
    let of = |scalar| SecretKey::<S>::from_scalar(&scalar).expect("not 0");
    // Own key less the honest one, of which everybody can make it; the proof takes the honest secret.
    let rogue = of(own - honest).public_key().to_bytes();
    let rogue = OwnedKey::<S>::from_bytes(&rogue).expect("it is a key like all others");
    let keys = [OwnedKey::of(&of(honest)).into(), rogue.into()];
    let [message, _] = messages::<S>();
    let signed = [S::sign_message(&of(own), &message, PointHash::default()).into()];
    // The equation holds: nothing of a signature tells.
    assert_eq!(verdict::<S>(&keys, &message, &signed), None);
    assert_eq!(scheme::<S>().admits(&keys[0]), Ok(()));
    assert_eq!(scheme::<S>().admits(&keys[1]), Err(SignatureError::NoPossession));
}
