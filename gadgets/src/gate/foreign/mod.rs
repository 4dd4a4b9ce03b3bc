//! Relations modulo a foreign prime, one per block of rows, and tables that are looked up by
//! digits.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, ConstraintSystem, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

mod assigned;
mod block;
mod chip;
mod equation;
mod form;
#[cfg(any(test, feature = "forgery"))]
mod parts;
mod record;
mod region;
#[cfg(test)]
mod remade;
mod source;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod unbounded;
mod witness;
mod written;

pub use assigned::{AssignedDigits, AssignedLimbs, AssignedScalar, Digit, Operand, SignedLimbs};
pub use block::{Block, ForeignLayout};
pub use chip::ForeignChip;
pub use equation::Equation;
pub use form::{Form, Ratio};
#[cfg(any(test, feature = "forgery"))]
pub(super) use parts::Parts as BlockParts;
#[cfg(test)]
pub(super) use remade::{Blocks, Part};
pub use source::{Source, HISTORY};
pub use table::Coordinate;

use super::{border, range::limb};
use block::{FixedCell, OperandCell, Piece};
use equation::{L, SUMS, W, X, Y, Z};
use source::OPERANDS;

/// Columns of the gate.
#[derive(Clone, Debug)]
pub struct ForeignConfig {
    block: Block,
    /// Limbs of results, quotients and carries, each a running sum of lookups.
    sums: Vec<Column<Advice>>,
    /// Limbs of operands, and what a digit needs.
    operands: Vec<Column<Advice>>,
    /// Of each column of sums: `2^t` where a running sum goes on.
    factors: Vec<Column<Fixed>>,
    /// What relations are: their factors, one after the other.
    fixed: Vec<Column<Fixed>>,
    /// 1 on the first row of a relation.
    select: Column<Fixed>,
    /// 1 on the first row of a relation whose operands are looked up.
    ask: Column<Fixed>,
    /// The number of a table on the first row of a block whose operands are an entry; negative where
    /// it is asked for.
    tag: Column<Fixed>,
    /// The multiple that an entry is.
    digit: Column<Fixed>,
}

impl ForeignConfig {
    /// Adds the columns for relations of `block`'s shape. `table` is a column of the integers below
    /// `2^t`.
    ///
    /// A block has as many rows as its lookups take in `block.columns()` columns. It says
    ///
    /// ```text
    /// X·Y + Z·W + L + c = q·p
    /// ```
    ///
    /// modulo the native prime and over limbs, as [`relation`](crate::field::foreign::relation)
    /// derives, for sums `X` to `L` of the result, the two operands, results of the four blocks
    /// above and the first operand of the block above. Degree: `1 + 2 + 2 = 5`.
    pub fn configure(meta: &mut ConstraintSystem<Fr>, block: &Block, table: Column<Fixed>) -> Self {
        let sums: Vec<_> = (0..block.columns()).map(|_| meta.advice_column()).collect();
        let operands: Vec<_> = (0..block.operand_columns()).map(|_| meta.advice_column()).collect();
        // Columns whose sums go on at the same rows share their factors.
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
        let [select, ask, tag, digit] = [(); 4].map(|()| meta.fixed_column());
        let config =
            Self { block: block.clone(), sums, operands, factors, fixed, select, ask, tag, digit };
        config.enable_equality(meta);
        config.limb_lookups(meta, table);
        config.entry_lookup(meta);
        config.relation_gate(meta);
        config.digit_gate(meta);
        config
    }

    /// Results and operands are copied; quotients and carries are not.
    fn enable_equality(&self, meta: &mut ConstraintSystem<Fr>) {
        // Range checks stand in the first column.
        let whole = self.block.result.iter().filter(|pieces| pieces.len() == 1).flatten();
        let mut columns: Vec<_> = whole.map(|piece| piece.column).chain([0]).collect();
        columns.sort_unstable();
        columns.dedup();
        let copied = columns.iter().map(|column| &self.sums[*column]).chain(&self.operands);
        copied.for_each(|column| meta.enable_equality(*column));
    }

