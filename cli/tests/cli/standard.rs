//! Standard input and output in place of files, pipes, and what is said to programs and shells.

use std::{fs, io::Write, path::Path, process::Stdio};

use serde_json::{json, Value};

use crate::support::{fixture, names, run_in, told, Run, SIGNED};

/// Runs `muster` in the fixture's directory with these bytes on standard input.
fn fed(line: &str, bytes: &[u8]) -> Run {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(line.split_whitespace())
        .current_dir(&fixture().dir)
        .env("MUSTER_PARAMS", fixture().dir.join("srs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // A command that refuses reads nothing, which is no error here.
    let _ = child.stdin.take().expect("a pipe").write_all(bytes);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Run {
        code: output.status.code().expect("a status"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture().dir.join(name)).expect("a file of the fixture")
}

#[test]
fn what_standard_input_cannot_be() {
    let committee = bytes("schnorr/committee.json");
    let twice = "check --committee - --signatures - --threshold 2";
    fed(twice, &committee).expect(2, &["-: what comes from there can be read once"]);
    fed("root -", b"").expect(2, &["-: the file is empty"]);
    fed("root -", b"{").expect(2, &["-: "]);
    let long = vec![b' '; (1 << 23) + 1];
    fed("verify --keys keys --unchecked -", &long).expect(2, &["-: ", "more than the"]);
    fed("srs check -", b"no SRS").expect(2, &["standard-input", "wrong magic"]);
    // Directories are none, and nor is the end of a pipe where files have to stay.
    fed("root .", b"").expect(2, &["not a regular file"]);
    let sign = "frost sign --share s --nonces - --commitments c --message 0x00 --out x";
    fed(sign, b"").expect(2, &[]);
    let sweep = "sweep --scheme schnorr-babyjubjub --case 1/2 --out never --slurm d --srs -";
    fed(sweep, b"").expect(2, &["-: each task of the array reads it"]);
    let session = "pvss session --keys k --weights 1 --threshold 1 --epoch 1 --srs - --out never";
    fed(session, b"").expect(2, &[]);
    assert!(!fixture().dir.join("never").exists());
}

/// A step that uses a file up, or keeps one for later, wants a file.
#[test]
fn secrets_that_are_used_up_are_files() {
    let dir = fixture().scratch("standard-secrets");
    let frost = |line: &str| run_in(&dir, &format!("frost {line}"));
    frost("keygen --suite ed25519 --threshold 2 --signers 2 --out .").expect(0, &[]);
    for i in 1..=2 {
        frost(&format!("commit --share share-{i}.json --out .")).expect(0, &[]);
    }
    let files = "--commitments commitment-1.json commitment-2.json --message 0x00";
    let sign = format!("sign --share share-1.json {files} --out s.json --nonces");
    for stream in ["-", "/dev/null"] {
        frost(&format!("{sign} {stream}")).expect(2, &[stream, "nonces are used up"]);
    }
    frost(&format!("{sign} nonces-1.json")).expect(0, &[]);
}

#[cfg(unix)]
#[test]
fn files_come_through_pipes() {
    let root = fixture().run("root schnorr/committee.json").expect(0, &[]).stdout;
    let committee = bytes("schnorr/committee.json");
    for name in ["-", "/dev/stdin"] {
        assert_eq!(fed(&format!("root {name}"), &committee).expect(0, &[]).stdout, root, "{name}");
    }
    let told = told(&fixture().dir, "schnorr", "keys", 2);
    for name in ["-", "/dev/stdin"] {
        let line = format!("verify --keys keys {told} {name}");
        fed(&line, &bytes("fast.json")).expect(0, &["accepted"]);
    }
    let check = "check --threshold 2 --committee schnorr/committee.json --signatures -";
    fed(check, &bytes("schnorr/signatures.json")).expect(0, &["accepted"]);
    let shell = |line: &str| {
        let output = std::process::Command::new("bash")
            .args(["-c", line])
            .current_dir(&fixture().dir)
            .env("M", env!("CARGO_BIN_EXE_muster"))
            .output()
            .expect("bash");
        assert!(output.status.success(), "{line}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    assert_eq!(shell("$M root <(cat schnorr/committee.json)"), root);
    assert_eq!(shell("$M root /dev/stdin < schnorr/committee.json"), root);
    let two = "$M check --threshold 2 --committee <(cat schnorr/committee.json) \
               --signatures <(cat schnorr/signatures.json)";
    assert!(shell(two).contains("accepted"));
}

/// An SRS is longer than any other file, and its importers go back in it.
#[test]
fn an_srs_comes_through_a_pipe() {
    let dir = fixture().scratch("standard-srs");
    let srs = dir.join("srs");
    let mut file = fs::File::create(&srs).expect("a file");
    muster_params::Srs::insecure(3).expect("a degree").write_raw(&mut file).expect("room");
    let raw = fs::read(&srs).expect("a file");
    let checked = fed("srs check - --json", &raw).expect(0, &[]).json();
    assert_eq!((&checked["k"], &checked["format"]), (&json!(3), &json!("halo2-raw")));
    assert_eq!(checked["origin"]["file"]["name"], "standard-input");
    fed("srs check -", &raw[..raw.len() - 1]).expect(2, &["truncated"]);
}

#[test]
fn files_go_to_standard_output() {
    let dir = fixture().scratch("standard-out");
    let sample = "sample --scheme schnorr-babyjubjub --signers 4 --signing 2 --out s";
    run_in(&dir, sample).expect(0, &[]);
    let root = "root s/committee.json --weight-shift 0 --out";
    run_in(&dir, &format!("{root} c.json")).expect(0, &[]);
    let printed = run_in(&dir, &format!("{root} -")).expect(0, &["0x"]);
    assert_eq!(printed.stdout, fs::read_to_string(dir.join("c.json")).expect("a file"));
    // What it has to say goes elsewhere, to programs as well.
    assert!(printed.stderr.contains("0x"), "{printed:?}");
    let to_programs = run_in(&dir, &format!("{root} - --json")).expect(0, &[]);
    assert_eq!(to_programs.stdout, printed.stdout);
    let said: Value = serde_json::from_str(&to_programs.stderr).expect("one JSON object");
    assert_eq!(said["members"], 4);
    assert_eq!(names(&dir), ["c.json", "s"]);

    let proven = fixture().run(&format!("prove --keys keys {SIGNED} --out - --quiet"));
    let told = told(&fixture().dir, "schnorr", "keys", 2);
    let line = format!("verify --keys keys {told} -");
    fed(&line, proven.expect(0, &[]).stdout.as_bytes()).expect(0, &["accepted"]);
    assert!(!Path::new("-").exists() && !fixture().dir.join("-").exists());
}

#[test]
fn two_files_do_not_share_standard_output() {
    let line = "dkg propose --session s --keys k t --sum - --out -";
    fixture().run(line).expect(2, &[]);
    // A batch is a folder of proofs.
    let batch = "prove --keys keys --batch schnorr --threshold 2 --out -";
    fixture().run(batch).expect(2, &[]);
    let dir = fixture().scratch("standard-folders");
    let schnorr = "--scheme schnorr-babyjubjub --signers 2";
    for line in [
        format!("sample {schnorr} --signing 1 --out -").as_str(),
        format!("keygen {schnorr} --slots 1 --insecure-srs --out -").as_str(),
        "frost keygen --suite ed25519 --threshold 2 --signers 2 --out -",
        "man -",
    ] {
        run_in(&dir, line).expect(2, &["-: several files are written, which takes a folder"]);
    }
    assert!(names(&dir).is_empty());
}

/// Programs are told of wrong usage as of all else.
#[test]
fn wrong_usage_is_json_too() {
    for (line, parts) in [
        ("--json", &["requires a subcommand"][..]),
        ("nonsense --json", &["nonsense"]),
        ("verfy --json", &["verfy", "'verify'"]),
        ("verify --json", &["--keys", "PROOF"]),
        ("root c.json --json --depth 33", &["--depth", "from 1 to 32"]),
        ("root c.json --depth x --json", &["--depth", "x"]),
        ("srs make --json", &["--degree"]),
    ] {
        let run = fixture().run(line).expect(2, &[]);
        let json = run.json();
        let error = json["error"].as_str().unwrap_or_default();
        assert!(parts.iter().all(|part| error.contains(part)), "{line}: {json}");
        assert!(!error.contains("Usage") && !error.starts_with("error"), "{line}: {json}");
        assert_eq!((&json["accepted"], &json["exit_status"]), (&Value::Null, &json!(2)), "{line}");
        assert!(run.stderr.contains(parts[0]), "{run:?}");
    }
    // Behind `--` it is a file, and help is no error.
    let run = fixture().run("root --nonsense -- --json").expect(2, &[]);
    assert_eq!(run.stdout, "");
    assert!(serde_json::from_str::<Value>(&fixture().run("--help --json").stdout).is_err());
}

#[test]
fn quiet_commands_say_results_and_warnings() {
    let prove = format!("prove --keys keys {SIGNED} --out");
    let dir = fixture().scratch("quiet");
    let loud = fixture().run(&format!("{prove} {}/loud.json", dir.display())).expect(0, &[]);
    assert!(loud.stderr.contains("proving in about"), "{loud:?}");
    for option in ["-q", "--quiet"] {
        let out = dir.join(option.trim_start_matches('-')).with_extension("json");
        let quiet = fixture().run(&format!("{option} {prove} {}", out.display()));
        let quiet = quiet.expect(0, &["INSECURE", "proof in"]);
        assert!(quiet.stderr.lines().all(|line| line.starts_with("warning: ")), "{quiet:?}");
    }
    fixture().run("-q root nowhere.json").expect(2, &["error: nowhere.json"]);
}

/// What there is, and what is nearest.
#[test]
fn unknown_names_are_answered() {
    let sample = "sample --signers 4 --signing 2 --out never --scheme";
    let keygen = "keygen --scheme ed25519 --signers 4 --slots 2 --insecure-srs --out never";
    let frost = "frost keygen --threshold 2 --signers 3 --out never --suite";
    let bls = "bls-threshold keygen --threshold 2 --signers 3 --out never --suite";
    for (line, parts) in [
        (format!("{sample} schnorr-babyjubju"), &["'schnorr-babyjubjub'", "ecdsa-p256"][..]),
        (format!("{sample} rsa"), &["schnorr-babyjubjub", "bls-bn254-min-sig"]),
        (format!("{keygen} --kind compct"), &["'compact'", "fast"]),
        (format!("{keygen} --rule strikt"), &["'strict'", "zip215", "low-s"]),
        (format!("{keygen} --mode whole-sett"), &["'whole-set'", "path"]),
        (format!("{frost} ed2551"), &["'ed25519'", "secp256k1-tr"]),
        (format!("{bls} bn255"), &["'bn254'", "bls12-381-min-pk"]),
        ("dkg demo --stakes s --variant compacts".into(), &["'compact'", "chunky2"]),
        ("import cosmos".into(), &["cosmos"]),
        ("import cometbf".into(), &["'cometbft'"]),
        ("srs imprt f".into(), &["'import'"]),
        ("schema comittee".into(), &["'committee'", "pvss-session"]),
    ] {
        fixture().run(&line).expect(2, parts);
    }
    let mut committee = fixture().json("schnorr/committee.json");
    committee["scheme"] = json!("rsa");
    let file = crate::support::write(&fixture().scratch("rsa"), "c.json", &committee);
    fixture().run(&format!("root {file}")).expect(2, &["scheme", "\"rsa\"", "ed25519, bls"]);
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = fixture().run(&format!("completions {shell}")).expect(0, &[]);
        for word in ["bls-threshold", "unchecked"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    fixture().run("completions cmd").expect(2, &["bash", "zsh"]);
    let dir = fixture().scratch("man");
    let written = run_in(&dir, "man pages --json").expect(0, &[]).json();
    let pages = names(&dir.join("pages"));
    assert_eq!(written["pages"].as_array().map(Vec::len), Some(pages.len()));
    for page in ["muster.1", "muster-verify.1", "muster-frost-dkg-commit.1", "muster-srs-import.1"]
    {
        assert!(pages.iter().any(|name| name == page), "{page}");
    }
    assert!(!pages.iter().any(|name| name.contains("sweep-row") || name.contains("help")));
    let text = fs::read_to_string(dir.join("pages/muster-verify.1")).expect("a page");
    assert!(text.contains("unchecked") && text.contains("muster verify"), "{text}");
    run_in(&dir, "man pages").expect(2, &["muster.1", "--force"]);
    run_in(&dir, "man pages --force").expect(0, &[]);
}
