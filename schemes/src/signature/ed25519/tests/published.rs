//! Published vectors.

use sha2::{Digest, Sha256};

use super::{
    super::vectors::{bytes, sealed, Vector, RFC_8032, TAMING},
    *,
};

#[test]
fn rfc_8032() {
    for [seed, key, message, signature] in RFC_8032 {
        let secret_key = SecretKey::from_seed(&bytes(seed));
        let message = hex::decode(message).unwrap();
        assert_eq!(secret_key.public_key().to_bytes(), bytes(key));
        assert_eq!(native::sign(&secret_key, &message).to_bytes(), bytes(signature));
    }
    // The message of the fourth is as long as it is said to be, and as the RFC has it.
    let long = hex::decode(RFC_8032[3][2]).unwrap();
    let digest = "358c67baee6b3e0265787951d1840a8468b9e9044852f1c67229a892b2cc0d22";
    assert_eq!((long.len(), Sha256::digest(long).into()), (1023, bytes::<32>(digest)));
}

/// Every vector's own verdict, under every rule, except for one: ZIP 215 accepts R = the identity with the sign
/// bit set.
#[test]
fn wycheproof() {
    let vectors = sealed();
    assert!(vectors.len() > 150, "{}", vectors.len());
    let disagreeing = |rule| {
        let disagrees = |vector: &&Vector| {
            let verdict = PublicKey::from_bytes(&vector.key).and_then(|key| {
                let signature = Signature::from_bytes(&vector.signature)?;
                native::verify(rule, &key, &vector.message, &signature)
            });
            verdict.is_ok() != vector.valid
        };
        vectors.iter().filter(disagrees).collect::<Vec<_>>()
    };
    let [declared] = disagreeing(Rule::Zip215)[..] else { panic!("one vector") };
    assert!(declared.source.starts_with("Wycheproof 151: R encodes y = 1 with the sign bit"));
    assert!(!declared.valid);
    for rule in [Rule::Rfc8032, Rule::Strict] {
        let sources: Vec<_> = disagreeing(rule).iter().map(|vector| &vector.source).collect();
        assert!(sources.is_empty(), "{rule:?} {sources:?}");
    }
}

/// The table's verdicts, and ours: sets refuse the cases whose key is of small order, and under `strict` also
/// those whose key has a part of small order. `rfc8032` is ZIP 215 without the encodings that are not canonical.
#[test]
fn taming() {
    for (case, ([message, key, signature], [zebra, dalek])) in TAMING.iter().enumerate() {
        let (message, key, signature) = (bytes::<32>(message), bytes(key), bytes::<64>(signature));
        assert_eq!(raw(Rule::Zip215, &key, &message, &signature), *zebra, "case {case}");
        let canonical = *zebra && case < 9;
        assert_eq!(raw(Rule::Rfc8032, &key, &message, &signature), canonical, "case {case}");
        let is_small = [0, 1, 10, 11].contains(&case);
        let key = PublicKey::from_bytes(&key);
        assert_eq!(key.is_err(), is_small, "case {case}");
        let verdict = |rule| {
            let (key, signature) = (key?, Signature::from_bytes(&signature)?);
            native::verify(rule, &key, &message, &signature)
        };
        assert_eq!(verdict(Rule::Zip215).is_ok(), *zebra && !is_small, "case {case}");
        assert_eq!(verdict(Rule::Rfc8032).is_ok(), canonical && !is_small, "case {case}");
        // In case 3, A and R are of mixed order, and their parts of small order cancel.
        assert_eq!(*dalek, case == 3);
        assert!(verdict(Rule::Strict).is_err(), "case {case}");
    }
}
