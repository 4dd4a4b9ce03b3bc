//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases.
//!
//! A sweep is planned whole (`plan`): each row gets its circuit's shape, an estimate of its memory
//! and of its time. Then each row runs in a process of its own (`child`, `measure`), so that the peak
//! of its memory is its own, and after each row the files of results are replaced.

mod args;
mod ask;
mod child;
mod data;
mod measure;
mod phases;
mod plan;
mod plot;
mod results;
mod row;
mod run;
mod supply;
mod table;
#[cfg(test)]
mod tests;

pub(super) use args::{RowArgs, SweepArgs};
pub(super) use measure::run_row;
pub(super) use run::run;
