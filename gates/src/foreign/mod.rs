//! Relations modulo a foreign prime, one per block of rows, and tables that are looked up by
//! digits.
//!
//! ```
//! # use halo2_base::halo2_proofs::{dev::MockProver, halo2curves::bn256::Fr};
//! # use halo2_base::utils::modulus;
//! use muster_gates::{
//!     foreign::{Equation, ForeignLayout, Operand},
//!     GateCircuit, Layout,
//! };
//! use muster_schemes::curve::weierstrass::Curve;
//!
//! // For these equations: a range check alone, and `R = A₀·A₁` modulo secp256k1's prime.
//! let p = Curve::Secp256k1.p();
//! let (free, product) = (Equation::free(), Equation::multiply(p));
//! let foreign = ForeignLayout::new(&modulus::<Fr>(), 8, 4, &[free.clone(), product.clone()]);
//! let layout = Layout {
//!     k: 9,
//!     vertical_columns: 1,
//!     range_bits: 8,
//!     foreign: vec![foreign],
//!     ..Layout::default()
//! };
//! let holds = |result: u32| {
//!     let circuit = GateCircuit::new(&layout, false, |ctx| {
//!         let chip = ctx.chips.foreign();
//!         let [a, b] = [2u32, 3].map(|n| chip.relate(&free, &[], &(p - n)));
//!         chip.relate(&product, &[Operand::Element(&a), Operand::Element(&b)], &result.into());
//!     });
//!     MockProver::run(layout.k, &circuit, vec![vec![]]).unwrap().verify().is_ok()
//! };
//! // (-2)·(-3)
//! assert!(holds(6));
//! assert!(!holds(7));
//! ```

