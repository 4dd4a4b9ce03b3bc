//! The points of an SRS before they are known to be one.

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine, G2Affine},
        ff::{Field, PrimeField},
        group::Curve,
    },
    poly::kzg::commitment::ParamsKZG,
};
use muster_engine::Backend;
use rand::rngs::OsRng;

use crate::error::FURTHER;

/// Decoded points. `g` has `2^k` elements, and so has `g_lagrange` if present.
pub(crate) struct Parts {
    pub(crate) k: u32,
    pub(crate) g: Vec<G1Affine>,
    /// The powers that follow those of `g`: [`FURTHER`], or fewer if the source has no more, which are of no use.
    pub(crate) further: Vec<G1Affine>,
    pub(crate) g_lagrange: Option<Vec<G1Affine>>,
    pub(crate) g2: G2Affine,
    pub(crate) s_g2: G2Affine,
}

/// The points of an SRS, complete.
pub(crate) struct Assembled {
    pub(crate) params: ParamsKZG<Bn256>,
    /// [`FURTHER`] powers or none.
    pub(crate) further: Vec<G1Affine>,
}

impl Parts {
    /// The points for a secret `tau`, which must not be a root of unity of order `2^k`.
    pub(crate) fn of_secret(k: u32, tau: Fr) -> Self {
        let backend = backend();
        let powers =
            |base: Fr| std::iter::successors(Some(Fr::ONE), move |power| Some(*power * base));
        let count = 1 << k;
        let generator = G1Affine::generator();
        let of_tau: Vec<Fr> = powers(tau).take(count + FURTHER).collect();
        let mut g = backend.multiples(&generator, &of_tau);
        let further = g.split_off(count);
        // Lagrange's polynomials at tau: `(τⁿ − 1)/n · ωⁱ/(τ − ωⁱ)`.
        let root = Fr::ROOT_OF_UNITY.pow_vartime([1 << (Fr::S - k)]);
        let factor =
            (tau.pow_vartime([count as u64]) - Fr::ONE) * Fr::TWO_INV.pow_vartime([u64::from(k)]);
        let points: Vec<Fr> = powers(root).take(count).collect();
        let mut at_tau: Vec<Fr> = points.iter().map(|point| tau - point).collect();
        backend.invert(&mut at_tau);
        backend.mul(&mut at_tau, &points);
        backend.scale(&mut at_tau, factor);
        let g_lagrange = Some(backend.multiples(&generator, &at_tau));
        let g2 = G2Affine::generator();
        Self { k, g, further, g_lagrange, g2, s_g2: (g2 * tau).to_affine() }
    }

    /// Builds the parameters with no check at all. Computes the Lagrange points when there are
    /// none, which is by far the longest step of an import.
    pub(crate) fn assembled(self) -> Assembled {
        let further = all_or_none(self.further);
        let g_lagrange = self.g_lagrange.unwrap_or_else(|| backend().lagrange(&self.g));
        // `from_parts` ignores its receiver, which can only be had from `setup`: nothing of this one survives.
        let receiver = ParamsKZG::<Bn256>::setup(1, OsRng);
        let params = receiver.from_parts(self.k, self.g, Some(g_lagrange), self.g2, self.s_g2);
        Assembled { params, further }
    }
}

/// [`FURTHER`] powers, or none where there are fewer.
pub(crate) fn all_or_none(mut further: Vec<G1Affine>) -> Vec<G1Affine> {
    further.truncate(if further.len() < FURTHER { 0 } else { FURTHER });
    further
}

/// The backend that computes points, which are the same with any. If the environment asks for one that is not there, it
/// is for those who prove to refuse.
pub(crate) fn backend() -> Backend {
    Backend::from_env().unwrap_or(Backend::portable())
}
