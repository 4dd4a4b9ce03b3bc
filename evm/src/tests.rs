//! The Solidity compiler of `contracts/`, for tests: exactly one version, with exactly one choice of settings.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use alloy_primitives::hex;
use serde_json::{json, Map, Value};

/// The version whose output is known.
const VERSION: &str = "0.8.19";

/// The compiler, once its packages are installed.
pub(crate) struct Solc(PathBuf);

/// What it made of a file and of those that this one imports.
pub(crate) struct Compiled(Value);

impl Compiled {
    /// The creation code of the contract that has its file's name.
    pub(crate) fn creation_code(&self, file: &str) -> Vec<u8> {
        let name = Path::new(file).file_stem().and_then(|name| name.to_str()).expect("a name");
        let code = &self.0[file][name]["evm"]["bytecode"]["object"];
        hex::decode(code.as_str().expect("code")).expect("hex")
    }
}

/// A source and all that it imports, by their paths in `contracts/`.
fn collect(file: &str, sources: &mut Map<String, Value>) {
    if sources.contains_key(file) {
        return;
    }
    let text = fs::read_to_string(contracts().join(file)).expect("a source");
    let imports: Vec<_> = text.lines().filter_map(|line| imported(file, line)).collect();
    sources.insert(file.to_owned(), json!({ "content": text }));
    for import in imports {
        collect(&import, sources);
    }
}

/// The path of what a line of this file imports. Imports here are relative, each on one line.
fn imported(file: &str, line: &str) -> Option<String> {
    let path = line.strip_prefix("import {")?.split('"').nth(1)?;
    let mut parts: Vec<_> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn contracts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts")
}

impl Solc {
    /// Finds the compiler; says how to install it if it is not there.
    pub(crate) fn find() -> Option<Self> {
        let is_there = contracts().join("node_modules/solc").exists();
        if !is_there {
            muster_testing::skip(&format!("solc {VERSION}"), "run `npm ci` in contracts");
        }
        is_there.then(|| Self(contracts().join("tools/solc")))
    }

    /// Compiles a file of `contracts/` with all that it imports.
    pub(crate) fn compile(&self, file: &str) -> Compiled {
        let mut sources = Map::new();
        collect(file, &mut sources);
        let settings = json!({
            "evmVersion": "paris",
            "viaIR": false,
            "optimizer": { "enabled": true, "runs": 200 },
            "metadata": { "bytecodeHash": "none", "appendCBOR": false },
            "outputSelection": { "*": { "*": ["evm.bytecode.object"] } },
        });
        let input = json!({ "language": "Solidity", "sources": sources, "settings": settings });
        let mut output = self.run(&input.to_string());
        assert!(output["errors"].is_null(), "{:#}", output["errors"]);
        Compiled(output["contracts"].take())
    }

    fn run(&self, input: &str) -> Value {
        let mut child = Command::new(&self.0)
            .arg("--standard-json")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("solc runs");
        // The compiler reads all of its input before it writes.
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}
