//! Checking proofs against what the verifier expects.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{self, verify_proof, VerifyingKey},
    poly::{
        kzg::{
            commitment::{KZGCommitmentScheme, ParamsKZG},
            multiopen::VerifierSHPLONK,
            strategy::{AccumulatorStrategy, SingleStrategy},
        },
        VerificationStrategy,
    },
};
use muster_circuits::{SignerMask, Statement};
use rayon::prelude::*;

use super::{
    fault::{BatchError, VerifyError},
    transcript::Echo,
    Proof,
};
use crate::VerifierKey;

impl VerifierKey {
    /// Checks that `proof` proves `statement`.
    ///
    /// The statement is what *you* expect: the root of the committee that you trust, the threshold
    /// that you require, the message that you are about to act on. Never take it from wherever the
    /// proof comes from: anyone can prove that a committee of their own signed.
    ///
    /// # Errors
    ///
    /// Why the proof does not prove the statement.
    pub fn verify(&self, statement: &Statement, proof: &Proof) -> Result<(), VerifyError> {
        let inputs = self.public_inputs(statement)?;
        let strategy = SingleStrategy::new(self.params());
        verify_with(self.vk(), (self.params(), strategy), &inputs, proof)
    }

    /// Checks that each proof proves the statement beside it, which is what you expect of it. Each
    /// thread takes a part of them and checks it with one pairing, over a random linear
    /// combination. Only if that fails are they checked one by one.
    ///
    /// # Errors
    ///
    /// Every bad proof.
    pub fn verify_batch(&self, batch: &[(Statement, &Proof)]) -> Result<(), BatchError> {
        let part = batch.len().div_ceil(rayon::current_num_threads()).max(1);
        if batch.par_chunks(part).all(|part| self.all_hold(part)) {
            return Ok(());
        }
        let verdict = |(place, (statement, proof)): (usize, &(Statement, &Proof))| {
            self.verify(statement, proof).err().map(|error| (place, error))
        };
        let bad: Vec<_> = batch.par_iter().enumerate().filter_map(verdict).collect();
        // With every single proof good the combination holds, whatever the random factors.
        if bad.is_empty() {
            Ok(())
        } else {
            Err(BatchError(bad))
        }
    }

    /// Whether a random linear combination of all proofs holds.
    ///
    /// The library computes its sum of points: it is a tenth of the time, and the library does not expose its terms.
    fn all_hold(&self, batch: &[(Statement, &Proof)]) -> bool {
        let start = AccumulatorStrategy::new(self.params());
        let accumulated = batch.iter().try_fold(start, |strategy, (statement, proof)| {
            let inputs = self.public_inputs(statement)?;
            verify_with(self.vk(), (self.params(), strategy), &inputs, proof)
        });
        accumulated.is_ok_and(|strategy| {
            VerificationStrategy::<_, VerifierSHPLONK<Bn256>>::finalize(strategy)
        })
    }

    /// The public inputs of `statement`. The proving system takes any number of them and pads with
    /// zeros, so a message of another kind must not get there, nor anything that is no mask of the keys' sets.
    fn public_inputs(&self, statement: &Statement) -> Result<Vec<Fr>, VerifyError> {
        let (shape, Statement { message, signers, .. }) = (self.shape(), statement);
        if message.kind() != shape.public_message() {
            return Err(VerifyError::Message(shape.scheme));
        }
        let masked = shape.mask.then_some(shape.capacity);
        let is_said = signers.as_ref().map(SignerMask::capacity) == masked;
        is_said.then(|| statement.public_inputs()).ok_or(VerifyError::Signers)
    }
}

/// Reads a proof through the transcript of its kind and gives it to `strategy`. Private to [`VerifierKey`]: nothing else
/// may choose what stands among the public inputs.
fn verify_with<'a, S>(
    vk: &VerifyingKey<G1Affine>,
    (params, strategy): (&'a ParamsKZG<Bn256>, S),
    inputs: &[Fr],
    proof: &Proof,
) -> Result<S::Output, VerifyError>
where
    S: VerificationStrategy<'a, KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'a, Bn256>>,
{
    let instances: &[&[&[Fr]]] = &[&[inputs]];
    let mut transcript = Echo::new(proof.transcript(), proof.bytes());
    let verdict = verify_proof(params, vk, strategy, instances, &mut transcript);
    let output = verdict.map_err(|error| match error {
        plonk::Error::Transcript(error) => VerifyError::Unreadable(error.to_string()),
        _ => VerifyError::Invalid,
    })?;
    if transcript.written() == proof.bytes() {
        Ok(output)
    } else {
        Err(VerifyError::NotCanonical)
    }
}
