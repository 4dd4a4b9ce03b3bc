// A test that cannot go on may panic.
#![allow(clippy::unwrap_used)]

mod batch;
mod calldata;
mod digest;
mod types;
