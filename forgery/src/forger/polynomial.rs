//! Polynomials of gates and lookups, made ready to be evaluated at many rows.

use std::ops::Range;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Expression, Selector},
};

use super::{
    expression::{fixed_reads, reads, reads_public, selectors},
    record::{Ends, Place, Read, Sheet},
};

/// A polynomial in the cells around a row.
#[derive(Debug)]
pub(super) struct Polynomial {
    root: Node,
    /// What switches it off: fixed cells and selectors that are factors of all of it.
    guards: Vec<Guard>,
    /// The advice cells that it reads.
    pub(super) reads: Vec<Read>,
    /// The fixed cells that it reads.
    pub(super) fixed: Vec<Read>,
    /// The selectors that it reads.
    selectors: Vec<Selector>,
    /// Whether it reads public inputs.
    pub(super) is_public: bool,
}

#[derive(Debug)]
enum Guard {
    Selector(Selector),
    Fixed(Read),
}

#[derive(Debug)]
enum Node {
    Constant(Fr),
    Selector(Selector),
    Fixed(usize, i32),
    Advice(usize, i32),
    Instance(usize, i32),
    Sum(Box<Node>, Box<Node>),
    /// The factor that costs less first: where it is 0, as a selector mostly is, the other one is not evaluated.
    Product(Box<Node>, Box<Node>),
    Scaled(Box<Node>, Fr),
}

impl Polynomial {
    pub(super) fn new(expression: &Expression<Fr>) -> Self {
        let (reads, fixed) = (reads(expression), fixed_reads(expression));
        let (selectors, is_public) = (selectors(expression), reads_public(expression));
        let mut guards = vec![];
        guard(expression, &mut guards);
        Self { root: Node::new(expression).0, guards, reads, fixed, selectors, is_public }
    }

    /// Whether a factor of it is 0 at `row`, as most are at most rows.
    fn is_off(&self, sheet: &Sheet, row: usize) -> bool {
        self.guards.iter().any(|guard| match guard {
            Guard::Selector(selector) => !sheet.is_on(*selector, row),
            Guard::Fixed((column, down)) => {
                sheet.fixed(*column, Some(sheet.around(row, *down))) == Fr::ZERO
            }
        })
    }

    /// Rows below `usable` at which all cells and selectors that it reads are 0, so that it has one value there: a circuit that
    /// fills few of its rows leaves many such rows behind them.
    pub(super) fn idle_rows(&self, sheet: &Sheet, ends: &Ends, usable: usize) -> Range<usize> {
        if self.is_public {
            return usable..usable;
        }
        let advice = self.reads.iter().map(|(column, down)| (ends.advice[*column], *down));
        let fixed = self.fixed.iter().map(|(column, down)| (ends.fixed[*column], *down));
        let selectors = self.selectors.iter().map(|selector| (ends.selectors[selector.index()], 0));
        let (mut start, mut end) = (0, usable);
        for (filled, down) in advice.chain(fixed).chain(selectors) {
            start = start.max(filled.saturating_add_signed(-down as isize));
            // Rows behind these read the first rows again.
            end = end.min(sheet.rows - down.max(0) as usize);
        }
        start.min(end)..end
    }

    /// The value at `row`, where `advice` gives the values of advice cells. Rows wrap around, as in halo2.
    pub(super) fn evaluate(&self, sheet: &Sheet, row: usize, advice: &impl Fn(Place) -> Fr) -> Fr {
        if self.is_off(sheet, row) {
            return Fr::ZERO;
        }
        self.root.evaluate(sheet, row, &|(column, row)| sheet.fixed(column, Some(row)), advice)
    }

    /// As [`Self::evaluate`], where `fixed` gives the values of fixed cells.
    pub(super) fn evaluate_with(
        &self,
        sheet: &Sheet,
        row: usize,
        fixed: &impl Fn(Place) -> Fr,
        advice: &impl Fn(Place) -> Fr,
    ) -> Fr {
        self.root.evaluate(sheet, row, fixed, advice)
    }
}

/// Adds the fixed cells and selectors that are factors of `expression`.
fn guard(expression: &Expression<Fr>, guards: &mut Vec<Guard>) {
    match expression {
        Expression::Selector(selector) => guards.push(Guard::Selector(*selector)),
        Expression::Fixed(query) => {
            guards.push(Guard::Fixed((query.column_index(), query.rotation().0)));
        }
        Expression::Negated(inner) | Expression::Scaled(inner, _) => guard(inner, guards),
        Expression::Product(left, right) => {
            guard(left, guards);
            guard(right, guards);
        }
        _ => {}
    }
}

impl Node {
    /// The node, and what it costs to evaluate.
    fn new(expression: &Expression<Fr>) -> (Self, usize) {
        let boxed = |inner: &Expression<Fr>| {
            let (node, cost) = Self::new(inner);
            (Box::new(node), cost)
        };
        match expression {
            Expression::Constant(value) => (Self::Constant(*value), 0),
            Expression::Selector(selector) => (Self::Selector(*selector), 0),
            Expression::Fixed(query) => (Self::Fixed(query.column_index(), query.rotation().0), 1),
            Expression::Advice(query) => {
                (Self::Advice(query.column_index(), query.rotation().0), 2)
            }
            Expression::Instance(query) => {
                (Self::Instance(query.column_index(), query.rotation().0), 2)
            }
            Expression::Challenge(_) => unreachable!("no gate has a challenge"),
            Expression::Negated(inner) => {
                let (inner, cost) = boxed(inner);
                (Self::Scaled(inner, -Fr::ONE), cost + 1)
            }
            Expression::Scaled(inner, factor) => {
                let (inner, cost) = boxed(inner);
                (Self::Scaled(inner, *factor), cost + 1)
            }
            Expression::Sum(left, right) => {
                let ((left, some), (right, more)) = (boxed(left), boxed(right));
                (Self::Sum(left, right), some + more + 1)
            }
            Expression::Product(left, right) => {
                let ((left, some), (right, more)) = (boxed(left), boxed(right));
                let (first, second) = if some <= more { (left, right) } else { (right, left) };
                (Self::Product(first, second), some + more + 1)
            }
        }
    }

    fn evaluate(
        &self,
        sheet: &Sheet,
        row: usize,
        fixed: &impl Fn(Place) -> Fr,
        advice: &impl Fn(Place) -> Fr,
    ) -> Fr {
        let at = |rotation: i32| sheet.around(row, rotation);
        let go = |node: &Self| node.evaluate(sheet, row, fixed, advice);
        match self {
            Self::Constant(value) => *value,
            Self::Selector(selector) => sheet.selector(*selector, row),
            Self::Fixed(column, rotation) => fixed((*column, at(*rotation))),
            Self::Advice(column, rotation) => advice((*column, at(*rotation))),
            Self::Instance(column, rotation) => sheet.instance(*column, Some(at(*rotation))),
            Self::Sum(left, right) => go(left) + go(right),
            Self::Product(first, second) => {
                let value = go(first);
                if value == Fr::ZERO {
                    value
                } else {
                    value * go(second)
                }
            }
            Self::Scaled(inner, factor) => go(inner) * factor,
        }
    }
}
