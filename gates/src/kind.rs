//! What the gates other than the vertical one have in common.

use std::fmt::Debug;

use halo2_base::{
    halo2_proofs::{halo2curves::bn256::Fr, plonk::ConstraintSystem},
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
};

use super::{
    layout::{Layout, Usage},
    range::RangeConfig,
};

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

    /// Adds the columns, gates and lookups of a shape. `range` is for gates whose columns follow those of range checks.
    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        shape: &Self::Shape,
        range: Option<&RangeConfig>,
    ) -> Self::Columns;

    /// A chip that has recorded nothing.
    fn new(
        shape: &Self::Shape,
        copies: SharedCopyConstraintManager<Fr>,
        witness_gen_only: bool,
    ) -> Self;

    /// Adds the rows and cells of the recorded work to `usage`.
    fn report(&self, usage: &mut Usage);

    /// Whether the recorded work fits in `rows` rows.
    fn fits(&self, rows: usize) -> bool;
}

/// What is asked of all gates, whatever the type of their columns.
pub(super) trait Recorded {
    /// As [`Gate::report`].
    fn report(&self, usage: &mut Usage);
    /// As [`Gate::fits`].
    fn fits(&self, rows: usize) -> bool;
}

impl<G: Gate> Recorded for G {
    fn report(&self, usage: &mut Usage) {
        Gate::report(self, usage);
    }

    fn fits(&self, rows: usize) -> bool {
        Gate::fits(self, rows)
    }
}
