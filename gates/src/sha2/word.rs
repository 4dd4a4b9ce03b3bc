//! The words that a chain reads and returns, and their byte order.

use std::marker::PhantomData;

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr, utils::fe_to_biguint, AssignedValue, QuantumCell,
};
use num_traits::ToPrimitive;

use super::spec::{Sha2, Sha512, MESSAGE};
use crate::range::RangeChip;

/// How the bytes of a word are read as an integer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// The first byte is the highest: as FIPS 180-4 has it, section 3.1.
    #[default]
    Big,
    /// The first byte is the lowest: as RFC 8032 has it.
    Little,
}

impl Order {
    /// What FIPS 180-4 reads in the bytes that are `integer` in this order; and the other way round.
    pub(super) fn turn(self, integer: u64) -> u64 {
        match self {
            Self::Big => integer,
            Self::Little => integer.swap_bytes(),
        }
    }
}

/// What determines the fixed cells of a chain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    /// How the words of each block are read.
    pub(super) messages: Vec<[Order; MESSAGE]>,
    /// How the words of hash values are read.
    pub(super) values: Order,
}

impl Form {
    /// Compressions of the chain.
    pub(super) fn blocks(&self) -> usize {
        self.messages.len()
    }
}

/// A word that a chain reads or returns: a constant, or a cell that is known to be small. It is the integer of its
/// bytes in an [`Order`], big-endian unless stated otherwise.
///
/// The sums of a step share a cell, a fixed number of bits apart, so no cell that enters them may be larger than that.
/// Range checks come in whole lookups: they show only that a cell is below `2^45`, or `2^75`; the sums show that it is
/// below `2^32`, or `2^64`.
#[derive(Clone, Copy, Debug)]
pub struct Word<H> {
    cell: QuantumCell<Fr>,
    order: Order,
    function: PhantomData<H>,
}

impl<H: Sha2> Word<H> {
    /// Bytes of a word.
    pub const BYTES: usize = H::SPEC.word / 8;

    fn new(cell: QuantumCell<Fr>) -> Self {
        Self { cell, order: Order::Big, function: PhantomData }
    }

    /// A constant.
    pub fn constant(word: H::Int) -> Self {
        Self::new(QuantumCell::Constant(Fr::from(word.into())))
    }

    /// A word that the prover chooses. Once a chain reads it, it is below `2^32` or `2^64`.
    #[track_caller]
    pub fn witness(range: &RangeChip, word: H::Int) -> Self {
        let word = QuantumCell::Witness(Fr::from(word.into()));
        Self::new(QuantumCell::Existing(range.check(word, H::SPEC.word)))
    }

    /// The word in `cell`, which fails if it is not below `2^32` or `2^64`.
    pub fn existing(range: &RangeChip, cell: AssignedValue<Fr>) -> Self {
        Self::new(QuantumCell::Existing(range.check(cell, H::SPEC.word)))
    }

    /// A word of a hash value, whose cell is range-checked.
    pub(super) fn returned(cell: AssignedValue<Fr>, order: Order) -> Self {
        Self { order, ..Self::new(QuantumCell::Existing(cell)) }
    }

    /// The cell or the constant.
    pub fn cell(&self) -> QuantumCell<Fr> {
        self.cell
    }

    pub(super) fn order(&self) -> Order {
        self.order
    }

    /// The word as FIPS 180-4 reads its bytes.
    pub(super) fn value(&self) -> u64 {
        self.order.turn(low_bits(self.cell.value(), H::SPEC.word))
    }
}

impl Word<Sha512> {
    /// The word whose bytes, in this order, are the same integer.
    pub fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }
}

/// The lowest bits of a field element.
fn low_bits(value: &Fr, bits: usize) -> u64 {
    let low = fe_to_biguint(value) % (1u128 << bits);
    low.to_u64().expect("reduced to a word")
}
