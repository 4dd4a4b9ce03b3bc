//! Checks that points are a structured reference string.
//!
//! The checks together: g[0] and g2 are the standard generators, g[i+1] = τ·g[i] for the τ of s_g2,
//! on through the powers that follow g, and the Lagrange points are the inverse transform of g.
//! Equations are checked as random linear combinations with 128-bit coefficients that the author of
//! the file cannot foresee, so a file that fails any of them passes with probability at most 2⁻¹²⁸
//! (r is prime and larger).

use std::{iter::successors, path::Path};

use halo2_base::halo2_proofs::{
    arithmetic::best_multiexp,
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine, G2Affine, G1},
        ff::{Field, PrimeField},
        group::{prime::PrimeCurveAffine, Curve},
        pairing::Engine,
    },
    poly::{
        commitment::{Blind, Params, ParamsProver},
        kzg::commitment::ParamsKZG,
        EvaluationDomain,
    },
};
use rand::{thread_rng, Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::{
    error::{ParamsError, PointFault, PointName},
    parts::{Assembled, Parts},
};

/// |τ| up to this is recognised: test strings use such values (gnark-crypto's is 42).
const SMALL_TAU: usize = 1024;

impl Parts {
    /// Checks that these points are an SRS, then builds it. Each point must already be on the curve
    /// and in its group. `path` is the file to blame.
    pub(crate) fn verified(self, path: &Path) -> Result<Assembled, ParamsError> {
        generators(path, &self)?;
        powers(path, &self)?;
        tau_unknown(path, &self)?;
        let given_lagrange = self.g_lagrange.is_some();
        let assembled = self.assembled();
        if given_lagrange {
            lagrange(path, &assembled.params)?;
        }
        Ok(assembled)
    }
}

/// g[0] and g2 are the standard generators.
fn generators(path: &Path, parts: &Parts) -> Result<(), ParamsError> {
    let blame = |point| {
        let fault = PointFault::NotGenerator;
        Err(ParamsError::Point { path: path.to_path_buf(), point, fault })
    };
    if parts.g.first() != Some(&G1Affine::generator()) {
        return blame(PointName::Power(0));
    }
    if parts.g2 != G2Affine::generator() {
        return blame(PointName::G2);
    }
    Ok(())
}

/// e(Σ rᵢ g[i+1], g2) = e(Σ rᵢ g[i], s_g2): each power is τ times the one before. The further powers go on where g ends.
fn powers(path: &Path, parts: &Parts) -> Result<(), ParamsError> {
    let mut sums = Sums::of(&parts.g);
    if !parts.further.is_empty() {
        let last = parts.g.last();
        let end: Vec<_> = last.into_iter().chain(&parts.further).copied().collect();
        let more = Sums::of(&end);
        sums.next += more.next;
        sums.previous += more.previous;
    }
    let (next, previous) = (sums.next.to_affine(), sums.previous.to_affine());
    if Bn256::pairing(&next, &parts.g2) == Bn256::pairing(&previous, &parts.s_g2) {
        Ok(())
    } else {
        Err(ParamsError::WrongTau { path: path.to_path_buf() })
    }
}

/// Σ rᵢ g[i+1] and Σ rᵢ g[i] for random rᵢ.
struct Sums {
    next: G1,
    previous: G1,
}

impl Sums {
    /// The sums over at least two points.
    fn of(g: &[G1Affine]) -> Self {
        let steps = g.len() - 1;
        let coefficients = random_coefficients(steps);
        let next = best_multiexp(&coefficients, &g[1..]);
        Self { next, previous: best_multiexp(&coefficients, &g[..steps]) }
    }
}

/// A random polynomial has the same commitment from its values and from its coefficients.
fn lagrange(path: &Path, params: &ParamsKZG<Bn256>) -> Result<(), ParamsError> {
    let domain = EvaluationDomain::<Fr>::new(1, params.k());
    let mut values = domain.empty_lagrange();
    let coefficients = random_coefficients(values.len());
    values.copy_from_slice(&coefficients);
    // KZG commitments are not hiding here: the library ignores the blind.
    let from_values = params.commit_lagrange(&values, Blind(Fr::ZERO));
    let from_powers = params.commit(&domain.lagrange_to_coeff(values), Blind(Fr::ZERO));
    if from_values == from_powers {
        Ok(())
    } else {
        Err(ParamsError::WrongLagrange { path: path.to_path_buf() })
    }
}

/// τ is not one of the values that anybody would try first: that of halo2-base's fixed `gen_srs`
/// seed, a small number of either sign, or a 2^k-th root of unity. A ceremony hits none of them; a
/// file made for tests often does, and looks perfect otherwise.
fn tau_unknown(path: &Path, parts: &Parts) -> Result<(), ParamsError> {
    let known = |reason| Err(ParamsError::KnownTau { path: path.to_path_buf(), reason });
    let seeded = Fr::random(ChaCha20Rng::from_seed([0; 32]));
    if (G1::generator() * seeded).to_affine() == parts.g[1] {
        return known("it comes from the fixed seed of halo2-base's gen_srs");
    }
    let next = |multiple: &G1| Some(multiple + G1::generator());
    let multiples: Vec<_> = successors(Some(G1::generator()), next).take(SMALL_TAU).collect();
    let mut small = vec![G1Affine::identity(); SMALL_TAU];
    G1::batch_normalize(&multiples, &mut small);
    // A point and its negative share x.
    if small.iter().any(|point| point.x == parts.g[1].x) {
        return known("it is a small number, as in strings made for tests");
    }
    // τ^(2^k) = 1: then every Lagrange point but one would be the identity.
    let last = parts.g[parts.g.len() - 1];
    if Bn256::pairing(&last, &parts.s_g2) == Bn256::pairing(&G1Affine::generator(), &parts.g2) {
        return known("it is a root of unity of the evaluation domain");
    }
    Ok(())
}

fn random_coefficients(count: usize) -> Vec<Fr> {
    let mut rng = thread_rng();
    (0..count).map(|_| Fr::from_u128(rng.r#gen())).collect()
}
