//! Polynomials of gates and lookups, made ready to be evaluated at many rows.

use std::ops::Range;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Expression, Selector},
};

use rustc_hash::FxHashMap;

use super::{
    expression::reads,
    record::{Ends, Place, Read, Sheet},
};

/// A polynomial in the cells around a row.
#[derive(Debug)]
pub(super) struct Polynomial {
    /// The last one is the whole.
    nodes: Vec<Node>,
    /// Where the value of a node is kept at a row, if others read it more than once.
    kept: Vec<Option<usize>>,
    /// How many values are kept.
    keeps: usize,
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

/// What is computed, from what stands at earlier numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(Fr),
    Selector(Selector),
    Fixed(usize, i32),
    Advice(usize, i32),
    Instance(usize, i32),
    Sum(usize, usize),
    /// The factor that costs less first: where it is 0, as a selector mostly is, the other one is not evaluated.
    Product(usize, usize),
    Negated(usize),
    Scaled(usize, Fr),
}

/// The nodes of an expression, equal ones once: operands of a wide gate are factors of many products.
#[derive(Debug, Default)]
struct Nodes {
    nodes: Vec<Node>,
    /// What each costs to evaluate if nothing is known.
    costs: Vec<usize>,
    numbers: FxHashMap<Node, usize>,
}

impl Polynomial {
    pub(super) fn new(expression: &Expression<Fr>) -> Self {
        let mut guards = vec![];
        guard(expression, &mut guards);
        let mut all = Nodes::default();
        all.add(expression);
        let (kept, keeps) = all.kept();
        let (mut fixed, mut selectors, mut is_public) = (vec![], vec![], false);
        for node in &all.nodes {
            match *node {
                Node::Fixed(column, rotation) => fixed.push((column, rotation)),
                Node::Selector(selector) => selectors.push(selector),
                Node::Instance(..) => is_public = true,
                _ => {}
            }
        }
        let reads = reads(expression);
        Self { nodes: all.nodes, kept, keeps, guards, reads, fixed, selectors, is_public }
    }

    /// Whether a factor of it is 0 at `row`, as most are at most rows.
    pub(super) fn is_off(&self, sheet: &Sheet, row: usize) -> bool {
        self.guards.iter().any(|guard| match guard {
            Guard::Selector(selector) => !sheet.is_on(*selector, row),
            Guard::Fixed((column, down)) => {
                sheet.fixed(*column, Some(sheet.around(row, *down))) == Fr::ZERO
            }
        })
    }

    /// Usable rows at which all cells and selectors that it reads are 0, so that it has one value there: a circuit that
    /// fills few of its rows leaves many such rows behind them.
    pub(super) fn idle_rows(&self, sheet: &Sheet, ends: &Ends) -> Range<usize> {
        if self.is_public {
            return sheet.usable..sheet.usable;
        }
        let advice = self.reads.iter().map(|(column, down)| (ends.advice[*column], *down));
        let fixed = self.fixed.iter().map(|(column, down)| (ends.fixed[*column], *down));
        let selectors = self.selectors.iter().map(|selector| (ends.selectors[selector.index()], 0));
        let (mut start, mut end) = (0, sheet.usable);
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
        self.evaluate_with(sheet, row, &|(column, row)| sheet.fixed(column, Some(row)), advice)
    }

    /// As [`Self::evaluate`], where `fixed` gives the values of fixed cells.
    pub(super) fn evaluate_with(
        &self,
        sheet: &Sheet,
        row: usize,
        fixed: &impl Fn(Place) -> Fr,
        advice: &impl Fn(Place) -> Fr,
    ) -> Fr {
        let values = vec![None; self.keeps];
        let mut point = Point { polynomial: self, values, sheet, row, fixed, advice };
        point.value(self.nodes.len() - 1)
    }
}

/// Rows at which a polynomial is evaluated together: as many as a mask has bits.
const BLOCK: usize = u64::BITS as usize;

impl Polynomial {
    /// Those of `rows` at which it is not 0, where all cells hold what was written.
    pub(super) fn broken_rows(
        &self,
        sheet: &Sheet,
        rows: impl Iterator<Item = usize>,
    ) -> Vec<usize> {
        let mut broken = vec![];
        self.evaluate_each(sheet, rows, |row, value| {
            if value != Fr::ZERO {
                broken.push(row);
            }
        });
        broken
    }

