//! Committees of every scheme that somebody has tampered with: what is read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use muster_prover::{
    files::{CommitteeFile, Listing},
    muster_gadgets::membership::WeightShift,
    Seats,
};

#[path = "../../prover/tests/hostile/json.rs"]
mod json;
mod samples;

use json::Edit;

fuzz_target!(|input: (u8, Vec<Edit>, bool, Option<u32>)| {
    let (sample, edits, several, shift) = input;
    let samples = samples::samples();
    let mut text = vec![];
    let written = samples[sample as usize % samples.len()].committee.write(&mut text);
    written.expect("memory takes everything");
    let mut value = serde_json::from_slice(&text).expect("a committee is JSON");
    edits.iter().take(8).for_each(|edit| json::change(&mut value, *edit));
    let path = samples::write(value.to_string().as_bytes());
    let seats = if several { Seats::Several } else { Seats::One };
    let listing = match shift.and_then(WeightShift::new) {
        Some(shift) => Listing::read_narrowed(&path, shift, seats),
        None => Listing::read(&path, seats),
    };
    let Ok(file) = listing.and_then(|listing| CommitteeFile::of(&listing)) else { return };
    let mut text = vec![];
    file.write(&mut text).expect("memory takes everything");
    let again = CommitteeFile::read(&samples::write(&text), seats);
    let again = again.expect("what was read is written so that it is read");
    assert_eq!(again.committee.members(), file.committee.members());
});
