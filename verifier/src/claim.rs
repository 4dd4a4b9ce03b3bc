//! What is left of a proof of either format when all but points is computed: sums of points, and a pairing. Sections 7
//! and 13 of the specification.

use std::{collections::BTreeMap, sync::LazyLock};

use ark_bn254::{Bn254, G1Affine, G1Projective, G2Affine};
use ark_ec::{pairing::Pairing, AffineRepr, CurveGroup, VariableBaseMSM};
use ark_ff::{AdditiveGroup, One};

use crate::{error::VerifyError, key::Key, Scalar};

type Prepared = <Bn254 as Pairing>::G2Prepared;

/// `[1]₂`, with the lines through it.
static ONE: LazyLock<Prepared> = LazyLock::new(|| G2Affine::generator().into());

/// Points, each with its factor.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    points: Vec<G1Affine>,
    pub(crate) factors: Vec<Scalar>,
}

impl Sum {
    pub(crate) fn new(points: Vec<G1Affine>, factors: Vec<Scalar>) -> Self {
        debug_assert_eq!(points.len(), factors.len());
        Self { points, factors }
    }

    /// Adds another sum, times a factor.
    fn add(&mut self, other: &Self, factor: Scalar) {
        self.points.extend(&other.points);
        self.factors.extend(other.factors.iter().map(|own| factor * own));
    }

    pub(crate) fn total(&self) -> G1Projective {
        G1Projective::msm_unchecked(&self.points, &self.factors)
    }
}

/// What is left of a proof to check: `e(left, [1]₂) = e(right, [τ]₂)`, with its points unsummed.
pub(crate) struct Claim<'a> {
    pub(crate) key: &'a Key,
    /// The proof's name, by which batches are weighed.
    pub(crate) name: [u8; 32],
    /// The proof's points on the left.
    pub(crate) left: Sum,
    /// The factors of the key's commitments, on the left.
    pub(crate) key_factors: Vec<Scalar>,
    /// The factor of `[1]₁`, on the left.
    pub(crate) one_factor: Scalar,
    /// The proof's points on the right.
    pub(crate) right: Sum,
}

impl Claim<'_> {
    /// The equation of this proof alone.
    pub(crate) fn check(&self) -> Result<(), VerifyError> {
        if hold(&[(self, Scalar::one())]) {
            Ok(())
        } else {
            Err(VerifyError::Equation)
        }
    }
}

/// Whether the sum of the claims holds, each times its factor. All of them are under one `[τ]₂`.
pub(crate) fn hold(claims: &[(&Claim, Scalar)]) -> bool {
    let Some((first, _)) = claims.first() else { return true };
    let mut right = Sum::default();
    for &(claim, factor) in claims {
        right.add(&claim.right, factor);
    }
    let points = G1Projective::normalize_batch(&[left(claims).total(), -right.total()]);
    let pairs = Bn254::multi_miller_loop(points, [ONE.clone(), first.key.tau.clone()]);
    Bn254::final_exponentiation(pairs).is_some_and(|product| product.0.is_one())
}

/// The claims' left points. A key's commitments are added once, however many proofs are under it.
pub(crate) fn left(claims: &[(&Claim, Scalar)]) -> Sum {
    let mut sum = Sum::default();
    let mut one = Scalar::ZERO;
    let mut keys: BTreeMap<[u8; 32], (&Key, Vec<Scalar>)> = BTreeMap::new();
    for &(claim, factor) in claims {
        sum.add(&claim.left, factor);
        one += factor * claim.one_factor;
        let (_, sums) = keys
            .entry(claim.key.digest())
            .or_insert_with(|| (claim.key, vec![Scalar::ZERO; claim.key_factors.len()]));
        for (sum, own) in sums.iter_mut().zip(&claim.key_factors) {
            *sum += factor * own;
        }
    }
    for (key, factors) in keys.into_values() {
        sum.points.extend(&key.commitments);
        sum.factors.extend(factors);
    }
    sum.points.push(G1Affine::generator());
    sum.factors.push(one);
    sum
}
