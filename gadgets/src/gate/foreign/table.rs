//! Entries of tables: pairs that digits ask for.

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::bigint_to_fe, QuantumCell};
use num_bigint::{BigInt, BigUint};

use super::{
    assigned::AssignedLimbs,
    block::OperandCell,
    chip::{ForeignChip, Role},
    equation::{Equation, OPERANDS},
};
use crate::{field::foreign::DIGIT_BITS, gate::place::Place};

/// A coordinate of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate<'a> {
    /// An element, which is copied.
    Element(&'a AssignedLimbs),
    /// A constant.
    Constant(&'a BigUint),
}

/// An entry that no block holds yet.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    /// What asks for it.
    pub(super) place: Place,
    table: usize,
    digit: u8,
    /// The limbs of both coordinates: where they come from, and what they are.
    coordinates: [Vec<(QuantumCell<Fr>, BigInt)>; OPERANDS],
}

impl ForeignChip {
    /// The number of a new table.
    pub fn table(&self) -> usize {
        let number = self.tables.get();
        self.tables.set(number + 1);
        number
    }

    /// Adds an entry to a table: the multiple by `digit`. The next block without operands holds it.
    ///
    /// # Panics
    /// If there is no such table, or the digit is not odd and below 16.
    #[track_caller]
    pub fn enter(&self, (table, digit): (usize, u8), coordinates: [Coordinate; 2]) {
        assert!(table < self.tables.get(), "the table is there");
        assert!(digit % 2 == 1 && digit < 1 << DIGIT_BITS, "a digit is odd and short");
        let limbs = |coordinate: Coordinate| match coordinate {
            Coordinate::Element(element) => {
                let cells = element.limbs().iter().copied().map(QuantumCell::Existing);
                cells.zip(self.split(element.value())).collect()
            }
            Coordinate::Constant(value) => {
                let limbs = self.split(value).into_iter();
                limbs.map(|limb| (QuantumCell::Constant(bigint_to_fe(&limb)), limb)).collect()
            }
        };
        let entry =
            Waiting { place: Place::here(), table, digit, coordinates: coordinates.map(limbs) };
        self.waiting.borrow_mut().push_back(entry);
    }

    /// Gives blocks of their own to the entries that no other block has held.
    #[track_caller]
    pub fn enter_all(&self) {
        while !self.waiting.borrow().is_empty() {
            self.relate(&Equation::new(&BigUint::ZERO), &[], &BigUint::ZERO);
        }
    }

    pub(super) fn next_entry(&self) -> Option<Waiting> {
        self.waiting.borrow_mut().pop_front()
    }

    /// Binds the operands of block `id` to an entry.
    pub(super) fn hold(&self, id: usize, entry: Waiting) -> ([Vec<BigInt>; OPERANDS], Role) {
        let Waiting { place, table, digit, coordinates } = entry;
        for (operand, limbs) in coordinates.iter().enumerate() {
            for (limb, (source, _)) in limbs.iter().enumerate() {
                self.bind(place, id, OperandCell::Limb(operand, limb), source);
            }
        }
        let values = coordinates.map(|limbs| limbs.into_iter().map(|(_, limb)| limb).collect());
        (values, Role::Entry { place, table, digit })
    }
}
