//! The bounds of a shape, checked before anything is made for it: it may come from a file that
//! anyone has written.
//!
//! [`Shape::fit`] gives only shapes that pass, so nobody's keys are refused. Everything that the
//! columns and the filling of a circuit assume is checked here, and every number is bounded.

use std::ops::RangeInclusive;

use muster_gadgets::signature::{
    batch::HASH_WIDTH,
    instructions::{Chains, EdwardsNeeds, Needs},
};
use muster_gates::{keccak, poseidon::rows_each, PoseidonLayout, Sha2Layout};
use muster_schemes::membership::{min_depth, LeafFormat, MAX_DEPTH};

use crate::{
    error::Error,
    limbs::foreign,
    modes,
    shape::{Mode, Shape, MAX_SLOTS},
};

/// log₂ of the rows of circuits without relations.
const DEGREES: RangeInclusive<u32> = 10..=24;
/// The same for circuits with relations: the smallest has byte lookups.
const FOREIGN_DEGREES: RangeInclusive<u32> = 11..=24;
/// Limb widths of range checks: those that divide the 72-bit limbs of scalars.
pub(crate) const RANGE_BITS: [usize; 3] = [12, 9, 8];
/// Widths of lookups of relations, below the degree.
pub(crate) const LOOKUP_BITS: RangeInclusive<usize> = 8..=16;
/// Lanes of the Edwards gate.
pub(crate) const EDWARDS_LANES: [usize; 4] = [1, 2, 4, 8];
/// S-boxes a row of a Poseidon lane.
pub(crate) const POSEIDON_COLUMNS: [usize; 4] = [1, 2, 3, 6];
/// Most lanes of a Poseidon gate.
pub(crate) const POSEIDON_LANES: usize = 16;
/// Most columns of running sums of relations.
pub(crate) const FOREIGN_COLUMNS: usize = 40;
/// Most vertical columns, and most columns of range checks. Layouts worth a proof have a tenth of
/// these.
const MAX_COLUMNS: usize = 1 << 10;
/// Bits of each word in a row of the SHA-256 gate.
pub(crate) const SHA256_BITS: RangeInclusive<usize> = 1..=4;
/// Bits of each word in a row of the SHA-512 gate.
pub(crate) const SHA512_BITS: RangeInclusive<usize> = 1..=16;
/// Most lanes of a hash over bits, of 50 columns each.
const MAX_HASH_LANES: usize = 32;

impl Shape {
    /// Checks that keys can be made for this shape. They can for every shape that [`Self::fit`]
    /// gives, but perhaps not for one from a file.
    ///
    /// # Errors
    ///
    /// [`Error::Keys`], [`Error::Rule`] or [`Error::Mode`] for a choice that the scheme does not have,
    /// [`Error::Mask`], [`Error::Slots`], [`Error::Tree`], or [`Error::Layout`] with what is wrong with the layout.
    pub fn check(&self) -> Result<(), Error> {
        let suite = self.suite()?;
        self.terms()?;
        modes::check(suite, self.mode)?;
        let needs = suite.needs();
        self.check_gates(&needs)?;
        self.check_relations(&needs)
    }

    /// Checks slots, tree and all gates but those of relations, whose limbs take long to check.
    pub(crate) fn check_gates(&self, needs: &Needs) -> Result<(), Error> {
        if self.capacity == 0 || self.slots == 0 || self.slots >= 2 * MAX_SLOTS {
            return Err(Error::Slots);
        }
        let least = min_depth(self.arity, self.capacity, self.scheme.leaf_format())?;
        if !(least..=MAX_DEPTH).contains(&self.depth) {
            return Err(Error::Layout("the tree has too few levels, or too many"));
        }
        self.check_columns(needs)?;
        self.check_poseidon(needs)?;
        self.check_edwards(needs)?;
        self.check_hashes(needs)
    }

    /// Rows and columns that every layout has.
    fn check_columns(&self, needs: &Needs) -> Result<(), Error> {
        let layout = &self.layout;
        require(
            degrees(needs).contains(&layout.k),
            "the degree is below 10, or 11 with relations, or above 24",
        )?;
        let rows = 1usize << layout.k;
        let bits = layout.range_bits;
        require(
            LOOKUP_BITS.contains(&bits) && 1 << bits < rows,
            "wrong number of bits per lookup",
        )?;
        require(layout.constant_rows < rows, "more constants than rows")?;
        require(
            (1..=MAX_COLUMNS).contains(&layout.vertical_columns),
            "wrong number of vertical columns",
        )?;
        require(layout.range_columns <= MAX_COLUMNS, "wrong number of columns of range checks")
    }

    /// One gate for each hash width, in order, all of which can be laid out.
    fn check_poseidon(&self, needs: &Needs) -> Result<(), Error> {
        let gates = &self.layout.poseidon;
        let widths = gates.iter().map(|gate| gate.width);
        let expected = poseidon_widths(self.arity, needs);
        require(widths.eq(expected), "Poseidon gates of other widths than the hashes have")?;
        let sound = |gate: &PoseidonLayout| {
            POSEIDON_COLUMNS.contains(&gate.columns)
                && (1..=POSEIDON_LANES).contains(&gate.lanes)
                && rows_each(gate.width, gate.columns).is_some()
        };
        require(gates.iter().all(sound), "wrong number of columns or lanes of a Poseidon gate")
    }

