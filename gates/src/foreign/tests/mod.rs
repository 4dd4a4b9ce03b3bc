//! The gate alone: relations, digits, and every cell of a block overwritten.

mod apart;
mod cells;
mod cursors;
mod digits;
mod fields;
mod forms;
mod gates;
mod outside;
mod quotients;
mod ranges;
mod relations;
mod together;

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::biguint_to_fe};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{
    block::{OperandCell, Piece},
    *,
};
use crate::{
    forgery::testing::{layout, TestCircuit},
    Forged, Layout,
};

/// Blocks above that equations reach.
const HISTORY: usize = 4;
/// Bits of a lookup and columns of sums: limbs in one piece and in several, in one column and over
/// many, with and without a spare digit.
const SHAPES: [(usize, usize); 7] = [(8, 1), (8, 4), (8, 17), (12, 2), (12, 9), (13, 4), (13, 17)];
/// A shape whose circuits are short.
const SMALL: (usize, usize) = (8, 4);

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("hex")
}

fn native() -> BigUint {
    halo2_base::utils::modulus::<Fr>()
}

fn base_field() -> BigUint {
    hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
}

fn scalar_field() -> BigUint {
    hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
}

fn number(value: u64) -> BigUint {
    BigUint::from(value)
}

/// `2^256 - 1`
fn top() -> BigUint {
    (BigUint::one() << 256) - 1u8
}

/// `A₀ + R = bound` over the integers.
fn at_most(bound: &BigUint) -> Equation {
    Equation::zero(&BigUint::ZERO, Source::Operand(0) + Source::Result - bound)
}

/// `R = ±A₁`, where the result two blocks above differs from `A₀`.
fn ask() -> Equation {
    let turned = Equation::result(&base_field(), Form::from(Source::Turned));
    turned.differing(Source::Back(2), Source::Operand(0))
}

/// Two products and a linear part.
fn mixed() -> Equation {
    let [a, b] = [0, 1].map(Source::Operand);
    let [above, second, third] = [1, 2, 3].map(Source::Back);
    let products = (Source::Result - 3 * above) * (a - second) + second * above;
    Equation::zero(&base_field(), products + b - 2 * third + 7)
}

fn equations() -> Vec<Equation> {
    let signed = Equation::multiply(&scalar_field()).signed(0);
    let multiply = [base_field(), scalar_field()].map(|prime| Equation::multiply(&prime));
    [Equation::free(), at_most(&top()), ask(), mixed(), signed, cursors::difference()]
        .into_iter()
        .chain(multiply)
        .collect()
}

fn shape(of: (usize, usize)) -> Layout {
    shape_of(of, &equations())
}

fn shape_of((range_bits, columns): (usize, usize), equations: &[Equation]) -> Layout {
    let foreign = ForeignLayout::new(&native(), range_bits, columns, equations);
    let short = Layout {
        range_bits,
        range_columns: 0,
        edwards_lanes: 0,
        foreign: vec![foreign],
        ..layout(1, &[])
    };
    let rows = (28 * block(&short).rows()).max(1 << range_bits).max(256) + 32;
    Layout { k: rows.ilog2() + 1, ..short }
}

fn block(layout: &Layout) -> Block {
    layout.blocks().remove(0)
}

/// Relations below four that only give a range: the mock prover cannot show a failure whose queries
/// reach above the first row.
fn circuit(layout: &Layout, build: impl FnOnce(&ForeignChip)) -> TestCircuit {
    TestCircuit::new(layout.clone(), |ctx| {
        let chip = ctx.chips.foreign();
        (0..HISTORY).for_each(|_| drop(any(chip, &BigUint::ZERO)));
        build(chip);
        chip.enter_all();
    })
}

/// An entry of which nothing is said but its range.
fn entry(chip: &ForeignChip, number: (usize, u8), (x, y): (&BigUint, &BigUint)) {
    let [x, y] = [x, y].map(|value| any(chip, value));
    chip.enter(number, [Coordinate::Element(&x), Coordinate::Element(&y)]);
}

/// An element of which nothing is said but its range.
fn any(chip: &ForeignChip, value: &BigUint) -> AssignedLimbs {
    chip.relate(&Equation::free(), &[], value)
}

/// `a·b = c`, in the next three blocks.
fn product_of(chip: &ForeignChip, prime: &BigUint, [a, b, c]: [&BigUint; 3]) -> AssignedLimbs {
    let (a, b) = (any(chip, a), any(chip, b));
    chip.relate(&Equation::multiply(prime), &[Operand::Element(&a), Operand::Element(&b)], c)
}

/// A cell of the operands of block `id`.
fn operand(block: &Block, id: usize, cell: OperandCell, value: Fr) -> Forged {
    let (column, row) = block.place(block.operand(cell));
    Forged { column: block.columns() + column, row: id * block.rows() + row, value }
}

/// The cells of numbers in pieces, in block `id`.
fn sums(block: &Block, id: usize, pieces: &[Vec<Piece>], numbers: &[BigUint]) -> Vec<Forged> {
    let bits = block.format().lookup_bits();
    let mut forged = vec![];
    for (pieces, number) in pieces.iter().zip(numbers) {
        for (i, piece) in pieces.iter().enumerate() {
            // What the last piece has no room for shows in its last cell.
            let high = number >> (bits * piece.below);
            let mask = (BigUint::one() << (bits * piece.lookups)) - 1u8;
            let part = if i + 1 == pieces.len() { high } else { high & mask };
            forged.extend((0..piece.lookups).map(|i| Forged {
                column: piece.column,
                row: id * block.rows() + piece.row + i,
                value: biguint_to_fe(&(&part >> (bits * i))),
            }));
        }
    }
    forged
}

/// The cells of a result of at most `2^257`, the spare digit as the gate wants it.
fn result(block: &Block, id: usize, number: &BigUint) -> Vec<Forged> {
    let format = block.format();
    let limbs = format.limbs();
    let low = number & ((BigUint::one() << (format.limb_bits() * (limbs - 1))) - 1u8);
    let mut split = format.split(&low, limbs);
    split[limbs - 1] = number >> (format.limb_bits() * (limbs - 1));
    let mut forged = sums(block, id, &block.result, &split);
    for limb in block.split_limbs() {
        let cell = OperandCell::Whole(limb);
        forged.push(operand(block, id, cell, biguint_to_fe(&split[limb])));
    }
    if let Some(spare) = &block.spare {
        let (column, row) = block.top_digit();
        let row = id * block.rows() + row;
        let digit = forged.iter().find(|cell| (cell.column, cell.row) == (column, row));
        let value = digit.expect("a top digit").value * power(format.spare_bits());
        let row = id * block.rows() + spare.row;
        forged.push(Forged { column: spare.column, row, value });
    }
    forged
}
