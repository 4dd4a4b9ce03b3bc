//! What a leaf has of a key, in circuit.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, AssignedValue};

/// A whole key and its weight, in the elements that a leaf has of them. Whoever makes one says so of these elements, and has
/// shown that the weight passes for an amount.
#[derive(Clone, Debug)]
pub struct AssignedEntry {
    /// The elements.
    pub elements: Vec<AssignedValue<Fr>>,
    /// The weight in the last of them.
    pub weight: AssignedValue<Fr>,
}
