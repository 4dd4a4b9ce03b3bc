//! `muster sweep`: what keys, proofs and verifications cost over schemes, degrees and cases.
//!
//! A sweep is planned whole (`plan`): each row gets its circuit's shape, an estimate of its memory
//! and of its time. Then each row runs in a process of its own (`child`, `measure`), so that the peak
//! of its memory is its own, and after each row the files of results are replaced. On a cluster the
//! rows are tasks of an array ([`slurm`]), and each leaves a file; [`elsewhere`] is what other carriers need.

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
pub mod slurm;
mod supply;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
mod verdict;

pub use ask::{mode_name, Ask, Case, Degree, Degrees};
pub use measure::{run_row, Measurement};
pub use run::run;
pub use sweep::Sweep;
