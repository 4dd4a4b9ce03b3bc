//! EdDSA-Poseidon in circuit: `s·B = R + 8·h·A` with circomlib's untagged challenge.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use crate::signature::{batch::Challenge, embedded::EmbeddedScheme};
use muster_schemes::signature::eddsa::Eddsa;

impl EmbeddedScheme for Eddsa {
    fn challenge() -> Challenge {
        Challenge { domain: Fr::zero(), factor: 8 }
    }
}
