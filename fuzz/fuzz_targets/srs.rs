//! SRS files of any bytes, in all formats that are told by their first ones.

#![no_main]

use std::{fs, path::PathBuf, sync::OnceLock};

use libfuzzer_sys::fuzz_target;
use muster_params::import;
use tempfile::{tempdir, TempDir};

fn file(name: &str) -> PathBuf {
    static DIR: OnceLock<TempDir> = OnceLock::new();
    DIR.get_or_init(|| tempdir().expect("a folder for temporary files")).path().join(name)
}

fuzz_target!(|input: (Option<u32>, &[u8], &[u8])| {
    let (k, bytes, g2) = input;
    let (path, g2_path) = (file("file.srs"), file("file.g2"));
    fs::write(&path, bytes).expect("the folder can be written to");
    fs::write(&g2_path, g2).expect("the folder can be written to");
    let _ = import::auto(&path, Some(&g2_path), k);
});
