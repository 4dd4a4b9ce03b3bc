//! Code that evaluates the nodes of a graph.
//!
//! Values are kept below five times the modulus r, which is below 2²⁵⁶: a sum is an `add` as long
//! as its operands allow it, and only products are reduced.

use std::collections::HashMap;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField};
use num_bigint::BigUint;

use super::{
    code::{calldata, constant, hex, load, product, Code},
    graph::{Graph, Id, Leaf, Node, Term},
    memory::Memory,
    protocol::Protocol,
};

/// Most multiples of r that a word holds.
const LIMIT: usize = 5;
/// Deepest stack that an expression may need; the EVM reaches 16 words, some of which are taken.
const DEPTH: usize = 9;

/// An expression in text.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The value is at most this many times r.
    bound: usize,
    /// Words of stack that it takes to evaluate.
    depth: usize,
}

/// Writes expressions; nodes that are used again are kept in memory.
pub(super) struct Emitter<'a> {
    protocol: &'a Protocol,
    graph: &'a Graph,
    uses: Vec<usize>,
    exclusive_ors: bool,
    kept: HashMap<Id, Piece>,
}

impl<'a> Emitter<'a> {
    /// An emitter for `roots` and everything that they are made of.
    pub(super) fn new(
        protocol: &'a Protocol,
        graph: &'a Graph,
        roots: impl Iterator<Item = Id>,
    ) -> Self {
        Self::of(protocol, graph, roots.collect(), false)
    }

    /// An emitter that writes each exclusive or in full, so that all have the same shape.
    pub(super) fn with_exclusive_ors(
        protocol: &'a Protocol,
        graph: &'a Graph,
        roots: impl Iterator<Item = Id>,
    ) -> Self {
        Self::of(protocol, graph, roots.collect(), true)
    }

    fn of(
        protocol: &'a Protocol,
        graph: &'a Graph,
        mut open: Vec<Id>,
        exclusive_ors: bool,
    ) -> Self {
        let mut uses = vec![0; graph.len()];
        while let Some(id) = open.pop() {
            uses[id] += 1;
            if uses[id] > 1 {
                continue;
            }
            match graph.exclusive_or(id).filter(|_| exclusive_ors) {
                // The second operand is written twice.
                Some([a, b]) => open.extend([a, b, b]),
                None => open.extend(graph.operands(id).into_iter().flatten()),
            }
        }
        Self { protocol, graph, uses, exclusive_ors, kept: HashMap::new() }
    }

    /// The leaves that are used, in order.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let used = (0..self.graph.len()).filter(|id| self.uses[*id] > 0);
        let mut leaves: Vec<_> = used
            .filter_map(|id| match self.graph.node(id) {
                Node::Leaf(leaf) => Some(leaf.clone()),
                _ => None,
            })
            .collect();
        leaves.sort();
        leaves
    }

    /// `sum + term`, where `sum` is reduced.
    pub(super) fn add_to(
        &mut self,
        code: &mut Code,
        memory: &mut Memory,
        sum: &str,
        term: Term,
    ) -> String {
        let sum = Piece { text: sum.to_owned(), bound: 1, depth: 3 };
        let next = self.node(code, memory, term.id);
        if term.minus {
            difference(sum, next).text
        } else {
            self::sum(sum, next).text
        }
    }

    /// A term, not reduced.
    pub(super) fn term(&mut self, code: &mut Code, memory: &mut Memory, term: Term) -> String {
        let value = self.node(code, memory, term.id);
        if term.minus {
            negated(value).text
        } else {
            value.text
        }
    }

    fn node(&mut self, code: &mut Code, memory: &mut Memory, id: Id) -> Piece {
        if let Some(kept) = self.kept.get(&id) {
            return kept.clone();
        }
        let exclusive_or = self.graph.exclusive_or(id).filter(|_| self.exclusive_ors);
        let piece = match self.graph.node(id) {
            _ if exclusive_or.is_some() => {
                let [a, b] = exclusive_or.unwrap_or_default();
                let (a, b) = (self.node(code, memory, a), self.node(code, memory, b));
                let turned = product("0x02", &b.text);
                let text = format!("mulmod({}, add(0x01, sub(r, {turned})), r)", a.text);
                // r, and what the second factor is made of beside it.
                let depth = (1 + 5).max(2 + a.depth);
                sum(Piece { text, bound: 1, depth }, b)
            }
            Node::Constant(value) => return leaf(constant(value)),
            Node::Leaf(found) => return leaf(self.leaf(memory, found)),
            Node::Sum(a, b) => {
                let (a, b) = (self.node(code, memory, *a), self.node(code, memory, *b));
                sum(a, b)
            }
            Node::Difference(a, b) => {
                let (a, b) = (self.node(code, memory, *a), self.node(code, memory, *b));
                difference(a, b)
            }
            Node::Product(a, b) => {
                let (a, b) = (self.node(code, memory, *a), self.node(code, memory, *b));
                let (first, second) = shallow_first(&a, &b);
                let depth = (2 + first.depth).max(1 + second.depth);
                let doubles = self.exclusive_ors && first.text == "0x02" && second.bound == 1;
                if doubles {
                    let text = format!("mul(0x02, {})", second.text);
                    Piece { text, bound: 2, depth }
                } else {
                    Piece { text: product(&first.text, &second.text), bound: 1, depth }
                }
            }
        };
        if self.uses[id] == 1 && piece.depth <= DEPTH {
            return piece;
        }
        let place = memory.word();
        code.store(place, &piece.text);
        let kept = Piece { text: load(place), bound: piece.bound, depth: 1 };
        self.kept.insert(id, kept.clone());
        kept
    }

    fn leaf(&self, memory: &mut Memory, leaf: &Leaf) -> String {
        let in_proof = match leaf {
            Leaf::Evaluation(query) => self.protocol.evaluation(*query),
            _ => None,
        };
        in_proof.map_or_else(|| load(memory.leaf(leaf)), calldata)
    }
}