    /// Lanes that the slots fill evenly. If the scheme itself has no use for lanes: one in which members
    /// are looked up, or none.
    fn check_edwards(&self, needs: &Needs) -> Result<(), Error> {
        let lanes = self.layout.edwards_lanes;
        if let Some(EdwardsNeeds { lanes: most, .. }) = needs.edwards {
            require(
                EDWARDS_LANES.contains(&lanes) && lanes <= most,
                "wrong number of lanes of the Edwards gate",
            )?;
            let is_even = self.slots.is_multiple_of(2 * lanes);
            require(is_even, "slots that do not fill the lanes evenly")?;
            require(self.layout.set_elements == 0, "wrong number of elements of the set gate")?;
        } else {
            require(self.slots <= MAX_SLOTS, "more slots than a batch has")?;
            let gates = SetGates::of(self.mode, self.scheme.leaf_format());
            require(lanes == gates.edwards_lanes, "wrong number of lanes of the Edwards gate")?;
            let is_set = self.layout.set_elements == gates.set_elements;
            require(is_set, "wrong number of elements of the set gate")?;
        }
        let rows = (1usize << self.layout.k) - reserved_rows(self.arity, needs);
        require(least_rows(self, needs) <= rows, "more members or slots than rows")
    }

    /// Lanes for the hashes that the scheme uses, and for no others.
    fn check_hashes(&self, needs: &Needs) -> Result<(), Error> {
        let layout = &self.layout;
        let rows = 1usize << layout.k;
        let most = if needs.keccak { self.slots.min(MAX_HASH_LANES) } else { 0 };
        let is_keccak = (usize::from(needs.keccak)..=most).contains(&layout.keccak_lanes);
        require(is_keccak, "wrong number of lanes of the Keccak gate")?;
        let has_room = !needs.keccak || keccak::TABLE_ROWS < rows;
        require(has_room, "tables of Keccak longer than the rows")?;
        let is_gate = |chains: Option<Chains>,
                       gate: Option<Sha2Layout>,
                       bits: RangeInclusive<usize>| match (chains, gate) {
            (Some(chains), Some(gate)) => {
                let most = chains.count(self.slots).min(MAX_HASH_LANES);
                (1..=most).contains(&gate.lanes) && bits.contains(&gate.bits)
            }
            (chains, gate) => chains.is_none() && gate.is_none(),
        };
        let is_sha256 = is_gate(needs.sha256, layout.sha256, SHA256_BITS);
        require(is_sha256, "wrong number of lanes of the SHA-256 gate, or of bits per row")?;
        let is_sha512 = is_gate(needs.sha512, layout.sha512, SHA512_BITS);
        require(is_sha512, "wrong number of lanes of the SHA-512 gate, or of bits per row")
    }

    /// Whether relations have the limbs that the scheme's circuits are written for.
    fn check_relations(&self, needs: &Needs) -> Result<(), Error> {
        let layout = &self.layout;
        let gate = match &layout.foreign[..] {
            [gate] => gate,
            [] => {
                require(needs.equations.is_empty(), "no relations")?;
                require(
                    RANGE_BITS.contains(&layout.range_bits),
                    "wrong number of bits per lookup",
                )?;
                return require(layout.range_columns > 0, "no column of range checks");
            }
            _ => return Err(Error::Layout("more gates of relations than schemes have")),
        };
        let limbs = |columns| foreign(layout.range_bits, columns, &needs.equations);
        let is_known = !needs.equations.is_empty()
            && (1..=FOREIGN_COLUMNS).contains(&gate.columns)
            && *gate == limbs(gate.columns);
        require(is_known, "wrong limbs or columns of relations")
    }
}

/// log₂ of the rows of circuits that need these gates.
pub(crate) fn degrees(needs: &Needs) -> RangeInclusive<u32> {
    if needs.equations.is_empty() {
        DEGREES
    } else {
        FOREIGN_DEGREES
    }
}

/// State widths of the hashes in a circuit: the batch's, a node's and the scheme's.
pub(crate) fn poseidon_widths(arity: usize, needs: &Needs) -> Vec<usize> {
    let mut widths = vec![];
    for width in [HASH_WIDTH, arity + 1].into_iter().chain(needs.poseidon) {
        if !widths.contains(&width) {
            widths.push(width);
        }
    }
    widths
}

/// An upper bound on the rows that a layout with this tree leaves unusable: a Poseidon column is
/// queried at the rows of two states at most, and each query takes a row of blinding.
pub(crate) fn reserved_rows(arity: usize, needs: &Needs) -> usize {
    2 * poseidon_widths(arity, needs).into_iter().max().unwrap_or_default() + 8
}

/// A lower bound on the rows of the set and the batch. It rules out too small degrees before
/// anything is built.
pub(crate) fn least_rows(shape: &Shape, needs: &Needs) -> usize {
    let set = if shape.mode.is_by_path() { 0 } else { shape.capacity };
    let slots = needs.edwards.map_or(0, |edwards| {
        (shape.slots / shape.layout.edwards_lanes).saturating_mul(edwards.rows)
    });
    set.saturating_add(slots)
}

/// The gates in which members are looked up, for a scheme that has no use for the Edwards gate itself.
pub(crate) struct SetGates {
    /// Lanes of the Edwards gate, where members are looked up by name.
    pub(crate) edwards_lanes: usize,
    /// Elements of the set gate, where members are looked up by whole key.
    pub(crate) set_elements: usize,
}

impl SetGates {
    pub(crate) fn of(mode: Mode, format: LeafFormat) -> Self {
        let (edwards_lanes, set_elements) = match format {
            _ if mode.is_by_path() => (0, 0),
            LeafFormat::Names => (1, 0),
            LeafFormat::Keys(keys) => (0, keys.elements()),
        };
        Self { edwards_lanes, set_elements }
    }
}

fn require(holds: bool, otherwise: &'static str) -> Result<(), Error> {
    holds.then_some(()).ok_or(Error::Layout(otherwise))
}
