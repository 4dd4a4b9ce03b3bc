//! Keys with their proofs, and signatures by all members.

mod published;

use ff::Field;
use halo2curves::{bls12_381::Fr, bn256, group::Curve};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::{
    curve::pairing::{samples::outside, PairingCurve},
    hash::to_curve::{hash_to_curve, Bn254G1, Tag},
    membership::{MemberKey, PublicKey, PublishedSecret},
    signature::{
        bls::{
            BlsError, Ciphersuite, HashedMessage, MinPkBasicBls12381, MinPkProofBls12381,
            MinSigBasicBls12381, MinSigBasicBn254, MinSigProofBls12381, MinSigProofBn254,
            OtherHash, SecretKey, Signature, SignedPoint,
        },
        Choices, MessageForm, PointHash, Rule, SignatureError, SignatureScheme,
    },
};

/// Runs a test of every suite.
macro_rules! each {
    ($test:ident) => {
        $test::<MinPkPopBls12381>();
        $test::<MinSigPopBls12381>();
        $test::<MinSigPopBn254>();
        $test::<MinPkBn254>();
    };
}

fn secret<S: Possession>(number: u8) -> SecretKey<S> {
    Bls::<S>::secret_key_from_seed(&[number; 32]).expect("not 0")
}

fn key<S: Possession>(number: u8) -> OwnedKey<S> {
    OwnedKey::of(&secret(number))
}

#[test]
fn keys_come_with_their_proofs() {
    each!(comes_with_its_proof);
}

fn comes_with_its_proof<S: Possession>() {
    let [one, other] = [1, 2].map(key::<S>);
    let (bytes, all) = (one.to_bytes(), S::KEY_BYTES + S::PROOF_BYTES);
    assert_eq!(bytes.len(), all);
    assert_eq!(OwnedKey::from_bytes(&bytes), Ok(one));
    for length in [0, S::KEY_BYTES - 1, S::KEY_BYTES + 1, all - 1, all + 1] {
        let refused = Err(SignatureError::WrongLength { expected: all, found: length });
        assert_eq!(OwnedKey::<S>::from_bytes(&vec![0; length]), refused);
    }
    // The proof of another key, and proofs that are none.
    let theirs = [&bytes[..S::KEY_BYTES], &other.to_bytes()[S::KEY_BYTES..]].concat();
    assert_eq!(OwnedKey::<S>::from_bytes(&theirs), Err(SignatureError::Possession));
    for place in [S::KEY_BYTES, S::KEY_BYTES + 1, all - 1] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1;
        assert_eq!(OwnedKey::<S>::from_bytes(&flipped), Err(SignatureError::Possession));
    }
}

/// Each has the verdict that it has alone, whoever stands beside it.
#[test]
fn keys_are_read_together_as_one_by_one() {
    each!(is_read_together);
}

fn is_read_together<S: Possession>() {
    let owned: Vec<_> = (1..6).map(key::<S>).collect();
    let honest: Vec<_> = owned.iter().map(OwnedKey::to_bytes).collect();
    let read = |list: &[Vec<u8>]| {
        let list: Vec<_> = list.iter().map(Vec::as_slice).collect();
        let together = OwnedKey::<S>::list_from_bytes(&list);
        let alone: Vec<_> = list.iter().map(|bytes| OwnedKey::from_bytes(bytes)).collect();
        assert_eq!(together, alone);
        together
    };
    assert_eq!(read(&[]), []);
    assert_eq!(read(&honest), owned.iter().map(|&key| Ok(key)).collect::<Vec<_>>());
    // Without proofs, and some with and some without.
    let bare: Vec<_> = honest.iter().map(|bytes| bytes[..S::KEY_BYTES].to_vec()).collect();
    assert!(read(&bare).iter().all(|key| key.is_ok()));
    assert!(read(&[&bare[..2], &honest[2..]].concat()).iter().all(|key| key.is_ok()));
    // Two proofs that have changed places, with the same sum.
    let mut swapped = honest.clone();
    let (first, rest) = swapped.split_at_mut(1);
    first[0][S::KEY_BYTES..].swap_with_slice(&mut rest[2][S::KEY_BYTES..]);
    let verdicts = read(&swapped);
    for (place, verdict) in verdicts.into_iter().enumerate() {
        let is_bad = place == 0 || place == 3;
        assert_eq!(verdict.err(), is_bad.then_some(SignatureError::Possession), "{place}");
    }
    // No proof, no key, and nothing.
    let mut broken = honest;
    broken[1].truncate(7);
    broken[2].fill(0xff);
    broken[4].clear();
    assert_eq!(read(&broken).iter().filter(|key| key.is_ok()).count(), 2);
}