use halo2_base::halo2_proofs::{
    halo2curves::bn256::Fr,
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

mod assigned;
mod block;
mod chip;
mod equation;
mod outside;
mod region;
#[cfg(debug_assertions)]
mod remade;
mod search;
#[cfg(test)]
mod tests;
mod witness;

pub use assigned::{AssignedDigits, AssignedLimbs, AssignedScalar, Digit, Operand, SignedLimbs};
pub use block::{Block, ForeignLayout};
pub use chip::{Coordinate, Cursor, ForeignChip};
pub use equation::{above, Equation, Form, Ratio, Source, Sums};
#[cfg(debug_assertions)]
pub use remade::{At, Blocks, Part, Parts as BlockParts, Summand};
pub use search::LimbWidths;

use super::{
    border::{self, limb},
    power_of_two as power,
};
use block::{FixedCell, OperandCell, Piece, APART_CELLS, DIGIT_CELLS};
use equation::{COORDINATES, DIFFERENCE};

/// Columns of the gate.
#[derive(Clone, Debug)]
pub struct ForeignConfig {
    block: Block,
    /// Limbs of results, quotients and carries, each a running sum of lookups.
    sums: Vec<Column<Advice>>,
    /// Limbs of operands, and what a digit needs.
    operands: Vec<Column<Advice>>,
    /// For each column of sums, `2^t` where a running sum goes on.
    factors: Vec<Column<Fixed>>,
    /// The factors and constants that define a relation, one after the other.
    fixed: Vec<Column<Fixed>>,
    /// 1 on the first row of a relation.
    select: Column<Fixed>,
    /// What digits need, if there are any.
    digits: Option<DigitColumns>,
    /// 1 on the first row of a relation that says that `Y₀` does not vanish, if there are any.
    apart: Option<Column<Fixed>>,
}

/// Fixed columns of tables and of the digits that ask for their entries.
#[derive(Clone, Copy, Debug)]
struct DigitColumns {
    /// 1 on the first row of a relation whose operands are looked up.
    ask: Column<Fixed>,
    /// On the first row of a block, the number of the table if the operands are an entry, or its negative if they ask
    /// for one.
    tag: Column<Fixed>,
    /// The digit of an entry, which is the multiple by it.
    digit: Column<Fixed>,
}

impl ForeignConfig {
    /// Adds the columns for relations of `block`'s shape. `table` is a column of the integers below
    /// `2^t`.
    ///
    /// A block has as many rows as its lookups take in `block.columns()` columns. It states
    ///
    /// ```text
    /// X₀·Y₀ + X₁·Y₁ + … + L + c = q·p
    /// ```
    ///
    /// modulo the native prime and over limbs, as [`relation`](muster_schemes::field::foreign::relation)
    /// derives, for [`Sums`] of the result, the operands, results of blocks above and operands of the block above.
    /// Degree: `1 + 2 + 2 = 5`.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, block: &Block, table: Column<Fixed>) -> Self {
        let sums: Vec<_> = (0..block.columns()).map(|_| meta.advice_column()).collect();
        let operands: Vec<_> = (0..block.operand_columns()).map(|_| meta.advice_column()).collect();
        // Columns whose sums go on in the same rows share their factors.
        let mut patterns: Vec<(Vec<bool>, Column<Fixed>)> = vec![];
        let factors = block.patterns().into_iter().map(|pattern| {
            if let Some((_, column)) = patterns.iter().find(|(known, _)| *known == pattern) {
                return *column;
            }
            patterns.push((pattern, meta.fixed_column()));
            patterns[patterns.len() - 1].1
        });
        let factors = factors.collect();
        let fixed = (0..block.fixed_columns()).map(|_| meta.fixed_column()).collect();
        let select = meta.fixed_column();
        let digits = block.sums().asks().then(|| {
            let [ask, tag, digit] = [(); 3].map(|()| meta.fixed_column());
            DigitColumns { ask, tag, digit }
        });
        let apart = block.sums().apart().then(|| meta.fixed_column());
        let block = block.clone();
        let config = Self { block, sums, operands, factors, fixed, select, digits, apart };
        config.enable_equality(meta);
        config.limb_lookups(meta, table);
        if let Some(digits) = digits {
            config.entry_lookup(meta, digits);
        }
        config.relation_gate(meta);
        if let Some(digits) = digits {
            config.digit_gate(meta, digits);
        }
        if let Some(apart) = apart {
            config.apart_gate(meta, apart);
        }
        config
    }

    /// Results and operands are copied; quotients and carries are not.
    fn enable_equality(&self, meta: &mut ConstraintSystem<Fr>) {
        // Range checks use the first column.
        let whole = self.block.result.iter().filter(|pieces| pieces.len() == 1).flatten();
        let mut columns: Vec<_> = whole.map(|piece| piece.column).chain([0]).collect();
        columns.sort_unstable();
        columns.dedup();
        let copied = columns.iter().map(|column| &self.sums[*column]).chain(&self.operands);
        copied.for_each(|column| meta.enable_equality(*column));
    }

    /// The advice columns.
    #[cfg(debug_assertions)]
    pub fn advice(&self) -> impl Iterator<Item = Column<Advice>> + '_ {
        self.sums.iter().chain(&self.operands).copied()
    }

    /// A column of running sums that range checks may use, below the relations.
    pub(super) fn first_sum(&self) -> (Column<Advice>, Column<Fixed>) {
        (self.sums[0], self.factors[0])
    }

    /// Every row is looked up, as in [`range`](super::range).
    fn limb_lookups(&self, meta: &mut ConstraintSystem<Fr>, table: Column<Fixed>) {
        for (sums, factor) in self.sums.iter().zip(&self.factors) {
            border::lookup_any(meta, "foreign: limb is below 2^t", |meta| {
                let sum = meta.query_advice(*sums, Rotation::cur());
                let next = meta.query_advice(*sums, Rotation::next());
                let factor = meta.query_fixed(*factor, Rotation::cur());
                let table = meta.query_fixed(table, Rotation::cur());
                vec![(limb((sum, next), factor, self.block.format().lookup_bits()), table)]
            });
        }
    }

    /// The operands of a block are an entry, under the number of its table and a digit. Where `ask` is 1, the operands
    /// equal the entry for a digit's magnitude. All other rows look up zeros.
    fn entry_lookup(&self, meta: &mut ConstraintSystem<Fr>, columns: DigitColumns) {
        border::lookup_any(meta, "foreign: entry of a table", |meta| {
            let [ask, tag, digit] = [columns.ask, columns.tag, columns.digit]
                .map(|column| meta.query_fixed(column, Rotation::cur()));
            let mut query = self.query(meta);
            let magnitude = query.operand(OperandCell::Magnitude);
            let mut tuple =
                vec![(-(ask.clone() * tag.clone()), tag), (ask.clone() * magnitude, digit)];
            for operand in 0..COORDINATES {
                for limb in 0..self.block.format().limbs() {
                    let cell = query.operand(OperandCell::Limb(operand, limb));
                    tuple.push((ask.clone() * cell.clone(), cell));
                }
            }
            tuple
        });
    }

    fn query<'a, 'b>(&'a self, meta: &'a mut VirtualCells<'b, Fr>) -> Query<'a, 'b> {
        let Self { block, sums, operands, fixed, .. } = self;
        Query { meta, block, sums, operands, fixed }
    }

    fn relation_gate(&self, meta: &mut ConstraintSystem<Fr>) {
        border::create_gate(meta, "foreign: relation", |meta| {
            let select = meta.query_fixed(self.select, Rotation::cur());
            let mut query = self.query(meta);
            let parts = query.parts();
            let native = parts.native() + query.fixed(FixedCell::Constant);
            let mut constraints = vec![("native", select.clone() * native)];
            let mut before = None;
            for group in 0..self.block.widths().carries {
                let carry = query.number(&self.block.carries[group]);
                let out = carry.clone() * power(self.block.group_bits());
                let sum =
                    parts.group(group, &self.block) + query.fixed(FixedCell::GroupConstant(group));
                let sum = match before {
                    Some(carry) => sum + carry,
                    None => sum,
                };
                constraints.push(("limbs", select.clone() * (sum - out)));
                before = Some(carry);
            }
            if let Some(spare) = self.block.spare {
                let (column, row) = self.block.top_digit();
                let shifted = query.sum(column, row) * power(self.block.format().spare_bits());
                let cell = query.sum(spare.column, spare.row);
                constraints.push(("the top digit is short", select.clone() * (cell - shifted)));
            }
            for limb in self.block.split_limbs() {
                let whole = query.operand(OperandCell::Whole(limb));
                let pieces = query.number(&self.block.result[limb]);
                constraints.push(("a limb is its pieces", select.clone() * (whole - pieces)));
            }
            constraints
        });
    }

    /// Where an entry is asked for, the digit is its sign, 1 or -1, times its magnitude, and `Y₀`, the
    /// difference of two first coordinates, is not 0 modulo `p`.
    fn digit_gate(&self, meta: &mut ConstraintSystem<Fr>, columns: DigitColumns) {
        border::create_gate(meta, "foreign: digit", |meta| {
            let ask = meta.query_fixed(columns.ask, Rotation::cur());
            let mut query = self.query(meta);
            let [sign, magnitude, before, after, ..] = DIGIT_CELLS.map(|cell| query.operand(cell));
            let one = Expression::Constant(Fr::one());
            let sum = before * power(muster_schemes::field::foreign::DIGIT_BITS)
                + sign.clone() * magnitude;
            let digit = [
                ("the sign is 1 or -1", ask.clone() * (sign.clone() * sign - one)),
                ("the sum takes the digit", ask.clone() * (after - sum)),
            ];
            digit.into_iter().chain(self.differs(&mut query, &ask)).collect::<Vec<_>>()
        });
    }

    /// Where `apart` is 1, `Y₀` is not 0 modulo `p`.
    fn apart_gate(&self, meta: &mut ConstraintSystem<Fr>, apart: Column<Fixed>) {
        border::create_gate(meta, "foreign: apart", |meta| {
            let apart = meta.query_fixed(apart, Rotation::cur());
            self.differs(&mut self.query(meta), &apart)
        });
    }

    /// Where `flag` is 1, `Y₀` is not 0 modulo `p`: it is an integer between `-2p` and `2p`, and is shown modulo the
    /// native prime to be none of `-p`, `0` and `p`.
    fn differs(
        &self,
        query: &mut Query,
        flag: &Expression<Fr>,
    ) -> Vec<(&'static str, Expression<Fr>)> {
        let [difference, inverse] = APART_CELLS.map(|cell| query.operand(cell));
        let bits = self.block.format().limb_bits();
        let sources: Vec<_> = self.block.sums().all().collect();
        let y = query.combined(DIFFERENCE, sources[DIFFERENCE]);
        let y = shifted(y.into_iter(), bits);
        let p = shifted(query.modulus().into_iter(), bits);
        let product = difference.clone() * (difference.clone() - p.clone());
        let product = product * (difference.clone() + p) * inverse;
        vec![
            ("the difference", flag.clone() * (difference - y)),
            ("the difference is not 0", flag.clone() * (product - Expression::Constant(Fr::one()))),
        ]
    }
}

