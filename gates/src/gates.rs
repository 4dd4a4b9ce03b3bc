//! All recorded work of a circuit, and all its columns.

use halo2_base::{
    gates::{
        circuit::CircuitBuilderStage,
        flex_gate::{threads::SinglePhaseCoreManager, BasicGateConfig},
    },
    halo2_proofs::{circuit::Region, halo2curves::bn256::Fr, plonk::ConstraintSystem},
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
    Context,
};

use super::{
    cells::Purpose,
    chips::{Chips, Columns},
    context::GateContext,
    layout::{Layout, Placement, Usage},
    load::{self, LoadConfig},
    place,
};
#[cfg(debug_assertions)]
use super::{
    groups::{self, Groups},
    place::{credit, drops},
};

/// Degree of the constraint system. Fixed here, since the proving system otherwise reads a cap on
/// it from the environment, and a key would depend on where it was made.
pub const DEGREE: usize = 5;

/// The columns of all gates.
#[derive(Clone, Debug)]
pub struct GatesConfig {
    vertical: Vec<BasicGateConfig<Fr>>,
    load: LoadConfig,
    pub(super) gates: Columns,
    /// Rows that may be assigned.
    usable_rows: usize,
    /// The advice columns of each gate.
    #[cfg(debug_assertions)]
    pub(super) groups: Groups,
}

impl GatesConfig {
    /// Adds the columns of `layout`.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, layout: &Layout) -> Self {
        meta.set_minimum_degree(DEGREE);
        let gates = Columns::configure(meta, layout);
        let vertical: Vec<BasicGateConfig<Fr>> =
            (0..layout.vertical_columns).map(|_| BasicGateConfig::configure(meta, 0)).collect();
        assert!(
            meta.degree() <= DEGREE || place::Place::drops_ranges(),
            "no gate is above the degree that the keys are made for"
        );
        // Saturating, since a layout may come from a file. One without rows holds no circuit.
        let usable_rows = (1usize << layout.k).saturating_sub(meta.blinding_factors() + 1);
        let constants = usable_rows.saturating_sub(layout.constant_rows)..usable_rows;
        let load = LoadConfig::configure(meta, vertical[0].value, constants);
        Self {
            vertical,
            load,
            gates,
            usable_rows,
            #[cfg(debug_assertions)]
            groups: groups::groups(meta, layout),
        }
    }

    /// Rows that may be assigned.
    pub fn usable_rows(&self) -> usize {
        self.usable_rows
    }
}

/// All recorded work of a circuit.
#[derive(Debug)]
pub struct Gates {
    core: SinglePhaseCoreManager<Fr>,
    pub(super) chips: Chips,
    /// The constants of the placement that the prover was given.
    constants: Vec<Fr>,
    #[cfg(debug_assertions)]
    asked: std::sync::Arc<std::sync::Mutex<credit::Asked>>,
}

impl Gates {
    /// Chips for `layout`. With `witness_gen_only` no constraint is recorded: for the prover alone.
    pub fn new(layout: &Layout, witness_gen_only: bool) -> Self {
        Self::of(layout, if witness_gen_only { Purpose::Witness } else { Purpose::Constraints })
    }

    /// Chips that keep only what [`Self::usage`] counts. Gates compute nothing: the cells that they return hold 0, and so
    /// may any hint.
    pub fn counting(layout: &Layout) -> Self {
        Self::of(layout, Purpose::Usage)
    }

    /// Chips of which nothing is known but the [`Self::usage`]. It is that of [`Self::counting`] and takes much less time,
    /// since turns of [loops](GateContext::each) that are like others are added up.
    pub fn total(layout: &Layout) -> Self {
        Self::of(layout, Purpose::Total)
    }

    fn of(layout: &Layout, purpose: Purpose) -> Self {
        #[cfg(debug_assertions)]
        let asked = {
            drops::begin();
            credit::begin()
        };
        let stage = match purpose {
            Purpose::Witness => CircuitBuilderStage::Prover,
            _ => CircuitBuilderStage::Mock,
        };
        let copies = SharedCopyConstraintManager::<Fr>::default();
        let mut core = SinglePhaseCoreManager::from_stage(stage, copies.clone());
        core.main();
        let chips = Chips::new(layout, &copies, purpose);
        Self {
            core,
            chips,
            constants: vec![],
            #[cfg(debug_assertions)]
            asked,
        }
    }