/// Errors that cancel in the sum of all proofs.
#[test]
fn proofs_do_not_make_up_for_each_other() {
    let [one, two] = [1, 2].map(secret::<MinPkPopBls12381>);
    let proofs = [&one, &two].map(|secret| {
        let key = secret.public_key().to_bytes();
        let possession = SecretKey::<MinPkProofBls12381>::from_bytes(*secret.to_bytes());
        possession.expect("a secret").sign(&key)
    });
    let other = SecretKey::<MinPkProofBls12381>::from_bytes(*one.to_bytes()).expect("a secret");
    let shift = other.sign(b"anything");
    let plus = |point, sign: Fr| Signature::combine(&[point, shift], &[Fr::ONE, sign]).unwrap();
    let moved = [plus(proofs[0], Fr::ONE), plus(proofs[1], -Fr::ONE)];
    let sum = |proofs: [_; 2]| Signature::combine(&proofs, &[Fr::ONE; 2]).map(|sum| sum.to_bytes());
    assert_eq!(sum(moved), sum(proofs));
    let list = [(&one, moved[0]), (&two, moved[1])]
        .map(|(secret, proof)| [secret.public_key().to_bytes(), proof.to_bytes()].concat());
    let verdicts = OwnedKey::<MinPkPopBls12381>::list_from_bytes(&[&list[0], &list[1]]);
    assert_eq!(verdicts, [Err(SignatureError::Possession), Err(SignatureError::Possession)]);
}

/// Signing the key as a message proves nothing: a member may have been asked to sign just that.
#[test]
fn signatures_prove_no_possession() {
    prove_nothing::<MinPkPopBls12381, MinPkPopBls12381>();
    prove_nothing::<MinPkPopBls12381, MinPkBasicBls12381>();
    prove_nothing::<MinSigPopBls12381, MinSigPopBls12381>();
    prove_nothing::<MinSigPopBls12381, MinSigBasicBls12381>();
    prove_nothing::<MinSigPopBn254, MinSigPopBn254>();
    prove_nothing::<MinSigPopBn254, MinSigBasicBn254>();
}

fn prove_nothing<S: Possession, T: Ciphersuite<Signed = [u8], Scalar = S::Scalar>>() {
    let key = key::<S>(1).key().to_bytes();
    let signer = SecretKey::<T>::from_bytes(*secret::<S>(1).to_bytes()).expect("a secret");
    let signed = [&key[..], &signer.sign(&key).to_bytes()].concat();
    assert_eq!(OwnedKey::<S>::from_bytes(&signed), Err(SignatureError::Possession));
}

