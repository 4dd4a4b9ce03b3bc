//! The point of a product.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

/// A sum of multiples of points of the subgroup by scalars that are bound; it may be the identity.
#[derive(Clone, Copy, Debug)]
pub struct AssignedSum {
    pub(super) x: AssignedValue<Fr>,
    pub(super) y: AssignedValue<Fr>,
}

impl AssignedSum {
    /// First coordinate.
    pub fn x(&self) -> AssignedValue<Fr> {
        self.x
    }

    /// Second coordinate.
    pub fn y(&self) -> AssignedValue<Fr> {
        self.y
    }
}
