//! Proofs, committees and signatures of any bytes.

#![no_main]

use std::{fs, path::PathBuf, sync::OnceLock};

use libfuzzer_sys::fuzz_target;
use muster_circuits::{KeyKind, Scheme};
use muster_prover::{
    files::{CommitteeFile, Preparation, ProofFile, SignaturesFile},
    Seats,
};
use tempfile::{tempdir, TempDir};

fn file() -> PathBuf {
    static DIR: OnceLock<TempDir> = OnceLock::new();
    DIR.get_or_init(|| tempdir().expect("a folder for temporary files")).path().join("file.json")
}

fuzz_target!(|input: &[u8]| {
    let path = file();
    fs::write(&path, input).expect("the folder can be written to");
    let _ = ProofFile::read(&path);
    for seats in [Seats::One, Seats::Several] {
        let _ = CommitteeFile::read(&path, seats);
    }
    let asked =
        Preparation { leaves_out_unusable: true, merges_same_keys: true, ..Preparation::default() };
    let _ = asked.read(&path);
    for scheme in Scheme::ALL {
        for keys in [KeyKind::Coordinates, KeyKind::Address] {
            let _ = SignaturesFile::read(&path, *scheme, keys);
            let _ = SignaturesFile::read_each(&path, *scheme, keys);
        }
    }
});
