//! What somebody who holds a ceremony elsewhere is asked for.

use muster_threshold::frost::SuiteName;
use serde::{Deserialize, Serialize};

/// The most runs of a step.
const MOST_RUNS: u64 = 1_000;

/// What a simulation of FROST is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrostAsked {
    /// The suite.
    pub suite: SuiteName,
    /// How many sign.
    pub threshold: u16,
    /// Of how many.
    pub signers: u16,
    /// Runs of a step.
    pub repeat: u64,
}

impl FrostAsked {
    /// Checks what takes no time.
    ///
    /// # Errors
    ///
    /// What is wrong, with the field.
    pub fn check(&self) -> Result<(), String> {
        if !(2..=self.signers).contains(&self.threshold) {
            return Err(format!("threshold: {} of {} signers", self.threshold, self.signers));
        }
        if !(1..=MOST_RUNS).contains(&self.repeat) {
            return Err(format!("repeat: {}, but 1 to {MOST_RUNS} are possible", self.repeat));
        }
        Ok(())
    }
}
