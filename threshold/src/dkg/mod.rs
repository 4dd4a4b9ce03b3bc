//! A key that nobody ever held: every player of a weighted committee deals a secret, and the
//! secrets add up.
//!
//! There are no complaints and no second round: dealings are verified from their bytes, a set of
//! them is agreed on by a certificate, and each player decrypts its shares of the sum. This is a
//! state machine without clock or network: bytes come in, bytes and verdicts go out. The README
//! argues why each check is there.

mod ceremony;
mod error;
mod node;
mod proposal;
#[cfg(test)]
mod tests;
mod weights;

pub use ceremony::Ceremony;
pub use error::Error;
pub use node::{Equivocation, Node, Verdict};
pub use proposal::{
    group, shares, Attestation, Certificate, Certified, InMemoryAgreement, Proposal,
};
pub use weights::{weights, Weights};

pub use muster_schemes::membership::Fraction;
