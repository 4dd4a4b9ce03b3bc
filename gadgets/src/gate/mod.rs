//! The custom gates, and the columns that a circuit is built from.
//!
//! Everything outside this folder speaks halo2-base's [`Context`] and
//! [`AssignedValue`](halo2_base::AssignedValue). Each gate is a chip that records work and a
//! [`VirtualRegionManager`] that writes the recorded rows to real columns.

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
use serde::{Deserialize, Serialize};

mod border;
mod cells;
pub mod chain;
mod circuit;
pub mod edwards;
pub mod foreign;
#[cfg(any(test, feature = "forgery"))]
pub mod forger;
#[cfg(any(test, feature = "forgery"))]
mod forgery;
pub mod keccak;
mod load;
mod place;
pub mod poseidon;
pub mod range;
pub mod sha256;
pub mod small;
#[cfg(test)]
pub(crate) mod testing;
pub mod vertical;

pub use circuit::GateCircuit;
use edwards::{EdwardsChip, EdwardsConfig};
use foreign::{Block, ForeignChip, ForeignConfig, ForeignLayout};
#[cfg(any(test, feature = "forgery"))]
pub use forgery::{freedom, Forged};
use keccak::{KeccakChip, KeccakConfig};
use load::LoadConfig;
use poseidon::{PoseidonChip, PoseidonConfig};
use range::{RangeChip, RangeConfig};
use sha256::{Sha256Chip, Sha256Config};
use vertical::VerticalChip;

/// Degree of the constraint system. Fixed here, since the proving system otherwise reads a cap on
/// it from the environment, and a key would depend on where it was made.
const DEGREE: usize = 5;

/// Columns of the Poseidon gate of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseidonLayout {
    /// Elements of the state.
    pub width: usize,
    /// S-boxes a row of a lane; a lane has twice as many columns.
    pub columns: usize,
    /// Permutations side by side.
    pub lanes: usize,
}

/// How many columns of each kind a circuit has. With the recorded work it fixes the verifying key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// log₂ of the number of rows.
    pub k: u32,
    /// Columns of halo2-base's vertical gate.
    pub vertical_columns: usize,
    /// Running-sum columns.
    pub range_columns: usize,
    /// Limb width of the range checks in bits.
    pub range_bits: usize,
    /// Poseidon gates, one a width.
    pub poseidon: Vec<PoseidonLayout>,
    /// Lanes of the Edwards gate.
    pub edwards_lanes: usize,
    /// Lanes of the Keccak gate; none, and none of its columns, by default.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keccak_lanes: usize,
    /// Lanes of the SHA-256 gate; none, and none of its columns, by default.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sha256_lanes: usize,
    /// Rows that the vertical gate leaves for the constants of the circuit.
    pub constant_rows: usize,
    /// Relations modulo foreign primes, with lookups of `range_bits` bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign: Option<ForeignLayout>,
}

/// Whether a layout or a circuit is without a gate: it is then written as if there were no such gate.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Layout {
    /// Advice columns in all.
    pub fn advice_columns(&self) -> usize {
        let poseidon: usize = self.poseidon.iter().map(|p| 2 * p.columns * p.lanes).sum();
        let hashes = keccak::WIDTH * self.keccak_lanes + sha256::WIDTH * self.sha256_lanes;
        let foreign = self.block().map_or(0, |block| block.columns() + block.operand_columns());
        let edwards = 6 * self.edwards_lanes;
        self.vertical_columns + self.range_columns + poseidon + edwards + hashes + foreign
    }

    /// The rows of relations modulo foreign primes.
    pub fn block(&self) -> Option<Block> {
        let native = halo2_base::utils::modulus::<Fr>();
        self.foreign.as_ref().map(|foreign| Block::new(native, foreign, self.range_bits))
    }
}

/// The columns of all gates.
#[derive(Clone, Debug)]
pub struct GatesConfig {
    vertical: Vec<BasicGateConfig<Fr>>,
    load: LoadConfig,
    range: RangeConfig,
    poseidon: Vec<PoseidonConfig>,
    edwards: Option<EdwardsConfig>,
    keccak: Option<KeccakConfig>,
    sha256: Option<Sha256Config>,
    foreign: Option<ForeignConfig>,
    /// Rows that may be assigned.
    usable_rows: usize,
}

