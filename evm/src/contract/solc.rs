//! The Solidity compiler: exactly one version, with exactly one choice of settings.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{json, Map, Value};

use super::CONTRACT;
use crate::Error;

/// The version whose output is known.
pub const VERSION: &str = "0.8.19";
/// Least size of a generated verifier: miscompiled ones had 57 bytes.
pub const MIN_SIZE: usize = 1024;
/// Greatest size of a contract (EIP-170).
pub const MAX_SIZE: usize = 24_576;

/// Greatest size of creation code (EIP-3860).
pub const MAX_CREATION_SIZE: usize = 2 * MAX_SIZE;

/// What the compiler made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytecode {
    /// Runs once, and returns the runtime code.
    pub creation: Vec<u8>,
    /// The contract's code.
    pub runtime: Vec<u8>,
}

/// A compiler that was found and reports the right version.
#[derive(Clone, Debug)]
pub struct Solc {
    path: PathBuf,
    version: String,
}

/// The settings, as in `contracts/foundry.toml`. The Yul optimizer has turned generated verifiers
/// into contracts that always revert.
pub fn settings() -> Value {
    json!({
        "evmVersion": "paris",
        "viaIR": false,
        "optimizer": { "enabled": true, "runs": 200, "details": { "yul": false } },
        "metadata": { "bytecodeHash": "none", "appendCBOR": false },
    })
}

/// The settings for contracts that are written by hand, as in `contracts/compact/foundry.toml`.
pub fn contract_settings() -> Value {
    let mut settings = settings();
    settings["optimizer"] = json!({ "enabled": true, "runs": 200 });
    settings
}

impl Solc {
    /// The compiler at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Compiler`] if it does not run or has another version.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let fail = |reason: String| Error::Compiler(format!("{}: {reason}", path.display()));
        let output = Command::new(path)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| fail(error.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let version = text.lines().find_map(|line| line.strip_prefix("Version: "));
        let version = version.unwrap_or("none").trim().to_owned();
        if version != VERSION && !version.starts_with(&format!("{VERSION}+")) {
            return Err(fail(format!("version {version}, not {VERSION}")));
        }
        Ok(Self { path: path.to_path_buf(), version })
    }

    /// The compiler that a build of the contracts would use: `tools/solc` in the folder
    /// `contracts` here or above if its packages are installed, or else `solc` on the path.
    pub fn find() -> Option<Self> {
        let here = std::env::current_dir().ok()?;
        let folders = here.ancestors().flat_map(|dir| [dir.join("contracts"), dir.to_path_buf()]);
        let tools = folders.filter(|dir| dir.join("node_modules/solc").exists());
        let tools = tools.map(|dir| dir.join("tools/solc"));
        tools.chain([PathBuf::from("solc")]).find_map(|path| Self::at(&path).ok())
    }

    /// The version that it reports.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Compiles a generated verifier.
    ///
    /// # Errors
    ///
    /// [`Error::Compiler`] with the compiler's message, or if the code is too small or too large.
    pub fn compile(&self, source: &str) -> Result<Bytecode, Error> {
        let file = format!("{CONTRACT}.sol");
        let (bytecode, warning) = self.build(&[(&file, source)], (&file, CONTRACT), settings())?;
        check_size(&bytecode)?;
        // A warning means a mistake of the generator.
        warning.map_or(Ok(bytecode), |warning| Err(Error::Compiler(warning)))
    }

    /// Compiles a contract of a file with these settings; also returns the first warning.
    ///
    /// # Errors
    ///
    /// [`Error::Compiler`] with what the compiler says.
    pub fn build(
        &self,
        sources: &[(&str, &str)],
        (file, contract): (&str, &str),
        mut settings: Value,
    ) -> Result<(Bytecode, Option<String>), Error> {
        settings["outputSelection"] =
            json!({ "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } });
        let sources: Map<_, _> = sources
            .iter()
            .map(|(name, text)| ((*name).to_owned(), json!({ "content": text })))
            .collect();
        let input = json!({ "language": "Solidity", "sources": sources, "settings": settings });
        let output = self.run(&input.to_string())?;
        let messages = output["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |message: &Value| {
            message["formattedMessage"].as_str().unwrap_or("unknown").trim().to_owned()
        };
        if let Some(message) = messages.iter().find(|message| message["severity"] == "error") {
            return Err(Error::Compiler(text(message)));
        }
        let contract = &output["contracts"][file][contract]["evm"];
        let code = |kind: &str| {
            let digits = contract[kind]["object"].as_str().unwrap_or_default();
            hex::decode(digits).map_err(|error| Error::Compiler(format!("{kind}: {error}")))
        };
        let bytecode = Bytecode { creation: code("bytecode")?, runtime: code("deployedBytecode")? };
        Ok((bytecode, messages.first().map(text)))
    }

    fn run(&self, input: &str) -> Result<Value, Error> {
        let fail = |reason: String| Error::Compiler(format!("{}: {reason}", self.path.display()));
        let mut child = Command::new(&self.path)
            .arg("--standard-json")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| fail(error.to_string()))?;
        // The compiler reads all of its input before it writes.
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).map_err(|error| fail(error.to_string()))?;
        }
        let output = child.wait_with_output().map_err(|error| fail(error.to_string()))?;
        if !output.status.success() {
            return Err(fail(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| fail(error.to_string()))
    }
}

/// Refuses code that cannot be a verifier, and code that no chain accepts.
fn check_size(bytecode: &Bytecode) -> Result<(), Error> {
    let size = bytecode.runtime.len();
    if size < MIN_SIZE {
        return Err(Error::Compiler(format!("{size} bytes of code cannot be a verifier")));
    }
    let limits = [
        (size, MAX_SIZE, "a contract may have (EIP-170)"),
        (bytecode.creation.len(), MAX_CREATION_SIZE, "may create a contract (EIP-3860)"),
    ];
    match limits.into_iter().find(|(size, limit, _)| size > limit) {
        None => Ok(()),
        Some((size, limit, what)) => Err(Error::TooLarge { size, limit, what }),
    }
}
