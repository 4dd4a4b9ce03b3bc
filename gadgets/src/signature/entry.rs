//! A key's entry in a leaf, in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

/// A whole key and its weight, in the elements that a leaf holds. Whoever builds one vouches for these elements, and
/// must already have proven that the weight passes for an amount.
#[derive(Clone, Debug)]
pub struct AssignedEntry {
    /// The elements.
    pub elements: Vec<AssignedValue<Fr>>,
    /// The weight in the last of them.
    pub weight: AssignedValue<Fr>,
}