impl GatesConfig {
    /// Adds the columns of `layout`.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, layout: &Layout) -> Self {
        meta.set_minimum_degree(DEGREE);
        let keccak =
            (layout.keccak_lanes > 0).then(|| KeccakConfig::configure(meta, layout.keccak_lanes));
        let sha256 =
            (layout.sha256_lanes > 0).then(|| Sha256Config::configure(meta, layout.sha256_lanes));
        let lanes = layout.edwards_lanes;
        let edwards = (lanes > 0).then(|| EdwardsConfig::configure(meta, lanes));
        let poseidon = layout
            .poseidon
            .iter()
            .map(|p| PoseidonConfig::configure(meta, p.width, p.columns, p.lanes))
            .collect();
        let range = RangeConfig::configure(meta, layout.range_bits, layout.range_columns);
        let foreign =
            layout.block().map(|block| ForeignConfig::configure(meta, &block, range.table()));
        let vertical: Vec<BasicGateConfig<Fr>> =
            (0..layout.vertical_columns).map(|_| BasicGateConfig::configure(meta, 0)).collect();
        assert!(
            meta.degree() <= DEGREE || place::Place::drops_ranges(),
            "no gate is above the degree that the keys are made for"
        );
        // Saturating: a layout may come out of a file. One without rows holds no circuit.
        let usable_rows = (1usize << layout.k).saturating_sub(meta.blinding_factors() + 1);
        let constants = usable_rows.saturating_sub(layout.constant_rows)..usable_rows;
        let load = LoadConfig::configure(meta, vertical[0].value, constants);
        Self { vertical, load, range, poseidon, edwards, keccak, sha256, foreign, usable_rows }
    }

    /// Rows that may be assigned.
    pub fn usable_rows(&self) -> usize {
        self.usable_rows
    }
}

/// The chips that gadgets work with; beside them goes a [`Context`] for the vertical gate.
#[derive(Debug)]
pub struct Chips {
    /// halo2-base's arithmetic on the vertical gate.
    pub gate: VerticalChip,
    /// Range checks.
    pub range: RangeChip,
    /// Poseidon, one chip a width.
    pub poseidon: Vec<PoseidonChip>,
    /// Baby Jubjub.
    pub edwards: EdwardsChip,
    keccak: Option<KeccakChip>,
    sha256: Option<Sha256Chip>,
    /// Relations modulo foreign primes.
    pub foreign: Option<ForeignChip>,
}

impl Chips {
    /// The chip of relations modulo foreign primes.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn foreign(&self) -> &ForeignChip {
        self.foreign.as_ref().expect("the layout has the gate of foreign primes")
    }

    /// The Poseidon chip of `width`.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn poseidon(&self, width: usize) -> &PoseidonChip {
        let chip = self.poseidon.iter().find(|chip| chip.width() == width);
        chip.unwrap_or_else(|| panic!("the layout has no Poseidon gate of width {width}"))
    }

    /// The Keccak chip.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn keccak(&self) -> &KeccakChip {
        self.keccak.as_ref().expect("the layout has a Keccak gate")
    }

    /// The SHA-256 chip.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn sha256(&self) -> &Sha256Chip {
        self.sha256.as_ref().expect("the layout has a SHA-256 gate")
    }
}

/// All recorded work of a circuit.
#[derive(Debug)]
pub struct Gates {
    core: SinglePhaseCoreManager<Fr>,
    chips: Chips,
    /// What the prover was told of them.
    constants: Vec<Fr>,
}

/// What recorded work takes, in rows and cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Cells of the vertical gate.
    pub vertical_cells: usize,
    /// Cells of the running sums, one a lookup.
    pub range_cells: usize,
    /// Width, permutations and cells of each Poseidon gate.
    pub poseidon: Vec<(usize, usize, usize)>,
    /// Rows of a lane of the Edwards gate.
    pub edwards_rows: usize,
    /// Rows of all lanes of the Keccak gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub keccak_rows: usize,
    /// Rows of all lanes of the SHA-256 gate.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sha256_rows: usize,
    /// Rows of relations modulo foreign primes.
    pub foreign_rows: usize,
    /// Distinct constants; 0 where only witnesses are recorded.
    pub constants: usize,
}