    /// What gadgets record with.
    pub fn context(&mut self) -> GateContext<'_> {
        GateContext::new(self.core.main(), &self.chips)
    }

    /// Rows and cells taken so far.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage {
            vertical_cells: self.core.total_advice(),
            constants: load::constants(&self.core.copy_manager).len(),
            ..Usage::default()
        };
        self.chips.report(&mut usage);
        usage
    }

    /// The placement decided at key generation; known once the rows have been written with constraints.
    pub fn placement(&self) -> Option<Placement> {
        let break_points = self.core.break_points.borrow().clone()?;
        Some(Placement { break_points, constants: load::constants(&self.core.copy_manager) })
    }

    /// Sets the placement decided at key generation; the prover needs it.
    pub fn set_placement(&mut self, placement: Placement) {
        *self.core.break_points.borrow_mut() = Some(placement.break_points);
        self.constants = placement.constants;
    }

    /// Whether everything recorded with constraints fits in `usable_rows` rows of `layout`. Writing rows that do not fit
    /// would panic.
    ///
    /// # Panics
    /// If nothing but the [total](Self::total) is known.
    pub fn fits(&self, layout: &Layout, usable_rows: usize) -> bool {
        assert!(!self.chips.is_total(), "every turn was recorded");
        let constants = load::constants(&self.core.copy_manager).len();
        let rows = usable_rows.saturating_sub(layout.constant_rows);
        let columns: usize = self.core.threads.iter().map(|ctx| vertical_columns(ctx, rows)).sum();
        constants <= layout.constant_rows
            && columns <= layout.vertical_columns
            && self.chips.fit(layout, usable_rows)
    }

    /// Whether everything recorded fits in `usable_rows` rows of `layout`, with the vertical gate and
    /// the constants placed as `placement` says. Writing rows that do not fit would panic.
    pub fn has_room(&self, layout: &Layout, usable_rows: usize, placement: &Placement) -> bool {
        self.chips.fit(layout, usable_rows)
            && has_vertical_room(layout, usable_rows, self.core.total_advice(), placement)
    }

    /// Writes all rows, then the copy constraints. The first `public` cells of the context, loaded
    /// before anything else, are the public inputs.
    ///
    /// # Panics
    /// If nothing but [counts](Self::counting) was kept, or something does not fit.
    pub fn assign(&self, config: &GatesConfig, region: &mut Region<Fr>, public: usize) {
        assert!(!self.chips.counts_only(), "what was only counted cannot be written");
        let rows = config.usable_rows;
        let vertical_rows = config.load.first_constant();
        self.core.assign_raw(&(config.vertical.clone(), vertical_rows), region);
        self.chips.assign(&config.gates, region, rows);
        if self.core.witness_gen_only() {
            config.load.write(region, &self.constants);
        } else {
            config.load.public(region, public);
            let copies = &self.core.copy_manager;
            config.load.bind(region, copies);
            // Before the copies are made, which uses up the constants' cells.
            #[cfg(debug_assertions)]
            credit::assigned(&self.asked, copies);
            // Every constant has a cell by now, so no fixed column is needed.
            copies.assign_raw(&vec![], region);
        }
    }
}

/// Cells from the first that a gate reads to the last.
const GATE_CELLS: usize = 4;

/// Columns of `rows` rows that the cells of the only context take. A column ends, and its last cell is repeated at the head
/// of the next one, where a gate does not fit any more, or in the last row.
fn vertical_columns(ctx: &Context<Fr>, rows: usize) -> usize {
    let selectors = ctx.selector.iter().copied().chain(std::iter::repeat(false));
    let (mut columns, mut row) = (1, 0);
    for is_gate in selectors.take(ctx.advice.len()) {
        if (is_gate && row + GATE_CELLS > rows) || row + 1 >= rows {
            (columns, row) = (columns + 1, 0);
        }
        row += 1;
    }
    columns
}

/// Whether `cells` cells of the vertical gate fit above the constants. A column ends at its break
/// point, whose cell is repeated at the head of the next one.
fn has_vertical_room(layout: &Layout, rows: usize, cells: usize, placement: &Placement) -> bool {
    let Placement { break_points, constants } = placement;
    let Some(rows) = rows.checked_sub(layout.constant_rows).filter(|rows| *rows > 1) else {
        return false;
    };
    let room = 1 + break_points.iter().sum::<usize>() + rows - 1;
    constants.len() <= layout.constant_rows
        && break_points.len() < layout.vertical_columns
        && break_points.iter().all(|row| (1..rows).contains(row))
        && cells <= room
}
