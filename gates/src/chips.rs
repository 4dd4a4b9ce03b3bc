//! The list of gates, with their columns and chips. A new gate is added here, to
//! [`Layout`](super::Layout), and in a folder of its own.

use halo2_base::{
    halo2_proofs::{circuit::Region, halo2curves::bn256::Fr, plonk::ConstraintSystem},
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
};

use super::{
    edwards::EdwardsChip,
    foreign::ForeignChip,
    keccak::KeccakChip,
    kind::{Gate, Recorded},
    layout::{Layout, Usage},
    poseidon::PoseidonChip,
    range::{RangeChip, RangeConfig},
    set::SetChip,
    sha2::{Sha256, Sha2Chip, Sha512},
    vertical::VerticalChip,
};

/// The columns of a gate, for each of its shapes in a layout.
type ColumnsOf<G> = Vec<<G as Gate>::Columns>;

/// The columns of all gates but the vertical one, in the order in which they are made.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    keccak: ColumnsOf<KeccakChip>,
    sha256: ColumnsOf<Sha2Chip<Sha256>>,
    sha512: ColumnsOf<Sha2Chip<Sha512>>,
    edwards: ColumnsOf<EdwardsChip>,
    set: ColumnsOf<SetChip>,
    poseidon: ColumnsOf<PoseidonChip>,
    range: RangeConfig,
    pub(super) foreign: ColumnsOf<ForeignChip>,
}

impl Columns {
    /// Adds the columns of `layout`.
    pub(super) fn configure(meta: &mut ConstraintSystem<Fr>, layout: &Layout) -> Self {
        let keccak = configure::<KeccakChip>(meta, layout, None);
        let sha256 = configure::<Sha2Chip<Sha256>>(meta, layout, None);
        let sha512 = configure::<Sha2Chip<Sha512>>(meta, layout, None);
        let edwards = configure::<EdwardsChip>(meta, layout, None);
        let set = configure::<SetChip>(meta, layout, None);
        let poseidon = configure::<PoseidonChip>(meta, layout, None);
        let range = RangeConfig::configure(meta, layout.range_bits, layout.range_columns);
        let foreign = configure::<ForeignChip>(meta, layout, Some(&range));
        Self { keccak, sha256, sha512, edwards, set, poseidon, range, foreign }
    }
}

impl Layout {
    /// The advice columns of each gate, in the order in which they are made.
    pub(super) fn widths(&self) -> [(&'static str, usize); 9] {
        [
            ("keccak", width::<KeccakChip>(self)),
            ("sha256", width::<Sha2Chip<Sha256>>(self)),
            ("sha512", width::<Sha2Chip<Sha512>>(self)),
            ("edwards", width::<EdwardsChip>(self)),
            ("set", width::<SetChip>(self)),
            ("poseidon", width::<PoseidonChip>(self)),
            ("range", self.range_columns),
            ("foreign", width::<ForeignChip>(self)),
            ("vertical", self.vertical_columns),
        ]
    }

    /// Advice columns in all.
    pub fn advice_columns(&self) -> usize {
        self.widths().iter().map(|(_, width)| width).sum()
    }
}

/// The chips that gadgets work with, alongside a [`Context`](halo2_base::Context) for the vertical
/// gate.
#[derive(Debug)]
pub struct Chips {
    /// halo2-base's arithmetic on the vertical gate.
    pub gate: VerticalChip,
    /// Range checks.
    pub range: RangeChip,
    /// Baby Jubjub.
    pub edwards: EdwardsChip,
    set: Vec<SetChip>,
    poseidon: Vec<PoseidonChip>,
    keccak: Vec<KeccakChip>,
    sha256: Vec<Sha2Chip<Sha256>>,
    sha512: Vec<Sha2Chip<Sha512>>,
    foreign: Vec<ForeignChip>,
}

impl Chips {
    /// Chips that have recorded nothing.
    pub(super) fn new(
        layout: &Layout,
        copies: &SharedCopyConstraintManager<Fr>,
        witness_gen_only: bool,
    ) -> Self {
        Self {
            gate: VerticalChip::new(),
            range: RangeChip::new(layout.range_bits, copies.clone(), witness_gen_only),
            edwards: Gate::new(&layout.edwards_lanes, copies.clone(), witness_gen_only),
            set: chips(layout, copies, witness_gen_only),
            poseidon: chips(layout, copies, witness_gen_only),
            keccak: chips(layout, copies, witness_gen_only),
            sha256: chips(layout, copies, witness_gen_only),
            sha512: chips(layout, copies, witness_gen_only),
            foreign: chips(layout, copies, witness_gen_only),
        }
    }

