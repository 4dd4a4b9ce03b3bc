// A test that cannot go on may panic.
#![allow(clippy::unwrap_used)]

mod batch;
mod calldata;
#[cfg(feature = "evm")]
mod client;
mod digest;
#[cfg(feature = "evm")]
mod networks;
mod types;
