//! What `muster` does for a relayer. A file that is there was finished, since `muster` writes files whole: so a proof that a
//! killed relayer made is not made again.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use alloy_primitives::{Bytes, U256};
use serde_json::Value;

use crate::{config::Config, fault::Fault};

/// `muster`, with the keys of a client.
#[derive(Clone, Debug)]
pub(crate) struct Muster {
    program: PathBuf,
    signature_keys: PathBuf,
    translation_keys: Option<PathBuf>,
    /// Options about who may be in a committee.
    admission: &'static [&'static str],
}

/// What a committee's translation says, with its proof as contracts take it.
#[derive(Clone, Debug)]
pub(crate) struct Translated {
    /// The chain's hash.
    pub(crate) commitment: U256,
    pub(crate) root: U256,
    pub(crate) members: u64,
    pub(crate) total: u64,
    pub(crate) proof: Bytes,
}

impl Muster {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            program: config.muster.clone(),
            signature_keys: config.signature_keys.clone(),
            translation_keys: config.translation_keys.clone(),
            admission: &[],
        }
    }

    /// Members are seats, several of which one key may have.
    pub(crate) fn with_seats(self) -> Self {
        Self { admission: &["--seats"], ..self }
    }

    /// The report of a command. Where the files are a node's answers, so are their faults.
    pub(crate) fn run(&self, words: &[&OsStr]) -> Result<Value, Fault> {
        let output = Command::new(&self.program).args(words).arg("--json").output();
        let output = output
            .map_err(|error| Fault::Config(format!("{}: {error}", self.program.display())))?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => serde_json::from_slice(&output.stdout)
                .map_err(|error| Fault::Chain(format!("muster: {error}"))),
            Some(1 | 2) => Err(Fault::Source(last_line(&said))),
            _ => Err(Fault::Chain(format!("muster ended with {}: {}", output.status, said.trim()))),
        }
    }

    /// Imports what a network signed into a folder.
    pub(crate) fn import(&self, kind: &str, args: &[&OsStr], out: &Path) -> Result<Value, Fault> {
        let words = ["import", kind, "--force", "--out"].map(OsStr::new);
        self.run(&[&words[..], &[out.as_os_str()], args].concat())
    }

    /// The root of a committee, in the tree of the keys for signatures.
    pub(crate) fn root(&self, committee: &Path) -> Result<U256, Fault> {
        let keys = [OsStr::new("--keys"), self.signature_keys.as_os_str()];
        let words = [OsStr::new("root"), committee.as_os_str()];
        number(&self.run(&[words, keys].concat())?["key_set_root"])
    }

    /// A proof that members of a committee signed, as contracts take it. It stays in `proof`.
    pub(crate) fn prove(
        &self,
        committee: &Path,
        signatures: &Path,
        threshold: &str,
        proof: &Path,
    ) -> Result<Bytes, Fault> {
        let keys = self.signature_keys.as_os_str();
        if !proof.exists() {
            make_room(proof)?;
            let words = [
                OsStr::new("prove"),
                OsStr::new("--keys"),
                keys,
                OsStr::new("--committee"),
                committee.as_os_str(),
                OsStr::new("--signatures"),
                signatures.as_os_str(),
                OsStr::new("--threshold"),
                OsStr::new(threshold),
                OsStr::new("--out"),
                proof.as_os_str(),
            ];
            self.run(&[&words[..], &self.admission()].concat())?;
        }
        let exported = self.export(&["export-key"], keys, proof)?;
        bytes(&exported["proof"]["proof"])
    }

    /// The translation of a committee, as contracts take it. It stays in `proof`.
    pub(crate) fn translate(&self, committee: &Path, proof: &Path) -> Result<Translated, Fault> {
        let keys = self.translation_keys.as_ref();
        let keys = keys.ok_or_else(|| Fault::Config("translation_keys: missing".into()))?;
        let keys = keys.as_os_str();
        if !proof.exists() {
            make_room(proof)?;
            let words = [
                OsStr::new("translate"),
                OsStr::new("prove"),
                OsStr::new("--keys"),
                keys,
                OsStr::new("--committee"),
                committee.as_os_str(),
                OsStr::new("--out"),
                proof.as_os_str(),
            ];
            self.run(&[&words[..], &self.admission()].concat())?;
        }
        let exported = self.export(&["translate", "export-key"], keys, proof)?;
        let inputs = &exported["proof"]["public_inputs"];
        let [root, high, low, members, total] = [0, 1, 2, 3, 4].map(|place| number(&inputs[place]));
        let small = |number: U256| {
            u64::try_from(number).map_err(|_| Fault::Chain(format!("{number}: too large")))
        };
        Ok(Translated {
            commitment: (high? << 128) | low?,
            root: root?,
            members: small(members?)?,
            total: small(total?)?,
            proof: bytes(&exported["proof"]["proof"])?,
        })
    }

    fn admission(&self) -> Vec<&'static OsStr> {
        self.admission.iter().map(OsStr::new).collect()
    }

    fn export(&self, command: &[&str], keys: &OsStr, proof: &Path) -> Result<Value, Fault> {
        let mut out = OsString::from(proof);
        out.push(".evm");
        let mut words: Vec<&OsStr> = command.iter().map(OsStr::new).collect();
        words.extend(["--evm", "--force", "--keys"].map(OsStr::new));
        words.extend([keys, OsStr::new("--proof"), proof.as_os_str()]);
        words.extend([OsStr::new("--out"), &out]);
        self.run(&words)
    }
}

/// Makes the folder of a file.
fn make_room(file: &Path) -> Result<(), Fault> {
    let dir = file.parent().unwrap_or(file);
    fs::create_dir_all(dir).map_err(|error| Fault::Chain(format!("{}: {error}", dir.display())))
}

/// What is said at the end is the reason.
fn last_line(said: &str) -> String {
    let line = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("muster says nothing");
    line.trim_start_matches("error: ").to_owned()
}

/// A number in hex in a report.
fn number(value: &Value) -> Result<U256, Fault> {
    let read = || value.as_str()?.parse().ok();
    read().ok_or_else(|| Fault::Chain(format!("muster: {value} is no number in hex")))
}

fn bytes(value: &Value) -> Result<Bytes, Fault> {
    let read = || value.as_str()?.parse().ok();
    read().ok_or_else(|| Fault::Chain(format!("muster: {value} is not bytes in hex")))
}
