use prost::Message;

use super::{
    super::{
        BlockId, ChainId, Height, PartSet, Precommit, PrecommitError, Round, TimedSignature,
        Timestamp, ENCODED, MAX_CHAIN_ID,
    },
    encoder::{vote, CanonicalVote, Time, PRECOMMIT},
    precommit, precommits, time, times,
};

/// CometBFT's `types/vote_test.go`, `TestVoteSignBytesTestVectors`, cases 1 and 4: the other encoder is theirs. Their votes are
/// for no block.
#[test]
fn the_other_encoder_gives_the_published_bytes() {
    // The zero time of Go.
    let timestamp = Some(Time { seconds: -62_135_596_800, nanos: 0 });
    let vote = |kind: i32, chain_id: &str| CanonicalVote {
        kind,
        height: 1,
        round: 1,
        block_id: None,
        timestamp: timestamp.clone(),
        chain_id: chain_id.to_owned(),
    };
    let numbers = "110100000000000000190100000000000000";
    let time = "2a0b088092b8c398feffffff01";
    let expected = format!("210802{numbers}{time}");
    assert_eq!(hex::encode(vote(PRECOMMIT, "").encode_length_delimited_to_vec()), expected);
    let expected = format!("2e{numbers}{time}320d746573745f636861696e5f6964");
    let named = vote(0, "test_chain_id");
    assert_eq!(hex::encode(named.encode_length_delimited_to_vec()), expected);
}

/// What validators signed: Oraichain at heights 10,340,037 and 20,082,941, and block 144,094 of Celestia's Mocha 3 testnet as
/// in `circuits/builder/verify.rs` of succinctlabs/tendermintx.
#[test]
fn precommits_of_live_chains() {
    struct Signed {
        height: u64,
        hash: &'static str,
        parts: &'static str,
        time: (i64, u32),
        chain_id: &'static str,
        bytes: [&'static str; 4],
    }
    let all = [
        Signed {
            height: 10_340_037,
            hash: "ddb010fecda643efb6e7f0fbcbb0a4ab7f23173f865b40edf47139a3627e1200",
            parts: "1c426cdc8371b36afe91a1818812087903b35c6fc6ef998d19ff2dcf6efa00a5",
            time: (1_676_740_068, 514_688_179),
            chain_id: "Oraichain",
            bytes: [
                "6e080211c5c69d000000000022480a20",
                "122408011220",
                "2a0c08e48bc49f0610b389b6f501",
                "32094f726169636861696e",
            ],
        },
        Signed {
            height: 20_082_941,
            hash: "6954b64b90d0a8b177da1a9b14648d3de6f706114eb9c9e1af3ba52b6f8e3c4b",
            parts: "e07e8511743101aa131de4e24c9c8d412abd69f6aee583c8e80dbf23689b6019",
            time: (1_714_980_881, 870_738_786),
            chain_id: "Oraichain",
            bytes: [
                "6e080211fd7032010000000022480a20",
                "122408011220",
                "2a0c089190e2b10610e2d6999f03",
                "32094f726169636861696e",
            ],
        },
        Signed {
            height: 144_094,
            hash: "8909e1b73b7d987e95a7541d96ed484c17a4b0411e98ee4b7c890ad21302ff8c",
            parts: "61263df4855e55fcab7aab0a53ee32cf4f29a1101b56de4a9d249d44e4cf9628",
            time: (1_690_380_061, 53_091_307),
            chain_id: "mocha-3",
            bytes: [
                "6b080211de3202000000000022480a20",
                "122408011220",
                "2a0b089dce84a60610ebb7a819",
                "32076d6f6368612d33",
            ],
        },
    ];
    for Signed { height, hash, parts, time: (seconds, nanos), chain_id, bytes } in all {
        let [before, between, timestamp, name] = bytes;
        let bytes = |text: &str| hex::decode(text).unwrap().try_into().unwrap();
        let precommit = Precommit {
            height: Height::new(height).unwrap(),
            round: Round::default(),
            block_id: BlockId { hash: bytes(hash), parts: PartSet::new(1, bytes(parts)).unwrap() },
            chain_id: ChainId::new(chain_id).unwrap(),
        };
        let expected = [before, hash, between, parts, timestamp, name].concat();
        let signed = precommit.signed_bytes(&time(seconds, nanos));
        assert_eq!(hex::encode(signed), expected, "{height}");
    }
}

#[test]
fn signed_bytes_are_those_of_the_other_encoder() {
    let mut lengths = std::collections::BTreeSet::new();
    for precommit in precommits() {
        for time in times() {
            let signed = precommit.signed_bytes(&time);
            let expected = vote(&precommit, &time).encode_length_delimited_to_vec();
            assert_eq!(signed, expected, "{precommit:?} {time:?}");
            lengths.insert(signed.len());
        }
    }
    // Behind a length of one byte and of two.
    assert!((100..130).all(|length| lengths.contains(&length) || length == 129), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&171));
}

