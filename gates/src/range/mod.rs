//! Range checks by running sums over a lookup table of `b`-bit limbs.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! # use halo2_base::QuantumCell::Witness;
//! use muster_gates::{GateCircuit, Layout};
//!
//! let layout = Layout {
//!     k: 6,
//!     vertical_columns: 1,
//!     range_columns: 1,
//!     range_bits: 4,
//!     ..Layout::default()
//! };
//! let holds = |value: u64| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         ctx.range.check(Witness(Fr::from(value)), 12);
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! assert!(holds(4095));
//! assert!(!holds(4096));
//! ```

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem, Fixed},
        poly::Rotation,
    },
    utils::{biguint_to_fe, fe_to_biguint},
    virtual_region::manager::VirtualRegionManager,
    AssignedValue, QuantumCell,
};
use num_bigint::BigUint;

use super::{
    border::{self, limb},
    cells::Cells,
    kind::{Gate, LimbTable, NewCells},
    place::Place,
    Layout, Usage,
};

mod increasing;
#[cfg(test)]
mod tests;

/// Bits of an amount, see [`RangeChip::check_amount`].
pub const AMOUNT_BITS: usize = 60;
/// Bits of whatever passes the check of an amount, whose bound exceeds `2^60` by less than a limb.
pub const PASSING_AMOUNT_BITS: usize = AMOUNT_BITS + 1;
const _: () = assert!(MAX_BITS < AMOUNT_BITS, "a limb is far below an amount");

/// The most bits that a limb may have.
const MAX_BITS: usize = 16;

const TYPE_ID: &str = "muster-gadgets:gate:range";

/// Columns of the range gate.
#[derive(Clone, Debug)]
pub struct RangeConfig {
    /// Limb width `b` in bits.
    bits: usize,
    /// A running sum and the factor of its next cell.
    columns: Vec<(Column<Advice>, Column<Fixed>)>,
    /// The integers below `2^b`, then zeros.
    table: Column<Fixed>,
    /// Rows of the first column that another gate has taken.
    taken: usize,
}

impl RangeConfig {
    /// Adds `columns` running-sum columns with limbs of `bits` bits.
    ///
    /// ```text
    /// row   z              f      looked up
    ///  0    v              2^b    v    - 2^b z1
    ///  1    z1 = v >> b    2^b    z1   - 2^b z2
    ///  …
    /// n-1   z(n-1)         0      z(n-1)
    /// ```
    ///
    /// Every row of the column is looked up: `z - f·z'` lies in `[0, 2^b)`. Over the rows of one
    /// check the limbs add up to `v = Σ limbᵢ·2^(b·i)`, so `v < 2^(b·n)` as an integer (`b·n` stays
    /// below the size of the field). Rows outside a check hold zero. Degree: `2 + 2 + 1 = 5`.
    ///
    /// Where a bound is [near](RangeChip::check_near), the first factor is `2^t` with `t ≤ b`: the limbs add
    /// up to `v = limb0 + 2^t·Σ limbᵢ₊₁·2^(b·i)`.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, bits: usize, columns: usize) -> Self {
        let table = meta.fixed_column();
        let columns = (0..columns)
            .map(|_| {
                let sum = meta.advice_column();
                let factor = meta.fixed_column();
                meta.enable_equality(sum);
                border::lookup_any(meta, "range: limb is below 2^b", |meta| {
                    let z = meta.query_advice(sum, Rotation::cur());
                    let z_next = meta.query_advice(sum, Rotation::next());
                    let f = meta.query_fixed(factor, Rotation::cur());
                    let table = meta.query_fixed(table, Rotation::cur());
                    vec![(limb((z, z_next), f, bits), table)]
                });
                (sum, factor)
            })
            .collect();
        Self { bits, columns, table, taken: 0 }
    }

    /// Puts the checks in another gate's running sum and factors, below the `taken` rows.
    pub(super) fn behind(&mut self, taken: usize, column: (Column<Advice>, Column<Fixed>)) {
        (self.columns, self.taken) = (vec![column], taken);
    }

    /// Whether it has columns of its own.
    pub(super) fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }
}