/// Where the signature is by a key in G2, that is of the same secret.
#[test]
fn proofs_for_keys_in_g1_are_of_one_secret() {
    let [own, other] = [1, 2].map(|number| {
        let secret = *secret::<MinPkBn254>(number).to_bytes();
        SecretKey::<MinSigProofBn254>::from_bytes(secret).expect("a secret")
    });
    let key = key::<MinPkBn254>(1).key().to_bytes();
    let tagged = SecretKey::<MinSigPopBn254>::from_bytes(*own.to_bytes()).expect("a secret");
    let [second, theirs] = [&own, &other].map(|secret| secret.public_key().to_bytes());
    let read = |second: &[u8], proof: Vec<u8>| {
        OwnedKey::<MinPkBn254>::from_bytes(&[&key, second, &proof].concat()).map(|_| ())
    };
    assert_eq!(read(&second, own.sign(&key).to_bytes()), Ok(()));
    for (second, proof) in [
        // All of somebody else, and either half.
        (&theirs, other.sign(&key).to_bytes()),
        (&theirs, own.sign(&key).to_bytes()),
        (&second, other.sign(&key).to_bytes()),
        // Another tag, and another message.
        (&second, tagged.sign(&key).to_bytes()),
        (&second, own.sign(&second).to_bytes()),
    ] {
        assert_eq!(read(second, proof), Err(SignatureError::Possession));
    }
    // No points.
    assert_eq!(read(&[0; 128], own.sign(&key).to_bytes()), Err(SignatureError::Possession));
    assert_eq!(read(&second, vec![0; 64]), Err(SignatureError::Possession));
}

#[test]
fn keys_without_proofs_have_to_be_trusted() {
    each!(has_to_be_trusted);
}

fn has_to_be_trusted<S: Possession>() {
    let proven = key::<S>(1);
    let bytes = &proven.to_bytes()[..S::KEY_BYTES];
    let bare = OwnedKey::<S>::from_bytes(bytes).expect("a key");
    assert_eq!(bare.to_bytes(), bytes);
    assert_eq!(bare.check(Rule::ProvenKeys), Err(SignatureError::NoPossession));
    assert_eq!(bare.check(Rule::TrustedKeys), Ok(()));
    assert_eq!(proven.check(Rule::ProvenKeys), Ok(()));
    assert_eq!(proven.check(Rule::TrustedKeys), Ok(()));
    // To a set both are the same key.
    assert_eq!(PublicKey::from(bare), PublicKey::from(proven));
}

#[test]
fn what_is_no_key_is_refused() {
    let of_x = |bytes: usize, flags: u8, x: u8| {
        let mut encoded = vec![0; bytes];
        (encoded[0], encoded[bytes - 1]) = (flags, x);
        encoded
    };
    // x = 4 is on the curve and on its twist, but in neither subgroup; no point has x = 1, or one above the modulus.
    refuses::<MinPkPopBls12381>(&[of_x(48, 0x80, 1), of_x(48, 0xc0, 0), of_x(48, 0x80, 4)]);
    refuses::<MinSigPopBls12381>(&[vec![0x9f; 96], of_x(96, 0xc0, 0), of_x(96, 0x80, 4)]);
    let [x, y] = outside(PairingCurve::Bn254);
    let parts = [&x[1], &x[0], &y[1], &y[0]].map(|part| {
        let bytes = part.to_bytes_be();
        [vec![0; 32 - bytes.len()], bytes].concat()
    });
    refuses::<MinSigPopBn254>(&[of_x(128, 0, 1), vec![0; 128], parts.concat()]);
    // All points of G1 are in the group.
    refuses::<MinPkBn254>(&[of_x(64, 0, 1), vec![0; 64]]);
}

fn refuses<S: Possession>(encoded: &[Vec<u8>]) {
    let rules = [BlsError::NotOnCurve, BlsError::Identity, BlsError::NotInSubgroup];
    for (encoded, rule) in encoded.iter().zip(rules) {
        let refused = Err(SignatureError::BlsKey(rule));
        assert_eq!(OwnedKey::<S>::from_bytes(encoded), refused, "{}", S::SCHEME);
    }
}

/// Every word of every part is in a name.
#[test]
fn names_bind_every_word() {
    binds_every_word::<MinPkPopBls12381>(2, |point, part| &mut point[part]);
    binds_every_word::<MinSigPopBls12381>(4, |point, part| &mut point[part / 2][part % 2]);
    binds_every_word::<MinSigPopBn254>(4, |point, part| &mut point[part / 2][part % 2]);
    binds_every_word::<MinPkBn254>(2, |point, part| &mut point[part]);
}

