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
/// The folder of the sources.
const SOURCES: &str = "src";

/// The compiler, once its packages are installed.
pub(crate) struct Solc(PathBuf);

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

    /// The creation code of a contract that has its file's name, with the files that it uses.
    pub(crate) fn creation_code(&self, name: &str, used: &[&str]) -> Vec<u8> {
        let file = format!("{name}.sol");
        let source = |file: &str| {
            let path = contracts().join(SOURCES).join(file);
            let text = fs::read_to_string(path).expect("a source");
            (file.to_owned(), json!({ "content": text }))
        };
        let sources: Map<_, _> = used.iter().chain([&&*file]).map(|file| source(file)).collect();
        let settings = json!({
            "evmVersion": "paris",
            "viaIR": false,
            "optimizer": { "enabled": true, "runs": 200 },
            "metadata": { "bytecodeHash": "none", "appendCBOR": false },
            "outputSelection": { "*": { "*": ["evm.bytecode.object"] } },
        });
        let input = json!({ "language": "Solidity", "sources": sources, "settings": settings });
        let output = self.run(&input.to_string());
        assert!(output["errors"].is_null(), "{:#}", output["errors"]);
        let code = &output["contracts"][&file][name]["evm"]["bytecode"]["object"];
        hex::decode(code.as_str().expect("code")).expect("hex")
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