/// Queries counted from the first row of a block.
struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    block: &'a Block,
    sums: &'a [Column<Advice>],
    operands: &'a [Column<Advice>],
    fixed: &'a [Column<Fixed>],
}

impl Query<'_, '_> {
    fn sum(&mut self, column: usize, row: usize) -> Expression<Fr> {
        self.meta.query_advice(self.sums[column], Rotation(row as i32))
    }

    fn operand(&mut self, cell: OperandCell) -> Expression<Fr> {
        let number = self.block.operand(cell);
        let (column, row) = self.block.place(number);
        self.meta.query_advice(self.operands[column], Rotation(row as i32))
    }

    fn fixed(&mut self, cell: FixedCell) -> Expression<Fr> {
        let (column, row) = self.block.place(self.block.fixed(cell));
        self.meta.query_fixed(self.fixed[column], Rotation(row as i32))
    }

    /// A limb of the result of the block `above` blocks above.
    fn result(&mut self, above: usize, limb: usize) -> Expression<Fr> {
        let block = self.block;
        let (columns, (column, row)) = match block.result[limb][..] {
            [Piece { column, row, .. }] => (self.sums, (column, row)),
            _ => (self.operands, block.place(block.operand(OperandCell::Whole(limb)))),
        };
        let rotation = row as i32 - (above * block.rows()) as i32;
        self.meta.query_advice(columns[column], Rotation(rotation))
    }

