//! Relations modulo a foreign prime, one a block of rows.

use std::cell::RefCell;

use halo2_base::{
    halo2_proofs::{
        circuit::{Region, Value},
        halo2curves::{bn256::Fr, ff::Field},
        plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
        poly::Rotation,
    },
    utils::{bigint_to_fe, biguint_to_fe},
    virtual_region::{
        copy_constraints::SharedCopyConstraintManager, manager::VirtualRegionManager,
    },
    AssignedValue, QuantumCell,
};
use num_bigint::BigUint;

use super::cells::Cells;

mod block;
mod equation;
#[cfg(test)]
mod tests;
mod witness;

pub use block::Block;
pub use equation::{Equation, OPERANDS};

use equation::{Coefficients, Place};
use witness::Witness;

const TYPE_ID: &str = "muster-gadgets:gate:foreign";

/// Columns of the gate.
#[derive(Clone, Debug)]
pub struct ForeignConfig {
    block: Block,
    lanes: Vec<Lane>,
}

/// Columns of one relation at a time.
#[derive(Clone, Debug)]
struct Lane {
    /// Limbs of the result, the quotient and the carries, each a running sum of lookups.
    sums: Column<Advice>,
    /// Limbs of the operands.
    operands: Column<Advice>,
    /// `2^t` where a running sum goes on.
    factor: Column<Fixed>,
    /// 1 on the first row of a relation.
    select: Column<Fixed>,
    /// What the relation is: its coefficients, one below the other.
    coefficients: Column<Fixed>,
}

impl ForeignConfig {
    /// Adds `lanes` lanes of two columns and one lookup argument each, for relations of `block`'s
    /// shape. `table` is a column of the integers below `2^t`.
    ///
    /// A relation takes the rows of a block, here for 256 bits, limbs of 48 and lookups of 16:
    ///
    /// ```text
    /// rows    sums                                operands      coefficients
    ///  0..16  R, limbs of 3 rows                  A₀ A₁ A₂ A₃,  α β γ, limbs of the modulus,
    /// 16..33  the quotient, shifted               a limb a row  constants
    /// 33..41  the carries, shifted, of 4 rows
    /// ```
    ///
    /// With `X = α₀·A₀ + α₁·R`, `Y = β₀·A₁ + β₁·A₂` and `L = Σ γᵢ·Aᵢ + γ_R·R` it says
    /// `X·Y + L + c = q·p`, modulo the native prime and over limbs, as
    /// [`relation`](crate::field::foreign::relation) derives. Degree: `1 + 2 + 2 = 5`.
    pub fn configure(
        meta: &mut ConstraintSystem<Fr>,
        block: &Block,
        table: Column<Fixed>,
        lanes: usize,
    ) -> Self {
        let lanes = (0..lanes).map(|_| {
            let lane = Lane {
                sums: meta.advice_column(),
                operands: meta.advice_column(),
                factor: meta.fixed_column(),
                select: meta.fixed_column(),
                coefficients: meta.fixed_column(),
            };
            [lane.sums, lane.operands].into_iter().for_each(|column| meta.enable_equality(column));
            lane.lookup(meta, table);
            lane.relation_gate(meta, block);
            lane
        });
        Self { block: block.clone(), lanes: lanes.collect() }
    }
}

impl Lane {
    /// Every row is looked up, as in [`range`](super::range).
    fn lookup(&self, meta: &mut ConstraintSystem<Fr>, table: Column<Fixed>) {
        meta.lookup_any("foreign: limb is below 2^t", |meta| {
            let sum = meta.query_advice(self.sums, Rotation::cur());
            let next = meta.query_advice(self.sums, Rotation::next());
            let factor = meta.query_fixed(self.factor, Rotation::cur());
            vec![(sum - factor * next, meta.query_fixed(table, Rotation::cur()))]
        });
    }

    fn relation_gate(&self, meta: &mut ConstraintSystem<Fr>, block: &Block) {
        meta.create_gate("foreign: relation", |meta| {
            let select = meta.query_fixed(self.select, Rotation::cur());
            let mut query = Query { meta, lane: self, block };
            let parts = query.parts();
            let mut constraints = vec![(
                "native",
                select.clone() * (parts.native() + query.coefficient(Place::Constant)),
            )];
            let mut before = None;
            for group in 0..block.widths().carries {
                let carry = query.carry(group);
                let out = carry.clone() * power(block.group_bits());
                let sum =
                    parts.group(group, block) + query.coefficient(Place::GroupConstant(group));
                let sum = match before {
                    Some(carry) => sum + carry,
                    None => sum,
                };
                constraints.push(("limbs", select.clone() * (sum - out)));
                before = Some(carry);
            }
            constraints
        });
    }
}

/// Queries of a lane, counted from the first row of a block.
struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    lane: &'a Lane,
    block: &'a Block,
}

impl Query<'_, '_> {
    fn sums(&mut self, rows: Vec<usize>) -> Vec<Expression<Fr>> {
        let at = |row: usize| self.meta.query_advice(self.lane.sums, Rotation(row as i32));
        rows.into_iter().map(at).collect()
    }

