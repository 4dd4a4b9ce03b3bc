//! The polynomials of a relation, built from queries of its cells.

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Column, Expression, Fixed, VirtualCells},
    poly::Rotation,
};

use super::{
    block::{Block, FixedCell, OperandCell, Piece},
    source::Source,
};

/// Queries counted from the first row of a block.
pub(super) struct Query<'a, 'b> {
    pub(super) meta: &'a mut VirtualCells<'b, Fr>,
    pub(super) block: &'a Block,
    pub(super) sums: &'a [Column<Advice>],
    pub(super) operands: &'a [Column<Advice>],
    pub(super) fixed: &'a [Column<Fixed>],
}

impl Query<'_, '_> {
    pub(super) fn sum(&mut self, column: usize, row: usize) -> Expression<Fr> {
        self.meta.query_advice(self.sums[column], Rotation(row as i32))
    }

    pub(super) fn operand(&mut self, cell: OperandCell) -> Expression<Fr> {
        let number = self.block.operand(cell);
        let (column, row) = self.block.place(number);
        self.meta.query_advice(self.operands[column], Rotation(row as i32))
    }

    pub(super) fn fixed(&mut self, cell: FixedCell) -> Expression<Fr> {
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
    pub(super) fn number(&mut self, pieces: &[Piece]) -> Expression<Fr> {
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
    pub(super) fn combined(&mut self, sum: usize, sources: &[Source]) -> Vec<Expression<Fr>> {
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

    pub(super) fn modulus(&mut self) -> Vec<Expression<Fr>> {
        let limbs = self.block.format().limbs();
        (0..limbs).map(|limb| self.fixed(FixedCell::Modulus(limb))).collect()
    }

    pub(super) fn parts(&mut self) -> Parts {
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
pub(super) struct Parts {
    products: Vec<[Limbs; 2]>,
    linear: Limbs,
    quotient: Limbs,
    modulus: Limbs,
    limb_bits: usize,
}

impl Parts {
    /// `X₀·Y₀ + X₁·Y₁ + … + L - q·p` over the native field.
    pub(super) fn native(&self) -> Expression<Fr> {
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
    pub(super) fn group(&self, group: usize, block: &Block) -> Expression<Fr> {
        let first = group * block.format().group();
        let parts = (first..first + block.format().group())
            .map(|position| self.at(position).unwrap_or(Expression::Constant(Fr::zero())));
        shifted(parts, self.limb_bits)
    }
}

/// `Σ 2^(bits·i)·termᵢ`
pub(super) fn shifted(terms: impl Iterator<Item = Expression<Fr>>, bits: usize) -> Expression<Fr> {
    let scaled =
        terms.enumerate().map(|(i, term)| if i == 0 { term } else { term * power(bits * i) });
    scaled.reduce(|sum, term| sum + term).expect("there are limbs")
}

fn convolution(a: &Limbs, b: &Limbs, position: usize) -> Option<Expression<Fr>> {
    (0..=position)
        .filter_map(|i| Some(a.get(i)?.clone() * b.get(position - i)?.clone()))
        .reduce(|sum, product| sum + product)
}

/// `2^exponent`
pub(super) fn power(exponent: usize) -> Fr {
    Fr::from(2).pow_vartime([exponent as u64])
}
