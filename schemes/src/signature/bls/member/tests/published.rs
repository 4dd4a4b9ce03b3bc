//! Signatures of live networks, with the tags that they sign under.

use sha2::{Digest, Sha256};

use super::*;
use crate::{
    hash::keccak::keccak256,
    signature::{Choices, HashTag, PointHash},
};

/// Whether a network signed a digest with this hash to its curve.
fn signs<S: Possession<Message = HashedMessage<S>>>(
    key: &str,
    signature: &str,
    hash: PointHash,
    digest: [u8; 32],
) -> bool {
    let [key, signature] = [key, signature].map(|text| hex::decode(text).expect("hex"));
    let key = OwnedKey::<S>::from_bytes(&key).expect("a key");
    let signature = Signature::from_bytes(&signature).expect("a signature");
    let choices = Choices::default().with_hash::<Bls<S>>(hash).expect("it hashes so");
    Bls::<S>::new(choices).is_signed(key.key(), &digest.into(), &signature)
}

fn tag(text: &str) -> PointHash {
    text.parse().expect("a hash")
}

fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    Sha256::digest(parts.concat()).into()
}

/// Rounds of drand's networks, as api.drand.sh answers `/info` and `/public/1`: of quicknet round 1000.
#[test]
fn rounds_of_drand() {
    let round = |number: u64| number.to_be_bytes();
    let seed = "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a";
    let seed = hex::decode(seed).expect("hex");
    let of_default = |hash, number| {
        signs::<MinPkPopBls12381>(
            "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
            "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b10104990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655",
            hash,
            sha256(&[&seed, &round(number)]),
        )
    };
    let of_quicknet = |hash, number| {
        signs::<MinSigPopBls12381>(
            "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
            hash,
            sha256(&[&round(number)]),
        )
    };
    // Signed in G1, under the tag of G2.
    let of_fastnet = |hash, number| {
        signs::<MinSigPopBls12381>(
            "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d0df0b8b6dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e",
            "9544ddce2fdbe8688d6f5b4f98eed5d63eee3902e7e162050ac0f45905a55657714880adabe3c3096b92767d886567d0",
            hash,
            sha256(&[&round(number)]),
        )
    };
    let of_evmnet = |hash, number| {
        signs::<MinSigPopBn254>(
            "07e1d1d335df83fa98462005690372c643340060d205306a9aa8106b6bd0b3820557ec32c2ad488e4d4f6008f89a346f18492092ccc0d594610de2732c8b808f0095685ae3a85ba243747b1b2f426049010f6b73a0cf1d389351d5aaaa1047f6297d3a4f9749b33eb2d904c9d9ebf17224150ddd7abd7567a9bec6c74480ee0b",
            "11f812d738a36b2210dc88c2d635ad8039588205f42445d6de09e6530165c3462a23aca348c84badcf8df5321ac24577b7963d5b0d780bc4626baedb45cde373",
            hash,
            keccak256(&round(number)),
        )
    };
    let g2 = tag("tag:BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_");
    let keccak = "BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_";
    let evm = tag(&format!("keccak:{keccak}"));
    assert!(of_default(PointHash::Basic, 1) && of_default(g2, 1));
    assert!(of_quicknet(PointHash::Basic, 1000));
    assert!(of_fastnet(g2, 1));
    assert!(of_evmnet(evm, 1));
    // Other rounds, tags and hashes.
    assert!(!of_default(PointHash::Basic, 2) && !of_default(PointHash::Proven, 1));
    assert!(!of_quicknet(PointHash::Basic, 1001) && !of_quicknet(g2, 1000));
    assert!(!of_fastnet(g2, 2) && !of_fastnet(PointHash::Basic, 1));
    assert!(!of_evmnet(evm, 2) && !of_evmnet(tag(&format!("tag:{keccak}")), 1));
    assert!(!of_evmnet(PointHash::Basic, 1));
}

/// Every tag but that of proofs of possession, for every suite that hashes; Keccak only for 32 bytes, over BN254.
#[test]
fn tags_are_choices() {
    fn takes<S: Possession>(hash: PointHash, form: MessageForm) -> bool {
        let choices = Choices::new::<Bls<S>>(Default::default(), None, Some(form));
        choices.is_ok_and(|choices| choices.with_hash::<Bls<S>>(hash).is_ok())
    }
    let (public, bytes) = (MessageForm::Public, MessageForm::Sha256 { most: 40 });
    let own = tag("tag:own");
    for form in [public, bytes] {
        assert!(takes::<MinPkPopBls12381>(own, form) && takes::<MinSigPopBls12381>(own, form));
        assert!(takes::<MinSigPopBn254>(own, form));
    }
    assert!(!takes::<MinPkBn254>(own, public));
    assert!(!takes::<MinSigPopBn254>(own, MessageForm::Point));
    let of =
        |tag: &[u8]| PointHash::Tagged(HashTag::new(&String::from_utf8_lossy(tag)).expect("a tag"));
    assert!(!takes::<MinPkPopBls12381>(of(MinPkProofBls12381::TAG), public));
    assert!(!takes::<MinSigPopBls12381>(of(MinSigProofBls12381::TAG), public));
    assert!(!takes::<MinSigPopBn254>(of(MinSigProofBn254::TAG), bytes));
    // Of another suite it is a tag like others.
    assert!(takes::<MinSigPopBn254>(of(MinPkProofBls12381::TAG), public));
    let keccak = tag("keccak:own");
    assert!(takes::<MinSigPopBn254>(keccak, public) && !takes::<MinSigPopBn254>(keccak, bytes));
    assert!(!takes::<MinSigPopBls12381>(keccak, public));
    assert!(!takes::<MinPkPopBls12381>(keccak, public) && !takes::<MinPkBn254>(keccak, public));
}
