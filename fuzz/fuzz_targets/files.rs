//! Proofs, committees and signatures of any bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use muster_prover::{
    files::{CommitteeFile, Gathered, Preparation, ProofFile, SignaturesFile},
    Seats,
};

mod samples;

fuzz_target!(|input: &[u8]| {
    let path = samples::write(input);
    let _ = ProofFile::read(&path);
    for seats in [Seats::One, Seats::Several] {
        let _ = CommitteeFile::read(&path, seats);
    }
    let asked =
        Preparation { leaves_out_unusable: true, merges_same_keys: true, ..Preparation::default() };
    let _ = asked.read(&path);
    for sample in samples::samples() {
        let _ = SignaturesFile::read(&path, &sample.committee);
        let _ = Gathered::read_each(&path, &sample.committee);
    }
});
