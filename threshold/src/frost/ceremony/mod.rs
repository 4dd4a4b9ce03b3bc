//! Ceremonies over documents: every step of a participant, in the suite that its documents belong
//! to.
//!
//! The functions of this crate are generic over the suite. A program that learns the suite only at
//! run time gets a [`Ceremony`] by its name and passes documents ([`files`](super::files)) in and
//! out:
//!
//! ```
//! use muster_threshold::frost::{files::Document, SuiteName};
//! use rand_core::OsRng;
//!
//! let dealer = SuiteName::Ed25519.ceremony();
//! let (group, shares) = dealer.deal(2, 3, &mut OsRng)?;
//! // Each signer has its share; the coordinator, the group. What they pass on is JSON.
//! let signer = shares[0].suite().ceremony();
//! let (nonces, commitment) = signer.commit(&shares[0], &mut OsRng)?;
//! let (others, other) = signer.commit(&shares[2], &mut OsRng)?;
//! let list = [commitment, other];
//! let signed = [
//!     signer.sign(&shares[0], nonces, &list, b"message")?,
//!     signer.sign(&shares[2], others, &list, b"message")?,
//! ];
//! let coordinator = group.suite().ceremony();
//! let signature = coordinator.aggregate(&group, &list, &signed, b"message")?;
//! coordinator.verify(&group, b"message", &signature)?;
//! # Ok::<(), muster_threshold::frost::ceremony::StepError>(())
//! ```
//!
//! The code of the seven suites is compiled once, here: users of a [`Ceremony`] compile none of it.

mod generation;
mod measuring;
mod parcels;
mod refreshing;
mod repairing;
mod signing;
mod steps;

pub use measuring::Times;
pub use steps::{Committed, Input, Shared, StepError};

use super::SuiteName;

/// The steps of all participants in one suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceremony(SuiteName);

impl SuiteName {
    /// The suite's steps.
    pub fn ceremony(self) -> Ceremony {
        Ceremony(self)
    }
}
