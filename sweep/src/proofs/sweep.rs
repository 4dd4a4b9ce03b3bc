//! A sweep, as it is asked for.

use std::path::PathBuf;

use muster_circuits::Request;
use muster_prover::ProofKind;

use super::ask::Ask;
use crate::{Allowance, Existing};

/// A sweep, as it is asked for.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The rows, each of them once, and the circuits that they ask for.
    pub rows: Vec<(Ask, Request)>,
    /// Proofs of a row, whose median time is taken.
    pub repeat: usize,
    /// Format of the proofs.
    pub kind: ProofKind,
    /// How much memory a row may take.
    pub memory: Allowance,
    /// Rows at once.
    pub jobs: usize,
    /// Directory for the results.
    pub out: PathBuf,
    /// What happens to those that are there.
    pub existing: Existing,
    /// File with a ceremony's SRS.
    pub srs: Option<PathBuf>,
    /// The second file of a .point pair.
    pub srs_g2: Option<PathBuf>,
}

impl Sweep {
    /// Threads of a row: those of all rows together are no more than this process may have, as far as that goes.
    pub fn threads(&self) -> usize {
        (rayon::current_num_threads() / self.jobs).max(1)
    }

    /// What the rows are asked for.
    pub(super) fn asks(&self) -> Vec<Ask> {
        self.rows.iter().map(|(ask, _)| ask.clone()).collect()
    }
}
