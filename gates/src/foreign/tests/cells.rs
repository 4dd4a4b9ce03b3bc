//! Every advice cell of a block overwritten. Those that may be free are listed by name.

use std::collections::BTreeSet;

use muster_testing::sampled;

use super::*;

/// The name of a cell, by column and row within a block.
pub(super) fn name(block: &Block, column: usize, row: usize) -> String {
    if let Some(column) = column.checked_sub(block.columns()) {
        let limbs = block.format().limbs();
        let others = block.other_cells().iter().copied();
        let operands = (0..block.sums().operands() * limbs)
            .map(|i| OperandCell::Limb(i / limbs, i % limbs))
            .chain(block.split_limbs().map(OperandCell::Whole));
        let cells = others.chain(operands);
        let here = |cell: &OperandCell| block.place(block.operand(*cell)) == (column, row);
        let found = { cells }.find(here);
        return found.map_or("no operand".to_owned(), |cell| match cell {
            OperandCell::Limb(operand, _) => format!("limb of operand {operand}"),
            OperandCell::Whole(_) => "whole".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        });
    }
    let within = |piece: &Piece| {
        piece.column == column && (piece.row..piece.row + piece.lookups).contains(&row)
    };
    let numbers = [("result", &block.result), ("quotient", &block.quotient)];
    let numbers = numbers.into_iter().chain([("carry", &block.carries)]);
    let found = numbers.into_iter().find(|(_, pieces)| pieces.iter().flatten().any(within));
    match found {
        Some((name, _)) => name.to_owned(),
        None if block.spare.iter().any(within) => "spare".to_owned(),
        None => "no sum".to_owned(),
    }
}

/// Names of the cells of block `id` of which some other value is accepted, among those at every
/// `step`-th place.
pub(super) fn free_cells(
    layout: &Layout,
    test: &mut TestCircuit,
    id: usize,
    step: usize,
) -> Vec<String> {
    test.assert_satisfied();
    let block = block(layout);
    let advice = test.advice();
    let mut free = BTreeSet::new();
    let places = (0..block.columns() + block.operand_columns())
        .flat_map(|column| (0..block.rows()).map(move |row| (column, row)));
    for (column, row) in places.step_by(step) {
        let name = name(&block, column, row);
        if free.contains(&name) {
            continue;
        }
        let at = id * block.rows() + row;
        let value = advice[column].get(at).copied().unwrap_or_default();
        for change in [Fr::one(), -Fr::one(), power(200) + Fr::from(12345)] {
            let forged = Forged { column, row: at, value: value + change };
            if test.is_satisfied_with(forged) {
                free.insert(name.clone());
            }
        }
    }
    free.into_iter().collect()
}

/// The gates of a digit do not look at these cells.
pub(super) const DIGIT: [&str; 6] =
    ["after", "before", "difference", "inverse", "magnitude", "sign"];

pub(super) fn names(some: &[&str]) -> Vec<String> {
    let all: BTreeSet<_> = some.iter().map(|name| (*name).to_owned()).collect();
    all.into_iter().collect()
}

/// Without the cells that are no part of a block's numbers.
pub(super) fn numbered(free: Vec<String>) -> Vec<String> {
    free.into_iter().filter(|name| !["no operand", "no sum"].contains(&name.as_str())).collect()
}

/// A product: what is not read is free, everything else is bound.
fn product_block(of: (usize, usize), step: usize) -> Vec<String> {
    let layout = shape(of);
    let mut test = circuit(&layout, |chip| {
        // Limbs that are neither all zero nor full.
        let (a, b) = (top() / 3u8, top() / 5u8);
        product_of(chip, &base_field(), [&a, &b, &(&a * &b % base_field())]);
    });
    let free = free_cells(&layout, &mut test, HISTORY + 2, step);
    numbered(free)
}

#[test]
fn cells_of_a_product() {
    assert_eq!(product_block(SMALL, 1), names(&DIGIT));
}

/// Some of the cells in one column, and of a block with a spare digit.
#[test]
fn cells_of_other_products() {
    for (of, step) in [((8, 1), 11), ((12, 9), 13)] {
        for free in product_block(of, step) {
            assert!(DIGIT.contains(&free.as_str()), "{free}");
        }
    }
}

