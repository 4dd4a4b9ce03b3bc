//! Key directories that somebody has tampered with, by the mutations of the prover's tests.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use muster_circuits::{Request, Scheme, Shape};
use muster_params::Srs;
use muster_prover::{Keys, VerifierKey};
use tempfile::{tempdir, TempDir};

#[path = "../../cli/tests/hostile/directory.rs"]
mod directory;
#[path = "../../cli/tests/hostile/json.rs"]
mod json;

use directory::Directory;
use json::Edit;

/// A folder to write to, and keys of 2 of 4.
fn base() -> &'static (TempDir, Directory) {
    static BASE: OnceLock<(TempDir, Directory)> = OnceLock::new();
    BASE.get_or_init(|| {
        let shape = Shape::fit(&Request::new(Scheme::Schnorr, 4, 2)).expect("a legal shape");
        let srs = Srs::insecure(shape.degree()).expect("a legal degree");
        let dir = tempdir().expect("a folder for temporary files");
        let keys = Keys::make(&srs, &shape).expect("the SRS is of the shape's degree");
        keys.save(dir.path(), false).expect("the folder is empty");
        let directory = Directory::read(dir.path());
        (dir, directory)
    })
}

fuzz_target!(|input: (Vec<Edit>, bool, bool)| {
    let (edits, fit, seal) = input;
    let (dir, good) = base();
    let mut directory = good.clone();
    edits.iter().take(8).for_each(|edit| directory.change(*edit));
    if fit {
        directory.fit();
    }
    if seal {
        let _ = directory.seal();
    }
    directory.write(dir.path());
    let verifier = VerifierKey::load(dir.path());
    let keys = Keys::load(dir.path());
    assert!(keys.is_err() || verifier.is_ok());
});
