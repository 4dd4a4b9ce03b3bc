//! Running `muster`, and files to run it on.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::Value;

/// What a run of `muster` gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The exit status is `code`, and all `parts` are in what was said.
    #[track_caller]
    pub(crate) fn expect(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part) || self.stdout.contains(part), "{part}: {self:?}");
        }
        self
    }

    /// The one JSON object on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// Files that all tests share: SRS cache, samples, keys and a proof of the format fast.
pub(crate) struct Fixture {
    pub(crate) dir: PathBuf,
}

/// The formats of proofs, for [`keys_and_proof`].
pub(crate) const KINDS: [&str; 2] = ["fast", "compact"];

/// Runs `muster` in a directory.
pub(crate) fn run_in(dir: &Path, line: &str) -> Run {
    run_in_with(dir, line, &[])
}

/// Runs `muster` in a directory, with something in its environment.
pub(crate) fn run_in_with(dir: &Path, line: &str, environment: &[(&str, &str)]) -> Run {
    run_args(dir, line.split_whitespace(), environment)
}

/// The same with arguments that need not be words.
pub(crate) fn run_args(
    dir: &Path,
    args: impl IntoIterator<Item = impl AsRef<OsStr>>,
    environment: &[(&str, &str)],
) -> Run {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_muster"))
        .args(args)
        .current_dir(dir)
        .env("MUSTER_PARAMS", base().join("srs"))
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn base() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("muster-cli")
}

/// A sample with 4 members of which 2 sign, keys for it, and a proof of it.
pub(crate) fn fixture() -> &'static Fixture {
    static FIXTURE: OnceLock<Fixture> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let dir = base();
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        for scheme in ["schnorr", "eddsa", "musig"] {
            let line = format!(
                "sample --scheme {scheme}-babyjubjub --signers 4 --signing 2 --seed cli --out {scheme}"
            );
            run_in(&dir, &line).expect(0, &[]);
        }
        let line = "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --insecure-srs --out keys";
        run_in(&dir, line).expect(0, &["INSECURE"]);
        run_in(&dir, &format!("prove --keys keys {SIGNED} --out fast.json"))
            .expect(0, &["fast", "INSECURE"]);
        Fixture { dir }
    })
}

/// What a proof of the fixture is made from.
pub(crate) const SIGNED: &str =
    "--committee schnorr/committee.json --signatures schnorr/signatures.json --threshold 2";

/// What `verify` is told of a statement on the sample in `DIR/SAMPLE`, for the keys `DIR/KEYS`.
pub(crate) fn told(dir: &Path, sample: &str, keys: &str, threshold: u64) -> String {
    let root = run_in(dir, &format!("root {sample}/committee.json --keys {keys}")).expect(0, &[]);
    let signed = fs::read(dir.join(sample).join("signatures.json")).expect("a sample");
    let signed: Value = serde_json::from_slice(&signed).expect("JSON");
    let message = signed["message"].as_str().expect("a text");
    format!("--root {} --threshold {threshold} --message {message}", root.stdout.trim())
}

/// The table of verdicts in the documents: what is so of a proof, the exit status, and what is said.
pub(crate) fn verdicts() -> Vec<(String, i32, String)> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/reference/command-line.md");
    let page = fs::read_to_string(page).expect("the page is readable");
    let rows = page.lines().skip_while(|line| !line.starts_with("| the proof |")).skip(2);
    let row = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, proof, code, said, _] = cells[..] else { panic!("three columns: {line}") };
        (proof.into(), code.parse().expect("a status"), said.trim_matches('`').into())
    };
    rows.take_while(|line| line.starts_with('|')).map(row).collect()
}

/// The exit status and what is said, by a row of the table.
#[track_caller]
pub(crate) fn verdict(of: &str) -> (i32, String) {
    let row = verdicts().into_iter().find(|(proof, ..)| proof == of);
    row.map(|(_, code, said)| (code, said)).expect("the table has the row")
}

/// Keys of the format compact for the fixture's sample, and a proof under them.
pub(crate) fn compact() -> &'static PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let out = fixture().scratch("compact");
        let dir = out.display();
        let line = "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --kind compact --insecure-srs";
        fixture()
            .run(&format!("{line} --out {dir}/keys"))
            .expect(0, &["INSECURE", "packs", "decider of 2^"]);
        fixture()
            .run(&format!("prove --keys {dir}/keys {SIGNED} --out {dir}/proof.json"))
            .expect(0, &["making bases for packs", "compact", "INSECURE"]);
        out
    })
}

/// The paths of the fixture's keys and of its proof of a format.
pub(crate) fn keys_and_proof(kind: &str) -> (String, String) {
    let path = |path: PathBuf| path.to_str().unwrap().to_owned();
    match kind {
        "compact" => (path(compact().join("keys")), path(compact().join("proof.json"))),
        _ => ("keys".into(), "fast.json".into()),
    }
}

impl Fixture {
    /// Runs `muster` in the fixture's directory.
    pub(crate) fn run(&self, line: &str) -> Run {
        run_in(&self.dir, line)
    }

    /// A JSON file of the fixture.
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.dir.join(name)).unwrap()).unwrap()
    }

    /// A place of its own for a test, empty.
    pub(crate) fn scratch(&self, name: &str) -> PathBuf {
        let dir = self.dir.join("scratch").join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }
}

/// Writes a JSON file and gives its path as text.
pub(crate) fn write(dir: &Path, name: &str, value: &Value) -> String {
    write_text(dir, name, &value.to_string())
}

/// Writes a file and gives its path as text.
pub(crate) fn write_text(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A file that claims a length without holding that much.
pub(crate) fn write_sparse(dir: &Path, name: &str, len: u64) -> String {
    let path = dir.join(name);
    fs::File::create(&path).unwrap().set_len(len).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The names in a directory.
pub(crate) fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The bytes of a hex string in JSON, changed and put back.
pub(crate) fn edit_hex(value: &mut Value, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = hex::decode(&value.as_str().unwrap()[2..]).unwrap();
    edit(&mut bytes);
    *value = format!("0x{}", hex::encode(bytes)).into();
}

/// A copy of the fixture's keys in a directory, and its path as text.
pub(crate) fn copy_keys(dir: &Path) -> String {
    let keys = dir.join("keys");
    fs::create_dir(&keys).unwrap();
    for name in ["shape.json", "verifying.key", "proving.key"] {
        fs::copy(fixture().dir.join("keys").join(name), keys.join(name)).unwrap();
    }
    keys.to_str().unwrap().to_owned()
}

/// The values of the lines of a published file that begin with this name.
pub(crate) fn lines<'a>(file: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    file.lines().filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '))
}

/// The first of these.
pub(crate) fn line<'a>(file: &'a str, name: &'a str) -> &'a str {
    lines(file, name).next().expect("the file has it")
}
