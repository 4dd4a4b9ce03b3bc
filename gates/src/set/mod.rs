//! A set of entries of several elements, and lookups of one by its index; and what is known of a member that was found
//! in this or in another set.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! # use halo2_base::QuantumCell::Constant;
//! use muster_gates::{set::Wanted, GateCircuit, Layout};
//!
//! let layout = Layout {
//!     k: 6,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     constant_rows: 16,
//!     set_elements: 2,
//!     ..Layout::default()
//! };
//! let holds = |index: u64, key: u64| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         // Four keys, all of weight 1.
//!         let entry = |key: u64| vec![Constant(Fr::from(key)), Constant(Fr::one())];
//!         ctx.chips.set().set(&[100, 101, 102, 103].map(entry));
//!         let elements = [key, 1].map(|element| ctx.load_witness(Fr::from(element))).to_vec();
//!         let wanted = Wanted { index: Fr::from(index), weight: elements[1], elements };
//!         ctx.chips.set().look_up(ctx, 4, &[wanted]);
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(2, 102));
//! assert!(!holds(2, 103));
//! ```

use halo2_base::{
    halo2_proofs::{
        halo2curves::bn256::Fr,
        plonk::{Advice, Column, ConstraintSystem, Fixed},
        poly::Rotation,
    },
    AssignedValue,
};

use super::border;

mod chip;
#[cfg(test)]
mod tests;

pub use chip::{SetChip, Wanted};

/// Columns of the set gate.
#[derive(Clone, Debug)]
pub struct SetConfig {
    /// In a lookup row, the index minus a constant.
    offset: Column<Advice>,
    /// The elements of an entry, or of what is looked up.
    elements: Vec<Column<Advice>>,
    /// 1 where an entry is looked up.
    lookup: Column<Fixed>,
    /// The key of an entry; in a lookup row, the negative of the key that an offset of 0 would look up; 0 in all
    /// others.
    key: Column<Fixed>,
}

impl SetConfig {
    /// Adds the columns for entries of `elements` elements, and their lookup argument.
    ///
    /// ```text
    /// offset | element 0 | element 1 | …     key
    ///          entry i                       1 + i
    /// o        what is looked up             -(1 + slot)
    /// ```
    pub fn configure(meta: &mut ConstraintSystem<Fr>, elements: usize) -> Self {
        let mut column = || {
            let column = meta.advice_column();
            meta.enable_equality(column);
            column
        };
        let offset = column();
        let elements = (0..elements).map(|_| column()).collect();
        let config =
            Self { offset, elements, lookup: meta.fixed_column(), key: meta.fixed_column() };
        config.lookup_argument(meta);
        config
    }

    /// A lookup row has the elements of the entry with the key `1 + slot + offset`. Any other row looks up the row of
    /// zeros. A lookup row is an entry too, with a negative key that nothing asks for. Degree: `2 + 2 + 1 = 5`, at
    /// most.
    fn lookup_argument(&self, meta: &mut ConstraintSystem<Fr>) {
        border::lookup_any(meta, "set: entry of the index", |meta| {
            let lookup = meta.query_fixed(self.lookup, Rotation::cur());
            let key = meta.query_fixed(self.key, Rotation::cur());
            let offset = meta.query_advice(self.offset, Rotation::cur());
            let mut tuple = vec![(lookup.clone() * (offset - key.clone()), key)];
            for column in &self.elements {
                let element = meta.query_advice(*column, Rotation::cur());
                tuple.push((lookup.clone() * element.clone(), element));
            }
            tuple
        });
    }
}

/// Cells of a member that was found in a set: its index is a small integer, greater than those of the members found
/// before it.
#[derive(Clone, Copy, Debug)]
pub struct AssignedMember {
    slot: u64,
    offset: AssignedValue<Fr>,
    weight: AssignedValue<Fr>,
}

impl AssignedMember {
    /// A member with the index `slot + offset`. The caller must have proven the invariant of the type, or do so before
    /// giving the member away.
    pub fn assume_found(slot: u64, offset: AssignedValue<Fr>, weight: AssignedValue<Fr>) -> Self {
        Self { slot, offset, weight }
    }

    /// A constant of the circuit that is added to the offset.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// Its index, less the slot.
    pub fn offset(&self) -> AssignedValue<Fr> {
        self.offset
    }

    /// Its weight.
    pub fn weight(&self) -> AssignedValue<Fr> {
        self.weight
    }
}