/// The factor of a row: `full` where the running sum goes on, 0 where it ends.
pub(super) fn factor(place: Place, goes_on: bool, full: Fr) -> Fr {
    if !place.keeps("range", 0) {
        -Fr::one()
    } else if goes_on {
        full
    } else {
        Fr::zero()
    }
}

/// Notes that `place` asked for the factor in this row.
#[cfg(debug_assertions)]
pub(super) fn credit(place: Place, factor: Column<Fixed>, row: usize) {
    super::place::credit::range((factor.index(), row), place.key("range", 0));
}

/// Bits of the first step of a number of `number` bits in limbs of `limb` bits. All other steps are whole limbs, and
/// the last limb ends where the number does.
fn first_step(number: usize, limb: usize) -> usize {
    number - limb * (number.div_ceil(limb) - 1)
}

/// Records range checks and writes them to the columns of a [`RangeConfig`].
#[derive(Clone, Debug)]
pub struct RangeChip {
    bits: usize,
    /// Columns of its own.
    columns: usize,
    cells: Cells,
    checks: RefCell<Vec<Check>>,
}

#[derive(Clone, Debug)]
struct Check {
    value: Fr,
    limbs: usize,
    /// Bits from the first limb to the second.
    step: usize,
    place: Place,
}

impl RangeChip {
    /// `bits` rounded up to whole limbs: the bound that a check of `bits` bits really provides.
    pub fn rounded(&self, bits: usize) -> usize {
        bits.div_ceil(self.bits) * self.bits
    }

    /// Binds a cell of the running-sum column to `value` and checks it to be below
    /// `2^rounded(bits)`. A witness gets its home cell here.
    ///
    /// # Panics
    /// If `rounded(bits)` exceeds 252, where the sum of the limbs could wrap around the field.
    #[track_caller]
    pub fn check(&self, value: impl Into<QuantumCell<Fr>>, bits: usize) -> AssignedValue<Fr> {
        let limbs = bits.div_ceil(self.bits);
        assert!(0 < limbs && limbs * self.bits <= 252, "the running sum must not wrap");
        self.record(value.into(), limbs, self.bits, Place::here())
    }

    /// As [`Self::check`], but the bound is [`Self::near_bound`], which exceeds `2^bits` by less than a limb for any
    /// limb width. It takes no more cells. The limbs are not unique: two of them may overlap.
    ///
    /// # Panics
    /// As [`Self::check`].
    #[track_caller]
    pub fn check_near(&self, value: impl Into<QuantumCell<Fr>>, bits: usize) -> AssignedValue<Fr> {
        let limbs = bits.div_ceil(self.bits);
        assert!(0 < limbs && limbs * self.bits <= 252, "the running sum must not wrap");
        self.record(value.into(), limbs, first_step(bits, self.bits), Place::here())
    }

    /// [`Self::check_near`] of an amount, with [`AMOUNT_BITS`] bits.
    #[track_caller]
    pub fn check_amount(&self, value: impl Into<QuantumCell<Fr>>) -> AssignedValue<Fr> {
        self.check_near(value, AMOUNT_BITS)
    }

    /// The least number that fails a near check: `2^bits + 2^b - 2^t`, since the first limb is below `2^b` and the
    /// others are a number below `2^(bits-t)`, times `2^t`.
    pub fn near_bound(&self, bits: usize) -> BigUint {
        let power = |bits: usize| BigUint::from(1u8) << bits;
        power(bits) + power(self.bits) - power(first_step(bits, self.bits))
    }

    fn record(
        &self,
        value: QuantumCell<Fr>,
        limbs: usize,
        step: usize,
        place: Place,
    ) -> AssignedValue<Fr> {
        let mut checks = self.checks.borrow_mut();
        checks.push(Check { value: *value.value(), limbs, step, place });
        self.cells.bind((place, 0), checks.len() - 1, 0, &value)
    }

    /// Cells taken so far, one per limb.
    pub fn total_cells(&self) -> usize {
        self.checks.borrow().iter().map(|check| check.limbs).sum()
    }

