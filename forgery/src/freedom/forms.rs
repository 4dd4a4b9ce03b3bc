//! The forms of statements about classes of cells.

use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use num_bigint::BigInt;

/// `Σ slope·change = 0`.
pub(super) type Equation = Vec<(usize, Fr)>;

/// An equation that holds as soon as its inputs are known.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) inputs: Vec<usize>,
    pub(super) output: Equation,
}

/// A number by the classes of its limbs.
pub(super) type Number = Vec<usize>;

/// Numbers that are assumed to be known as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// Results that no relation gives.
    pub(super) elements: Vec<Number>,
    /// Numbers that are no results.
    pub(super) outside: Vec<Number>,
}

/// `Σ slope·change = 0` of numbers modulo a foreign prime, or over the integers for the modulus 0: it determines
/// numbers of up to `bits` bits.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// Each number once, no slope 0.
    pub(super) slopes: Vec<(Number, BigInt)>,
    pub(super) modulus: BigInt,
    pub(super) bits: u32,
    /// The first row of its block.
    pub(super) row: usize,
}
