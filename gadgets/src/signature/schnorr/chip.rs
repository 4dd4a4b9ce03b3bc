//! Schnorr signatures in circuit: `s·B = R + c·A` with a tagged challenge.

use muster_schemes::signature::schnorr::{native::CHALLENGE_DOMAIN, Schnorr};
use muster_schemes::hash::poseidon::domain;
use crate::signature::{batch::Challenge, embedded::EmbeddedScheme};

impl EmbeddedScheme for Schnorr {
    fn challenge() -> Challenge {
        Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
    }
}
