//! The tests that can notice: cargo builds their binaries and these list them.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use serde::Deserialize;

use crate::error::Error;

/// Parts of the names of tests that do not count: they hold what a circuit is, not what it refuses, so
/// that they notice a dropped constraint as a change of cost or of a key.
const EXCLUDED: [&str; 6] = [
    "golden::",
    "pins::",
    "keys_are_those_of_earlier_versions",
    "layout::",
    "forgery::freedom::",
    "place::",
];
/// Parts of the names of tests that find cells which are not determined. They notice to first order only,
/// so they are asked after all forged witnesses, and what they alone notice is listed apart.
const DETERMINISM: [&str; 2] = ["determinism::", "::relations_count"];

/// A binary of tests.
#[derive(Debug)]
pub(crate) struct Binary {
    /// The package.
    pub(crate) package: String,
    /// The file.
    pub(crate) executable: PathBuf,
    /// Where cargo would start it.
    pub(crate) directory: PathBuf,
}

/// A test of a binary.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    /// Where it is.
    pub(crate) binary: Arc<Binary>,
    /// Its path in the crate.
    pub(crate) name: String,
    /// Whether it takes all cases of which it has a sample in `make test`.
    pub(crate) is_exhaustive: bool,
}

impl Test {
    /// Package and path.
    pub(crate) fn title(&self) -> String {
        format!("{} {}", self.binary.package, self.name)
    }

    /// Whether it notices to first order only.
    pub(crate) fn is_determinism(&self) -> bool {
        is_determinism(&self.name)
    }
}

/// Whether the test with this name or title notices to first order only.
pub(crate) fn is_determinism(test: &str) -> bool {
    DETERMINISM.iter().any(|part| test.contains(part))
}

/// A message of cargo, as far as it is needed.
#[derive(Debug, Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    executable: Option<PathBuf>,
}

/// The packages that record constraints. All are built, whichever are run.
pub(crate) const PACKAGES: [&str; 3] = ["muster-gates", "muster-gadgets", "muster-circuits"];

/// Builds the unit tests and lists those of `packages` that count, with all their cases or as `make test` has them.
pub(crate) fn tests(packages: &[String], is_exhaustive: bool) -> Result<Vec<Test>, Error> {
    let mut tests = vec![];
    for binary in build(packages)? {
        let binary = Arc::new(binary);
        let listed =
            output(Command::new(&binary.executable).args(["--list", "--format", "terse"]))?;
        let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let ignored = output(Command::new(&binary.executable).args([
            "--list",
            "--format",
            "terse",
            "--ignored",
        ]))?;
        let counts = |name: &&str| {
            !EXCLUDED.iter().any(|part| name.contains(part))
                && !ignored.lines().any(|line| line.strip_suffix(": test") == Some(name))
        };
        let test =
            |name: &str| Test { binary: binary.clone(), name: name.to_owned(), is_exhaustive };
        tests.extend(names.filter(counts).map(test));
    }
    Ok(tests)
}

fn build(packages: &[String]) -> Result<Vec<Binary>, Error> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["test", "--lib", "--no-run", "--message-format=json-render-diagnostics"]);
    // What cargo says of the package that it runs here: build scripts that look at it would all run again.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start)) {
            cargo.env_remove(&*name);
        }
    }
    for package in PACKAGES {
        cargo.args(["-p", package]);
    }
    let messages = output(&mut cargo)?;
    let parsed = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let binary = |message: Message| {
        let directory = message.manifest_path?.parent().map(Path::to_path_buf)?;
        let id = message.package_id?;
        let package = packages.iter().find(|package| is_package(&id, &directory, package))?;
        Some(Binary { package: package.clone(), executable: message.executable?, directory })
    };
    Ok(parsed.filter(|message| message.reason == "compiler-artifact").filter_map(binary).collect())
}

/// Whether cargo's name of a package is that of `package`: `…/gadgets#muster-gadgets@0.1.0`, or without the
/// name where the folder has it.
fn is_package(id: &str, directory: &Path, package: &str) -> bool {
    id.contains(&format!("#{package}@"))
        || directory.file_name().is_some_and(|name| name == package)
}

/// What a command writes.
fn output(command: &mut Command) -> Result<String, Error> {
    let name = format!("{command:?}");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|source| Error::Command { command: name.clone(), source })?;
    if !output.status.success() {
        return Err(Error::Failed { command: name });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
