//! Where the time of a proof goes.

use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

/// A part of the work of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// What all proofs of a key share: compiling constraints, preparing bases.
    Preparation,
    /// Filling the circuit.
    Witness,
    /// Multi-scalar multiplications.
    Commitments,
    /// From values to coefficients and back, on the domain and on cosets.
    Transforms,
    /// Making the columns of the permutation and of lookups.
    Arguments,
    /// The constraints on cosets, and the quotient's pieces.
    Quotient,
    /// Values at the challenges, and the quotients that prove them.
    Openings,
    /// Verifying the finished proof.
    Verification,
}

impl Phase {
    /// All, in the order in which they begin.
    pub const ALL: [Self; 8] = [
        Self::Preparation,
        Self::Witness,
        Self::Commitments,
        Self::Transforms,
        Self::Arguments,
        Self::Quotient,
        Self::Openings,
        Self::Verification,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// What it counts.
    pub fn counts(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Preparation => ("preparation", "keys"),
            Self::Witness => ("witness", "advice columns"),
            Self::Commitments => ("commitments", "commitments"),
            Self::Transforms => ("transforms", "transforms"),
            Self::Arguments => ("arguments", "columns"),
            Self::Quotient => ("quotient", "cosets"),
            Self::Openings => ("openings", "values"),
            Self::Verification => ("verification", "proofs"),
        }
    }
}

/// What a phase took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The time.
    pub time: Duration,
    /// How many of [`Phase::counts`].
    pub count: usize,
}

/// Where the time of a proof went: each moment belongs to one phase. Profiles of several proofs add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile([Spent; Phase::ALL.len()]);

impl Profile {
    /// What a phase took.
    pub fn spent(&self, phase: Phase) -> Spent {
        self.0[phase as usize]
    }

    /// The time of all phases.
    pub fn total(&self) -> Duration {
        self.0.iter().map(|spent| spent.time).sum()
    }
}

impl AddAssign for Profile {
    fn add_assign(&mut self, other: Self) {
        for (spent, more) in self.0.iter_mut().zip(other.0) {
            spent.time += more.time;
            spent.count += more.count;
        }
    }
}

/// Gives each moment to a phase.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    pub(crate) profile: Profile,
    last: Instant,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { profile: Profile::default(), last: Instant::now() }
    }

    /// All time since the last call belongs to `phase`, which did `count` more.
    pub(crate) fn lap(&mut self, phase: Phase, count: usize) {
        let now = Instant::now();
        let spent = &mut self.profile.0[phase as usize];
        spent.time += now - self.last;
        spent.count += count;
        self.last = now;
    }
}
