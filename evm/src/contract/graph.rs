//! Expressions as a graph in which equal subexpressions are one node.

use std::collections::HashMap;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};

use super::protocol::{Common, Expression, Query};

/// A leaf of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Leaf {
    /// An evaluation, in the proof or computed.
    Evaluation(Query),
    /// A challenge, by its number.
    Challenge(usize),
    /// A power of the challenge alpha.
    Alpha(usize),
    /// The challenge x.
    Identity,
    /// The sum of the Lagrange polynomials of these rows, at x.
    Lagrange(Vec<i32>),
}

/// A node, by its place.
pub(super) type Id = usize;

/// What a node is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Constant(Fr),
    Leaf(Leaf),
    Sum(Id, Id),
    Difference(Id, Id),
    Product(Id, Id),
}

/// A node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Term {
    pub(super) id: Id,
    pub(super) minus: bool,
}

impl std::ops::Neg for Term {
    type Output = Self;

    fn neg(self) -> Self {
        Self { minus: !self.minus, ..self }
    }
}

/// Nodes; operands come before what is made of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    ids: HashMap<Node, Id>,
}

impl Graph {
    /// A node.
    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The operands of a node.
    pub(super) fn operands(&self, id: Id) -> Option<[Id; 2]> {
        match self.nodes[id] {
            Node::Constant(_) | Node::Leaf(_) => None,
            Node::Sum(a, b) | Node::Difference(a, b) | Node::Product(a, b) => Some([a, b]),
        }
    }

    /// The operands of a sum of the form a·(1 − 2b) + b.
    pub(super) fn exclusive_or(&self, id: Id) -> Option<[Id; 2]> {
        let Node::Sum(x, y) = self.nodes[id] else { return None };
        let is = |id: Id, value: u64| self.nodes[id] == Node::Constant(Fr::from(value));
        let is_turned = |id: Id, b: Id| match self.nodes[id] {
            Node::Difference(one, twice) if is(one, 1) => match self.nodes[twice] {
                Node::Product(two, of) => (is(two, 2) && of == b) || (is(of, 2) && two == b),
                _ => false,
            },
            _ => false,
        };
        [(x, y), (y, x)].into_iter().find_map(|(product, b)| {
            let Node::Product(u, v) = self.nodes[product] else { return None };
            let factors = [(u, v), (v, u)].into_iter();
            let mut factors = factors.filter(|(_, turned)| is_turned(*turned, b));
            factors.next().map(|(a, _)| [a, b])
        })
    }

    fn add(&mut self, node: Node) -> Term {
        let next = self.nodes.len();
        let id = *self.ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        Term { id, minus: false }
    }

    fn constant_of(&self, term: Term) -> Option<Fr> {
        match self.nodes[term.id] {
            Node::Constant(value) => Some(if term.minus { -value } else { value }),
            _ => None,
        }
    }

    /// A constant, as the one of it and its negation that has fewer bytes.
    pub(super) fn constant(&mut self, value: Fr) -> Term {
        let bits = |value: Fr| value.to_repr().iter().rev().position(|byte| *byte != 0);
        if bits(-value) > bits(value) {
            -self.add(Node::Constant(-value))
        } else {
            self.add(Node::Constant(value))
        }
    }

    pub(super) fn leaf(&mut self, leaf: Leaf) -> Term {
        self.add(Node::Leaf(leaf))
    }

