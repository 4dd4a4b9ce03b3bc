//! EdDSA-Poseidon in circuit: `s·B = R + 8·h·A` with circomlib's untagged challenge.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, Context};

use super::native::Eddsa;
use crate::{
    gate::Chips,
    signature::{
        batch::{verify_lanes, Challenge},
        instructions::{padding_signature, AssignedClaim, AssignedSigner, SignatureInstructions},
        RawSignature,
    },
};

impl SignatureInstructions for Eddsa {
    const AGGREGATE: bool = false;

    fn assert_verify_all(
        ctx: &mut Context<Fr>,
        chips: &Chips,
        claim: &AssignedClaim,
        signers: &[AssignedSigner],
        signatures: &[RawSignature],
    ) {
        verify_lanes(ctx, chips, challenge(), claim.message, signers, signatures);
    }

    fn padding_signature(message: &Fr) -> RawSignature {
        padding_signature(challenge(), message)
    }
}

fn challenge() -> Challenge {
    Challenge { domain: Fr::zero(), factor: 8 }
}