fn binds_every_word<S: Possession>(
    parts: usize,
    number: impl Fn(&mut S::RawKey, usize) -> &mut BigUint,
) {
    let point = key::<S>(1).coordinates();
    let name = super::key::name::<S>(&point);
    assert_eq!(key::<S>(1).name(), name);
    let (bits, word) = (S::CURVE.parameters().p.bits(), super::key::word_bits(S::CURVE) as u64);
    for part in 0..parts {
        for bit in [0, word - 1, word, bits - 1] {
            let mut other = point.clone();
            let number = number(&mut other, part);
            let is_set = number.bit(bit);
            number.set_bit(bit, !is_set);
            assert_ne!(super::key::name::<S>(&other), name, "{} {part} {bit}", S::SCHEME);
        }
        // Parts are not taken for each other.
        let (mut other, next) = (point.clone(), (part + 1) % parts);
        let kept = number(&mut other, part).clone();
        *number(&mut other, part) = number(&mut point.clone(), next).clone();
        *number(&mut other, next) = kept;
        assert_ne!(super::key::name::<S>(&other), name, "{} {part}", S::SCHEME);
    }
}

/// Words that fill a block, that begin the next, and that fill that.
#[test]
fn names_are_hashed_block_by_block() {
    let hashed = |words: u8| {
        let hash = |block: &[String]| format!("({})", block.join(" "));
        let words = (1..=words).map(|word| word.to_string()).collect();
        super::key::chained(words, "0".to_owned(), hash, |digest| digest)
    };
    assert_eq!(hashed(4), "(1 2 3 4 0)");
    assert_eq!(hashed(5), "(1 2 3 4 5)");
    assert_eq!(hashed(6), "((1 2 3 4 5) 6 0 0 0)");
    assert_eq!(hashed(8), "((1 2 3 4 5) 6 7 8 0)");
    assert_eq!(hashed(10), "(((1 2 3 4 5) 6 7 8 9) 10 0 0 0)");
}

#[test]
fn published_secrets_are_known() {
    each!(knows_published_secrets);
}

fn knows_published_secrets<S: Possession>() {
    let of = |scalar: S::Scalar| {
        OwnedKey::of(&SecretKey::<S>::from_scalar(&scalar).expect("not 0")).published_secret()
    };
    for number in [1i16, 2, 3, 100, 255] {
        let scalar = S::Scalar::from(number.unsigned_abs().into());
        assert_eq!(of(scalar), Some(PublishedSecret::Number(number)));
        assert_eq!(of(-scalar), Some(PublishedSecret::Number(-number)));
    }
    assert_eq!([of(256.into()), of(-S::Scalar::from(256))], [None; 2]);
}

/// Whatever seed it is; no key of one suite is one of another, though points may be the same.
#[test]
fn seeds_are_secrets() {
    each!(makes_secrets_of_seeds);
}

fn makes_secrets_of_seeds<S: Possession>() {
    let [one, other] = [1, 2].map(secret::<S>);
    assert_eq!(one.public_key(), secret::<S>(1).public_key());
    assert_ne!(one.public_key(), other.public_key());
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let drawn = [(); 2].map(|()| Bls::<S>::keygen(&mut rng).public_key());
    assert_ne!(drawn[0], drawn[1]);
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
    let [message, other] = [[0; 32], [1; 32]].map(HashedMessage::from);
    let signed = Bls12381::sign(&secret, &message, &mut rng);
    assert_eq!(hex::encode(Bls12381::encode_signature(&signed)), signature);
    assert_eq!(Bls12381::verify(&OwnedKey::of(&secret), &message, &signed), Ok(()));
    let refused = Err(SignatureError::Equation);
    assert_eq!(Bls12381::verify(&OwnedKey::of(&secret), &other, &signed), refused);
}

/// Whoever signs with another hash of those that there are is told with which.
#[test]
fn other_hashes_are_named() {
    names_other_hashes::<MinPkPopBls12381>();
    names_other_hashes::<MinSigPopBls12381>();
    names_other_hashes::<MinSigPopBn254>();
}

