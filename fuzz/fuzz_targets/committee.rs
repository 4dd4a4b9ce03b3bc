//! Committees of every scheme that somebody has tampered with: what is read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use muster_prover::{
    files::{CommitteeFile, Preparation},
    muster_schemes::membership::WeightShift,
    Seats,
};

#[path = "../../cli/tests/hostile/json.rs"]
mod json;
mod samples;

use json::Edit;

fuzz_target!(|input: (u8, Vec<Edit>, bool, (bool, bool, Option<u32>))| {
    let (sample, edits, several, changes) = input;
    let samples = samples::samples();
    let mut text = vec![];
    let written = samples[sample as usize % samples.len()].committee.write(&mut text);
    written.expect("memory takes everything");
    let mut value = serde_json::from_slice(&text).expect("a committee is JSON");
    edits.iter().take(8).for_each(|edit| json::change(&mut value, *edit));
    let path = samples::write(value.to_string().as_bytes());
    let seats = if several { Seats::Several } else { Seats::One };
    let (leaves_out_unusable, merges_same_keys, shift) = changes;
    let read = match shift.and_then(WeightShift::new) {
        None if !leaves_out_unusable && !merges_same_keys => CommitteeFile::read(&path, seats),
        shift => {
            let preparation = Preparation {
                scheme: None,
                shift,
                leaves_out_unusable,
                rule: None,
                merges_same_keys,
                admission: seats.into(),
            };
            preparation.read(&path).map(|prepared| prepared.file)
        }
    };
    let Ok(file) = read else { return };
    let mut text = vec![];
    file.write(&mut text).expect("memory takes everything");
    let again = CommitteeFile::read(&samples::write(&text), seats);
    let again = again.expect("what was read is written so that it is read");
    assert_eq!(again.committee.members(), file.committee.members());
    assert_eq!(again.left_out, file.left_out);
});
