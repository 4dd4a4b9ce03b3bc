//! Entries of tables: pairs that digits ask for.

use halo2_base::{utils::bigint_to_fe, QuantumCell};
use num_bigint::BigUint;

use super::{assigned::AssignedLimbs, chip::ForeignChip, equation::Equation, record::Waiting};
use crate::place::Place;
use muster_schemes::field::foreign::DIGIT_BITS;

/// A coordinate of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Coordinate<'a> {
    /// An element, which is copied.
    Element(&'a AssignedLimbs),
    /// A constant.
    Constant(&'a BigUint),
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
    /// If the layout was made for no equation that asks, there is no such table, or the digit is not odd and below 16;
    /// or a coordinate has other limbs than the gate.
    #[track_caller]
    pub fn enter(&self, (table, digit): (usize, u8), coordinates: [Coordinate; 2]) {
        assert!(self.block.sums().asks(), "the gate was made for tables");
        assert!(table < self.tables.get(), "the table is there");
        assert!(digit % 2 == 1 && digit < 1 << DIGIT_BITS, "a digit is odd and short");
        let limbs = |coordinate: Coordinate| match coordinate {
            Coordinate::Element(element) => {
                self.assert_limbs(element.shape());
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
            self.relate(&Equation::free(), &[], &BigUint::ZERO);
        }
    }
}
