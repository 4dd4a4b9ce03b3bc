//! Names for the cells of a gate's rows, and the copies that bind them to the rest of the circuit.

#[cfg(debug_assertions)]
use std::collections::HashSet;

use halo2_base::{
    halo2_proofs::{circuit::Cell, halo2curves::bn256::Fr, plonk::Assigned},
    virtual_region::copy_constraints::SharedCopyConstraintManager,
    AssignedValue, ContextCell, QuantumCell,
};

#[cfg(debug_assertions)]
use super::place::credit;
use super::place::Place;

/// What a circuit is recorded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Keys, or a check of every constraint: all of it.
    Constraints,
    /// A proof: no names and no copies, which are part of the key.
    Witness,
    /// To know how much of it there is: rows and cells by their number, no copies but those of constants, and no values.
    /// The cells that a gate computes hold 0.
    ///
    /// What is recorded never depends on values, or two witnesses of one shape would have different keys. So the count
    /// is exact.
    Usage,
    /// The same, but turns of loops that are like others are added up, see [`repeat`](super::repeat).
    Total,
}

impl Purpose {
    /// Whether nothing is recorded but how much there is.
    pub(super) fn counts_only(self) -> bool {
        match self {
            Self::Usage | Self::Total => true,
            Self::Constraints | Self::Witness => false,
        }
    }
}

/// Hands out [`AssignedValue`]s for cells that live in a gate's own columns.
///
/// A cell is named by `(operation, offset)`; the name is resolved to a physical cell when the manager
/// writes its rows. Witness generation keeps no names and no copies: copy constraints are part of the
/// key, not of the witness.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    type_id: &'static str,
    copies: SharedCopyConstraintManager<Fr>,
    purpose: Purpose,
}

impl Cells {
    pub(super) fn new(
        type_id: &'static str,
        copies: SharedCopyConstraintManager<Fr>,
        purpose: Purpose,
    ) -> Self {
        Self { type_id, copies, purpose }
    }

    pub(super) fn witness_gen_only(&self) -> bool {
        self.purpose == Purpose::Witness
    }

    /// Whether nothing is recorded but how much there is.
    pub(super) fn counts_only(&self) -> bool {
        self.purpose.counts_only()
    }

    /// What is recorded beside the cells, if turns that are like others are added up.
    pub(super) fn totals(&self) -> Option<&SharedCopyConstraintManager<Fr>> {
        (self.purpose == Purpose::Total).then_some(&self.copies)
    }

    /// The cell `(operation, offset)`, holding `value`.
    pub(super) fn name(&self, operation: usize, offset: usize, value: Fr) -> AssignedValue<Fr> {
        let cell = (!self.witness_gen_only()).then(|| self.key(operation, offset));
        AssignedValue { value: Assigned::Trivial(value), cell }
    }

    /// The cell `(operation, offset)`, bound to `input`: a copy of an existing cell or a constant. A
    /// witness is bound only by the gate itself. `place` asks for the copy; `part` tells several copies
    /// apart.
    pub(super) fn bind(
        &self,
        (place, part): (Place, usize),
        operation: usize,
        offset: usize,
        input: &QuantumCell<Fr>,
    ) -> AssignedValue<Fr> {
        let is_kept = match input {
            QuantumCell::Existing(_) => self.purpose == Purpose::Constraints,
            _ => !self.witness_gen_only(),
        };
        if is_kept {
            let key = self.key(operation, offset);
            let mut copies = self.copies.lock().expect("no thread panics while it holds the lock");
            match input {
                QuantumCell::Existing(source) => {
                    let source = source.cell.expect("cells are named outside witness generation");
                    if place.keeps("copy", part) {
                        copies.advice_equalities.push((source, key));
                        #[cfg(debug_assertions)]
                        credit::copy((source, key), place.key("copy", part));
                    }
                }
                QuantumCell::Constant(constant) => {
                    if place.keeps("constant", part) {
                        copies.constant_equalities.push((*constant, key));
                        #[cfg(debug_assertions)]
                        credit::constant((*constant, key), place.key("constant", part));
                    }
                }
                QuantumCell::Witness(_) | QuantumCell::WitnessFraction(_) => {}
            }
        }
        self.name(operation, offset, *input.value())
    }

    /// Resolves the name `(operation, offset)` to a physical cell.
    pub(super) fn place(&self, operation: usize, offset: usize, cell: Cell) {
        if !self.witness_gen_only() {
            let mut copies = self.copies.lock().expect("no thread panics while it holds the lock");
            copies.assigned_advices.insert(self.key(operation, offset), cell);
        }
    }

    /// The names of all cells that are bound to constants.
    #[cfg(debug_assertions)]
    pub(super) fn constants(&self) -> HashSet<(usize, usize)> {
        let copies = self.copies.lock().expect("no thread panics while it holds the lock");
        let cells = copies.constant_equalities.iter().map(|(_, cell)| cell);
        let own = cells.filter(|cell| cell.type_id == self.type_id);
        own.map(|cell| (cell.context_id, cell.offset)).collect()
    }

    fn key(&self, operation: usize, offset: usize) -> ContextCell {
        ContextCell::new(self.type_id, operation, offset)
    }
}