/// The same without the field of the block.
#[test]
fn votes_for_none_are_those_of_the_other_encoder() {
    for precommit in precommits() {
        for time in times() {
            let signed = precommit.signed_bytes_for_none(&time);
            let vote = CanonicalVote { block_id: None, ..vote(&precommit, &time) };
            assert_eq!(signed, vote.encode_length_delimited_to_vec(), "{precommit:?} {time:?}");
        }
    }
}

#[test]
fn an_encoding_is_read_again() {
    for precommit in precommits() {
        assert_eq!(Precommit::decode(&precommit.encode()), Ok(precommit));
    }
}

#[test]
fn the_digest_is_that_of_the_encoding() {
    let precommit = precommit(20_082_941, 0, 1, 9);
    let encoded = precommit.encode();
    assert_eq!(encoded[..16], [0xfd, 0x70, 0x32, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(encoded[16..48], precommit.block_id.hash);
    assert_eq!(encoded[48..80], precommit.block_id.parts.hash);
    assert_eq!(encoded[80..96], *b"precommit/1\0\0\0\x01\x09");
    assert_eq!(encoded[96..105], *b"abcdefghi");
    assert_eq!(encoded[105..], [0; 55]);
    assert_eq!(precommit.digest(), crate::hash::sha256::sha256(&encoded));
}

/// Each byte of an encoding: read as another precommit, or refused.
#[test]
fn every_byte_of_an_encoding_counts() {
    let precommit = precommit(20_082_941, 3, 2, 9);
    let encoded = precommit.encode();
    for place in 0..ENCODED {
        let mut changed = encoded;
        changed[place] ^= 1;
        if let Ok(other) = Precommit::decode(&changed) {
            assert_ne!(other, precommit);
            let time = time(7, 7);
            assert_ne!(other.signed_bytes(&time), precommit.signed_bytes(&time), "{place}");
            assert_eq!(other.encode(), changed);
        }
    }
}

#[test]
fn what_is_no_encoding_is_refused_by_its_field() {
    use PrecommitError::*;
    let encoded = precommit(5, 0, 1, 9).encode();
    let refused = |place: usize, bytes: &[u8]| {
        let mut changed = encoded;
        changed[place..place + bytes.len()].copy_from_slice(bytes);
        Precommit::decode(&changed).unwrap_err()
    };
    assert_eq!(refused(0, &[0]), Height(0));
    assert_eq!(refused(7, &[0x80]), Height(1 << 63 | 5));
    assert_eq!(refused(11, &[0x80]), Round(1 << 31));
    assert_eq!(refused(15, &[1]), Round(1 << 56));
    assert_eq!(refused(80, b"P"), Tag);
    assert_eq!(refused(91, &[0; 4]), Total(0));
    for length in [0, 51, 64, 65, 255] {
        let mut changed = encoded;
        changed[95] = length;
        changed[96..].fill(if length == 0 { 0 } else { b'a' });
        let padding = if (51..=64).contains(&length) { 96 + usize::from(length) } else { 160 };
        changed[padding..].fill(0);
        assert_eq!(Precommit::decode(&changed), Err(ChainIdLength(length.into())));
    }
    assert_eq!(refused(95, &[8]), ChainIdPadding);
    assert_eq!(refused(159, &[1]), ChainIdPadding);
    assert_eq!(refused(96, &[0xff]), ChainIdText);
    let short = Precommit::decode(&encoded[..159]).unwrap_err();
    assert_eq!(short, Length { expected: 160, found: 159 });
}

#[test]
fn parts_have_their_bounds() {
    assert!(Height::new(0).is_err() && Height::new(1 << 63).is_err());
    assert!(Round::new(1 << 31).is_err() && Round::new(1 << 32).is_err());
    assert!(PartSet::new(0, [0; 32]).is_err() && PartSet::new(1 << 32, [0; 32]).is_err());
    assert!(ChainId::new("").is_err() && ChainId::new("x".repeat(MAX_CHAIN_ID + 1)).is_err());
    assert_eq!(Timestamp::new(0, 1_000_000_000), Err(PrecommitError::Nanos(1_000_000_000)));
}

#[test]
fn signatures_bring_their_time() {
    for time in times() {
        let timed = TimedSignature { signature: std::array::from_fn(|i| i as u8), time };
        assert_eq!(TimedSignature::from_bytes(&timed.to_bytes()), Ok(timed));
    }
    let timed = TimedSignature { signature: [7; 64], time: time(-2, 258) };
    let bytes = timed.to_bytes();
    assert_eq!(bytes[64..], [255, 255, 255, 255, 255, 255, 255, 254, 0, 0, 1, 2]);
    let wrong = PrecommitError::Length { expected: 76, found: 75 };
    assert_eq!(TimedSignature::from_bytes(&bytes[1..]), Err(wrong));
    let mut late = bytes;
    late[72..].copy_from_slice(&1_000_000_000u32.to_be_bytes());
    assert_eq!(TimedSignature::from_bytes(&late), Err(PrecommitError::Nanos(1_000_000_000)));
}

/// The least and the most bytes that a validator signs, as the README has them.
#[test]
fn what_is_signed_has_its_bounds() {
    let least = precommit(1, 0, 1, 1).signed_bytes(&time(0, 0)).len();
    let most = precommit((1 << 63) - 1, (1 << 31) - 1, u32::MAX.into(), MAX_CHAIN_ID);
    let most = most.signed_bytes(&time(-1, 999_999_999)).len();
    let words = format!("What is signed has {least} to {most} bytes");
    assert!(
        include_str!("../../../../../gadgets/src/signature/cometbft/README.md").contains(&words),
        "{words}"
    );
}

#[test]
fn json_has_the_names_of_cometbft() {
    for precommit in precommits() {
        let json = serde_json::to_string(&precommit).unwrap();
        assert_eq!(serde_json::from_str::<Precommit>(&json).unwrap(), precommit);
    }
    let hash = "8B01023386C371778ECB6368573E539AFC3CC860EC3A2F614E54FE5652F4FC80";
    let json = |height: &str, round: &str, total: &str, hash: &str, name: &str| {
        format!(
            r#"{{"height": {height}, "round": {round}, "chain_id": "{name}",
            "block_id": {{"hash": "{hash}", "parts": {{"total": {total}, "hash": "{hash}"}}}}}}"#
        )
    };
    let read = |json: String| serde_json::from_str::<Precommit>(&json);
    let precommit = read(json("\"12345\"", "2", "1000000", hash, "test")).unwrap();
    assert_eq!(precommit.height.get(), 12_345);
    assert_eq!(precommit.block_id.parts.total.get(), 1_000_000);
    assert_eq!(
        read(json("12345", "\"2\"", "1000000", &hash.to_lowercase(), "test")).unwrap(),
        precommit
    );
    let refused = [
        (json("0", "2", "1", hash, "test"), "height"),
        (json("-1", "2", "1", hash, "test"), "a number"),
        (json("\"1e3\"", "2", "1", hash, "test"), "a number"),
        (json("\"+77\"", "2", "1", hash, "test"), "a number"),
        (json("\"077\"", "2", "1", hash, "test"), "a number"),
        (json("5", "2147483648", "1", hash, "test"), "round"),
        (json("5", "2", "0", hash, "test"), "block_id.parts.total"),
        (json("5", "2", "1", &hash[2..], "test"), "block_id.parts.hash"),
        (json("5", "2", "1", hash, ""), "chain_id"),
    ];
    for (json, field) in refused {
        let error = read(json).unwrap_err().to_string();
        assert!(error.contains(field), "{field}: {error}");
    }
    let other = r#"{"height": 5, "round": 0, "type": 1}"#;
    assert!(serde_json::from_str::<Precommit>(other).is_err());
}

