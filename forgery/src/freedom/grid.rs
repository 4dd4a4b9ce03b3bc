//! A filled circuit: its cells, which of them copies bind together, the values of polynomials with their derivatives by
//! the classes of cells, and the forms of what is said about classes.

use std::collections::BTreeMap;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
};
use num_bigint::BigInt;

use super::super::forger::Sheet;

/// Cells by column and row, and their classes by numbers.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) sheet: Sheet,
    /// For each advice cell, the first one that it equals by copies.
    classes: Vec<usize>,
}

impl Grid {
    pub(super) fn new(sheet: Sheet) -> Self {
        let rows = sheet.rows;
        let mut classes: Vec<_> = (0..rows * sheet.advice.len()).collect();
        for group in sheet.groups() {
            let cells = group.iter().map(|(column, row)| column * rows + row);
            let first = cells.clone().min().unwrap_or_default();
            cells.for_each(|cell| classes[cell] = first);
        }
        Self { sheet, classes }
    }

    /// The number of a cell's class: cells that copies bind to one another share one.
    pub(super) fn class(&self, column: usize, row: usize) -> usize {
        self.classes[column * self.sheet.rows + row]
    }

    /// What the cells of a class hold.
    pub(super) fn value(&self, class: usize) -> Fr {
        self.sheet.advice[class / self.sheet.rows][class % self.sheet.rows]
    }

    /// What a fixed cell holds.
    pub(super) fn fixed(&self, column: usize, row: usize) -> Fr {
        self.sheet.fixed(column, Some(row))
    }
}

/// `Σ slope·change = 0`.
pub(super) type Equation = Vec<(usize, Fr)>;

/// An equation that holds as soon as its inputs are known.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) inputs: Vec<usize>,
    pub(super) output: Equation,
}

/// A number by the classes of its limbs.
pub(super) type Number = Vec<usize>;

/// Numbers that are assumed to be known as a whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// Results that no relation gives.
    pub(super) elements: Vec<Number>,
    /// Numbers that are no results.
    pub(super) outside: Vec<Number>,
}

/// `Σ slope·change = 0` of numbers modulo a foreign prime, or over the integers for the modulus 0: it determines
/// numbers of up to `bits` bits.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    /// Each number once, no slope 0.
    pub(super) slopes: Vec<(Number, BigInt)>,
    pub(super) modulus: BigInt,
    pub(super) bits: u32,
    /// The first row of its block.
    pub(super) row: usize,
}

/// A value, and its slopes in classes.
#[derive(Clone, Debug)]
pub(super) struct Dual {
    pub(super) value: Fr,
    pub(super) slopes: Vec<(usize, Fr)>,
}

impl Dual {
    fn constant(value: Fr) -> Self {
        Self { value, slopes: vec![] }
    }

    fn is_nothing(&self) -> bool {
        self.slopes.is_empty() && bool::from(self.value.is_zero())
    }

    fn scaled(mut self, factor: Fr) -> Self {
        self.value *= factor;
        self.slopes.iter_mut().for_each(|(_, slope)| *slope *= factor);
        self
    }

    fn plus(mut self, other: Self) -> Self {
        self.value += other.value;
        self.slopes.extend(other.slopes);
        self
    }

    fn times(self, other: Self) -> Self {
        let value = self.value * other.value;
        let (left, right) = (self.value, other.value);
        let slopes = self.scaled(right).slopes.into_iter().chain(other.scaled(left).slopes);
        Self { value, slopes: slopes.collect() }
    }

    /// The slopes, each class once, and none that is 0.
    pub(super) fn gradient(&self) -> Vec<(usize, Fr)> {
        let mut sums = BTreeMap::<usize, Fr>::new();
        for (class, slope) in &self.slopes {
            *sums.entry(*class).or_insert(Fr::ZERO) += slope;
        }
        sums.into_iter().filter(|(_, slope)| !bool::from(slope.is_zero())).collect()
    }
}

/// A polynomial at a row; the cells of the class `moved.0` hold `moved.1` more than they do.
pub(super) fn evaluate(
    grid: &Grid,
    row: usize,
    polynomial: &Expression<Fr>,
    moved: Option<(usize, Fr)>,
) -> Dual {
    let sheet = &grid.sheet;
    let at = |rotation: i32| sheet.around(row, rotation);
    let go = |part: &Expression<Fr>| evaluate(grid, row, part, moved);
    match polynomial {
        Expression::Constant(value) => Dual::constant(*value),
        Expression::Selector(selector) => Dual::constant(sheet.selector(*selector, row)),
        Expression::Fixed(query) => {
            Dual::constant(grid.fixed(query.column_index(), at(query.rotation().0)))
        }
        Expression::Instance(query) => {
            let row = Some(at(query.rotation().0));
            Dual::constant(sheet.instance(query.column_index(), row))
        }
        Expression::Advice(query) => {
            let (column, row) = (query.column_index(), at(query.rotation().0));
            let class = grid.class(column, row);
            let more = moved.filter(|(moved, _)| *moved == class).map_or(Fr::ZERO, |(_, by)| by);
            Dual { value: sheet.advice[column][row] + more, slopes: vec![(class, Fr::ONE)] }
        }
        Expression::Challenge(_) => unreachable!("no gate has a challenge"),
        Expression::Negated(inner) => go(inner).scaled(-Fr::ONE),
        Expression::Sum(left, right) => go(left).plus(go(right)),
        Expression::Product(left, right) => {
            let left = go(left);
            if left.is_nothing() {
                return left;
            }
            let right = go(right);
            if right.is_nothing() {
                return right;
            }
            left.times(right)
        }
        Expression::Scaled(inner, factor) => go(inner).scaled(*factor),
    }
}
