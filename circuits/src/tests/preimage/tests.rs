//! What the toy accepts, and what it refuses.

use ff::{Field, PrimeField};
use halo2curves::bn256::Fr;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use muster_forgery::testing::{layout, TestCircuit};
use muster_gadgets::signature::{
    batch::HASH_WIDTH,
    instructions::{AssignedClaim, AssignedSigner, PaddingInstructions, SignatureInstructions},
};
use muster_schemes::{
    curve::edwards::PointError,
    membership::{KeySet, KeySetError, Member, PublishedSecret},
    signature::{SignatureError, SignatureScheme},
};

#[test]
fn a_preimage_is_a_signature_and_nothing_else_is() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let [alice, bob] = [(); 2].map(|_| Preimage::keygen(&mut rng));
    let key = Preimage::public_key(&alice);
    let mut sign = |secret: &SecretKey| Preimage::sign(secret, &Fr::ONE, &mut rng);
    assert_eq!(Preimage::verify(&key, &Fr::ONE, &sign(&alice)), Ok(()));
    let verdict = Preimage::verify(&key, &Fr::ONE, &sign(&bob));
    assert_eq!(verdict, Err(SignatureError::Equation));
    let bytes = Preimage::encode_public_key(&key);
    assert_eq!(Preimage::decode_public_key(&bytes), Ok(key));
    let bytes = Preimage::encode_signature(&sign(&alice));
    assert_eq!(Preimage::decode_signature(&bytes), Ok(sign(&alice)));
}

#[test]
fn keys_and_signatures_have_one_encoding() {
    let mut modulus: [u8; 32] = (-Fr::ONE).to_repr();
    modulus[0] += 1;
    modulus.reverse();
    let refused = SignatureError::PublicKey(PointError::NonCanonical);
    assert_eq!(Preimage::decode_public_key(&modulus), Err(refused));
    let refused = SignatureError::ScalarNotReduced;
    assert_eq!(Preimage::decode_signature(&modulus), Err(refused));
    let refused = SignatureError::PublicKey(PointError::Identity);
    assert_eq!(Preimage::decode_public_key(&[0; 32]), Err(refused));
    let refused = SignatureError::WrongLength { expected: 32, found: 31 };
    assert_eq!(Preimage::decode_public_key(&[1; 31]), Err(refused));
    assert_eq!(Preimage::decode_signature(&[1; 31]), Err(refused));
}

/// Anybody fills a slot with the key of an unused one.
#[test]
fn the_padding_is_no_member() {
    let public_key = Preimage::public_key(&Fr::ZERO.into()).into();
    let set = KeySet::new(vec![Member { public_key, weight: 1 }]);
    let secret = PublishedSecret::Number(0);
    assert_eq!(set, Err(KeySetError::PublishedKey { member: 0, secret }));
    let padding = Preimage.padding(&Fr::ONE, 0).unwrap();
    assert_eq!(padding.leaf_key, [Preimage::public_key(&Fr::ZERO.into()).digest()]);
}

/// Two signers with these secrets, whose keys are those of 1 and 2.
fn circuit(secrets: [u64; 2]) -> TestCircuit {
    TestCircuit::new(layout(9, &[HASH_WIDTH]), |ctx| {
        let keys = [1, 2].map(|secret| PublicKey::new(Fr::from(secret)).digest());
        let [key_set_root, message, weight] =
            [0, 5, 1].map(|value| ctx.load_constant(value.into()));
        let claim = AssignedClaim { key_set_root, message };
        let keys = Preimage.assign_keys(ctx, &keys);
        let signer = |public_key| AssignedSigner { public_key, weight };
        let signers: Vec<_> = keys.into_iter().map(signer).collect();
        let verdict = Preimage.assert_verify_all(ctx, &claim, &signers, &secrets.map(Fr::from));
        assert_eq!(verdict, Ok(()));
    })
}

#[test]
fn each_signer_shows_its_own_preimage() {
    assert!(circuit([1, 2]).is_satisfied());
    for secrets in [[1, 3], [0, 2], [2, 1]] {
        assert!(!circuit(secrets).is_satisfied());
    }
}

/// The domain and the zeros of each hash; the secret is a choice of the prover.
#[test]
fn all_but_the_secret_is_fixed() {
    let mut test = circuit([1, 2]);
    test.assert_satisfied();
    let elements: Vec<_> = (0..HASH_WIDTH).filter(|element| *element != 1).collect();
    test.assert_states_are_bound(0..2, &elements);
}
