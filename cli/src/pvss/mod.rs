//! `muster pvss`: a secret shared so that anyone can check it, by passing files.

mod args;
mod command;
mod deal;
mod inputs;
mod keygen;
mod open;
mod session;
mod srs;
mod sweep;

pub(super) use args::{OutArgs, TableArgs};
pub(super) use command::{run, PvssCommand};
pub(super) use deal::{deal, DealArgs};
pub(super) use inputs::{json_bytes, open_keys, read_dealing, warn_if_insecure};
pub(super) use open::read_sum;
pub(super) use session::BoundsArgs;
