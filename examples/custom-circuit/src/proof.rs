//! Keys and proofs with plain halo2: KZG, SHPLONK, Blake2b.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{create_proof, keygen_pk2, verify_proof, Error, ProvingKey, VerifyingKey},
    poly::kzg::{
        commitment::{KZGCommitmentScheme, ParamsKZG},
        multiopen::{ProverSHPLONK, VerifierSHPLONK},
        strategy::SingleStrategy,
    },
    transcript::{
        Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer,
    },
};
use muster_gates::{GateCircuit, Placement};
use rand::{rngs::OsRng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::{circuit, Claim, Opening};

/// What proofs are made with.
#[derive(Debug)]
pub struct Keys {
    pk: ProvingKey<G1Affine>,
    placement: Placement,
}

impl Keys {
    /// Makes the keys. They do not depend on the claim.
    ///
    /// # Errors
    ///
    /// halo2's, for parameters of too small a degree.
    pub fn new(params: &ParamsKZG<Bn256>, claim: &Claim, opening: &Opening) -> Result<Self, Error> {
        let circuit = circuit(claim, opening, false);
        // Selectors stay as they are: combining them would raise the degree of the gates.
        let pk = keygen_pk2(params, &circuit, false)?;
        Ok(Self { pk, placement: circuit.gates.placement().unwrap_or_default() })
    }

    /// The verifying key.
    pub fn vk(&self) -> &VerifyingKey<G1Affine> {
        self.pk.get_vk()
    }

    /// Proves a claim.
    ///
    /// # Errors
    ///
    /// halo2's.
    pub fn prove(
        &self,
        params: &ParamsKZG<Bn256>,
        claim: &Claim,
        opening: &Opening,
    ) -> Result<Vec<u8>, Error> {
        let mut circuit = circuit(claim, opening, true);
        circuit.gates.set_placement(self.placement.clone());
        let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
        create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<Bn256>, _, _, _, GateCircuit>(
            params,
            &self.pk,
            &[circuit],
            &[&[&claim.public_inputs()]],
            ChaCha20Rng::from_rng(OsRng).expect("the operating system has randomness"),
            &mut transcript,
        )?;
        Ok(transcript.finalize())
    }
}

/// Whether `proof` proves `claim`, which is what the verifier expects.
pub fn verify(
    params: &ParamsKZG<Bn256>,
    vk: &VerifyingKey<G1Affine>,
    claim: &Claim,
    proof: &[u8],
) -> bool {
    let inputs: Vec<Fr> = claim.public_inputs();
    let mut transcript = Blake2bRead::<_, _, Challenge255<_>>::init(proof);
    let verdict = verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<Bn256>, _, _, _>(
        params,
        vk,
        SingleStrategy::new(params),
        &[&[&inputs]],
        &mut transcript,
    );
    verdict.is_ok()
}
