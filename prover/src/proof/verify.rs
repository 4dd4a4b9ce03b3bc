//! Checking proofs against what the verifier expects.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{SignerMask, Statement};
use rayon::prelude::*;

use super::{
    fault::{BatchError, VerifyError},
    halo2, Proof, ProofKind,
};
use crate::{logup::to_bytes, VerifierKey};

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
        if !self.kinds().contains(&proof.kind()) {
            return Err(VerifyError::Kind(proof.kind()));
        }
        let inputs = self.public_inputs(statement)?;
        match proof.kind() {
            ProofKind::Fast | ProofKind::Compact => {
                Ok(self.key().verify(&words(&inputs), proof.bytes())?)
            }
            ProofKind::Halo2 => halo2::verify(self, &inputs, proof.bytes()),
        }
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

    /// Whether all proofs hold, with one pairing for those of each format.
    fn all_hold(&self, batch: &[(Statement, &Proof)]) -> bool {
        let (mut own, mut others) = (vec![], vec![]);
        for (statement, proof) in batch {
            let Ok(inputs) = self.public_inputs(statement) else { return false };
            if !self.kinds().contains(&proof.kind()) {
                return false;
            }
            match proof.kind() {
                ProofKind::Fast | ProofKind::Compact => own.push((words(&inputs), proof.bytes())),
                ProofKind::Halo2 => others.push((inputs, proof.bytes())),
            }
        }
        let own: Vec<_> =
            own.iter().map(|(words, bytes)| (self.key(), words.as_slice(), *bytes)).collect();
        muster_verifier::verify_batch(&own).is_ok()
            && (others.is_empty() || halo2::all_hold(self, &others))
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

/// Inputs as the verifier takes them.
fn words(inputs: &[Fr]) -> Vec<[u8; 32]> {
    inputs.iter().map(to_bytes).collect()
}