fn names_other_hashes<S: Possession<Message = HashedMessage<S>> + Ciphersuite<Signed = [u8]>>() {
    let (secret, key) = (secret::<S>(1), key::<S>(1));
    let message = HashedMessage::from([7; 32]);
    let named = |signed: &Signature<S>, asked| S::other_hash(key.key(), &message, signed, asked);
    let (proven, basic) = (PointHash::Proven, PointHash::Basic);
    let tag = |hash: PointHash| {
        let tag = S::tag(&hash)?;
        S::TAGS.iter().find(|known| **known == tag.bytes()).map(|known| OtherHash::Tag(known))
    };
    let [by_proven, by_basic] =
        [proven, basic].map(|hash| S::sign_message(&secret, &message, hash));
    assert_eq!((named(&by_proven, basic), named(&by_basic, proven)), (tag(proven), tag(basic)));
    let possession = S::TAGS.iter().find(|tag| tag.starts_with(b"BLS_POP_")).expect("there is one");
    let point = SignedPoint(S::tagged_point(&[7; 32], possession).expect("it is hashed"));
    assert_eq!(named(&point.signed_by(&secret), proven), Some(OtherHash::Tag(possession)));
    let search = PointHash::Search { most: 8 };
    if S::hashes(search, MessageForm::Public) {
        let found = S::sign_message(&secret, &message, search);
        assert_eq!(
            (named(&found, basic), named(&by_basic, search)),
            (Some(OtherHash::Search), tag(basic))
        );
    }
    // Another message, and a point, have none.
    let other = S::sign_message(&secret, &HashedMessage::from([8; 32]), proven);
    assert_eq!((named(&other, proven), named(&other, basic)), (None, None));
    let point = HashedMessage::Point(point);
    assert_eq!(S::other_hash(key.key(), &point, &other, proven), None);
    let choices = Bls::<S>::new(Choices::default());
    let refusal = choices.refusal(key.key(), &message, &by_basic).to_string();
    assert!(refusal.ends_with("_NUL_, that of the hash nul it does"), "{refusal}");
    let equation = choices.refusal(key.key(), &message, &other);
    assert_eq!(equation, SignatureError::Equation);
}

/// The tags of the draft, by its name for the suite, with blst alone.
#[test]
fn min_sig_has_the_tags_of_the_draft() {
    let own = secret::<MinSigPopBls12381>(1);
    let other = blst::min_sig::SecretKey::key_gen(&[1; 32], &[]).expect("32 bytes are enough");
    let key = own.public_key().to_bytes();
    assert_eq!(other.sk_to_pk().to_bytes()[..], key);
    let signed = other.sign(&[7; 32], b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_", &[]);
    assert_eq!(own.sign(&[7; 32]).to_bytes(), signed.to_bytes());
    let proof = other.sign(&key, b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_", &[]);
    assert_eq!(OwnedKey::of(&own).to_bytes()[96..], proof.to_bytes());
}

/// The same over BN254, by the hash alone.
#[test]
fn tags_over_bn254_are_named_alike() {
    let own = SecretKey::<MinSigPopBn254>::from_scalar(&5.into()).expect("not 0");
    let by_five = |message: &[u8], tag: &[u8]| {
        let hash = hash_to_curve::<Bn254G1>(message, &Tag::new(tag).expect("a tag"));
        MinSigPopBn254::encode_signature(&(hash * bn256::Fr::from(5)).to_affine())
    };
    let signed = by_five(&[7; 32], b"BLS_SIG_BN254G1_XMD:SHA-256_SVDW_RO_POP_");
    assert_eq!(own.sign(&[7; 32]).to_bytes(), signed);
    let key = own.public_key().to_bytes();
    let proof = by_five(&key, b"BLS_POP_BN254G1_XMD:SHA-256_SVDW_RO_POP_");
    assert_eq!(OwnedKey::of(&own).to_bytes(), [key, proof].concat());
}
