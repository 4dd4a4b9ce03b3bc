//! A proof of the format `compact`: from its bytes to what is left to check. Section 13 of the specification.

mod opening;
mod proof;

use ark_ff::Field;

use crate::{
    claim::{Claim, Sum},
    domain::Domain,
    encoding::scalar_to_bytes,
    error::VerifyError,
    key::{Compact, CompactKey, Key},
    proof::Inputs,
    Scalar,
};
pub(crate) use opening::{divisor, Evaluations};
pub(crate) use proof::{Challenges, Proof};

impl CompactKey<'_> {
    /// The bytes of a proof in the long encoding, which contracts take, whichever encoding it has. Verifies it for these
    /// inputs, as [`Key::verify`] does: what is returned holds.
    ///
    /// # Errors
    ///
    /// If the proof is refused, whatever the reason.
    pub fn calldata(&self, inputs: &[[u8; 32]], proof: &[u8]) -> Result<Vec<u8>, VerifyError> {
        let (key, compact) = (self.key, self.compact);
        let inputs = Inputs::read(key.protocol().inputs(), inputs)?;
        let proof = Proof::read(&compact.packs, proof)?;
        let challenges = Challenges::new(&compact.evm_key.name(), inputs.bytes, &proof.items);
        claim_at(key, compact, &inputs.scalars, &proof, &challenges)?.check()?;
        let divisor = divisor(compact, inputs.scalars.len(), &challenges);
        let inverse = divisor.inverse().ok_or(VerifyError::Challenge)?;
        Ok([proof.items.concat(), scalar_to_bytes(&inverse).to_vec()].concat())
    }
}

/// Does everything for a proof but to sum points and to pair them.
pub(crate) fn claim<'a>(
    key: &'a Key,
    compact: &Compact,
    inputs: &Inputs<'_>,
    bytes: &[u8],
) -> Result<Claim<'a>, VerifyError> {
    let proof = Proof::read(&compact.packs, bytes)?;
    let challenges = Challenges::new(&compact.evm_key.name(), inputs.bytes, &proof.items);
    claim_at(key, compact, &inputs.scalars, &proof, &challenges)
}

/// What is left of a proof that was read, at these challenges.
pub(crate) fn claim_at<'a>(
    key: &'a Key,
    compact: &Compact,
    inputs: &[Scalar],
    proof: &Proof,
    challenges: &Challenges,
) -> Result<Claim<'a>, VerifyError> {
    let &Challenges { x, alpha, u, decider, rho, .. } = challenges;
    let domain = Domain::new(compact.decider_k);
    let evaluations = Evaluations(proof.evaluations);
    let public_inputs = [inputs, &challenges.public, &proof.weights, &[proof.remainder]].concat();
    let quotient =
        evaluations.quotient(&domain, &public_inputs, &decider).ok_or(VerifyError::Challenge)?;
    let opening = evaluations.open(&domain, quotient, &decider).ok_or(VerifyError::Challenge)?;
    let [fixed, values, wires, product, decider_quotient] =
        opening.weights.map(|weight| rho * weight);

    let by_distance = (u - x).inverse().ok_or(VerifyError::Challenge)?;
    let quotient = alpha.pow([proof.weights.len() as u64]) * by_distance;
    let is_wrong = |inverse| inverse * divisor(compact, inputs.len(), challenges) != Scalar::ONE;
    if proof.inverse.is_some_and(is_wrong) {
        return Err(VerifyError::Inverse);
    }
    // Packs of round 0 are the key's, and the first ones.
    let (key_weights, weights) = proof.weights.split_at(compact.packs.key);
    let last = [
        (proof.quotient, quotient),
        (proof.w, -Scalar::ONE),
        (proof.w_prime, u),
        (proof.values, values),
        (proof.wires, wires),
        (proof.decider_product, product),
        (proof.decider_quotient, decider_quotient),
        (proof.decider_w, -rho),
        (proof.decider_w_prime, rho * decider.u),
    ];
    let (points, factors): (Vec<_>, Vec<_>) =
        proof.packs.iter().copied().zip(weights.iter().copied()).chain(last).unzip();
    Ok(Claim {
        key,
        name: challenges.name,
        left: Sum::new(points, factors),
        key_factors: [key_weights, &[fixed]].concat(),
        one_factor: -(proof.remainder + rho * opening.remainder),
        right: Sum::new(vec![proof.w_prime, proof.decider_w_prime], vec![Scalar::ONE, rho]),
    })
}
