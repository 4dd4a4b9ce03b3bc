//! A proof of the format `fast`: from its bytes to what is left to check. Section 7 of the specification.

use ark_ff::Field;

use crate::{
    arrangement::PIECES,
    claim::{Claim, Sum},
    error::VerifyError,
    key::{Fast, Key},
    proof::{Challenges, Inputs, Proof},
    Scalar,
};

/// Does everything for a proof but to sum points and to pair them.
pub(crate) fn claim<'a>(
    key: &'a Key,
    fast: &Fast,
    inputs: &Inputs<'_>,
    bytes: &[u8],
) -> Result<Claim<'a>, VerifyError> {
    let proof = Proof::read(key.protocol().arrangement(), bytes)?;
    let challenges = Challenges::new(&key.digest(), inputs.bytes, &proof.rounds);
    claim_at(key, fast, &inputs.scalars, proof, challenges)
}

/// What is left of a proof that was read, at these challenges.
pub(crate) fn claim_at<'a>(
    key: &'a Key,
    fast: &Fast,
    inputs: &[Scalar],
    proof: Proof<'_>,
    challenges: Challenges,
) -> Result<Claim<'a>, VerifyError> {
    let protocol = key.protocol();
    let quotient = fast
        .equation
        .quotient(protocol, inputs, &proof.values, &challenges)
        .ok_or(VerifyError::Challenge)?;
    let opening =
        fast.openings.open(&proof.values, quotient, &challenges).ok_or(VerifyError::Challenge)?;

    // Polynomials are in order those of the proof, those of the key, and the quotient.
    let mut factors = opening.weights;
    let mut key_factors = factors.split_off(protocol.arrangement().committed());
    let mut piece = key_factors.pop().unwrap_or_default();
    let step = fast.equation.raise(challenges.x);
    for _ in 0..PIECES {
        factors.push(piece);
        piece *= step;
    }
    factors.extend([-Scalar::ONE, challenges.u]);
    let mut points = proof.commitments;
    points.extend([proof.w, proof.w_prime]);
    Ok(Claim {
        key,
        name: challenges.name,
        left: Sum::new(points, factors),
        key_factors,
        one_factor: -opening.remainder,
        right: Sum::new(vec![proof.w_prime], vec![Scalar::ONE]),
    })
}
