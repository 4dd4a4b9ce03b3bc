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

/// Files that all tests share: SRS cache, samples, keys and a proof of each kind.
pub(crate) struct Fixture {
    pub(crate) dir: PathBuf,
}

pub(crate) const KINDS: [&str; 2] = ["fast", "halo2"];

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

/// A sample with 4 members of which 2 sign, keys for it, and proofs of it.
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
        for kind in KINDS {
            let line = format!(
                "prove --keys keys --committee schnorr/committee.json --signatures \
                 schnorr/signatures.json --threshold 2 --kind {kind} --out \
                 {kind}.json"
            );
            run_in(&dir, &line).expect(0, &["INSECURE"]);
        }
        Fixture { dir }
    })
}

/// Keys of the format compact, and a proof under them.
pub(crate) fn compact() -> &'static PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        let dir = fixture().scratch("compact");
        let line = format!(
            "keygen --scheme schnorr-babyjubjub --signers 4 --slots 2 --kind compact --insecure-srs --out {}/keys",
            dir.display()
        );
        fixture().run(&line).expect(0, &["INSECURE", "packs", "decider of 2^"]);
        let line = format!(
            "prove --keys {0}/keys --committee schnorr/committee.json --signatures \
             schnorr/signatures.json --threshold 2 --out {0}/proof.json",
            dir.display()
        );
        fixture().run(&line).expect(0, &["compact", "INSECURE"]);
        dir
    })
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
