//! What is recorded: relations, and entries that no relation holds yet.

use std::sync::Arc;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, QuantumCell};
use num_bigint::BigInt;
use num_traits::Zero;

use super::{block::Block, sums::COORDINATES, witness::Prepared};
use crate::place::Place;

/// A recorded relation.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) prepared: Arc<Prepared>,
    pub(super) operands: Vec<Vec<BigInt>>,
    /// Operands that are bound for the equation: none in a block that holds a table entry.
    pub(super) given: usize,
    pub(super) result: Vec<BigInt>,
    pub(super) role: Role,
    /// The place that asks for it.
    pub(super) place: Place,
}

#[derive(Clone, Debug)]
pub(super) enum Role {
    Plain,
    Entry { place: Place, table: usize, digit: u8 },
    Asks(Asked),
}

/// The entry of a table that a relation asks for, and the running sums around its digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) table: usize,
    pub(super) digit: i8,
    pub(super) before: Fr,
    pub(super) after: Fr,
}

/// An entry that no block holds yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// The place that asks for it.
    pub(super) place: Place,
    pub(super) table: usize,
    pub(super) digit: u8,
    /// The limbs of both coordinates: where they come from, and what they are.
    pub(super) coordinates: [Vec<(QuantumCell<Fr>, BigInt)>; COORDINATES],
}

/// Where nothing is written: a result, or an operand that the equation does not use.
pub(super) fn zeros(block: &Block) -> Vec<BigInt> {
    vec![BigInt::zero(); block.format().limbs()]
}