    #[cfg(any(test, feature = "forgery"))]
    pub(super) fn advice(&self) -> impl Iterator<Item = Column<Advice>> + '_ {
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

    /// An entry is the operands of a block, under the number of its table and a digit. Where `ask` is
    /// 1, the operands are the entry of a digit's magnitude. Everywhere else zeros are looked up.
    fn entry_lookup(&self, meta: &mut ConstraintSystem<Fr>) {
        border::lookup_any(meta, "foreign: entry of a table", |meta| {
            let fixed =
                |meta: &mut VirtualCells<Fr>, column| meta.query_fixed(column, Rotation::cur());
            let (ask, tag) = (fixed(meta, self.ask), fixed(meta, self.tag));
            let digit = fixed(meta, self.digit);
            let mut query = Query { meta, config: self };
            let magnitude = query.operand(OperandCell::Magnitude);
            let mut tuple =
                vec![(-(ask.clone() * tag.clone()), tag), (ask.clone() * magnitude, digit)];
            for operand in 0..OPERANDS {
                for limb in 0..self.block.format().limbs() {
                    let cell = query.operand(OperandCell::Limb(operand, limb));
                    tuple.push((ask.clone() * cell.clone(), cell));
                }
            }
            tuple
        });
    }

    fn relation_gate(&self, meta: &mut ConstraintSystem<Fr>) {
        border::create_gate(meta, "foreign: relation", |meta| {
            let select = meta.query_fixed(self.select, Rotation::cur());
            let mut query = Query { meta, config: self };
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

    /// Where an entry is asked for, the digit is its sign, 1 or -1, times its magnitude, and `Y`, the
    /// difference of two first coordinates, is not 0 modulo `p`: as an integer between `-2p` and `2p`
    /// it is none of `-p`, `0`, `p`, shown modulo the native prime.
    fn digit_gate(&self, meta: &mut ConstraintSystem<Fr>) {
        border::create_gate(meta, "foreign: digit", |meta| {
            let ask = meta.query_fixed(self.ask, Rotation::cur());
            let mut query = Query { meta, config: self };
            let [sign, magnitude, before, after, difference, inverse] = [
                OperandCell::Sign,
                OperandCell::Magnitude,
                OperandCell::Before,
                OperandCell::After,
                OperandCell::Difference,
                OperandCell::Inverse,
            ]
            .map(|cell| query.operand(cell));
            let bits = self.block.format().limb_bits();
            let y = shifted(query.combined(Y).into_iter(), bits);
            let p = shifted(query.modulus().into_iter(), bits);
            let one = Expression::Constant(Fr::one());
            let product = difference.clone() * (difference.clone() - p.clone());
            let product = product * (difference.clone() + p) * inverse;
            let sum = before * power(crate::field::foreign::DIGIT_BITS) + sign.clone() * magnitude;
            vec![
                ("the sign is 1 or -1", ask.clone() * (sign.clone() * sign - one.clone())),
                ("the sum takes the digit", ask.clone() * (after - sum)),
                ("the difference", ask.clone() * (difference - y)),
                ("the difference is not 0", ask * (product - one)),
            ]
        });
    }
}

/// Queries counted from the first row of a block.
struct Query<'a, 'b> {
    meta: &'a mut VirtualCells<'b, Fr>,
    config: &'a ForeignConfig,
}

impl Query<'_, '_> {
    fn sum(&mut self, column: usize, row: usize) -> Expression<Fr> {
        self.meta.query_advice(self.config.sums[column], Rotation(row as i32))
    }

    fn operand(&mut self, cell: OperandCell) -> Expression<Fr> {
        let number = self.config.block.operand(cell);
        let (column, row) = self.config.block.place(number);
        self.meta.query_advice(self.config.operands[column], Rotation(row as i32))
    }

    fn fixed(&mut self, cell: FixedCell) -> Expression<Fr> {
        let (column, row) = self.config.block.place(self.config.block.fixed(cell));
        self.meta.query_fixed(self.config.fixed[column], Rotation(row as i32))
    }

    /// A limb of the result of the block so many blocks above.
    fn result(&mut self, above: usize, limb: usize) -> Expression<Fr> {
        let block = &self.config.block;
        let (columns, (column, row)) = match block.result[limb][..] {
            [Piece { column, row, .. }] => (&self.config.sums, (column, row)),
            _ => (&self.config.operands, block.place(block.operand(OperandCell::Whole(limb)))),
        };
        let rotation = row as i32 - (above * block.rows()) as i32;
        self.meta.query_advice(columns[column], Rotation(rotation))
    }

    /// A number out of its pieces.
    fn number(&mut self, pieces: &[Piece]) -> Expression<Fr> {
        let bits = self.config.block.format().lookup_bits();
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
            Source::Above => {
                let block = &self.config.block;
                let (column, row) = block.place(block.operand(OperandCell::Limb(0, limb)));
                let rotation = Rotation(row as i32 - block.rows() as i32);
                self.meta.query_advice(self.config.operands[column], rotation)
            }
        }
    }

    /// One of the five sums of an equation, limb by limb.
    fn combined(&mut self, sum: usize) -> Vec<Expression<Fr>> {
        let factors: Vec<_> =
            (0..SUMS[sum].len()).map(|place| self.fixed(FixedCell::Factor(sum, place))).collect();
        (0..self.config.block.format().limbs())
            .map(|limb| {
                let terms = SUMS[sum].iter().zip(&factors);
                let terms = terms.map(|(source, f)| f.clone() * self.source(*source, limb));
                terms.reduce(|sum, term| sum + term).expect("there are sources")
            })
            .collect()
    }

    fn modulus(&mut self) -> Vec<Expression<Fr>> {
        let limbs = self.config.block.format().limbs();
        (0..limbs).map(|limb| self.fixed(FixedCell::Modulus(limb))).collect()
    }

    fn parts(&mut self) -> Parts {
        let config = self.config;
        let quotient = config.block.quotient.iter().map(|pieces| self.number(pieces)).collect();
        let [x, y, z, w, linear] = [X, Y, Z, W, L].map(|sum| self.combined(sum));
        let limb_bits = config.block.format().limb_bits();
        Parts { products: [(x, y), (z, w)], linear, quotient, modulus: self.modulus(), limb_bits }
    }
}

type Limbs = Vec<Expression<Fr>>;

/// The limbs of what a relation is made of.
struct Parts {
    products: [(Limbs, Limbs); OPERANDS],
    linear: Limbs,
    quotient: Limbs,
    modulus: Limbs,
    limb_bits: usize,
}

impl Parts {
    /// `X·Y + Z·W + L - q·p` over the native field.
    fn native(&self) -> Expression<Fr> {
        let value = |limbs: &Limbs| shifted(limbs.iter().cloned(), self.limb_bits);
        let [first, second] = self.products.each_ref().map(|(a, b)| value(a) * value(b));
        first + second + value(&self.linear) - value(&self.quotient) * value(&self.modulus)
    }

    /// The part at `2^(b·position)`.
    fn at(&self, position: usize) -> Option<Expression<Fr>> {
        let [first, second] = self.products.each_ref().map(|(a, b)| convolution(a, b, position));
        let multiple = convolution(&self.quotient, &self.modulus, position);
        let parts = [first, second, self.linear.get(position).cloned(), multiple.map(|m| -m)];
        parts.into_iter().flatten().reduce(|sum, part| sum + part)
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
    let scaled =
        terms.enumerate().map(|(i, term)| if i == 0 { term } else { term * power(bits * i) });
    scaled.reduce(|sum, term| sum + term).expect("there are limbs")
}

fn convolution(a: &Limbs, b: &Limbs, position: usize) -> Option<Expression<Fr>> {
    (0..=position)
        .filter_map(|i| Some(a.get(i)?.clone() * b.get(position - i)?.clone()))
        .reduce(|sum, product| sum + product)
}

fn power(exponent: usize) -> Fr {
    Fr::from(2).pow_vartime([exponent as u64])
}