    /// Columns of `rows` rows that the recorded checks fill.
    pub fn columns_needed(&self, rows: usize) -> usize {
        positions(&self.checks.borrow(), 0, rows).last().map_or(0, |(column, _)| column + 1)
    }
}

impl Check {
    /// Factors of the rows; the last one's is 0.
    fn factors(&self, bits: usize) -> impl Iterator<Item = Fr> + '_ {
        (1..=self.limbs).map(move |limb| {
            let step = if limb == 1 { self.step } else { bits };
            factor(self.place, limb < self.limbs, Fr::from(1 << step))
        })
    }

    /// The running sums `v, v >> t, v >> (t + b), …` of a canonical `v`.
    fn running_sums(&self, bits: usize) -> Vec<Fr> {
        let value = fe_to_biguint(&self.value);
        let shifts = (0..self.limbs - 1).map(|limb| self.step + limb * bits);
        let sums = shifts.map(|shift| biguint_to_fe(&(&value >> shift)));
        std::iter::once(self.value).chain(sums).collect()
    }
}

/// Column and first row of each check; a check never straddles two columns.
fn positions(checks: &[Check], first: usize, rows: usize) -> Vec<(usize, usize)> {
    let (mut column, mut row) = (0, first);
    checks
        .iter()
        .map(|Check { limbs, .. }| {
            if row + limbs > rows {
                (column, row) = (column + 1, 0);
            }
            row += limbs;
            (column, row - limbs)
        })
        .collect()
}

impl Gate for RangeChip {
    /// Bits of a limb, and columns, of which there may be none.
    type Shape = (usize, usize);
    type Columns = RangeConfig;

    fn shapes(layout: &Layout) -> Vec<(usize, usize)> {
        vec![(layout.range_bits, layout.range_columns)]
    }

    fn width((_, columns): &(usize, usize)) -> usize {
        *columns
    }

    fn configure(
        meta: &mut ConstraintSystem<Fr>,
        (bits, columns): &(usize, usize),
        limbs: &mut LimbTable,
    ) -> RangeConfig {
        let config = RangeConfig::configure(meta, *bits, *columns);
        *limbs = Some(config.table);
        config
    }

    fn new(&(bits, columns): &(usize, usize), cells: NewCells) -> Self {
        assert!((1..=MAX_BITS).contains(&bits), "limbs have 1 to 16 bits");
        Self { bits, columns, cells: cells(TYPE_ID), checks: RefCell::default() }
    }

    fn report(&self, usage: &mut Usage) {
        usage.range_cells += self.total_cells();
    }

    fn fits(&self, rows: usize) -> bool {
        // Checks without columns of their own stand below another gate's rows: `Chips::fit` counts both.
        self.columns == 0 || self.columns_needed(rows) <= self.columns
    }
}

impl VirtualRegionManager<Fr> for RangeChip {
    /// The columns and the number of usable rows.
    type Config = (RangeConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, rows): &Self::Config, region: &mut Region<Fr>) {
        assert_eq!(config.bits, self.bits, "the chip and its columns agree on the limb width");
        assert!(1 << self.bits <= *rows, "the limb table fits the rows");
        let checks = self.checks.borrow();
        let positions = positions(&checks, config.taken, *rows);
        for (id, (check, (column, row))) in checks.iter().zip(positions).enumerate() {
            let (sum, factor) = config.columns[column];
            let sums = check.running_sums(self.bits);
            for (limb, z) in sums.into_iter().enumerate() {
                let cell = region.assign_advice(sum, row + limb, Value::known(z)).cell();
                if limb == 0 {
                    self.cells.place(id, 0, cell);
                }
            }
            if !self.cells.witness_gen_only() {
                for (row, value) in (row..).zip(check.factors(self.bits)) {
                    if !bool::from(value.is_zero()) {
                        region.assign_fixed(factor, row, value);
                    }
                    #[cfg(debug_assertions)]
                    credit(check.place, factor, row);
                }
            }
        }
        if !self.cells.witness_gen_only() {
            for value in 0..1 << self.bits {
                region.assign_fixed(config.table, value, Fr::from(value as u64));
            }
        }
    }
}
