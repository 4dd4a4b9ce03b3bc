use super::PointHash;

#[test]
fn a_hash_has_one_text() {
    for text in ["pop", "nul", "try-and-increment:1", "try-and-increment:256"] {
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
        "try-and-increment",
        "try-and-increment:0",
        "try-and-increment:064",
        "try-and-increment:+64",
        "try-and-increment:257",
    ] {
        let refused = text.parse::<PointHash>().unwrap_err();
        assert!(refused.to_string().contains(&format!("{text:?}")), "{text}");
    }
}