#[test]
fn cells_of_a_product_in_all_shapes() {
    for of in sampled(SHAPES, 2) {
        assert_eq!(product_block(of, 1), names(&DIGIT), "{of:?}");
    }
}

/// A digit: nothing is free but what is no cell of the block.
fn digit_block(of: (usize, usize), digit: i8, step: usize) -> Vec<String> {
    let layout = shape(of);
    let mut test = circuit(&layout, |chip| {
        let table = chip.table();
        let (x, y) = (top() / 7u8, top() / 11u8);
        entry(chip, (table, 3), (&x, &y));
        let above = [top() / 13u8, number(7)].map(|value| any(chip, &value));
        let asked = Digit { table, digit, entry: (x, y.clone()) };
        let result = if digit < 0 { base_field() - &y } else { y };
        let mut scalar = AssignedDigits::default();
        let mut cursor = chip.below(&above.each_ref());
        cursor.relate_digit(&ask(), &mut scalar, &asked, &result);
    });
    let free = free_cells(&layout, &mut test, HISTORY + 4, step);
    numbered(free)
}

/// A block that holds an entry: its operands are bound, though its equation has none.
#[test]
fn cells_of_an_entry() {
    let layout = shape(SMALL);
    let (x, y) = (top() / 7u8, top() / 11u8);
    for constant in [false, true] {
        let mut test = circuit(&layout, |chip| {
            let (table, [a, b]) = (chip.table(), [&x, &y].map(|value| any(chip, value)));
            let elements = [Coordinate::Element(&a), Coordinate::Element(&b)];
            let constants = [Coordinate::Constant(&x), Coordinate::Constant(&y)];
            chip.enter((table, 3), if constant { constants } else { elements });
            any(chip, &(top() / 13u8));
        });
        // The result and the quotient are of an equation that says nothing but their range.
        let expected = names(&[&DIGIT[..], &["result", "quotient"]].concat());
        assert_eq!(numbered(free_cells(&layout, &mut test, HISTORY + 2, 1)), expected);
    }
}

#[test]
fn cells_of_a_digit() {
    for (of, digit, step) in [(SMALL, -3, 1), ((8, 1), 3, 11), ((12, 9), 3, 13)] {
        assert_eq!(digit_block(of, digit, step), names(&[]), "{of:?}");
    }
}

#[test]
fn cells_of_a_digit_in_all_shapes() {
    for of in sampled(SHAPES, 2) {
        assert_eq!(digit_block(of, 3, 1), names(&[]), "{of:?}");
    }
}

/// A relation over the integers.
#[test]
fn cells_of_a_bound_over_the_integers() {
    let layout = shape(SMALL);
    let mut test = circuit(&layout, |chip| {
        let (a, bound) = (top() / 3u8, base_field() - 1u8);
        let element = any(chip, &a);
        chip.relate(&at_most(&bound), &[Operand::Element(&element)], &(&bound - &a));
    });
    let free = free_cells(&layout, &mut test, HISTORY + 1, 1);
    // The quotient counts nothing: it is multiplied by the modulus 0. It keeps its range.
    let expected = names(&[&DIGIT[..], &["limb of operand 1", "quotient"]].concat());
    assert_eq!(numbered(free), expected);
}

/// Cells that are no part of a number are looked up all the same.
#[test]
fn cells_beside_the_numbers() {
    for of in sampled(SHAPES, 2) {
        let layout = shape(of);
        let block = block(&layout);
        let mut test = circuit(&layout, |chip| drop(any(chip, &number(1))));
        let places = (0..block.columns()).flat_map(|c| (0..block.rows()).map(move |r| (c, r)));
        for (column, row) in places.filter(|(c, r)| name(&block, *c, *r) == "no sum").take(2) {
            let row = HISTORY * block.rows() + row;
            let put = |value| Forged { column, row, value };
            let bound = power(block.format().lookup_bits());
            assert!(test.is_satisfied_with(put(bound - Fr::one())), "{of:?}");
            assert!(!test.is_satisfied_with(put(bound)), "{of:?}");
        }
    }
}
