//! Schnorr signatures in circuit: `s·B = R + c·A` with a tagged challenge.

use super::{native::CHALLENGE_DOMAIN, Schnorr};
use crate::{
    hash::poseidon::domain,
    signature::{batch::Challenge, embedded::EmbeddedScheme},
};

impl EmbeddedScheme for Schnorr {
    fn challenge() -> Challenge {
        Challenge { domain: domain(CHALLENGE_DOMAIN), factor: 1 }
    }
}
