//! Expressions in the cells of columns, compiled once and evaluated on all rows.

mod compile;
mod program;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use halo2curves::{bn256::Fr, ff::Field};

pub use program::{Inputs, Program};

/// Expressions that share subexpressions: asking for the same one twice gives the same [`Term`].
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    terms: HashMap<Node, Term>,
}

/// An expression of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

/// How a term is made of others, all of them older.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Constant(Fr),
    Parameter(usize),
    Cell(Cell),
    Add(Term, Term),
    Sub(Term, Term),
    Mul(Term, Term),
}

/// The cell of a column `rotation` rows below the current row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Cell {
    column: usize,
    rotation: i32,
}

impl Term {
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same number in all rows.
    pub fn constant(&mut self, number: Fr) -> Term {
        self.term(Node::Constant(number))
    }

    /// The same number in all rows, known when the program runs.
    pub fn parameter(&mut self, index: usize) -> Term {
        self.term(Node::Parameter(index))
    }

    /// The cell of a column `rotation` rows below; the first row follows the last one.
    pub fn cell(&mut self, column: usize, rotation: i32) -> Term {
        self.term(Node::Cell(Cell { column, rotation }))
    }

    /// `left + right`.
    pub fn add(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Constant(a), Node::Constant(b)) => self.constant(a + b),
            (Node::Constant(zero), _) if zero == Fr::ZERO => right,
            (_, Node::Constant(zero)) if zero == Fr::ZERO => left,
            (_, Node::Sub(zero, negated)) if self.is_zero(zero) => self.sub(left, negated),
            (Node::Sub(zero, negated), _) if self.is_zero(zero) => self.sub(right, negated),
            _ => self.term(Node::Add(left.min(right), left.max(right))),
        }
    }

    /// `left − right`.
    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Constant(a), Node::Constant(b)) => self.constant(a - b),
            (_, Node::Constant(zero)) if zero == Fr::ZERO => left,
            (_, Node::Sub(zero, negated)) if self.is_zero(zero) => self.add(left, negated),
            _ if left == right => self.constant(Fr::ZERO),
            _ => self.term(Node::Sub(left, right)),
        }
    }

    /// `−term`.
    pub fn negate(&mut self, term: Term) -> Term {
        let zero = self.constant(Fr::ZERO);
        self.sub(zero, term)
    }

    /// `left · right`.
    pub fn mul(&mut self, left: Term, right: Term) -> Term {
        match (self.node(left), self.node(right)) {
            (Node::Constant(a), Node::Constant(b)) => self.constant(a * b),
            (Node::Constant(a), _) if a == Fr::ZERO => left,
            (_, Node::Constant(b)) if b == Fr::ZERO => right,
            (Node::Constant(a), _) if a == Fr::ONE => right,
            (_, Node::Constant(b)) if b == Fr::ONE => left,
            (Node::Constant(a), _) if a == -Fr::ONE => self.negate(right),
            (_, Node::Constant(b)) if b == -Fr::ONE => self.negate(left),
            _ => self.term(Node::Mul(left.min(right), left.max(right))),
        }
    }

    /// `Σ weightᵢ·termᵢ`. A factor that several terms share, such as a gate's selector, is taken out of their sum.
    pub fn combine(&mut self, weighted: &[(Term, Term)]) -> Term {
        let mut uses: HashMap<Term, usize> = HashMap::new();
        for (_, term) in weighted {
            for factor in self.factors(*term) {
                *uses.entry(factor).or_default() += 1;
            }
        }
        let mut sums: Vec<(Option<Term>, Term)> = vec![];
        let mut places: HashMap<Term, usize> = HashMap::new();
        let zero = self.constant(Fr::ZERO);
        for (weight, term) in weighted {
            // Of two that are equally frequent, the older one, so that terms agree on it.
            let shared = self.factors(*term).into_iter().filter(|factor| uses[factor] > 1);
            let shared = shared.max_by_key(|factor| (uses[factor], std::cmp::Reverse(*factor)));
            let place = match shared {
                Some(factor) => *places.entry(factor).or_insert_with(|| {
                    sums.push((Some(factor), zero));
                    sums.len() - 1
                }),
                None => {
                    sums.push((None, zero));
                    sums.len() - 1
                }
            };
            let rest = shared.map_or(*term, |factor| self.without(*term, factor));
            let product = self.mul(*weight, rest);
            sums[place].1 = self.add(sums[place].1, product);
        }
        sums.into_iter().fold(zero, |sum, (factor, rest)| {
            let product = factor.map_or(rest, |factor| self.mul(factor, rest));
            self.add(sum, product)
        })
    }

    fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    fn is_zero(&self, term: Term) -> bool {
        self.node(term) == Node::Constant(Fr::ZERO)
    }

    /// The factors of a product that vary between rows; none for anything else.
    fn factors(&self, term: Term) -> Vec<Term> {
        let Node::Mul(left, right) = self.node(term) else { return vec![] };
        let varies =
            |factor: &Term| !matches!(self.node(*factor), Node::Constant(_) | Node::Parameter(_));
        let mut factors: Vec<Term> = [left, right].into_iter().filter(varies).collect();
        factors.dedup();
        factors
    }

    /// What multiplies `factor` in the product `term`.
    fn without(&self, term: Term, factor: Term) -> Term {
        let Node::Mul(left, right) = self.node(term) else {
            unreachable!("only a product has factors")
        };
        if left == factor {
            right
        } else {
            left
        }
    }

    fn term(&mut self, node: Node) -> Term {
        let next = Term(u32::try_from(self.nodes.len()).expect("far fewer terms"));
        let term = *self.terms.entry(node).or_insert(next);
        if term == next {
            self.nodes.push(node);
        }
        term
    }
}
