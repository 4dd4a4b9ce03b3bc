//! Checking proofs against what the verifier expects.

use muster_circuits::CircuitShape;
use rayon::prelude::*;

use super::{BatchError, Proof, VerifyError};
use crate::{keys::VerifierKeyOf, logup::to_bytes};

impl<S: CircuitShape> VerifierKeyOf<S> {
    /// Checks that `proof` proves `statement`.
    ///
    /// The statement is what *you* expect: the root of the committee that you trust, the threshold
    /// that you require, the message that you are about to act on. Never take it from wherever the
    /// proof comes from: anyone can prove that a committee of their own signed.
    ///
    /// # Errors
    ///
    /// Why the proof does not prove the statement.
    pub fn verify(&self, statement: &S::Statement, proof: &Proof) -> Result<(), VerifyError> {
        Ok(self.key().verify(&self.public_inputs(statement, proof)?, proof.bytes())?)
    }

    /// What a contract is given of a proof of the format `compact`: its bytes in the long encoding. Checks that `proof`
    /// proves `statement`, as [`Self::verify`] does.
    ///
    /// # Errors
    ///
    /// Why the proof does not prove the statement, and [`VerifyError::Kind`] for keys of another format.
    pub fn calldata(
        &self,
        statement: &S::Statement,
        proof: &Proof,
    ) -> Result<Vec<u8>, VerifyError> {
        let inputs = self.public_inputs(statement, proof)?;
        let compact = self.key().as_compact().ok_or(VerifyError::Kind(proof.kind()))?;
        Ok(compact.calldata(&inputs, proof.bytes())?)
    }

    /// Checks that each proof proves the statement beside it, which is what you expect of it. Each
    /// thread takes a part of them and checks it with one pairing, over a random linear
    /// combination. Only if that fails are they checked one by one.
    ///
    /// # Errors
    ///
    /// Every bad proof.
    pub fn verify_batch(&self, batch: &[(S::Statement, &Proof)]) -> Result<(), BatchError> {
        let part = batch.len().div_ceil(rayon::current_num_threads()).max(1);
        if batch.par_chunks(part).all(|part| self.all_hold(part)) {
            return Ok(());
        }
        let verdict = |(place, (statement, proof)): (usize, &(S::Statement, &Proof))| {
            self.verify(statement, proof).err().map(|error| (place, error))
        };
        let bad: Vec<_> = batch.par_iter().enumerate().filter_map(verdict).collect();
        // With every single proof good the combination holds, whatever the random factors.
        bad.is_empty().then_some(()).ok_or(BatchError(bad))
    }

    /// Whether all proofs hold, with one pairing.
    fn all_hold(&self, batch: &[(S::Statement, &Proof)]) -> bool {
        let inputs = batch.iter().map(|(statement, proof)| self.public_inputs(statement, proof));
        let Ok(inputs) = inputs.collect::<Result<Vec<_>, _>>() else { return false };
        let proofs = batch.iter().zip(&inputs);
        let proofs = proofs.map(|((_, proof), inputs)| (self.key(), &inputs[..], proof.bytes()));
        muster_verifier::verify_batch(&proofs.collect::<Vec<_>>()).is_ok()
    }

    /// The public inputs of `statement` for a proof, as the verifier takes them, of which a message of the keys' kind and a mask of their
    /// sets make as many as the key has.
    fn public_inputs(
        &self,
        statement: &S::Statement,
        proof: &Proof,
    ) -> Result<Vec<[u8; 32]>, VerifyError> {
        if proof.kind() != self.kind() {
            return Err(VerifyError::Kind(proof.kind()));
        }
        Ok(self.shape().inputs_of(statement)?.iter().map(to_bytes).collect())
    }
}