    /// The chip of relations modulo foreign primes.
    ///
    /// # Panics
    /// If the layout has none, or several.
    pub fn foreign(&self) -> &ForeignChip {
        match &self.foreign[..] {
            [chip] => chip,
            several => panic!("the layout has {} gates of foreign primes", several.len()),
        }
    }

    /// The chip of foreign relations whose elements have `bits` bits.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn foreign_of(&self, bits: usize) -> &ForeignChip {
        let of = |chip: &&ForeignChip| chip.block().format().element_bits() == bits;
        let found = self.foreign.iter().find(of);
        found.unwrap_or_else(|| panic!("the layout has no gate of foreign primes of {bits} bits"))
    }

    /// The chip of a set of whole keys.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn set(&self) -> &SetChip {
        self.set.first().expect("the layout has a set gate")
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
        self.keccak.first().expect("the layout has a Keccak gate")
    }

    /// The SHA-256 chip.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn sha256(&self) -> &Sha2Chip<Sha256> {
        self.sha256.first().expect("the layout has a SHA-256 gate")
    }

    /// The SHA-512 chip.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn sha512(&self) -> &Sha2Chip<Sha512> {
        self.sha512.first().expect("the layout has a SHA-512 gate")
    }

    /// All gates.
    fn all(&self) -> Vec<&dyn Recorded> {
        let mut all: Vec<&dyn Recorded> = vec![&self.edwards];
        all.extend(self.set.iter().map(|chip| chip as &dyn Recorded));
        all.extend(self.poseidon.iter().map(|chip| chip as &dyn Recorded));
        all.extend(self.keccak.iter().map(|chip| chip as &dyn Recorded));
        all.extend(self.sha256.iter().map(|chip| chip as &dyn Recorded));
        all.extend(self.sha512.iter().map(|chip| chip as &dyn Recorded));
        all.extend(self.foreign.iter().map(|chip| chip as &dyn Recorded));
        all
    }

    /// Adds the rows and cells of the recorded work to `usage`.
    pub(super) fn report(&self, usage: &mut Usage) {
        usage.range_cells = self.range.total_cells();
        self.all().iter().for_each(|gate| gate.report(usage));
    }

    /// Whether the recorded work fits in `rows` rows of the columns of `layout`.
    pub(super) fn fit(&self, layout: &Layout, rows: usize) -> bool {
        let range = match (layout.range_columns, self.foreign.first()) {
            // Below the relations, in one column, after rows that they leave empty.
            (0, Some(foreign)) => foreign.rows() + self.range.total_cells() <= rows,
            (columns, _) => self.range.columns_needed(rows) <= columns,
        };
        range && self.all().iter().all(|gate| gate.fits(rows))
    }

    /// Writes all rows.
    pub(super) fn assign(&self, columns: &Columns, region: &mut Region<Fr>, rows: usize) {
        self.range.assign_raw(&(self.range_columns(columns), rows), region);
        assign(&self.poseidon, &columns.poseidon, region, rows);
        assign(std::slice::from_ref(&self.edwards), &columns.edwards, region, rows);
        assign(&self.set, &columns.set, region, rows);
        assign(&self.keccak, &columns.keccak, region, rows);
        assign(&self.sha256, &columns.sha256, region, rows);
        assign(&self.sha512, &columns.sha512, region, rows);
        assign(&self.foreign, &columns.foreign, region, rows);
    }

    /// The columns of range checks: their own or, if they have none, the first running sum of the
    /// relations, below their rows.
    fn range_columns(&self, columns: &Columns) -> RangeConfig {
        let range = columns.range.clone();
        match (self.foreign.first(), columns.foreign.first()) {
            (Some(chip), Some(foreign)) if !range.has_columns() => {
                range.behind(chip.written_rows(), foreign.first_sum())
            }
            _ => range,
        }
    }
}

fn configure<G: Gate>(
    meta: &mut ConstraintSystem<Fr>,
    layout: &Layout,
    range: Option<&RangeConfig>,
) -> ColumnsOf<G> {
    G::shapes(layout).iter().map(|shape| G::configure(meta, shape, range)).collect()
}

fn width<G: Gate>(layout: &Layout) -> usize {
    G::shapes(layout).iter().map(G::width).sum()
}

fn chips<G: Gate>(
    layout: &Layout,
    copies: &SharedCopyConstraintManager<Fr>,
    witness_gen_only: bool,
) -> Vec<G> {
    let chip = |shape: &G::Shape| G::new(shape, copies.clone(), witness_gen_only);
    G::shapes(layout).iter().map(chip).collect()
}

fn assign<G: Gate>(chips: &[G], columns: &[G::Columns], region: &mut Region<Fr>, rows: usize) {
    for (chip, columns) in chips.iter().zip(columns) {
        chip.assign_raw(&(columns.clone(), rows), region);
    }
}