    /// A number, from its pieces.
    fn number(&mut self, pieces: &[Piece]) -> Expression<Fr> {
        let bits = self.block.format().lookup_bits();
        let parts = pieces.iter().map(|piece| {
            let part = self.sum(piece.column, piece.row);
            if piece.below == 0 {
                part
            } else {
                part * power(bits * piece.below)
            }
        });
        parts.reduce(|sum, part| sum + part).expect("a number has pieces")
    }

    fn source(&mut self, source: Source, limb: usize) -> Expression<Fr> {
        match source {
            Source::Result => self.result(0, limb),
            Source::Back(blocks) => self.result(blocks, limb),
            Source::Operand(operand) => self.operand(OperandCell::Limb(operand, limb)),
            Source::Turned => {
                let sign = self.operand(OperandCell::Sign);
                sign * self.operand(OperandCell::Limb(1, limb))
            }
            Source::Above(operand) => {
                let block = self.block;
                let (column, row) = block.place(block.operand(OperandCell::Limb(operand, limb)));
                let rotation = Rotation(row as i32 - block.rows() as i32);
                self.meta.query_advice(self.operands[column], rotation)
            }
        }
    }

    /// A sum of an equation, limb by limb, given its number and the sources it may have.
    fn combined(&mut self, sum: usize, sources: &[Source]) -> Vec<Expression<Fr>> {
        let factors: Vec<_> =
            (0..sources.len()).map(|place| self.fixed(FixedCell::Factor(sum, place))).collect();
        (0..self.block.format().limbs())
            .map(|limb| {
                let terms = sources.iter().zip(&factors);
                let terms = terms.map(|(source, f)| f.clone() * self.source(*source, limb));
                terms.reduce(|sum, term| sum + term).unwrap_or(Expression::Constant(Fr::zero()))
            })
            .collect()
    }

    fn modulus(&mut self) -> Vec<Expression<Fr>> {
        let limbs = self.block.format().limbs();
        (0..limbs).map(|limb| self.fixed(FixedCell::Modulus(limb))).collect()
    }

    fn parts(&mut self) -> Parts {
        let quotient = self.block.quotient.iter().map(|pieces| self.number(pieces)).collect();
        let sums = self.block.sums().all().enumerate();
        let mut sums: Vec<_> = sums.map(|(i, sources)| self.combined(i, sources)).collect();
        let linear = sums.pop().expect("there is a sum beside the products");
        let products = sums.chunks(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
        let limb_bits = self.block.format().limb_bits();
        Parts { products, linear, quotient, modulus: self.modulus(), limb_bits }
    }
}

type Limbs = Vec<Expression<Fr>>;

/// The limbs of a relation's sums, quotient and modulus.
struct Parts {
    products: Vec<[Limbs; 2]>,
    linear: Limbs,
    quotient: Limbs,
    modulus: Limbs,
    limb_bits: usize,
}

impl Parts {
    /// `X₀·Y₀ + X₁·Y₁ + … + L - q·p` over the native field.
    fn native(&self) -> Expression<Fr> {
        let value = |limbs: &Limbs| shifted(limbs.iter().cloned(), self.limb_bits);
        let products = self.products.iter().map(|[a, b]| value(a) * value(b));
        let sum = products.chain([value(&self.linear)]).reduce(|sum, part| sum + part);
        sum.expect("there is a sum") - value(&self.quotient) * value(&self.modulus)
    }

    /// The coefficient of `2^(b·position)`.
    fn at(&self, position: usize) -> Option<Expression<Fr>> {
        let products = self.products.iter().map(|[a, b]| convolution(a, b, position));
        let multiple = convolution(&self.quotient, &self.modulus, position);
        let others = [self.linear.get(position).cloned(), multiple.map(|m| -m)];
        products.chain(others).flatten().reduce(|sum, part| sum + part)
    }

    /// The coefficients of a group of positions, relative to the lowest.
    fn group(&self, group: usize, block: &Block) -> Expression<Fr> {
        let first = group * block.format().group();
        let parts = (first..first + block.format().group())
            .map(|position| self.at(position).unwrap_or(Expression::Constant(Fr::zero())));
        shifted(parts, self.limb_bits)
    }
}

/// `Σ 2^(bits·i)·termᵢ`
fn shifted(terms: impl Iterator<Item = Expression<Fr>>, bits: usize) -> Expression<Fr> {
    let scaled =
        terms.enumerate().map(|(i, term)| if i == 0 { term } else { term * power(bits * i) });
    scaled.reduce(|sum, term| sum + term).expect("there are limbs")
}

fn convolution(a: &Limbs, b: &Limbs, position: usize) -> Option<Expression<Fr>> {
    (0..=position)
        .filter_map(|i| Some(a.get(i)?.clone() * b.get(position - i)?.clone()))
        .reduce(|sum, product| sum + product)
}
