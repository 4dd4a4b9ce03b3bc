//! The points of an SRS before they are known to be one.

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, G1Affine, G2Affine},
    poly::kzg::commitment::ParamsKZG,
};
use rand::rngs::OsRng;

/// Decoded points. `g` has `2^k` elements, and so has `g_lagrange` when there.
pub(crate) struct Parts {
    pub(crate) k: u32,
    pub(crate) g: Vec<G1Affine>,
    pub(crate) g_lagrange: Option<Vec<G1Affine>>,
    pub(crate) g2: G2Affine,
    pub(crate) s_g2: G2Affine,
}

impl Parts {
    /// Builds the parameters with no check at all. Computes the Lagrange points when there are
    /// none, which is by far the longest step of an import.
    pub(crate) fn assembled(self) -> ParamsKZG<Bn256> {
        // `from_parts` is a method whose receiver is ignored, and a receiver can only be had from
        // `setup`: nothing of this one survives.
        let receiver = ParamsKZG::<Bn256>::setup(1, OsRng);
        receiver.from_parts(self.k, self.g, self.g_lagrange, self.g2, self.s_g2)
    }
}
