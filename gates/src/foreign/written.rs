//! The advice cells of a block.

use halo2_base::{
    halo2_proofs::halo2curves::bn256::Fr,
    utils::{bigint_to_fe, biguint_to_fe},
};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{
    block::{Block, OperandCell, Piece, APART_CELLS},
    power,
    record::{Asked, Record, Role},
    source::Source,
    witness::Prepared,
};

/// The advice cells of a block, column by column.
pub(super) struct Written {
    pub(super) sums: Vec<Fr>,
    pub(super) operands: Vec<Fr>,
}

impl Written {
    pub(super) fn new(block: &Block, records: &[Record], id: usize) -> Self {
        let record = &records[id];
        let sources = sources(records, id);
        let witness = record.prepared.witness(&sources);
        let mut written = Self {
            sums: vec![Fr::zero(); block.columns() * block.rows()],
            operands: vec![Fr::zero(); block.operand_cells()],
        };
        let result: Vec<_> = record.result.iter().map(|limb| limb.magnitude().clone()).collect();
        for (numbers, pieces) in [
            (&result, &block.result),
            (&witness.quotient, &block.quotient),
            (&witness.carries, &block.carries),
        ] {
            for (number, pieces) in numbers.iter().zip(pieces) {
                pieces.iter().for_each(|piece| written.put(block, number, piece));
            }
        }
        if let Some(spare) = &block.spare {
            let (column, row) = block.top_digit();
            let shift = power(block.format().spare_bits());
            let top = written.sums[column * block.rows() + row];
            written.sums[spare.column * block.rows() + spare.row] = top * shift;
        }
        for limb in block.split_limbs() {
            let cell = block.operand(OperandCell::Whole(limb));
            written.operands[cell] = small(&result[limb]);
        }
        for (operand, limbs) in record.operands.iter().enumerate() {
            for (limb, value) in limbs.iter().enumerate() {
                let cell = block.operand(OperandCell::Limb(operand, limb));
                written.operands[cell] = bigint_to_fe(value);
            }
        }
        let asks = match record.role {
            Role::Asks(asked) => {
                written.put_digit(block, asked);
                true
            }
            Role::Plain | Role::Entry { .. } => false,
        };
        if asks || record.prepared.equation.is_apart() {
            written.put_difference(block, &record.prepared, &sources);
        }
        written
    }

    /// A piece of a number: its digits from `below` on.
    fn put(&mut self, block: &Block, number: &BigUint, piece: &Piece) {
        let bits = block.format().lookup_bits();
        let mask = (BigUint::one() << (bits * piece.lookups)) - 1u8;
        let part = (number >> (bits * piece.below)) & mask;
        for i in 0..piece.lookups {
            let cell = piece.column * block.rows() + piece.row + i;
            self.sums[cell] = small(&(&part >> (bits * i)));
        }
    }

    fn put_digit(&mut self, block: &Block, Asked { digit, before, after, .. }: Asked) {
        for (cell, value) in [
            (OperandCell::Sign, bigint_to_fe(&digit.signum().into())),
            (OperandCell::Magnitude, Fr::from(u64::from(digit.unsigned_abs()))),
            (OperandCell::Before, before),
            (OperandCell::After, after),
        ] {
            self.operands[block.operand(cell)] = value;
        }
    }

    fn put_difference(&mut self, block: &Block, prepared: &Prepared, sources: &[Vec<BigInt>]) {
        for (cell, value) in APART_CELLS.into_iter().zip(prepared.apart(sources)) {
            self.operands[block.operand(cell)] = value;
        }
    }
}

/// The limbs of a relation's sources.
fn sources(records: &[Record], id: usize) -> Vec<Vec<BigInt>> {
    let record = &records[id];
    let limbs = |source: &Source| match (*source, &record.role) {
        (Source::Result, _) => record.result.clone(),
        (Source::Back(blocks), _) => records[id - blocks].result.clone(),
        (Source::Operand(operand), _) => record.operands[operand].clone(),
        (Source::Turned, Role::Asks(Asked { digit, .. })) => {
            record.operands[1].iter().map(|limb| limb * digit.signum()).collect()
        }
        (Source::Turned, _) => unreachable!("only a digit asks for entries"),
        (Source::Above(operand), _) => records[id - 1].operands[operand].clone(),
    };
    record.prepared.sources.iter().map(limbs).collect()
}

/// A number, with a fast path if it fits a word.
fn small(number: &BigUint) -> Fr {
    match u64::try_from(number) {
        Ok(word) => Fr::from(word),
        Err(_) => biguint_to_fe(number),
    }
}
