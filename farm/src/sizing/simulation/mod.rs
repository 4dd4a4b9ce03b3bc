//! What chance adds to the formulas: a region of a farm, simulated event by event.
//!
//! Workflows come at random, each with all its jobs at once, as `submit` sends them, and go through the steps of
//! real ones: a task, `make` at a worker, a task, `confirm` at a worker, a task. Each state transition waits for
//! those before it. Activities go to a random worker that has a slot left. A worker computes for all its jobs in
//! turn, so that each gets an equal part of its cores; jobs that wait for the store leave them to others. Workers
//! without keys fetch them first, and share the connection to the store.
//!
//! What it leaves out: the bytes of proofs and inputs on the way to the store, which are few compared with keys;
//! workflow tasks' own time; start-to-close time-outs; jobs that are given up; and that an overloaded server may
//! consider a worker lost because it did not hear from it in time.

mod clock;
mod farm;
mod server;
mod sharing;
mod trial;
mod worker;

use super::{Fleet, Load};
use farm::Farm;

pub use trial::{Report, Trial};

/// Plays one region of `fleet` under its part of `load`. `random` returns numbers uniformly distributed from 0 up
/// to 1; the same numbers give the same run.
///
/// # Errors
///
/// The number that makes no sense, or more jobs than can be simulated.
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
