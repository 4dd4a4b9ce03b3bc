use super::MessageForm;

#[test]
fn a_form_has_one_text() {
    for text in [
        "public",
        "sha256:1",
        "sha256:41",
        "sha256:16384",
        "bytes:1",
        "bytes:64",
        "point",
        "cometbft-precommit",
    ] {
        let form: MessageForm = text.parse().unwrap();
        assert_eq!(form.to_string(), text);
        let json = serde_json::to_string(&form).unwrap();
        assert_eq!(serde_json::from_str::<MessageForm>(&json).unwrap(), form);
    }
    let others = ["", "Public", "sha256", "sha256:", "sha256:0", "sha256:041", "sha256:+41"];
    for text in others.into_iter().chain([
        "sha256:16385",
        "bytes",
        "bytes:0",
        "bytes:041",
        "bytes:65",
        "sha256: 41",
        "sha512:41",
        "public:1",
        "point:1",
        "points",
        "cometbft-prevote",
    ]) {
        let refused = text.parse::<MessageForm>().unwrap_err();
        assert!(refused.to_string().contains(&format!("{text:?}")), "{text}");
    }
}
