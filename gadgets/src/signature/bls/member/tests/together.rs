//! Signatures by several members.

use halo2curves::bn256::Fr;

use super::*;
use crate::signature::{
    instructions::{Refusal, SignatureInstructions},
    AggregateError, AnySignature, Choices,
};

fn scheme() -> Bls12381 {
    Bls12381::with(Choices::default())
}

fn keys(numbers: &[u8]) -> Vec<PublicKey> {
    numbers.iter().map(|number| OwnedKey::of(&secret(*number)).into()).collect()
}

fn signature(numbers: &[u8], message: &[u8; 32]) -> Vec<AnySignature> {
    let rng = || ChaCha20Rng::seed_from_u64(0);
    let signers = numbers.iter().map(|number| (secret(*number), rng())).collect();
    scheme().sign_all(&Fr::zero(), signers, message).expect("a sum")
}

fn verdict(keys: &[PublicKey], message: &[u8; 32], signed: &[AnySignature]) -> Option<Refusal> {
    scheme().verify_all(&Fr::zero(), keys, message, signed).err()
}

#[test]
fn all_sign_together() {
    let (message, other) = ([7; 32], [8; 32]);
    let signed = signature(&[1, 2, 3], &message);
    assert_eq!(verdict(&keys(&[1, 2, 3]), &message, &signed), None);
    assert_eq!(verdict(&keys(&[3, 1, 2]), &message, &signed), None);
    let refused = Some(Refusal::Aggregate(SignatureError::Equation));
    assert_eq!(verdict(&keys(&[1, 2]), &message, &signed), refused);
    assert_eq!(verdict(&keys(&[1, 2, 3, 4]), &message, &signed), refused);
    assert_eq!(verdict(&keys(&[1, 2, 3]), &other, &signed), refused);
    let nobody = Refusal::AggregateKey(BlsError::Identity.into());
    assert_eq!(verdict(&[], &message, &signed), Some(nobody));
    assert_eq!(verdict(&keys(&[1, 2, 3]), &message, &[]), Some(Refusal::WrongKind));
    let twice = [signed.clone(), signed].concat();
    assert_eq!(verdict(&keys(&[1, 2, 3]), &message, &twice), Some(Refusal::WrongKind));
}

/// A key and its opposite: no key of a set is the generator, so with padding they have a sum all the same, but natively none.
#[test]
fn keys_that_cancel_sign_nothing() {
    let scalar = halo2curves::bls12_381::Fr::from(1000);
    let of = |scalar| SecretKey::<ProvenPublicKey>::from_scalar(&scalar).expect("not 0");
    let cancelling = [scalar, -scalar].map(|scalar| OwnedKey::of(&of(scalar)).into());
    let signed = signature(&[1], &[7; 32]);
    let refused = Some(Refusal::AggregateKey(AggregateError::Bls(BlsError::Identity)));
    assert_eq!(verdict(&cancelling, &[7; 32], &signed), refused);
}

/// Whoever makes up a key from the others signs for them all, which is why keys come with proofs.
#[test]
fn a_rogue_key_is_not_admitted() {
    let honest = *OwnedKey::of(&secret(1)).key();
    let rogue = {
        let own = blst::min_pk::SecretKey::key_gen(&[2; 32], &[]).expect("a secret").sk_to_pk();
        let mut honest = honest.to_bytes();
        // The opposite of the honest key.
        honest[0] ^= 0x20;
        let honest = blst::min_pk::PublicKey::from_bytes(&honest).expect("a key");
        let sum = blst::min_pk::AggregatePublicKey::aggregate(&[&own, &honest], true);
        sum.expect("two keys").to_public_key().to_bytes()
    };
    let rogue = OwnedKey::from_bytes(&rogue).expect("it is a key like all others");
    let keys = [OwnedKey::of(&secret(1)).into(), rogue.into()];
    let signed = signature(&[2], &[7; 32]);
    // The equation holds: nothing of a signature tells.
    assert_eq!(verdict(&keys, &[7; 32], &signed), None);
    assert_eq!(scheme().admits(&keys[0]), Ok(()));
    assert_eq!(scheme().admits(&keys[1]), Err(SignatureError::NoPossession));
}
