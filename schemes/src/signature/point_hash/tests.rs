use super::{HashTag, PointHash, MAX_HASH_TAG};

#[test]
fn a_hash_has_one_text() {
    let longest = format!("tag:{}", "t".repeat(MAX_HASH_TAG));
    for text in [
        "pop",
        "nul",
        "tag:BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",
        "tag:a:",
        "keccak:BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_",
        &longest,
        "try-and-increment:1",
        "try-and-increment:256",
    ] {
        let hash: PointHash = text.parse().unwrap();
        assert_eq!(hash.to_string(), text);
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(serde_json::from_str::<PointHash>(&json).unwrap(), hash);
    }
    assert!(PointHash::default().is_default() && !PointHash::Basic.is_default());
    for text in [
        "",
        "POP",
        "nul ",
        "NUL_",
        "nul:1",
        "tag",
        "tag:",
        "tag:two words",
        "tag:über",
        "tag:\n",
        "keccak",
        "keccak:",
        "try-and-increment",
        "try-and-increment:0",
        "try-and-increment:064",
        "try-and-increment:+64",
        "try-and-increment:257",
        &format!("{longest}t"),
    ] {
        let refused = text.parse::<PointHash>().unwrap_err();
        assert!(refused.to_string().contains(&format!("{text:?}")), "{text}");
    }
}

#[test]
fn a_tag_has_the_bytes_of_its_text() {
    let tag = HashTag::new("abc").unwrap();
    assert_eq!((tag.bytes(), tag.to_string()), (&b"abc"[..], "abc".to_owned()));
    assert_ne!(Some(tag), HashTag::new("abcd"));
    assert_eq!(tag.tag().with_length(), b"abc\x03");
}
