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

/// Columns of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns, including selectors.
    pub fixed: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// Columns of the permutation argument.
    pub permutation: usize,
}

impl Columns {
    /// Columns of `layout`.
    pub fn of(layout: &Layout) -> Self {
        Extent::of(&Layout { k: Extent::DEGREE, ..layout.clone() }).columns
    }

    /// Number by number.
    fn zip(self, other: &Self, f: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            advice: f(self.advice, other.advice),
            fixed: f(self.fixed, other.fixed),
            lookups: f(self.lookups, other.lookups),
            permutation: f(self.permutation, other.permutation),
        }
    }
}

/// Columns of a layout, and rows that no circuit of it may fill.
#[derive(Clone, Copy)]
struct Extent {
    columns: Columns,
    unusable: usize,
}

impl Extent {
    /// A degree at which every layout has rows to fill.
    const DEGREE: u32 = 24;

    /// Columns and rows of `layout`, which has [that degree](Self::DEGREE).
    fn of(layout: &Layout) -> Self {
        let meta = layout.constraints();
        let columns = Columns {
            advice: meta.num_advice_columns(),
            fixed: meta.num_fixed_columns(),
            lookups: meta.lookups().len(),
            permutation: meta.permutation().get_columns().len(),
        };
        Self { columns, unusable: meta.blinding_factors() + 1 }
    }

    /// Rows of `layout` that a circuit may fill.
    fn usable_rows(&self, layout: &Layout) -> usize {
        (1usize << layout.k).saturating_sub(self.unusable)
    }

    /// This and `times` more of what `other` has beyond `less`.
    fn with(self, times: usize, other: &Self, less: &Self) -> Self {
        let more = other.columns.zip(&less.columns, |all, less| times * (all - less));
        Self {
            columns: self.columns.zip(&more, |own, more| own + more),
            unusable: self.unusable.max(other.unusable),
        }
    }
}

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