    fn operand(&mut self, operand: usize) -> Vec<Expression<Fr>> {
        let at = |row: usize| self.meta.query_advice(self.lane.operands, Rotation(row as i32));
        self.block.operand_rows(operand).map(at).collect()
    }

    fn coefficient(&mut self, place: Place) -> Expression<Fr> {
        let row = place.row(self.block);
        self.meta.query_fixed(self.lane.coefficients, Rotation(row as i32))
    }

    fn carry(&mut self, group: usize) -> Expression<Fr> {
        let row = self.block.carry_row(group);
        self.meta.query_advice(self.lane.sums, Rotation(row as i32))
    }

    /// `a·u + b·v`, limb by limb.
    fn combined(&mut self, terms: &[(Place, &[Expression<Fr>])]) -> Vec<Expression<Fr>> {
        let factors: Vec<_> = terms.iter().map(|(place, _)| self.coefficient(*place)).collect();
        (0..self.block.format().limbs())
            .map(|limb| {
                let products = terms.iter().zip(&factors);
                let products = products.map(|((_, limbs), f)| f.clone() * limbs[limb].clone());
                products.reduce(|sum, product| sum + product).expect("there are terms")
            })
            .collect()
    }

    /// The limbs of `X`, `Y`, `L`, of the quotient and of the modulus.
    fn parts(&mut self) -> Parts {
        let operands: Vec<_> = (0..OPERANDS).map(|operand| self.operand(operand)).collect();
        let result = self.sums(self.block.result_rows());
        let quotient = self.sums(self.block.quotient_rows());
        let limbs = self.block.format().limbs();
        let modulus = (0..limbs).map(|limb| self.coefficient(Place::Modulus(limb))).collect();
        let x = self.combined(&[(Place::Alpha(0), &operands[0]), (Place::Alpha(1), &result)]);
        let y = self.combined(&[(Place::Beta(0), &operands[1]), (Place::Beta(1), &operands[2])]);
        let mut terms: Vec<_> = operands
            .iter()
            .enumerate()
            .map(|(i, operand)| (Place::Gamma(i), &operand[..]))
            .collect();
        terms.push((Place::GammaResult, &result));
        let linear = self.combined(&terms);
        Parts { x, y, linear, quotient, modulus, limb_bits: self.block.format().limb_bits() }
    }
}

/// The limbs of what a relation is made of.
struct Parts {
    x: Vec<Expression<Fr>>,
    y: Vec<Expression<Fr>>,
    linear: Vec<Expression<Fr>>,
    quotient: Vec<Expression<Fr>>,
    modulus: Vec<Expression<Fr>>,
    limb_bits: usize,
}

impl Parts {
    /// `X·Y + L - q·p` over the native field.
    fn native(&self) -> Expression<Fr> {
        let value = |limbs: &[Expression<Fr>]| shifted(limbs.iter().cloned(), self.limb_bits);
        value(&self.x) * value(&self.y) + value(&self.linear)
            - value(&self.quotient) * value(&self.modulus)
    }

    /// The part at `2^(b·position)`.
    fn at(&self, position: usize) -> Option<Expression<Fr>> {
        let product = convolution(&self.x, &self.y, position);
        let multiple = convolution(&self.quotient, &self.modulus, position);
        let sum = match (product, self.linear.get(position).cloned()) {
            (Some(product), Some(linear)) => Some(product + linear),
            (product, linear) => product.or(linear),
        };
        match (sum, multiple) {
            (Some(sum), Some(multiple)) => Some(sum - multiple),
            (sum, multiple) => sum.or(multiple.map(|multiple| -multiple)),
        }
    }

    /// The parts of a group, the lowest in place.
    fn group(&self, group: usize, block: &Block) -> Expression<Fr> {
        let first = group * block.format().group();
        let parts = (first..first + block.format().group())
            .map(|position| self.at(position).unwrap_or(Expression::Constant(Fr::zero())));
        shifted(parts, self.limb_bits)
    }
}

/// `Σ 2^(bits·i)·termᵢ`
fn shifted(terms: impl Iterator<Item = Expression<Fr>>, bits: usize) -> Expression<Fr> {
    let scaled = terms.enumerate().map(|(i, term)| term * power(bits * i));
    scaled.reduce(|sum, term| sum + term).expect("there are limbs")
}

fn convolution(
    a: &[Expression<Fr>],
    b: &[Expression<Fr>],
    position: usize,
) -> Option<Expression<Fr>> {
    (0..=position)
        .filter_map(|i| Some(a.get(i)?.clone() * b.get(position - i)?.clone()))
        .reduce(|sum, product| sum + product)
}

fn power(exponent: usize) -> Fr {
    Fr::from(2).pow_vartime([exponent as u64])
}

/// An element of a foreign field: range-checked limbs, hence below a power of two that is hardly
/// larger than the prime. Not canonical.
#[derive(Clone, Debug)]
pub struct AssignedLimbs {
    limbs: Vec<AssignedValue<Fr>>,
    value: BigUint,
}