fn leaf(text: String) -> Piece {
    Piece { text, bound: 1, depth: 1 }
}

/// Arguments are evaluated from right to left: at the end of the list, the deeper one has no other below it on the
/// stack.
fn shallow_first<'p>(a: &'p Piece, b: &'p Piece) -> (&'p Piece, &'p Piece) {
    if a.depth <= b.depth {
        (a, b)
    } else {
        (b, a)
    }
}

fn sum(a: Piece, b: Piece) -> Piece {
    let (first, second) = shallow_first(&a, &b);
    let bound = a.bound + b.bound;
    let (first, second, texts) = (first.depth, second.depth, [&first.text, &second.text]);
    if bound <= LIMIT {
        let text = format!("add({}, {})", texts[0], texts[1]);
        Piece { text, bound, depth: (1 + first).max(second) }
    } else {
        let text = format!("addmod({}, {}, r)", texts[0], texts[1]);
        Piece { text, bound: 1, depth: (2 + first).max(1 + second) }
    }
}

fn difference(a: Piece, b: Piece) -> Piece {
    sum(a, negated(b))
}

/// A multiple of r minus the value.
fn negated(value: Piece) -> Piece {
    let multiple = match value.bound {
        1 => "r".to_owned(),
        bound => {
            let modulus = BigUint::parse_bytes(Fr::MODULUS.trim_start_matches("0x").as_bytes(), 16);
            format!("{:#x}", modulus.unwrap_or_default() * bound)
        }
    };
    let text = format!("sub({multiple}, {})", value.text);
    Piece { text, depth: value.depth.max(2), ..value }
}

/// Writes powers of the value at `base`, and returns the place of each. The exponents are rising.
pub(super) fn powers(
    code: &mut Code,
    memory: &mut Memory,
    base: usize,
    exponents: &[usize],
) -> HashMap<usize, usize> {
    let mut places = HashMap::from([(1, base)]);
    exponents.iter().for_each(|exponent| power(code, memory, &mut places, *exponent));
    places
}

fn power(
    code: &mut Code,
    memory: &mut Memory,
    places: &mut HashMap<usize, usize>,
    exponent: usize,
) {
    if exponent == 0 || places.contains_key(&exponent) {
        return;
    }
    let below = places.keys().copied().filter(|known| *known < exponent).max().unwrap_or(1);
    power(code, memory, places, exponent - below);
    let place = memory.word();
    code.line(format!(
        "mstore({}, {}) // to the power of {exponent}",
        hex(place),
        product(load(places[&below]), load(places[&(exponent - below)]))
    ));
    places.insert(exponent, place);
}
