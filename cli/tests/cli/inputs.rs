//! Bad input of every command: exit status 2, the file and the field or the argument, and nothing on
//! disk.

use serde_json::json;

use crate::support::{compact, fixture, run_args, write, write_text};

/// More than 64 bits hold.
const HUGE: &str = "18446744073709551616";
/// The largest number of 64 bits.
const LARGEST: &str = "18446744073709551615";

/// Runs lines that must fail, each with what must be said of it.
#[track_caller]
fn refused(lines: &[(String, &[&str])]) {
    for (line, parts) in lines {
        let run = fixture().run(line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        // What is wrong is said in the error itself, not in a list of options.
        run.expect(2, parts);
    }
}

#[test]
fn samples_of_impossible_numbers() {
    let sample =
        |options: &str| format!("sample --scheme schnorr-babyjubjub --out never {options}");
    refused(&[
        (sample("--signers 0 --signing 0"), &["0 of 0 cannot sign"]),
        (sample("--signers 4 --signing 0"), &["0 of 4 cannot sign"]),
        (sample("--signers 4 --signing 5"), &["5 of 4 cannot sign"]),
        (sample("--signers 8388609 --signing 1"), &["a file holds at most 8388608"]),
        (sample(&format!("--signers {LARGEST} --signing 1")), &[LARGEST]),
        (sample(&format!("--signers {HUGE} --signing 1")), &["--signers", HUGE]),
        (sample("--signers four --signing 1"), &["--signers", "four"]),
        (sample("--signers -1 --signing 1"), &["-1"]),
        (sample("--signers 1.5 --signing 1"), &["--signers", "1.5"]),
        (sample("--signers 4 --signing 2 --arity 3"), &["arity 3"]),
        (sample(&format!("--signers 4 --signing 2 --arity {LARGEST}")), &["arity", LARGEST]),
        (sample("--signers 4 --signing 2 --depth 0"), &["--depth", "from 1 to 32"]),
        (sample("--signers 4 --signing 2 --depth 33"), &["--depth", "from 1 to 32"]),
        (sample("--signers 4 --signing 2 --message 0x"), &["--message", "32 bytes"]),
        (sample("--signers 4 --signing 2 --keys names"), &["--keys", "names"]),
        (sample("--signers 4"), &["--signing"]),
    ]);
    assert!(!fixture().dir.join("never").exists());
}

#[test]
fn shapes_of_impossible_numbers() {
    let keygen = |options: &str| {
        format!("keygen --scheme schnorr-babyjubjub --insecure-srs --out never {options}")
    };
    refused(&[
        (keygen("--signers 0 --slots 2"), &["0 members", "from 1 to 4294967296"]),
        (keygen("--signers 4294967297 --slots 2"), &["4294967297 members"]),
        (keygen("--signers 4 --slots 0"), &["0 signature slots", "from 1 to 16384"]),
        (keygen("--signers 4 --slots 16385"), &["16385 signature slots"]),
        (keygen(&format!("--signers 4 --slots {LARGEST}")), &["signature slots", LARGEST]),
        (keygen(&format!("--signers 4 --slots {HUGE}")), &["--slots", HUGE]),
        (keygen("--signers 4 --slots x"), &["--slots", "x"]),
        (keygen("--signers 4 --slots 2 --degree 0"), &["2^0 rows"]),
        (keygen("--signers 4 --slots 2 --degree 4294967296"), &["--degree", "4294967296"]),
        (keygen("--signers 4 --slots 2 --arity 0"), &["arity 0"]),
        (keygen("--signers 4 --slots 2 --depth 99"), &["--depth", "99"]),
        (keygen("--signers 4 --slots 2 --rule lowest"), &["--rule", "lowest"]),
        (keygen("--signers 4 --slots 2 --rule low-s"), &["--rule", "schnorr-babyjubjub"]),
        (keygen("--signers 4 --slots 2 --mode some"), &["--mode", "some"]),
    ]);
    let other = |options: &str| format!("keygen --signers 4 --slots 2 --out never {options}");
    refused(&[
        (other("--scheme schnorr"), &["--scheme", "schnorr"]),
        (other(""), &["--scheme"]),
        (other("--scheme eddsa-babyjubjub --srs nowhere"), &["nowhere", "No such file"]),
    ]);
    assert!(!fixture().dir.join("never").exists());
}

#[test]
fn demos_that_cannot_be() {
    refused(&[
        ("demo --signers 0".into(), &["8 of 0 cannot sign"]),
        ("demo --signers 4".into(), &["8 of 4 cannot sign"]),
        ("demo --signing 0".into(), &["0 of 16 cannot sign"]),
        (format!("demo --signers {HUGE}"), &["--signers", HUGE]),
        ("demo --scheme rsa".into(), &["rsa"]),
        ("demo --rule high-s".into(), &["--rule", "high-s"]),
        ("demo --frost 0/3".into(), &["--frost", "0/3"]),
        ("demo --frost 4/3".into(), &["--frost", "4/3"]),
        ("demo --kind sha".into(), &["--kind", "sha", "fast", "compact"]),
    ]);
}

#[test]
fn sweeps_that_cannot_be() {
    let sweep = |options: &str| format!("sweep --out never {options}");
    let schnorr = |options: &str| sweep(&format!("--scheme schnorr-babyjubjub {options}"));
    refused(&[
        (schnorr(""), &["--case"]),
        (schnorr("--case 8"), &["--case", "8/16"]),
        (schnorr("--case 0/4"), &["--case", "0/4"]),
        (schnorr("--case 5/4"), &["5 cannot sign out of 4"]),
        (schnorr(&format!("--case 1/{HUGE}")), &["--case"]),
        (schnorr("--case 1/2 --degree 30"), &["--degree", "between 5 and 24"]),
        (schnorr("--case 1/2 --degree 14..12"), &["--degree", "14..12"]),
        (schnorr("--case 1/2 --repeat 1"), &["--repeat"]),
        (schnorr("--case 1/2 --rule any-s"), &["--rule"]),
        (schnorr("--case 1/2 --max-memory lots"), &["--max-memory", "lots"]),
        (sweep("--scheme rsa --case 1/2"), &["rsa"]),
    ]);
    assert!(!fixture().dir.join("never").exists());
}

/// Numbers that `check` and `prove` are given.
#[test]
fn thresholds_and_slots() {
    let check = "check --committee schnorr/committee.json --signatures schnorr/signatures.json";
    let mut lines: Vec<(String, &[&str])> = vec![
        (check.to_owned(), &["--threshold"]),
        (format!("{check} --threshold 2 --slots 0"), &["0 signature slots"]),
        (format!("{check} --threshold 2 --slots {LARGEST}"), &["signature slots"]),
        (format!("{check} --threshold 2 --rule best"), &["--rule", "best"]),
        (format!("{check} --threshold 2 --rule low-s"), &["--rule", "schnorr-babyjubjub"]),
        (format!("{check} --threshold 2 --degree 4"), &["2^4 rows", "smallest degree"]),
    ];
    let prove = check.replacen("check", "prove --keys keys --out never.json", 1);
    for command in [check, &prove] {
        for bad in ["two", "-1", "1.5", "0x2", HUGE] {
            lines.push((format!("{command} --threshold {bad}"), &["invalid value", "--threshold"]));
        }
    }
    lines.retain(|(line, _)| !line.contains("--threshold -1"));
    refused(&lines);
    for command in [check, &prove] {
        // A number that is none is bad input, a threshold that nobody can reach a false statement.
        fixture().run(&format!("{command} --threshold 0")).expect(1, &["the threshold 0"]);
        let line = format!("{command} --threshold {LARGEST}");
        fixture().run(&line).expect(1, &["the threshold 18446744073709551615"]);
        fixture().run(&format!("{command} --threshold 3")).expect(1, &["weigh 2, below"]);
    }
    assert!(!fixture().dir.join("never.json").exists());
}

/// A committee and keys, or two committees, that do not go together: file and field are named.
#[test]
fn files_that_do_not_go_together() {
    let dir = fixture().scratch("together");
    let signed = "--signatures schnorr/signatures.json --threshold 2";
    let eddsa = "--committee eddsa/committee.json --signatures eddsa/signatures.json --threshold 2";
    let mut large = fixture().json("schnorr/committee.json");
    let more = fixture().json("eddsa/committee.json")["members"][0].clone();
    large["members"].as_array_mut().unwrap().push(more);
    let large = write(&dir, "large.json", &large);
    let scope = "--valid-until 0 --epoch 1 --source-chain 1 --chain 10 --sequence 1 --threshold 1";
    let scope = format!("{scope} --client 0x{}", "11".repeat(20));
    let compact = compact().join("keys");
    let compact = compact.display();
    let room: &[&str] = &["large.json", "members", "5 members", "room for 4"];
    let scheme: &[&str] = &["eddsa/committee.json", "scheme", "schnorr-babyjubjub"];
    refused(&[
        (
            format!("check --committee eddsa/committee.json {signed}"),
            &["schnorr/signatures.json", "scheme", "eddsa-babyjubjub"],
        ),
        (format!("prove --keys keys --out never.json {eddsa}"), scheme),
        ("root --keys keys eddsa/committee.json".into(), scheme),
        (format!("prove --keys keys --out never.json --committee {large} {signed}"), room),
        (format!("root --keys keys {large}"), room),
        (
            format!(
                "handover {scope} --keys {compact} --current schnorr/committee.json --committee \
                 eddsa/committee.json"
            ),
            scheme,
        ),
    ]);
    assert!(!fixture().dir.join("never.json").exists());
}

/// Files that are empty, of another kind, or none, wherever one is read.
#[test]
fn files_of_every_command() {
    let dir = fixture().scratch("files");
    let empty = write_text(&dir, "empty.json", "");
    let number = write_text(&dir, "number.json", "7");
    let list = write_text(&dir, "list.json", "[]");
    let binary = dir.join("binary.json");
    std::fs::write(&binary, [0xff; 64]).unwrap();
    let binary = binary.to_str().unwrap().to_owned();
    let folder = dir.to_str().unwrap().to_owned();
    let signed = "--signatures schnorr/signatures.json --threshold 2";
    let scope = "--valid-until 0 --epoch 1 --source-chain 1 --chain 10";
    let scope = format!("{scope} --client 0x{}", "11".repeat(20));
    let compact = compact().join("keys");
    let compact = compact.display();
    for (file, reason) in [
        (&empty, "empty.json: the file is empty"),
        // A committee may be a list or a text, but not these.
        (&number, "number.json: "),
        (&list, "list.json: "),
        (&binary, "binary.json: "),
        (&folder, "not a regular file"),
        (&"nowhere.json".to_owned(), "nowhere.json: No such file"),
    ] {
        let lines = [
            format!("root {file}"),
            format!("aggregate --committee {file} schnorr/signatures.json --out never.json"),
            format!("check --committee {file} {signed}"),
            format!("check --committee schnorr/committee.json --signatures {file} --threshold 2"),
            format!("prove --keys keys --committee {file} {signed} --out never.json"),
            format!("verify --unchecked --keys keys {file}"),
            format!("verify --unchecked --keys keys fast.json {file}"),
            format!("calldata {file} --keys {compact}"),
            format!("batch {file} {scope} --keys {compact} --current schnorr/committee.json"),
            format!("message {scope} --nonce 1 --payload 0x --keys {compact} --current {file}"),
            format!(
                "handover {scope} --keys {compact} --sequence 1 --threshold 1 --root 0x{} --committee {file}",
                "11".repeat(32)
            ),
            format!("export-key --keys {compact} --evm --proof {file} --out never"),
        ];
        for line in lines {
            let run = fixture().run(&line);
            assert!(run.code == 2 && run.stderr.contains(reason), "{line}: {run:?}");
            assert!(!run.stderr.contains("panicked"), "{line}: {run:?}");
        }
    }
    for keys in [&folder, &"nowhere".to_owned(), &empty] {
        let files = format!("--committee schnorr/committee.json {signed} --out never.json");
        for line in [
            format!("root --keys {keys} schnorr/committee.json"),
            format!("prove --keys {keys} {files}"),
            format!("verify --unchecked --keys {keys} fast.json"),
            format!("export-key --keys {keys} --evm --out never"),
        ] {
            fixture().run(&line).expect(2, &["shape.json"]);
        }
    }
    for name in ["never", "never.json"] {
        assert!(!fixture().dir.join(name).exists(), "{name}");
    }
}

/// Fields of the wrong type, wherever a file of people's own is read.
#[test]
fn fields_of_the_wrong_type() {
    let dir = fixture().scratch("types");
    for bad in [json!(null), json!(true), json!(-1), json!(1.5), json!("x"), json!([]), json!({})] {
        for (place, edited) in [
            ("members", "/members"),
            ("members[1]", "/members/1"),
            ("members[1].weight", "/members/1/weight"),
            ("members[1].public_key", "/members/1/public_key"),
            ("scheme", "/scheme"),
        ] {
            if bad.is_null() && place.ends_with("public_key") {
                // As if it were not there: the member is named.
                continue;
            }
            let mut committee = fixture().json("schnorr/committee.json");
            *committee.pointer_mut(edited).unwrap() = bad.clone();
            let file = write(&dir, "c.json", &committee);
            fixture().run(&format!("root {file}")).expect(2, &["c.json", place]);
        }
        for (place, edited) in [
            ("message", "/message"),
            ("signatures[1]", "/signatures/1"),
            ("signatures[1].member", "/signatures/1/member"),
            ("signatures[1].signature", "/signatures/1/signature"),
        ] {
            let mut signatures = fixture().json("schnorr/signatures.json");
            *signatures.pointer_mut(edited).unwrap() = bad.clone();
            let file = write(&dir, "s.json", &signatures);
            let line = "check --committee schnorr/committee.json --threshold 2 --signatures";
            fixture().run(&format!("{line} {file}")).expect(2, &["s.json", place]);
        }
    }
}

/// Names in files are shown, and no terminal obeys them.
#[test]
fn control_characters_are_escaped() {
    let dir = fixture().scratch("control");
    let name = "\u{1b}[2J\u{9b}31m\u{202e}\u{7}\r\nerror: forged\t";
    let mut committee = fixture().json("schnorr/committee.json");
    committee[name] = json!(1);
    let file = write(&dir, "c.json", &committee);
    let mut signatures = fixture().json("schnorr/signatures.json");
    signatures["signatures"][0][name] = json!(1);
    let signed = write(&dir, "s.json", &signatures);
    let check = "check --committee schnorr/committee.json --threshold 2";
    let lines = [format!("root {file}"), format!("{check} --signatures {signed}")];
    for line in lines {
        let run = fixture().run(&line).expect(2, &["\\u{1b}[2J", "\\u{9b}31m", "forged"]);
        let ends = run.stderr.trim_end_matches('\n');
        assert!(!ends.contains(|c: char| c.is_control() || c == '\u{202e}'), "{:?}", run.stderr);
        // JSON has its own way.
        let json = fixture().run(&format!("{line} --json")).json();
        assert!(json["error"].as_str().unwrap().contains("\u{1b}[2J"), "{json}");
    }
    // The names of files are as free.
    let path = dir.join("\u{1b}[31m.json");
    std::fs::write(&path, "{}").unwrap();
    let args = ["root", path.to_str().unwrap()];
    let run = run_args(&dir, args, &[]).expect(2, &["\\u{1b}[31m.json", "scheme"]);
    assert!(!run.stderr.contains('\u{1b}'), "{run:?}");
}

/// Wherever a number is given, it has one text.
#[test]
fn integers_are_digits() {
    let scope = format!("--source-chain 1 --chain 10 --client 0x{}", "11".repeat(20));
    let root = format!("--root 0x{0} --key 0x{0} --valid-until 12", "11".repeat(32));
    let message = |nonce: &str, epoch: &str| {
        format!("message {scope} {root} --payload 0x --nonce {nonce} --epoch {epoch}")
    };
    fixture().run(&message("77", "1")).expect(0, &[]);
    let sweep = "sweep --scheme schnorr-babyjubjub --case 1/2 --out never";
    for bad in ["+77", "077", "7_7"] {
        let signed = "--committee schnorr/committee.json --signatures schnorr/signatures.json";
        let keys = "--keys keys fast.json";
        for (line, option) in [
            (message(bad, "1"), "--nonce"),
            (message("1", bad), "--epoch"),
            (message("1", "1").replace("--chain 10", &format!("--chain {bad}")), "--chain"),
            (message("1", "1").replace("until 12", &format!("until {bad}")), "--valid-until"),
            (format!("check {signed} --threshold {bad}"), "--threshold"),
            (format!("check {signed} --threshold 2 --slots {bad}"), "--slots"),
            (format!("check {signed} --threshold >{bad}/100"), "--threshold"),
            (format!("verify {keys} --threshold {bad}"), "--threshold"),
            (format!("verify {keys} --signers 0,{bad}"), "--signers"),
            (format!("demo --signers {bad}"), "--signers"),
            (format!("sweep --scheme schnorr-babyjubjub --case 1/{bad} --out never"), "--case"),
            (
                format!("frost keygen --suite ed25519 --threshold 2 --signers {bad} --out never"),
                "--signers",
            ),
            (
                format!("bls-threshold keygen --threshold {bad} --signers 99 --out never"),
                "--threshold",
            ),
            (
                format!("bls-threshold keygen --threshold 2 --signers {bad} --out never"),
                "--signers",
            ),
            (format!("root schnorr/committee.json --depth {bad}"), "--depth"),
            (format!("root schnorr/committee.json --weight-shift {bad}"), "--weight-shift"),
            (format!("{sweep} --repeat {bad}"), "--repeat"),
            (format!("{sweep} --jobs {bad}"), "--jobs"),
            (format!("frost sweep --repeat {bad} --out never"), "--repeat"),
            (format!("bls-threshold sweep --repeat {bad} --out never"), "--repeat"),
            (format!("dkg shares --table-bits {bad}"), "--table-bits"),
            (format!("sample --scheme bls-bn254 --signers 4 --owners {bad}"), "--owners"),
        ] {
            fixture().run(&line).expect(2, &["invalid value", bad, option]);
        }
    }
    // And in their ranges.
    for (line, range) in [
        (format!("{sweep} --repeat 2"), "2 is not from 3 to 1000"),
        (format!("{sweep} --jobs 1025"), "1025 is not from 1 to 1024"),
        ("root schnorr/committee.json --weight-shift 128".into(), "128 is not from 0 to 127"),
        ("dkg shares --table-bits 27".into(), "27 is not from 4 to 26"),
    ] {
        fixture().run(&line).expect(2, &["invalid value", range]);
    }
    assert!(!fixture().dir.join("never").exists());
}

/// A proof is about a number.
#[test]
fn a_part_of_the_weight_is_no_threshold_of_a_proof() {
    for part in [">2/3", ">=1/2", "> 1"] {
        let part = part.replace(' ', "");
        let line = format!("verify --keys keys fast.json --threshold {part}");
        fixture().run(&line).expect(2, &["--threshold", &part, "a number", "muster root"]);
    }
}

/// UTF-8 is read with the mark that some editors put before it. What others save in its place is named.
#[test]
fn files_in_other_encodings() {
    let dir = fixture().scratch("encodings");
    let text = fixture().json("schnorr/committee.json").to_string();
    let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
    let (little, big) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
    let marked = |mark: &[u8], rest: &[u8]| [mark, rest].concat();
    std::fs::write(dir.join("bom.json"), marked(&[0xef, 0xbb, 0xbf], text.as_bytes())).unwrap();
    fixture().run(&format!("root {}", dir.join("bom.json").display())).expect(0, &[]);
    for (name, bytes, reason) in [
        ("le.json", little.clone(), "UTF-16"),
        ("be.json", big.clone(), "UTF-16"),
        ("marked-le.json", marked(&[0xff, 0xfe], &little), "UTF-16"),
        ("marked-be.json", marked(&[0xfe, 0xff], &big), "UTF-16"),
    ] {
        let path = dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        let line = format!("root {}", path.display());
        fixture().run(&line).expect(2, &[name, reason, "save it as UTF-8"]);
    }
}

/// JSON has one kind of number; integers that do not fit are called integers.
#[test]
fn integers_of_more_than_64_bits() {
    let dir = fixture().scratch("wide");
    let scope = format!(
        "--valid-until 0 --epoch 1 --source-chain 1 --chain 10 --client 0x{}",
        "11".repeat(20)
    );
    let committee = fixture().json("schnorr/committee.json").to_string();
    let negative = "-9223372036854775809";
    for (number, called) in [
        (HUGE, format!("integer `{HUGE}`")),
        ("100000000000000000000000", "integer `100000000000000000000000`".to_owned()),
        (negative, format!("integer `{negative}`")),
        ("1.5", "floating point `1.5`".to_owned()),
        ("1e30", "floating point `1e".to_owned()),
    ] {
        let weights = committee.replace("\"weight\":1", &format!("\"weight\":{number}"));
        assert_ne!(weights, committee);
        let file = write_text(&dir, "c.json", &weights);
        let parts = ["c.json", "members[0].weight", &called, "an integer below 2^64, or a string"];
        fixture().run(&format!("root {file}")).expect(2, &parts);
        let messages =
            format!("{{\"messages\": [\n {{\"nonce\": {number}, \"payload\": \"0x\"}}]}}");
        let file = write_text(&dir, "m.json", &messages);
        let line = format!("batch {file} {scope} --root 0x{0} --key 0x{0}", "01".repeat(32));
        fixture().run(&line).expect(2, &["m.json", "messages[0].nonce", &called]);
    }
}
