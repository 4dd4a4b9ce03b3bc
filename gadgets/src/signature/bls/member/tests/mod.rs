//! Keys with their proofs, and signatures by all members.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::{key::KEY, *};
use crate::{
    membership::{MemberKey, PublicKey, PublishedSecret},
    signature::{
        bls::{BlsError, MinPublicKey, ProvenPublicKey, SecretKey},
        Rule, SignatureError, SignatureScheme,
    },
};

fn secret(number: u8) -> SecretKey<ProvenPublicKey> {
    SecretKey::from_seed(&[number; 32])
}

#[test]
fn a_key_comes_with_its_proof() {
    let [one, other] = [1, 2].map(|number| OwnedKey::of(&secret(number)));
    assert_eq!(OwnedKey::from_bytes(&one.to_bytes()), Ok(one));
    let bytes = one.to_bytes();
    for length in [0, 47, 49, 96, 143, 145] {
        let refused = Err(SignatureError::WrongLength { expected: 144, found: length });
        assert_eq!(OwnedKey::from_bytes(&vec![0; length]), refused);
    }
    // The proof of another key, and proofs that are none.
    let theirs = [&bytes[..KEY], &other.to_bytes()[KEY..]].concat();
    assert_eq!(OwnedKey::from_bytes(&theirs), Err(SignatureError::Possession));
    for place in [KEY, KEY + 1, 143] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        assert_eq!(OwnedKey::from_bytes(&flipped), Err(SignatureError::Possession));
    }
    // Signing the key as a message proves nothing: a member may have been asked to sign just that.
    for signature in [
        secret(1).sign(&bytes[..KEY]).to_bytes(),
        SecretKey::<MinPublicKey>::from_bytes(*secret(1).to_bytes())
            .expect("a secret")
            .sign(&bytes[..KEY])
            .to_bytes(),
    ] {
        let signed = [&bytes[..KEY], &signature].concat();
        assert_eq!(OwnedKey::from_bytes(&signed), Err(SignatureError::Possession));
    }
}

#[test]
fn a_key_without_proof_has_to_be_trusted() {
    let proven = OwnedKey::of(&secret(1));
    let bare = OwnedKey::from_bytes(&proven.to_bytes()[..KEY]).expect("a key");
    assert_eq!(bare.to_bytes(), proven.to_bytes()[..KEY]);
    assert_eq!(bare.check(Rule::ProvenKeys), Err(SignatureError::NoPossession));
    assert_eq!(bare.check(Rule::TrustedKeys), Ok(()));
    assert_eq!(proven.check(Rule::ProvenKeys), Ok(()));
    assert_eq!(proven.check(Rule::TrustedKeys), Ok(()));
    // Both name one member, who cannot be in a set twice.
    assert_eq!(PublicKey::from(bare), PublicKey::from(proven));
}

#[test]
fn what_is_no_key_is_refused() {
    let mut identity = [0; KEY];
    identity[0] = 0xc0;
    let identity = OwnedKey::from_bytes(&identity);
    assert_eq!(identity, Err(SignatureError::BlsKey(BlsError::Identity)));
    // x = 4 is on the curve, but not in the subgroup; no point has x = 5 with these bits.
    let of_x = |x: u8| {
        let mut bytes = [0; KEY];
        (bytes[0], bytes[KEY - 1]) = (0x80, x);
        OwnedKey::from_bytes(&bytes)
    };
    assert_eq!(of_x(4), Err(SignatureError::BlsKey(BlsError::NotInSubgroup)));
    assert_eq!(of_x(1), Err(SignatureError::BlsKey(BlsError::NotOnCurve)));
}

/// Every word of both coordinates is part of a name.
#[test]
fn names_bind_every_word() {
    let point = OwnedKey::of(&secret(1)).coordinates();
    let name = key::name(&point);
    assert_eq!(OwnedKey::of(&secret(1)).name(), name);
    for coordinate in 0..2 {
        for bit in [0, 191, 192, 380] {
            let mut other = point.clone();
            let is_set = other[coordinate].bit(bit);
            other[coordinate].set_bit(bit, !is_set);
            assert_ne!(key::name(&other), name, "{coordinate} {bit}");
        }
    }
    let [x, y] = point;
    assert_ne!(key::name(&[y, x]), name);
}

#[test]
fn published_secrets_are_known() {
    let of = |number: u64| {
        let secret = SecretKey::<ProvenPublicKey>::from_scalar(&number.into());
        OwnedKey::of(&secret.expect("not 0")).published_secret()
    };
    assert_eq!(of(1), Some(PublishedSecret::Number(1)));
    assert_eq!(of(255), Some(PublishedSecret::Number(255)));
    assert_eq!(of(256), None);
    let minus_two = -halo2curves::bls12_381::Fr::from(2);
    let secret = SecretKey::<ProvenPublicKey>::from_scalar(&minus_two).expect("not 0");
    assert_eq!(OwnedKey::of(&secret).published_secret(), Some(PublishedSecret::Number(-2)));
}

/// `sign_case_…` of <https://github.com/ethereum/bls12-381-tests>: what validators of Ethereum sign.
#[test]
fn signatures_are_those_of_ethereum() {
    let secret = "263dbd792f5b1be47ed85f8938c0f29586af0d3ac7b977f21c278fe1462040e3";
    let signature = "b6ed936746e01f8ecf281f020953fbf1f01debd5657c4a383940b020b26507f6076334f91e2366c9\
                     6e9ab279fb5158090352ea1c5b0c9274504f4f0e7053af24802e51e4568d164fe986834f41e55c8e\
                     850ce1f98458c0cfc9ab380b55285a55";
    let secret = hex::decode(secret).expect("hex").try_into().expect("32 bytes");
    let secret = SecretKey::from_bytes(secret).expect("a secret");
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let signed = Bls12381::sign(&secret, &[0; 32], &mut rng);
    assert_eq!(hex::encode(Bls12381::encode_signature(&signed)), signature);
    assert_eq!(Bls12381::verify(&OwnedKey::of(&secret), &[0; 32], &signed), Ok(()));
    let refused = Err(SignatureError::Equation);
    assert_eq!(Bls12381::verify(&OwnedKey::of(&secret), &[1; 32], &signed), refused);
}

#[cfg(feature = "circuit")]
mod together;
