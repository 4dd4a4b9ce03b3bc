//! The circuit accepts what it should, and a proof proves nothing else.

#![allow(clippy::unwrap_used)]

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_custom_circuit::{
    circuit, layout,
    proof::{verify, Keys},
    sample, Claim, Opening,
};
use muster_gates::broken_constraints;
use muster_params::Srs;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(1)
}

/// Whether all constraints hold for a witness that says `claim` of itself.
fn holds(claim: &Claim, opening: &Opening) -> bool {
    let prover = circuit(claim, opening, false).mock(claim.public_inputs()).unwrap();
    broken_constraints(&prover).is_empty()
}

#[test]
fn signature_and_commitment_are_bound_to_the_claim() {
    let (claim, opening) = sample([1; 32], &mut rng());
    assert!(holds(&claim, &opening));
    let commitment = claim.commitment + Fr::one();
    assert!(!holds(&Claim { commitment, ..claim }, &opening), "another commitment");
    let mut digest = claim.digest;
    digest[31] ^= 1;
    assert!(!holds(&Claim { digest, ..claim }, &opening), "another digest, low half");
    let mut digest = claim.digest;
    digest[0] ^= 1;
    assert!(!holds(&Claim { digest, ..claim }, &opening), "another digest, high half");
    let (_, other) = sample([1; 32], &mut ChaCha20Rng::seed_from_u64(2));
    assert!(!holds(&claim, &other), "another key's signature");
}

#[test]
fn proofs_are_held_to_their_claim() {
    let srs = Srs::insecure(layout().k).unwrap();
    let (first, opening) = sample([1; 32], &mut rng());
    let keys = Keys::new(&srs, &first, &opening).unwrap();
    let (claim, opening) = sample([2; 32], &mut rng());
    let proof = keys.prove(&srs, &claim, &opening).unwrap();
    let verify = |claim: &Claim| verify(keys.verifier(), claim, &proof).is_ok();
    assert!(verify(&claim));
    assert!(!verify(&Claim { digest: first.digest, ..claim }));
    assert!(!verify(&Claim { commitment: first.commitment + Fr::one(), ..claim }));
}