/// Block 3,805,039 of Berachain: of its 62 validators, 60 signed it together, under the tag of the basic scheme. Their keys
/// add up to this one (unionlabs/union, `verify_bera_works` of its verifier of CometBFT).
#[test]
fn signatures_that_a_commit_adds_up() {
    use crate::signature::bls::{MinPkBasicBls12381, PublicKey, Signature};
    let bytes = |text: &str| hex::decode(text).unwrap();
    let word = |text: &str| bytes(text).try_into().unwrap();
    let precommit = Precommit {
        height: Height::new(3_805_039).unwrap(),
        round: Round::new(0).unwrap(),
        block_id: BlockId {
            hash: word("fcb377b5b317bbe949e06d676d79b5515012d852ff4ac2d7b20da1c0441c9078"),
            parts: PartSet::new(
                1,
                word("741065469f353605417ca88b80d536fc355fc3c533936b7b9e9861b4ccd02ed4"),
            )
            .unwrap(),
        },
        chain_id: ChainId::new("mainnet-beacon-80094").unwrap(),
    };
    let key = "ab0fd5436528bb822c0434401ea00b844d3cc5d589f940e95c0c9ea94cf6d87b4c9e805bcadf2650b288ef7294a2ad05";
    let key = PublicKey::<MinPkBasicBls12381>::from_bytes(&bytes(key)).unwrap();
    let signature = "80209a75bf101e78611c10afc20b053b8677e8b940eaa17a3662d78084c175dc149928f11bab3ebae36442a496a3c097051e7c1c24248ea9455d8936ed146555fdf36ea3fa71cf7832d24bf971b68f27da3649895e0a1c747464a7797fed87ea";
    let signature = Signature::from_bytes(&bytes(signature)).unwrap();
    let signed = precommit.signed_bytes_together();
    assert_eq!(signed.len(), 108);
    assert!(key.verify(&signed, &signature));
    for other in [precommit.signed_bytes(&time(0, 0)), precommit.signed_bytes_together_for_none()] {
        assert!(!key.verify(&other, &signature));
    }
}
