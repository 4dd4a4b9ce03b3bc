//! halo2-base and halo2-ecc: the vertical gate on BN254, KZG with SHPLONK, Blake2b transcript.

mod count;
mod pairing;
mod signatures;
mod tree;

use halo2_base::gates::circuit::CircuitBuilderStage;
use halo2_base::gates::circuit::{builder::BaseCircuitBuilder, BaseCircuitParams};
use halo2_base::gates::flex_gate::MultiPhaseThreadBreakPoints;
use halo2_base::halo2_proofs::halo2curves::bn256::{Bn256, Fr, G1Affine};
use halo2_base::halo2_proofs::plonk::{
    create_proof, keygen_pk, keygen_vk, verify_proof, ProvingKey,
};
use halo2_base::halo2_proofs::poly::commitment::ParamsProver;
use halo2_base::halo2_proofs::poly::kzg::commitment::{KZGCommitmentScheme, ParamsKZG};
use halo2_base::halo2_proofs::poly::kzg::multiopen::{ProverSHPLONK, VerifierSHPLONK};
use halo2_base::halo2_proofs::poly::kzg::strategy::SingleStrategy;
use halo2_base::halo2_proofs::transcript::{
    Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer,
};
use rand::rngs::OsRng;
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::error::PeerError;
use crate::measure::{Prover, Shape};
use crate::sample::SEED;
use crate::usage::Usage;

pub(crate) use count::count;
pub(crate) use pairing::Pairing;
pub(crate) use signatures::{EcdsaSecp256k1, SchnorrSecp256k1};
pub(crate) use tree::PoseidonTree;

/// Rows kept free for blinding.
const UNUSABLE_ROWS: usize = 20;

/// A statement in the vertical gate, with its one witness.
pub(crate) trait Statement {
    /// Constrains the statement and pushes its public inputs on the one instance column.
    fn fill(&self, builder: &mut BaseCircuitBuilder<Fr>);
}

/// A statement with an SRS of its size; the keys come with [`Prover::keygen`].
pub(crate) struct Halo2LibProver<S> {
    statement: S,
    degree: u32,
    srs: ParamsKZG<Bn256>,
    keys: Option<Keys>,
}

struct Keys {
    proving_key: ProvingKey<G1Affine>,
    params: BaseCircuitParams,
    break_points: MultiPhaseThreadBreakPoints,
    public_inputs: Vec<Fr>,
}

impl<S: Statement> Halo2LibProver<S> {
    /// Makes an insecure SRS of 2^`degree` rows.
    pub(crate) fn new(statement: S, degree: u32) -> Self {
        let srs = ParamsKZG::setup(degree, ChaCha20Rng::seed_from_u64(SEED));
        Self { statement, degree, srs, keys: None }
    }

    fn keys(&self) -> Result<&Keys, PeerError> {
        self.keys.as_ref().ok_or(PeerError::Proof {
            step: "proving",
            reason: "the keys were not made".to_owned(),
        })
    }
}

impl<S: Statement> Prover for Halo2LibProver<S> {
    fn keygen(&mut self) -> Result<Shape, PeerError> {
        let mut builder = BaseCircuitBuilder::from_stage(CircuitBuilderStage::Keygen)
            .use_k(self.degree as usize)
            .use_lookup_bits(self.degree as usize - 1)
            .use_instance_columns(1);
        self.statement.fill(&mut builder);
        // A table that nothing looks up would only add a column.
        if builder.statistics().total_lookup_advice_per_phase.iter().all(|cells| *cells == 0) {
            builder.config_params.lookup_bits = None;
        }
        let params = builder.calculate_params(Some(UNUSABLE_ROWS));
        let public_inputs =
            builder.assigned_instances[0].iter().map(|cell| *cell.value()).collect();

        let verifying_key =
            keygen_vk(&self.srs, &builder).map_err(PeerError::at("key generation"))?;
        let proving_key = keygen_pk(&self.srs, verifying_key, &builder)
            .map_err(PeerError::at("key generation"))?;
        let system = proving_key.get_vk().cs();
        let shape = Shape {
            degree: self.degree,
            advice: system.num_advice_columns(),
            lookup: system.lookups().len(),
            fixed: system.num_fixed_columns(),
        };
        let break_points = builder.break_points();
        self.keys = Some(Keys { proving_key, params, break_points, public_inputs });
        Ok(shape)
    }

    fn prove(&self) -> Result<Vec<u8>, PeerError> {
        let keys = self.keys()?;
        let mut builder =
            BaseCircuitBuilder::prover(keys.params.clone(), keys.break_points.clone());
        self.statement.fill(&mut builder);
        let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(Vec::new());
        create_proof::<
            KZGCommitmentScheme<Bn256>,
            ProverSHPLONK<'_, Bn256>,
            Challenge255<G1Affine>,
            _,
            Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>,
            _,
        >(
            &self.srs,
            &keys.proving_key,
            &[builder],
            &[&[&keys.public_inputs]],
            OsRng,
            &mut transcript,
        )
        .map_err(PeerError::at("proving"))?;
        Ok(transcript.finalize())
    }

    fn verify(&self, proof: &[u8], tampered: bool) -> bool {
        let Ok(keys) = self.keys() else { return false };
        let mut public_inputs = keys.public_inputs.clone();
        if tampered {
            public_inputs[0] += Fr::one();
        }
        let mut transcript = Blake2bRead::<_, _, Challenge255<_>>::init(proof);
        verify_proof::<
            KZGCommitmentScheme<Bn256>,
            VerifierSHPLONK<'_, Bn256>,
            Challenge255<G1Affine>,
            Blake2bRead<&[u8], G1Affine, Challenge255<G1Affine>>,
            SingleStrategy<'_, Bn256>,
        >(
            self.srs.verifier_params(),
            keys.proving_key.get_vk(),
            SingleStrategy::new(&self.srs),
            &[&[&public_inputs]],
            &mut transcript,
        )
        .is_ok()
    }

    fn usage(&self) -> Result<Usage, PeerError> {
        let params = self.keys()?.params.clone();
        let mut builder =
            BaseCircuitBuilder::from_stage(CircuitBuilderStage::Keygen).use_params(params);
        self.statement.fill(&mut builder);
        count(&builder)
    }
}
