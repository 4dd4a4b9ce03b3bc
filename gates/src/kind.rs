//! What the gates other than the vertical one have in common.

use std::fmt::Debug;

use halo2_base::{
    halo2_proofs::{
        halo2curves::bn256::Fr,
        plonk::{Column, ConstraintSystem, Fixed},
    },
    virtual_region::manager::VirtualRegionManager,
};

use super::{
    cells::Cells,
    layout::{Layout, Usage},
};

/// Makes the names of a chip's cells, under a type id.
pub(super) type NewCells<'a> = &'a dyn Fn(&'static str) -> Cells;

/// The column of the integers below `2^b`, once the range gate has made it.
pub(super) type LimbTable = Option<Column<Fixed>>;

/// A gate: a chip that records work and, as a [`VirtualRegionManager`], writes it, given its columns and the number of
/// rows that may be assigned.
pub(super) trait Gate:
    VirtualRegionManager<Fr, Config = (Self::Columns, usize)> + Debug
{
    /// What a layout says about its columns.
    type Shape;
    /// Its columns.
    type Columns: Clone + Debug;

    /// The shapes of its columns in `layout`: none if the circuit has no such gate, several if it has several.
    fn shapes(layout: &Layout) -> Vec<Self::Shape>;

    /// Advice columns of a shape.
    fn width(shape: &Self::Shape) -> usize;

    /// Adds the columns, gates and lookups of a shape. A gate that looks up limbs comes after the range gate in the list.
    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &Self::Shape,
        limbs: &mut LimbTable,
    ) -> Self::Columns;

    /// A chip that has recorded nothing, whose cells have names of its own.
    fn new(shape: &Self::Shape, cells: NewCells) -> Self;

    /// Adds the rows and cells of the recorded work to `usage`.
    fn report(&self, usage: &mut Usage);

    /// Whether the recorded work fits in `rows` rows.
    fn fits(&self, rows: usize) -> bool;
}
