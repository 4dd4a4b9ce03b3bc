//! The columns of a layout, added up from those of its gates.
//!
//! A plan asks for those of many layouts, and the constraints of a whole one take milliseconds to make. Gates share no
//! columns, so theirs add up, and so do those of lanes, of which the second and every further one are alike. What is made is
//! a layout of one gate with one lane or two, and kept for all plans of a process. Tests compare the sums with whole layouts.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use muster_gates::{Layout, PoseidonLayout, Sha2Layout};

use crate::builder::{Columns, Extent};

/// What is known of layouts of one gate. There are few gates, and few lengths of relations and of Poseidon's rows.
static KNOWN: LazyLock<Mutex<HashMap<Layout, Extent>>> = LazyLock::new(Mutex::default);

/// The columns of `layout`: those of [`Columns::of`].
pub(crate) fn columns(layout: &Layout) -> Columns {
    Sum::of(layout).extent.columns
}

/// Rows that a circuit of `layout` may fill.
pub(crate) fn usable_rows(layout: &Layout) -> usize {
    Sum::of(layout).extent.usable_rows(layout)
}

/// Columns of several gates over a layout with a single vertical column.
struct Sum {
    alone: Layout,
    least: Extent,
    extent: Extent,
}

impl Sum {
    fn of(layout: &Layout) -> Self {
        let Layout { k: _, constant_rows: _, range_bits, .. } = *layout;
        let alone =
            Layout { k: Extent::DEGREE, vertical_columns: 1, range_bits, ..Layout::default() };
        let least = known(&alone);
        let mut sum = Self { alone, least, extent: least };
        sum.add(layout.vertical_columns - 1, |layout, columns| layout.vertical_columns += columns);
        sum.add(layout.range_columns, |layout, columns| layout.range_columns = columns);
        for gate in &layout.poseidon {
            sum.add(gate.lanes, |layout, lanes| {
                layout.poseidon = vec![PoseidonLayout { lanes, ..*gate }];
            });
        }
        sum.add(layout.edwards_lanes, |layout, lanes| layout.edwards_lanes = lanes);
        sum.add(layout.keccak_lanes, |layout, lanes| layout.keccak_lanes = lanes);
        if let Some(gate) = layout.sha256 {
            sum.add(gate.lanes, |layout, lanes| layout.sha256 = Some(Sha2Layout { lanes, ..gate }));
        }
        if let Some(gate) = layout.sha512 {
            sum.add(gate.lanes, |layout, lanes| layout.sha512 = Some(Sha2Layout { lanes, ..gate }));
        }
        let (elements, relations) = (layout.set_elements, &layout.foreign);
        sum.add(elements.min(1), |layout, _| layout.set_elements = elements);
        sum.add(relations.len().min(1), |layout, _| layout.foreign = relations.clone());
        sum
    }

    /// Adds a gate of `lanes` lanes.
    fn add(&mut self, lanes: usize, set: impl Fn(&mut Layout, usize)) {
        let with = |lanes| {
            let mut layout = self.alone.clone();
            set(&mut layout, lanes);
            known(&layout)
        };
        let Some(others) = lanes.checked_sub(1) else { return };
        let one = with(1);
        self.extent = self.extent.with(1, &one, &self.least);
        if others > 0 {
            self.extent = self.extent.with(others, &with(2), &one);
        }
    }
}

fn known(layout: &Layout) -> Extent {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(extent) = known().get(layout) {
        return *extent;
    }
    // Two threads may make the same.
    let extent = Extent::of(layout);
    known().insert(layout.clone(), extent);
    extent
}