    pub(super) fn sum(&mut self, a: Term, b: Term) -> Term {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(a), Some(b)) => return self.constant(a + b),
            (Some(zero), _) if zero == Fr::ZERO => return b,
            (_, Some(zero)) if zero == Fr::ZERO => return a,
            _ => {}
        }
        match (a.minus, b.minus) {
            (true, true) => -self.sum(-a, -b),
            (false, true) => self.difference(a.id, b.id),
            (true, false) => self.difference(b.id, a.id),
            (false, false) => match (self.rows(a.id), self.rows(b.id)) {
                (Some(rows), Some(more)) => {
                    let mut rows = [rows, more].concat();
                    rows.sort_unstable();
                    self.leaf(Leaf::Lagrange(rows))
                }
                _ => self.add(Node::Sum(a.id.min(b.id), a.id.max(b.id))),
            },
        }
    }

    /// The rows of a sum of Lagrange polynomials. The sum of several is one fraction.
    fn rows(&self, id: Id) -> Option<&[i32]> {
        match &self.nodes[id] {
            Node::Leaf(Leaf::Lagrange(rows)) => Some(rows),
            _ => None,
        }
    }

    fn difference(&mut self, a: Id, b: Id) -> Term {
        if self.ids.contains_key(&Node::Difference(b, a)) {
            -self.add(Node::Difference(b, a))
        } else {
            self.add(Node::Difference(a, b))
        }
    }

    pub(super) fn product(&mut self, a: Term, b: Term) -> Term {
        let minus = a.minus != b.minus;
        let of = |graph: &Self, term: Term| graph.constant_of(Term { minus: false, ..term });
        let product = match (of(self, a), of(self, b)) {
            (Some(a), Some(b)) => self.constant(a * b),
            (Some(c), _) if c == Fr::ONE => Term { minus: false, ..b },
            (_, Some(c)) if c == Fr::ONE => Term { minus: false, ..a },
            (Some(c), _) | (_, Some(c)) if c == Fr::ZERO => self.constant(Fr::ZERO),
            _ => self.add(Node::Product(a.id.min(b.id), a.id.max(b.id))),
        };
        Term { minus: product.minus != minus, ..product }
    }

    /// Adds an expression.
    pub(super) fn expression(&mut self, expression: &Expression) -> Term {
        match expression {
            Expression::Constant(value) => self.constant(*value),
            Expression::CommonPolynomial(Common::Identity) => self.leaf(Leaf::Identity),
            Expression::CommonPolynomial(Common::Lagrange(row)) => {
                self.leaf(Leaf::Lagrange(vec![*row]))
            }
            Expression::Polynomial(query) => self.leaf(Leaf::Evaluation(*query)),
            Expression::Challenge(number) => self.leaf(Leaf::Challenge(*number)),
            Expression::Negated(a) => -self.expression(a),
            Expression::Sum(a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                self.sum(a, b)
            }
            Expression::Product(a, b) => {
                let (a, b) = (self.expression(a), self.expression(b));
                self.product(a, b)
            }
            Expression::Scaled(a, factor) => {
                let (a, factor) = (self.expression(a), self.constant(*factor));
                self.product(a, factor)
            }
            Expression::DistributePowers(list, base) => {
                let base = self.expression(base);
                let zero = self.constant(Fr::ZERO);
                list.iter().fold(zero, |sum, next| {
                    let (shifted, next) = (self.product(sum, base), self.expression(next));
                    self.sum(shifted, next)
                })
            }
        }
    }

    /// The factors of a product that are not constants.
    pub(super) fn factors(&self, id: Id) -> Vec<Id> {
        match self.nodes[id] {
            Node::Product(a, b) => [self.factors(a), self.factors(b)].concat(),
            Node::Constant(_) => vec![],
            _ => vec![id],
        }
    }

    /// A product without one of its factors.
    pub(super) fn without(&mut self, term: Term, factor: Id) -> Term {
        if term.id == factor {
            let one = self.constant(Fr::ONE);
            return Term { minus: one.minus != term.minus, ..one };
        }
        let Node::Product(a, b) = self.nodes[term.id] else { return term };
        let [a, b] = [a, b].map(|id| Term { id, minus: false });
        let rest = if self.factors(a.id).contains(&factor) {
            let a = self.without(a, factor);
            self.product(a, b)
        } else {
            let b = self.without(b, factor);
            self.product(a, b)
        };
        Term { minus: rest.minus != term.minus, ..rest }
    }
}
