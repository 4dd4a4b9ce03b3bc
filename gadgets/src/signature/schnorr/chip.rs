//! Schnorr signatures in circuit: `s·B = R + c·A` with a tagged challenge.

use crate::signature::{batch::Challenge, embedded::EmbeddedScheme};
use muster_schemes::hash::poseidon::domain;
use muster_schemes::signature::schnorr::{Schnorr, CHALLENGE_DOMAIN};

impl EmbeddedScheme for Schnorr {
    fn challenge() -> Challenge {
        Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
    }
}
