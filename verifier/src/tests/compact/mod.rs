//! Tests of the format `compact`, which share the files of `vectors/compact`.

mod decider;
mod file;