impl Gates {
    /// Chips for `layout`. With `witness_gen_only` no constraint is recorded: for the prover alone.
    pub fn new(layout: &Layout, witness_gen_only: bool) -> Self {
        #[cfg(any(test, feature = "forgery"))]
        forgery::drops::begin();
        let stage =
            if witness_gen_only { CircuitBuilderStage::Prover } else { CircuitBuilderStage::Mock };
        let copies = SharedCopyConstraintManager::<Fr>::default();
        let mut core = SinglePhaseCoreManager::from_stage(stage, copies.clone());
        core.main();
        let poseidon = layout.poseidon.iter().map(|p| {
            PoseidonChip::new((p.width, p.columns, p.lanes), copies.clone(), witness_gen_only)
        });
        let chips = Chips {
            gate: VerticalChip::new(),
            range: RangeChip::new(layout.range_bits, copies.clone(), witness_gen_only),
            poseidon: poseidon.collect(),
            edwards: EdwardsChip::new(layout.edwards_lanes, copies.clone(), witness_gen_only),
            keccak: (layout.keccak_lanes > 0)
                .then(|| KeccakChip::new(layout.keccak_lanes, copies.clone(), witness_gen_only)),
            sha256: (layout.sha256_lanes > 0)
                .then(|| Sha256Chip::new(layout.sha256_lanes, copies.clone(), witness_gen_only)),
            foreign: layout
                .block()
                .map(|block| ForeignChip::new(block, copies.clone(), witness_gen_only)),
        };
        Self { core, chips, constants: vec![] }
    }

    /// The context and the chips to build with.
    pub fn parts(&mut self) -> (&mut Context<Fr>, &Chips) {
        (self.core.main(), &self.chips)
    }

    /// Rows and cells taken so far.
    pub fn usage(&self) -> Usage {
        let poseidon = self.chips.poseidon.iter();
        Usage {
            vertical_cells: self.core.total_advice(),
            range_cells: self.chips.range.total_cells(),
            poseidon: poseidon
                .map(|chip| (chip.width(), chip.count(), chip.count() * chip.cells_each()))
                .collect(),
            edwards_rows: self.chips.edwards.rows(),
            keccak_rows: self.chips.keccak.as_ref().map_or(0, KeccakChip::rows),
            sha256_rows: self.chips.sha256.as_ref().map_or(0, Sha256Chip::rows),
            foreign_rows: self.chips.foreign.as_ref().map_or(0, ForeignChip::rows),
            constants: load::constants(&self.core.copy_manager).len(),
        }
    }

    /// What keys decided; known once the rows were written with constraints.
    pub fn placement(&self) -> Option<Placement> {
        let break_points = self.core.break_points.borrow().clone()?;
        Some(Placement { break_points, constants: load::constants(&self.core.copy_manager) })
    }

    /// Tells what keys decided; the prover needs it.
    pub fn set_placement(&mut self, placement: Placement) {
        *self.core.break_points.borrow_mut() = Some(placement.break_points);
        self.constants = placement.constants;
    }

    /// Writes all rows, then the copy constraints. The first `public` cells of the context, loaded
    /// before anything else, are the public inputs.
    pub fn assign(&self, config: &GatesConfig, region: &mut Region<Fr>, public: usize) {
        let rows = config.usable_rows;
        let vertical_rows = config.load.first_constant();
        self.core.assign_raw(&(config.vertical.clone(), vertical_rows), region);
        self.assign_range(config, region);
        for (chip, columns) in self.chips.poseidon.iter().zip(&config.poseidon) {
            chip.assign_raw(&(columns.clone(), rows), region);
        }
        if let Some(columns) = &config.edwards {
            self.chips.edwards.assign_raw(&(columns.clone(), rows), region);
        }
        if let (Some(chip), Some(columns)) = (&self.chips.keccak, &config.keccak) {
            chip.assign_raw(&(columns.clone(), rows), region);
        }
        if let (Some(chip), Some(columns)) = (&self.chips.sha256, &config.sha256) {
            chip.assign_raw(&(columns.clone(), rows), region);
        }
        if let (Some(chip), Some(columns)) = (&self.chips.foreign, &config.foreign) {
            chip.assign_raw(&(columns.clone(), rows), region);
        }
        if self.core.witness_gen_only() {
            config.load.write(region, &self.constants);
        } else {
            config.load.public(region, public);
            config.load.bind(region, &self.core.copy_manager);
        }
    }
}

impl Gates {
    /// Range checks in their own columns or, without any, below the relations.
    fn assign_range(&self, config: &GatesConfig, region: &mut Region<Fr>) {
        let range = match (&config.foreign, &self.chips.foreign) {
            (Some(columns), Some(chip)) if !config.range.has_columns() => {
                config.range.clone().behind(chip.written_rows(), columns.first_sum())
            }
            _ => config.range.clone(),
        };
        self.chips.range.assign_raw(&(range, config.usable_rows), region);
    }
}

/// What is decided when keys are made and the prover must know to place its witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Where the vertical gate changes columns.
    pub break_points: Vec<usize>,
    /// The constants of the circuit, in the order of their cells.
    pub constants: Vec<Fr>,
}
