//! Signatures of every scheme that somebody has tampered with: what is read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use muster_prover::files::{Gathered, SignaturesFile};

#[path = "../../cli/tests/hostile/json.rs"]
mod json;
mod samples;

use json::Edit;

fuzz_target!(|input: (u8, u8, Vec<Edit>)| {
    let (of, by, edits) = input;
    let samples = samples::samples();
    let mut value = samples[of as usize % samples.len()].signatures.clone();
    edits.iter().take(8).for_each(|edit| json::change(&mut value, *edit));
    let path = samples::write(value.to_string().as_bytes());
    // Of the same scheme, most often.
    let by = if by < 200 { of } else { by };
    let committee = &samples[by as usize % samples.len()].committee;
    let _ = Gathered::read_each(&path, committee);
    let Ok(file) = SignaturesFile::read(&path, committee) else { return };
    let path = samples::write(file.to_json().to_string().as_bytes());
    let again = SignaturesFile::read(&path, committee);
    let again = again.expect("what was read is written so that it is read");
    assert_eq!(again.to_json(), file.to_json());
});
