//! One proof: from its bytes to the two points of the pairing.

use std::{collections::BTreeMap, sync::LazyLock};

use ark_bn254::{Bn254, G1Affine, G1Projective, G2Affine};
use ark_ec::{pairing::Pairing, AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, Field, One};

use crate::{
    arrangement::PIECES, challenges::Challenges, encoding::scalar_from_bytes, error::VerifyError,
    key::Key, proof::Proof, Scalar,
};

type Prepared = <Bn254 as Pairing>::G2Prepared;

/// `[1]₂`, with the lines through it.
static ONE: LazyLock<Prepared> = LazyLock::new(|| G2Affine::generator().into());

impl Key {
    /// Checks a proof that somebody knows columns which meet the key's circuit for these inputs.
    ///
    /// Inputs are 32 bytes each, big-endian. Derive them from what you expect, and never from where
    /// the proof is from.
    ///
    /// # Errors
    ///
    /// If the proof is refused, whatever the reason.
    pub fn verify(&self, inputs: &[[u8; 32]], proof: &[u8]) -> Result<(), VerifyError> {
        Claim::read(self, inputs, proof)?.check()
    }
}

/// What is left of a proof to check: the equation of section 7, with its points unsummed.
pub(crate) struct Claim<'a> {
    pub(crate) key: &'a Key,
    /// The proof's name, by which batches are weighed.
    pub(crate) name: [u8; 32],
    /// The proof's points on the left, each with its factor.
    points: Vec<G1Affine>,
    factors: Vec<Scalar>,
    /// The factors of the key's commitments.
    key_factors: Vec<Scalar>,
    /// The factor of `[1]₁`.
    one_factor: Scalar,
    pub(crate) w_prime: G1Affine,
}

impl<'a> Claim<'a> {
    /// Does everything for a proof but to sum points and to pair them.
    pub(crate) fn read(
        key: &'a Key,
        inputs: &[[u8; 32]],
        bytes: &[u8],
    ) -> Result<Self, VerifyError> {
        let protocol = key.protocol();
        let expected = protocol.inputs();
        if inputs.len() != expected {
            return Err(VerifyError::InputCount { found: inputs.len(), expected });
        }
        let scalars = inputs
            .iter()
            .enumerate()
            .map(|(number, bytes)| scalar_from_bytes(bytes).ok_or(VerifyError::Input(number)));
        let scalars: Vec<_> = scalars.collect::<Result<_, _>>()?;
        let proof = Proof::read(protocol.arrangement(), bytes)?;
        let challenges = Challenges::new(&key.digest(), inputs, &proof.rounds);
        Self::at(key, &scalars, proof, challenges)
    }

    /// What is left of a proof that was read, at these challenges.
    pub(crate) fn at(
        key: &'a Key,
        inputs: &[Scalar],
        proof: Proof<'_>,
        challenges: Challenges,
    ) -> Result<Self, VerifyError> {
        let protocol = key.protocol();
        let quotient = key
            .equation
            .quotient(protocol, inputs, &proof.values, &challenges)
            .ok_or(VerifyError::Challenge)?;
        let opening = key
            .openings
            .open(&proof.values, quotient, &challenges)
            .ok_or(VerifyError::Challenge)?;

        // Polynomials are in order those of the proof, those of the key, and the quotient.
        let mut factors = opening.weights;
        let mut key_factors = factors.split_off(protocol.arrangement().committed());
        let mut piece = key_factors.pop().unwrap_or_default();
        let step = key.equation.raise(challenges.x);
        for _ in 0..PIECES {
            factors.push(piece);
            piece *= step;
        }
        factors.extend([-Scalar::ONE, challenges.u]);
        let mut points = proof.commitments;
        points.extend([proof.w, proof.w_prime]);
        let (name, w_prime) = (challenges.name, proof.w_prime);
        Ok(Self {
            key,
            name,
            points,
            factors,
            key_factors,
            one_factor: -opening.remainder,
            w_prime,
        })
    }

    /// The equation of this proof alone.
    pub(crate) fn check(&self) -> Result<(), VerifyError> {
        if holds(left(&[(self, Scalar::one())]), self.w_prime.into(), &self.key.tau) {
            Ok(())
        } else {
            Err(VerifyError::Equation)
        }
    }
}

/// The sum of the claims' left points, each times its factor. A key's commitments are added once,
/// however many proofs are under it.
pub(crate) fn left(claims: &[(&Claim, Scalar)]) -> G1Projective {
    let mut points = vec![G1Affine::generator()];
    let mut factors = vec![Scalar::ZERO];
    let mut keys: BTreeMap<[u8; 32], (&Key, Vec<Scalar>)> = BTreeMap::new();
    for &(claim, factor) in claims {
        points.extend(&claim.points);
        factors.extend(claim.factors.iter().map(|own| factor * own));
        factors[0] += factor * claim.one_factor;
        let (_, sums) = keys
            .entry(claim.key.digest())
            .or_insert_with(|| (claim.key, vec![Scalar::ZERO; claim.key_factors.len()]));
        for (sum, own) in sums.iter_mut().zip(&claim.key_factors) {
            *sum += factor * own;
        }
    }
    for (key, sums) in keys.values() {
        points.extend(&key.commitments);
        factors.extend(sums);
    }
    G1Projective::msm_unchecked(&points, &factors)
}

/// Whether `e(left, [1]₂) = e(right, [τ]₂)`.
pub(crate) fn holds(left: G1Projective, right: G1Projective, tau: &Prepared) -> bool {
    let points = G1Projective::normalize_batch(&[left, -right]);
    let pairs = Bn254::multi_miller_loop(points, [ONE.clone(), tau.clone()]);
    Bn254::final_exponentiation(pairs).is_some_and(|product| product.0.is_one())
}
