//! The forms of what is said of classes of cells.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

/// `Σ slope·change = 0`.
pub(super) type Equation = Vec<(usize, Fr)>;

/// An equation that holds as soon as its inputs are known.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) inputs: Vec<usize>,
    pub(super) output: Equation,
}

/// An equation modulo a foreign prime: of these classes it determines what has so many bits.
#[derive(Debug)]
pub(super) struct Relation {
    pub(super) classes: Vec<usize>,
    pub(super) bits: u32,
}
