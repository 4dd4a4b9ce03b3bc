//! A row, as files hold it.

use std::fmt;

use muster_threshold::bls::Identities;
use serde::{Deserialize, Serialize};

use super::suite::SuiteName;

/// What a row is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The curve, and whether keys or signatures are short.
    pub suite: SuiteName,
    /// Identities of the signers.
    pub identities: Identities,
    /// How many sign, of one less than twice as many.
    pub threshold: usize,
    /// Threads that compute.
    pub threads: usize,
}

impl Ask {
    /// Signers of the committee.
    pub fn signers(&self) -> usize {
        2 * self.threshold - 1
    }

    /// Seconds that the naive coefficients take, roughly.
    pub fn naive(&self) -> f64 {
        55e-9 * (self.threshold as f64).powi(2)
    }

    /// Seconds that the row takes, roughly: shares, three runs, and one or more of the naive method.
    pub fn cost(&self, naive_limit: f64) -> f64 {
        let naive = self.naive();
        1.5 + 1.2e-4 * self.threshold as f64 + if naive <= naive_limit { 2.0 * naive } else { 0.0 }
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { suite, identities, threshold, .. } = self;
        write!(out, "{suite}, {identities}, 2^{}", threshold.checked_ilog2().unwrap_or_default())
    }
}

/// A row. The order of the fields is that of the columns in the CSV. Times are medians, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub(super) suite: SuiteName,
    pub(super) identities: Identities,
    pub(super) threshold: usize,
    pub(super) signers: usize,
    pub(super) threads: usize,
    /// Name of the method for the coefficients.
    pub(super) method: String,
    /// What is made once for a committee.
    pub(super) domain_s: f64,
    pub(super) lagrange_s: f64,
    pub(super) combination_s: f64,
    pub(super) verification_s: f64,
    /// The three together.
    pub(super) aggregate_s: f64,
    /// The naive coefficients, where they do not take too long.
    pub(super) naive_lagrange_s: Option<f64>,
    /// The whole with them.
    pub(super) naive_aggregate_s: Option<f64>,
    /// Least number of runs of which times are medians.
    pub(super) repeat: u64,
}