    /// The values at these rows, where all cells hold what was written.
    pub(super) fn values(&self, sheet: &Sheet, rows: &[usize]) -> Vec<Fr> {
        let mut values = Vec::with_capacity(rows.len());
        self.evaluate_each(sheet, rows.iter().copied(), |row, value| {
            // Those between are off.
            values.extend(
                rows[values.len()..].iter().take_while(|other| **other != row).map(|_| Fr::ZERO),
            );
            values.push(value);
        });
        values.resize(rows.len(), Fr::ZERO);
        values
    }

    /// Hands over the value at each of `rows` at which it is not off, in their order. Node by node for many rows, not row by row.
    fn evaluate_each(
        &self,
        sheet: &Sheet,
        rows: impl Iterator<Item = usize>,
        mut take: impl FnMut(usize, Fr),
    ) {
        let mut rows = rows.filter(|row| !self.is_off(sheet, *row)).peekable();
        let mut block = Block {
            polynomial: self,
            sheet,
            rows: vec![],
            kept: vec![[Fr::ZERO; BLOCK]; self.keeps],
            known: vec![0; self.keeps],
            spare: vec![],
        };
        let mut values = [Fr::ZERO; BLOCK];
        while rows.peek().is_some() {
            block.rows.clear();
            block.rows.extend(rows.by_ref().take(BLOCK));
            block.known.fill(0);
            let wanted = u64::MAX >> (BLOCK - block.rows.len());
            block.fill(self.nodes.len() - 1, wanted, &mut values);
            block.rows.iter().zip(values).for_each(|(row, value)| take(*row, value));
        }
    }
}

/// Rows at which a polynomial is evaluated together. A bit of a mask stands for a row.
struct Block<'a> {
    polynomial: &'a Polynomial,
    sheet: &'a Sheet,
    rows: Vec<usize>,
    /// What is kept of nodes that others read more than once, and at which rows it is known.
    kept: Vec<[Fr; BLOCK]>,
    known: Vec<u64>,
    /// Room for second operands, to be used again.
    spare: Vec<Vec<Fr>>,
}

impl Block<'_> {
    /// Writes the values of a node at the rows that are wanted.
    fn fill(&mut self, number: usize, wanted: u64, values: &mut [Fr]) {
        let Some(place) = self.polynomial.kept[number] else {
            return self.compute(number, wanted, values);
        };
        let missing = wanted & !self.known[place];
        if missing != 0 {
            self.compute(number, missing, values);
            bits(missing).for_each(|i| self.kept[place][i] = values[i]);
            self.known[place] |= missing;
        }
        bits(wanted & !missing).for_each(|i| values[i] = self.kept[place][i]);
    }

    fn compute(&mut self, number: usize, wanted: u64, values: &mut [Fr]) {
        let (sheet, rows) = (self.sheet, &self.rows);
        let at = |i: usize, rotation: i32| sheet.around(rows[i], rotation);
        match self.polynomial.nodes[number] {
            Node::Constant(value) => bits(wanted).for_each(|i| values[i] = value),
            Node::Selector(selector) => {
                bits(wanted).for_each(|i| values[i] = sheet.selector(selector, rows[i]));
            }
            Node::Fixed(column, rotation) => {
                bits(wanted).for_each(|i| values[i] = sheet.fixed(column, Some(at(i, rotation))));
            }
            Node::Advice(column, rotation) => {
                let cells = &sheet.advice[column];
                bits(wanted).for_each(|i| values[i] = cells[at(i, rotation)]);
            }
            Node::Instance(column, rotation) => {
                bits(wanted).for_each(|i| values[i] = sheet.instance(column, Some(at(i, rotation))))
            }
            Node::Sum(left, right) => {
                self.fill(left, wanted, values);
                self.with(right, wanted, |i, value| values[i] += value);
            }
            Node::Product(first, second) => {
                self.fill(first, wanted, values);
                let more = bits(wanted).filter(|i| values[*i] != Fr::ZERO);
                let more = more.fold(0, |mask, i| mask | 1 << i);
                // Most first factors are switches.
                self.with(second, more, |i, value| {
                    if values[i] == Fr::ONE {
                        values[i] = *value;
                    } else {
                        values[i] *= value;
                    }
                });
            }
            Node::Negated(inner) => {
                self.fill(inner, wanted, values);
                bits(wanted).for_each(|i| values[i] = -values[i]);
            }
            Node::Scaled(inner, factor) => {
                self.fill(inner, wanted, values);
                bits(wanted).for_each(|i| values[i] *= factor);
            }
        }
    }

    /// Takes the values of a second operand.
    fn with(&mut self, number: usize, wanted: u64, mut take: impl FnMut(usize, &Fr)) {
        if wanted == 0 {
            return;
        }
        let mut others = self.spare.pop().unwrap_or_else(|| vec![Fr::ZERO; BLOCK]);
        self.fill(number, wanted, &mut others);
        bits(wanted).for_each(|i| take(i, &others[i]));
        self.spare.push(others);
    }
}