impl AssignedLimbs {
    /// The limbs, the lowest first.
    pub fn limbs(&self) -> &[AssignedValue<Fr>] {
        &self.limbs
    }

    /// The number that they make.
    pub fn value(&self) -> &BigUint {
        &self.value
    }
}

/// Records relations and writes them to the columns of a [`ForeignConfig`].
#[derive(Debug)]
pub struct ForeignChip {
    block: Block,
    lanes: usize,
    cells: Cells,
    records: RefCell<Vec<Record>>,
}

/// A relation as it is recorded.
#[derive(Clone, Debug)]
struct Record {
    coefficients: Coefficients,
    operands: Vec<Vec<Fr>>,
    witness: Witness,
}

impl ForeignChip {
    /// A chip of `lanes` lanes for relations of `block`'s shape.
    pub fn new(
        block: &Block,
        lanes: usize,
        copies: SharedCopyConstraintManager<Fr>,
        witness_gen_only: bool,
    ) -> Self {
        let cells = Cells::new(TYPE_ID, copies, witness_gen_only);
        Self { block: block.clone(), lanes, cells, records: RefCell::default() }
    }

    /// The shape of relations.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Relations recorded so far.
    pub fn count(&self) -> usize {
        self.records.borrow().len()
    }

    /// Records `equation` over `operands`, the others being zero, for the result `R`. Nothing is
    /// said of `result` but by the equation: it is a hint.
    ///
    /// # Panics
    /// If there are more operands than [`OPERANDS`], or the result does not fit its limbs.
    pub fn relate(
        &self,
        equation: &Equation,
        operands: &[&AssignedLimbs],
        result: &BigUint,
    ) -> AssignedLimbs {
        assert!(operands.len() <= OPERANDS, "a relation has {OPERANDS} operands");
        let format = self.block.format();
        let values: Vec<_> = operands.iter().map(|operand| operand.value.clone()).collect();
        let witness = Witness::new(&self.block, equation, &values, result);
        let mut records = self.records.borrow_mut();
        let id = records.len();
        let zero = QuantumCell::Constant(Fr::zero());
        let mut limbs = vec![];
        for operand in 0..OPERANDS {
            let bound = (0..format.limbs()).map(|limb| {
                let source = operands.get(operand).map(|operand| operand.limbs[limb]);
                let source = source.map_or(zero, QuantumCell::Existing);
                let offset = self.block.rows() + operand * format.limbs() + limb;
                *self.cells.bind(id, offset, &source).value()
            });
            limbs.push(bound.collect());
        }
        let cells = self.block.result_rows().into_iter().zip(&witness.result);
        let cells = cells.map(|(row, limb)| self.cells.name(id, row, biguint_to_fe(limb)));
        let assigned = AssignedLimbs { limbs: cells.collect(), value: result.clone() };
        let coefficients = equation.coefficients(&self.block);
        records.push(Record { coefficients, operands: limbs, witness });
        assigned
    }
}

impl VirtualRegionManager<Fr> for ForeignChip {
    /// The columns and the number of usable rows.
    type Config = (ForeignConfig, usize);
    type Assignment = ();

    fn assign_raw(&self, (config, usable): &Self::Config, region: &mut Region<Fr>) {
        assert_eq!(config.block, self.block, "the chip and its columns agree on the shape");
        let records = self.records.borrow();
        let rows = records.len().div_ceil(self.lanes) * self.block.rows();
        assert!(rows <= *usable, "the relations fit the rows");
        for (id, record) in records.iter().enumerate() {
            let lane = &config.lanes[id % self.lanes];
            let start = id / self.lanes * self.block.rows();
            self.assign_record(lane, region, (id, start), record);
        }
    }
}

impl ForeignChip {
    fn assign_record(
        &self,
        lane: &Lane,
        region: &mut Region<Fr>,
        (id, start): (usize, usize),
        record: &Record,
    ) {
        let sums = self.block.running_sums(&record.witness);
        for (row, (value, goes_on)) in sums.into_iter().enumerate() {
            let value = Value::known(biguint_to_fe::<Fr>(&value));
            let cell = region.assign_advice(lane.sums, start + row, value).cell();
            self.cells.place(id, row, cell);
            if goes_on && !self.cells.witness_gen_only() {
                let factor = power(self.block.format().lookup_bits());
                region.assign_fixed(lane.factor, start + row, factor);
            }
        }
        for (row, limb) in record.operands.iter().flatten().enumerate() {
            let cell = region.assign_advice(lane.operands, start + row, Value::known(*limb)).cell();
            self.cells.place(id, self.block.rows() + row, cell);
        }
        if !self.cells.witness_gen_only() {
            region.assign_fixed(lane.select, start, Fr::one());
            for (row, coefficient) in record.coefficients.rows().iter().enumerate() {
                region.assign_fixed(
                    lane.coefficients,
                    start + row,
                    bigint_to_fe::<Fr>(coefficient),
                );
            }
        }
    }
}
