//! The verdict on a proof without a contract.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::verify_proof,
    poly::kzg::{
        commitment::KZGCommitmentScheme, multiopen::VerifierSHPLONK, strategy::SingleStrategy,
    },
};
use snark_verifier::{loader::native::NativeLoader, system::halo2::transcript::evm::EvmTranscript};

use super::key::ContractKey;
use crate::Error;

type Keccak<'a> = EvmTranscript<G1Affine, NativeLoader, &'a [u8], Vec<u8>>;

/// Checks a proof against public inputs as the key's contract does. `length` is that of its proofs: the
/// proving system does not look at bytes after a proof, nor at how many inputs it is given.
///
/// # Errors
///
/// [`Error::Proof`].
pub(super) fn verify(
    key: &ContractKey<'_>,
    inputs: &[Fr],
    proof: &[u8],
    length: usize,
) -> Result<(), Error> {
    let expected = key.shape.public_inputs();
    if inputs.len() != expected {
        let reason = format!("it has {} public inputs, but the key takes {expected}", inputs.len());
        return Err(Error::Proof(reason));
    }
    if proof.len() != length {
        return Err(Error::Proof(format!("{} bytes, not {length}", proof.len())));
    }
    verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'_, Bn256>, _, _, _>(
        key.params,
        key.vk,
        SingleStrategy::new(key.params),
        &[&[inputs]],
        &mut Keccak::new(proof),
    )
    .map_err(|_| Error::Proof("it does not hold".into()))
}
