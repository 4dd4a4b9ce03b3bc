//! What chance adds to the paper: a region of a farm, played event by event.
//!
//! Workflows come by chance, each with all its jobs at once, as `submit` sends them, and take the way of the real
//! ones: a task, `make` at a worker, a task, `confirm` at a worker, a task. Each state transition waits for those
//! before it. Activities go to any worker that has a slot left, by chance. A worker computes for all that it is at in
//! turn, so that each gets an equal part of its cores; jobs that wait for the store leave them to others. Workers
//! without keys take them first, and share the way to the store.
//!
//! What it leaves out: the bytes of proofs and inputs on the way to the store, which are few beside keys; workflow
//! tasks' own time; start-to-close time-outs; jobs that are given up; and that an overloaded server may take a worker
//! for lost that it did not hear in time.

mod clock;
mod event;
mod farm;
mod lane;
mod report;
mod server;
mod sharing;
mod trial;
mod worker;

use super::{Fleet, Load};
use farm::Farm;

pub use report::Report;
pub use trial::Trial;

/// Plays one region of `fleet` under its part of `load`. `random` gives numbers from 0 up to 1, evenly spread; with the
/// same numbers the same happens.
///
/// # Errors
///
/// The number that makes no sense, or more jobs than can be played.
pub fn simulate(
    load: &Load,
    fleet: &Fleet,
    trial: &Trial,
    random: impl FnMut() -> f64,
) -> Result<Report, String> {
    load.check()?;
    fleet.check()?;
    trial.check(fleet.workers_of_region(), load.rate / f64::from(fleet.regions))?;
    Ok(Farm::new(load, fleet, trial, random).play())
}
