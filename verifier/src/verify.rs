//! One proof of either format, or many with one pairing. Sections 7 and 8 of the specification.

use std::collections::BTreeMap;

use ark_ff::{Field, One};

use crate::{
    arrangement::PIECES,
    claim::{hold, Claim, Sum},
    compact,
    domain::powers,
    encoding::scalar_reduced,
    error::{BatchError, VerifyError},
    key::{Fast, Key, Kind},
    proof::{Challenges, Inputs, Proof},
    transcript::hash,
    Scalar,
};

impl Key {
    /// Checks a proof that somebody knows columns which meet the key's circuit for these inputs. It is of the key's
    /// format; one of the format `compact` may have its points in either encoding.
    ///
    /// Inputs are 32 bytes each, big-endian. Derive them from what you expect, and never from where
    /// the proof is from.
    ///
    /// # Errors
    ///
    /// If the proof is refused, whatever the reason.
    pub fn verify(&self, inputs: &[[u8; 32]], proof: &[u8]) -> Result<(), VerifyError> {
        claim(self, inputs, proof)?.check()
    }
}

/// Does everything for a proof but to sum points and to pair them.
pub(crate) fn claim<'a>(
    key: &'a Key,
    inputs: &[[u8; 32]],
    bytes: &[u8],
) -> Result<Claim<'a>, VerifyError> {
    let inputs = Inputs::read(key.protocol().inputs(), inputs)?;
    match &key.kind {
        Kind::Fast(fast) => {
            let proof = Proof::read(key.protocol().arrangement(), bytes)?;
            let challenges = Challenges::new(&key.digest(), inputs.bytes, &proof.rounds);
            claim_at(key, fast, &inputs.scalars, proof, challenges)
        }
        Kind::Compact(compact) => compact::claim(key, compact, &inputs, bytes),
    }
}

/// What is left of a proof of the format `fast` that was read, at these challenges.
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
    let piece = key_factors.pop().unwrap_or_default();
    factors.extend(powers(piece, fast.equation.raise(challenges.x)).take(PIECES));
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

/// A proof of a batch: its key, its inputs, and its bytes.
pub type BatchItem<'a> = (&'a Key, &'a [[u8; 32]], &'a [u8]);

/// Checks many proofs of either format, each under its key and for its inputs, with one pairing for all keys of one
/// `[τ]₂`. If that fails, each is checked alone.
///
/// # Errors
///
/// Every place whose proof is refused, with the reason that [`Key::verify`] has.
pub fn verify_batch(batch: &[BatchItem]) -> Result<(), BatchError> {
    let mut refused = Vec::new();
    let mut groups: BTreeMap<[u8; 128], Vec<(usize, Claim)>> = BTreeMap::new();
    for (place, &(key, inputs, proof)) in batch.iter().enumerate() {
        match claim(key, inputs, proof) {
            Ok(claim) => groups.entry(key.tau_g2()).or_default().push((place, claim)),
            Err(error) => refused.push((place, error)),
        }
    }
    for group in groups.values() {
        if !holds_together(group) {
            refused.extend(alone(group));
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    refused.sort_by_key(|&(place, _)| place);
    Err(BatchError(refused))
}

/// Whether the claims hold, all under one `[τ]₂`. That says nothing of those that fail.
fn holds_together(group: &[(usize, Claim)]) -> bool {
    let factors = factors(group.iter().map(|(_, claim)| claim.name));
    let claims = group.iter().map(|(_, claim)| claim).zip(factors);
    hold(&claims.collect::<Vec<_>>())
}

/// The factors of proofs, by their names: of the first one it is 1, and of any other 128 bits of a hash of all names up to its own.
pub(crate) fn factors(names: impl Iterator<Item = [u8; 32]>) -> impl Iterator<Item = Scalar> {
    names.scan(None, |state, name| {
        let Some(before) = state.replace(name) else { return Some(Scalar::one()) };
        let hash = hash(&[&before, &name]);
        *state = Some(hash);
        let mut number = [0; 32];
        for (byte, hashed) in number.iter_mut().skip(16).zip(hash) {
            *byte = hashed;
        }
        Some(scalar_reduced(&number))
    })
}

/// The claims that fail, each checked alone.
fn alone<'a>(group: &'a [(usize, Claim)]) -> impl Iterator<Item = (usize, VerifyError)> + 'a {
    group.iter().filter_map(|(place, claim)| Some((*place, claim.check().err()?)))
}
