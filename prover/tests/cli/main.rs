//! The command line: every exit status, and what is left on disk.

mod accepted;
mod committees;
mod keys;
mod outputs;
mod proofs;
mod signatures;
mod support;