/// The numbers of the bits that are set.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
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

impl Nodes {
    /// Adds an expression; returns its number, which is the last one unless it was there before.
    fn add(&mut self, expression: &Expression<Fr>) -> usize {
        let (node, cost) = match expression {
            Expression::Constant(value) => (Node::Constant(*value), 0),
            Expression::Selector(selector) => (Node::Selector(*selector), 0),
            Expression::Fixed(query) => (Node::Fixed(query.column_index(), query.rotation().0), 1),
            Expression::Advice(query) => {
                (Node::Advice(query.column_index(), query.rotation().0), 2)
            }
            Expression::Instance(query) => {
                (Node::Instance(query.column_index(), query.rotation().0), 2)
            }
            Expression::Challenge(_) => unreachable!("no gate has a challenge"),
            Expression::Negated(inner) => {
                let inner = self.add(inner);
                (Node::Negated(inner), self.costs[inner] + 1)
            }
            Expression::Scaled(inner, factor) => {
                let inner = self.add(inner);
                (Node::Scaled(inner, *factor), self.costs[inner] + 1)
            }
            Expression::Sum(left, right) => {
                let (left, right) = (self.add(left), self.add(right));
                (Node::Sum(left, right), self.costs[left] + self.costs[right] + 1)
            }
            Expression::Product(left, right) => {
                let (left, right) = (self.add(left), self.add(right));
                let (some, more) = (self.costs[left], self.costs[right]);
                let (first, second) = if some <= more { (left, right) } else { (right, left) };
                (Node::Product(first, second), some + more + 1)
            }
        };
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.costs.push(cost);
            self.nodes.len() - 1
        })
    }

    /// Where the values of nodes are kept, and how many: of those that several nodes read, but for what is at hand.
    fn kept(&self) -> (Vec<Option<usize>>, usize) {
        let mut readers = vec![0; self.nodes.len()];
        for node in &self.nodes {
            match *node {
                Node::Sum(left, right) | Node::Product(left, right) => {
                    readers[left] += 1;
                    readers[right] += 1;
                }
                Node::Negated(inner) | Node::Scaled(inner, _) => readers[inner] += 1,
                _ => {}
            }
        }
        let mut count = 0;
        let mut keep = |(node, readers): (&Node, usize)| {
            let is_at_hand =
                matches!(node, Node::Constant(_) | Node::Selector(_) | Node::Fixed(..));
            (readers > 1 && !is_at_hand).then(|| {
                count += 1;
                count - 1
            })
        };
        let kept = self.nodes.iter().zip(readers).map(&mut keep).collect();
        (kept, count)
    }
}

/// A row at which a polynomial is evaluated, and the values that are kept there.
struct Point<'a, X, A> {
    polynomial: &'a Polynomial,
    values: Vec<Option<Fr>>,
    sheet: &'a Sheet,
    row: usize,
    fixed: &'a X,
    advice: &'a A,
}

impl<X: Fn(Place) -> Fr, A: Fn(Place) -> Fr> Point<'_, X, A> {
    fn value(&mut self, number: usize) -> Fr {
        let place = self.polynomial.kept[number];
        if let Some(value) = place.and_then(|place| self.values[place]) {
            return value;
        }
        let at = |rotation: i32| self.sheet.around(self.row, rotation);
        let value = match self.polynomial.nodes[number] {
            Node::Constant(value) => value,
            Node::Selector(selector) => self.sheet.selector(selector, self.row),
            Node::Fixed(column, rotation) => (self.fixed)((column, at(rotation))),
            Node::Advice(column, rotation) => (self.advice)((column, at(rotation))),
            Node::Instance(column, rotation) => self.sheet.instance(column, Some(at(rotation))),
            Node::Sum(left, right) => self.value(left) + self.value(right),
            Node::Product(first, second) => match self.value(first) {
                zero if zero == Fr::ZERO => zero,
                one if one == Fr::ONE => self.value(second),
                value => value * self.value(second),
            },
            Node::Negated(inner) => -self.value(inner),
            Node::Scaled(inner, factor) => self.value(inner) * factor,
        };
        if let Some(place) = place {
            self.values[place] = Some(value);
        }
        value
    }
}
