//! The commands about the light client of `contracts/`.

mod args;
pub(super) mod calldata;
pub(super) mod handover;
pub(super) mod messages;
