//! `muster dkg`: a committee with stakes makes a key that nobody ever held, by passing files.

mod command;
mod demo;
mod refused;
mod sharing;
mod steps;
mod trial;

pub(super) use command::{run, DkgCommand};
pub(crate) use refused::refused;
pub(crate) use sharing::SharingArgs;
pub(crate) use trial::Players;
