//! `muster dkg`: a committee with stakes makes a key that nobody ever held, by passing files.

mod command;
mod demo;
mod refused;
mod steps;

pub(super) use command::{run, DkgCommand};
