//! The list of gates, with their columns and chips. A new gate is a line here, in [`Layout`](super::Layout), and a
//! folder of its own.

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{circuit::Region, halo2curves::bn256::Fr, plonk::ConstraintSystem},
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
};

use super::{
    cells::{Cells, Purpose},
    edwards::EdwardsChip,
    foreign::ForeignChip,
    keccak::KeccakChip,
    kind::{Gate, LimbTable, NewCells},
    layout::{Layout, Usage},
    poseidon::PoseidonChip,
    range::RangeChip,
    repeat::Counts,
    set::SetChip,
    sha2::{Sha256, Sha2Chip, Sha512},
    vertical::VerticalChip,
};

/// Declares [`Columns`] and [`Chips`], and all that is asked of every gate. A name is that of the gate in tests, too. Where
/// a string follows the type, a method hands out the only chip.
macro_rules! gates {
    ($($(#[$doc:meta])* $vis:vis $name:ident: $held:ident<$gate:ty> $(= $called:literal)?,)*) => {
        /// The columns of all gates but the vertical one, in the order in which they are made.
        #[derive(Clone, Debug)]
        pub(super) struct Columns {
            $(pub(super) $name: ColumnsOf<$gate>,)*
        }

        impl Columns {
            /// Adds the columns of `layout`.
            pub(super) fn configure(meta: &mut ConstraintSystem<Fr>, layout: &Layout) -> Self {
                let mut limbs = None;
                $(let $name = configure::<$gate>(meta, layout, &mut limbs);)*
                Self { $($name),* }
            }
        }

        impl Layout {
            /// The advice columns of each gate, in the order in which they are made.
            pub(super) fn widths(&self) -> Vec<(&'static str, usize)> {
                vec![
                    $((stringify!($name), width::<$gate>(self)),)*
                    ("vertical", self.vertical_columns),
                ]
            }
        }

        /// The chips of all gates, which a [`GateContext`](super::GateContext) hands to gadgets.
        #[derive(Debug)]
        pub struct Chips {
            /// halo2-base's arithmetic on the vertical gate.
            pub(super) gate: VerticalChip,
            purpose: Purpose,
            pub(super) copies: SharedCopyConstraintManager<Fr>,
            /// What turns take that are added up without being recorded, in the order of [`Usage::taken`].
            added: RefCell<Vec<usize>>,
            $($(#[$doc])* $vis $name: $held<$gate>,)*
        }

        impl Chips {
            /// Chips that have recorded nothing.
            pub(super) fn new(
                layout: &Layout,
                copies: &SharedCopyConstraintManager<Fr>,
                purpose: Purpose,
            ) -> Self {
                let cells = |type_id| Cells::new(type_id, copies.clone(), purpose);
                Self {
                    gate: VerticalChip::new(),
                    purpose,
                    copies: copies.clone(),
                    added: RefCell::default(),
                    $($name: Held::new(layout, &cells),)*
                }
            }

            /// Adds the rows and cells of the recorded work to `usage`.
            pub(super) fn report(&self, usage: &mut Usage) {
                $(self.$name.all().iter().for_each(|chip| chip.report(usage));)*
                usage.taken().into_iter().zip(&*self.added.borrow()).for_each(|(all, added)| *all += added);
            }

            /// Whether each gate's recorded work fits in `rows` rows.
            fn fit_each(&self, rows: usize) -> bool {
                true $(&& self.$name.all().iter().all(|chip| chip.fits(rows)))*
            }

            /// Writes the rows of each gate.
            fn assign_each(&self, columns: &Columns, region: &mut Region<Fr>, rows: usize) {
                $(for (chip, columns) in self.$name.all().iter().zip(&columns.$name) {
                    chip.assign_raw(&(columns.clone(), rows), region);
                })*
            }

            $($(
                #[doc = concat!("The ", $called, " chip.\n\n# Panics\nIf the layout has none.")]
                pub fn $name(&self) -> &$gate {
                    self.$name.first().expect(concat!("the layout has a ", $called, " gate"))
                }
            )?)*
        }
    };
}

gates! {
    keccak: Vec<KeccakChip> = "Keccak",
    sha256: Vec<Sha2Chip<Sha256>> = "SHA-256",
    sha512: Vec<Sha2Chip<Sha512>> = "SHA-512",
    /// Baby Jubjub.
    pub edwards: One<EdwardsChip>,
    set: Vec<SetChip> = "set",
    poseidon: Vec<PoseidonChip>,
    /// Range checks.
    pub range: One<RangeChip>,
    foreign: Vec<ForeignChip>,
}

impl Layout {
    /// Advice columns in all.
    pub fn advice_columns(&self) -> usize {
        self.widths().iter().map(|(_, width)| width).sum()
    }
}

impl Chips {
    /// Whether these are chips of [`Gates::counting`](super::Gates::counting): no hint of the prover matters.
    pub fn counts_only(&self) -> bool {
        self.purpose.counts_only()
    }

    /// Adds up turns that are not recorded.
    pub(super) fn add(&self, taken: &[usize], turns: usize) {
        let mut added = self.added.borrow_mut();
        added.resize(taken.len(), 0);
        added.iter_mut().zip(taken).for_each(|(added, taken)| *added += taken * turns);
    }

    /// What is recorded so far, with so many cells of the vertical gate. Of the lanes of the Edwards gate only the longest counts, so their rows do not add up, nor do those of
    /// the Keccak gate while a block of five words is not full.
    pub(super) fn counts(&self, vertical_cells: usize) -> Counts {
        let mut usage = Usage { vertical_cells, ..Usage::default() };
        self.report(&mut usage);
        let tables = self.foreign.iter().flat_map(ForeignChip::pending);
        let begun = self.keccak.iter().flat_map(KeccakChip::begun);
        let fixed = [usage.edwards_rows].into_iter().chain(begun).chain(tables).collect();
        Counts { taken: usage.taken().into_iter().map(|taken| *taken).collect(), fixed }
    }

    /// Whether some of what is counted was not recorded, so that nothing but the total is known.
    pub(super) fn is_total(&self) -> bool {
        self.purpose == Purpose::Total
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

    /// The Poseidon chip of `width`.
    ///
    /// # Panics
    /// If the layout has none.
    pub fn poseidon(&self, width: usize) -> &PoseidonChip {
        let chip = self.poseidon.iter().find(|chip| chip.width() == width);
        chip.unwrap_or_else(|| panic!("the layout has no Poseidon gate of width {width}"))
    }

    /// Whether the recorded work fits in `rows` rows of the columns of `layout`.
    pub(super) fn fit(&self, layout: &Layout, rows: usize) -> bool {
        // Without columns of their own, range checks stand below the relations, after rows that these leave empty.
        let above = self.foreign.first().map_or(rows, ForeignChip::rows);
        let range = layout.range_columns > 0 || above + self.range.total_cells() <= rows;
        range && self.fit_each(rows)
    }

    /// Writes all rows.
    pub(super) fn assign(&self, columns: &Columns, region: &mut Region<Fr>, rows: usize) {
        let mut columns = columns.clone();
        // Range checks without columns of their own stand in the first running sum of the relations, below their rows.
        if let (Some(chip), Some(foreign)) = (self.foreign.first(), columns.foreign.first()) {
            let below = columns.range.iter_mut().filter(|range| !range.has_columns());
            below.for_each(|range| range.behind(chip.written_rows(), foreign.first_sum()));
        }
        self.assign_each(&columns, region, rows);
    }
}

/// The columns of a gate, for each of its shapes in a layout.
type ColumnsOf<G> = Vec<<G as Gate>::Columns>;

fn configure<G: Gate>(
    meta: &mut ConstraintSystem<Fr>,
    layout: &Layout,
    limbs: &mut LimbTable,
) -> ColumnsOf<G> {
    G::shapes(layout).iter().map(|shape| G::configure(meta, shape, limbs)).collect()
}

fn width<G: Gate>(layout: &Layout) -> usize {
    G::shapes(layout).iter().map(G::width).sum()
}

/// A gate that has a chip even where a layout has none of its columns.
type One<G> = G;

/// The chips of a gate: one for each of its shapes in a layout, or [`One`].
trait Held<G: Gate> {
    fn new(layout: &Layout, cells: NewCells) -> Self;
    fn all(&self) -> &[G];
}

impl<G: Gate> Held<G> for Vec<G> {
    fn new(layout: &Layout, cells: NewCells) -> Self {
        G::shapes(layout).iter().map(|shape| G::new(shape, cells)).collect()
    }

    fn all(&self) -> &[G] {
        self
    }
}

impl<G: Gate<Shape: Default>> Held<G> for G {
    fn new(layout: &Layout, cells: NewCells) -> Self {
        G::new(&G::shapes(layout).pop().unwrap_or_default(), cells)
    }

    fn all(&self) -> &[G] {
        std::slice::from_ref(self)
    }
}
