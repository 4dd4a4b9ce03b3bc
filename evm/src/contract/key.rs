//! The key that a contract is written for.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, G1Affine},
    plonk::VerifyingKey,
    poly::kzg::commitment::ParamsKZG,
};
use muster_circuits::Shape;

/// What a contract is written for: a verifying key, and what its owner knows about it. The prover's
/// verifier key gives one.
#[derive(Clone, Copy, Debug)]
pub struct ContractKey<'a> {
    /// The shape of the key.
    pub shape: &'a Shape,
    /// halo2's verifying key.
    pub vk: &'a VerifyingKey<G1Affine>,
    /// The part of the SRS that verification needs: the generators, and tau in G2.
    pub params: &'a ParamsKZG<Bn256>,
    /// Digest that names the key in contracts, the verifier key's `contract_digest`; it becomes part of `VERIFIER_HASH`.
    pub digest: [u8; 32],
    /// The SRS that the key was made from.
    pub srs: SrsName,
}

/// Names an SRS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SrsName {
    /// Whether it was made on one machine: whoever ran that machine can forge proofs.
    pub insecure: bool,
    /// Its digest.
    pub digest: [u8; 32],
}
