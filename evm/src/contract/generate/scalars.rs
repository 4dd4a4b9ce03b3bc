//! The constants of the interpolation, and where the scalars of the multi-scalar multiplication lie.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};

use super::super::protocol::{OpeningSet, Protocol};

/// Where the scalars of the multi-scalar multiplication lie.
#[derive(Clone, Debug)]
pub(super) struct Scalars {
    /// The factor of each set but the first, whose factor is 1.
    pub(super) sets: Vec<Option<usize>>,
    /// Z₀.
    pub(super) z_0: usize,
    /// The factor with which the generator is subtracted.
    pub(super) evaluation: usize,
}

/// 1 over the product of ω^rotation − ω^other over the others.
pub(super) fn weight(protocol: &Protocol, set: &OpeningSet, place: usize) -> Fr {
    let own = protocol.omega(set.rotations[place]);
    let others = set.rotations.iter().enumerate().filter(|(other, _)| *other != place);
    let product =
        others.fold(Fr::ONE, |product, (_, rotation)| product * (own - protocol.omega(*rotation)));
    // Rotations differ, and by less than the number of rows.
    product.invert().expect("distinct powers of a generator")
}
