//! The phases of a row's proofs.

use muster_prover::{Phase, Profile};
use serde::{Deserialize, Serialize};

use crate::{median, MICROSECONDS};

/// Seconds of a proof by phase: medians, each of its own. All or none are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Phases {
    /// Filling the circuit.
    pub(super) witness_s: Option<f64>,
    /// Multi-scalar multiplications.
    pub(super) commitments_s: Option<f64>,
    /// From values to coefficients and back.
    pub(super) transforms_s: Option<f64>,
    /// The columns of the permutation and of lookups.
    pub(super) arguments_s: Option<f64>,
    /// The constraints on cosets.
    pub(super) quotient_s: Option<f64>,
    /// Values at the challenges, and the quotients that show them.
    pub(super) openings_s: Option<f64>,
}

/// A phase by its name, and its seconds.
pub(super) type Field = (&'static str, fn(&Phases) -> Option<f64>);

impl Phases {
    /// The phases.
    pub(super) const FIELDS: [Field; 6] = [
        ("witness", |phases| phases.witness_s),
        ("commitments", |phases| phases.commitments_s),
        ("transforms", |phases| phases.transforms_s),
        ("arguments", |phases| phases.arguments_s),
        ("quotient", |phases| phases.quotient_s),
        ("openings", |phases| phases.openings_s),
    ];

    /// The medians of some proofs.
    pub(super) fn of(profiles: &[Profile]) -> Self {
        let median = |phase| {
            let seconds = profiles.iter().map(|one| one.spent(phase).time.as_secs_f64());
            Some(median(seconds.collect(), MICROSECONDS))
        };
        Self {
            witness_s: median(Phase::Witness),
            commitments_s: median(Phase::Commitments),
            transforms_s: median(Phase::Transforms),
            arguments_s: median(Phase::Arguments),
            quotient_s: median(Phase::Quotient),
            openings_s: median(Phase::Openings),
        }
    }
}
