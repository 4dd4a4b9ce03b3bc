//! The command line: every exit status, and what is left on disk.

// A test that cannot go on may panic.
#![allow(clippy::unwrap_used)]

mod accepted;
mod aggregate;
mod bls;
mod bls_suites;
mod bls_threshold;
mod bridge;
mod ceremonies;
mod cometbft;
mod committees;
mod compact;
mod complement;
mod dropped;
mod ed25519;
mod engine;
mod foreign;
mod forms;
mod frost;
mod helpful;
mod imports;
mod inputs;
mod keys;
mod mask;
mod outputs;
mod prepared;
mod proofs;
mod proving_many;
mod published;
mod pvss;
mod roots;
mod schemas;
mod seats;
mod selection;
mod signatures;
mod standard;
mod support;
mod sweeps;
mod sync_committee;
mod translate;
mod verdicts;
mod weights;
