//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases.
//!
//! A sweep is planned whole (`plan`): each row gets its circuit's shape, an estimate of its memory
//! and of its time. Then each row runs in a process of its own (`child`, `measure`), so that the peak
//! of its memory is its own, and after each row the files of results are replaced. On a cluster the
//! rows are tasks of an array (`slurm`), and each leaves a file; `elsewhere` is what other carriers need.

mod args;
mod ask;
mod child;
mod data;
pub mod elsewhere;
mod measure;
mod phases;
mod plan;
mod plot;
mod results;
mod row;
mod run;
mod slurm;
mod supply;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub(super) use args::{RowArgs, SweepArgs};

use muster_params::SrsCache;

use crate::Error;

/// Runs a sweep, here or on a cluster.
pub(super) fn run(args: &SweepArgs, json: bool) -> Result<(), Error> {
    match &args.slurm {
        Some(dir) => slurm::run(args, dir, json),
        None => run::run(args, json),
    }
}

/// Runs a row: in this process, or for a file in another.
pub(super) fn run_row(args: &RowArgs) -> Result<(), Error> {
    match &args.record {
        Some(path) => slurm::run_recorded(args, path),
        None => measure::run_row(args, &SrsCache::from_env()),
    }
}
