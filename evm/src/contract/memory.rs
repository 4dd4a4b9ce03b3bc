//! Where a contract keeps what in memory.

use std::collections::HashMap;

use super::{
    graph::Leaf,
    protocol::{Protocol, POINT, WORD},
};

/// A point and its factor: what a multiplication takes.
pub(super) const FACTOR_OF: usize = 0x40;
/// The sum of the multi-scalar multiplication; what is to be added lies after it.
pub(super) const SUM: usize = 0x80;
/// First word that can be taken.
const FIRST: usize = 0x100;

/// The places.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    next: usize,
    challenges: Vec<usize>,
    /// The challenge x.
    pub(super) x: usize,
    /// The challenge that combines polynomials of a set.
    pub(super) mu: usize,
    /// The challenge that combines sets.
    pub(super) nu: usize,
    /// The challenge at which the opening is checked.
    pub(super) u: usize,
    /// x^n.
    pub(super) x_n: usize,
    /// The generator of the domain, if it is kept.
    pub(super) omega: Option<usize>,
    /// The points of each set, in order; the last one's room is for a product.
    pub(super) points: Vec<usize>,
    leaves: HashMap<Leaf, usize>,
}

impl Memory {
    fn empty() -> Self {
        Self {
            next: FIRST,
            challenges: vec![],
            x: 0,
            mu: 0,
            nu: 0,
            u: 0,
            x_n: 0,
            omega: None,
            points: vec![],
            leaves: HashMap::new(),
        }
    }

    /// Gives places to what every contract has.
    pub(super) fn new(protocol: &Protocol) -> Self {
        let mut memory = Self::empty();
        let count = protocol.challenges();
        // The last challenge of the rounds is x.
        memory.challenges = (0..count).map(|_| memory.word()).collect();
        memory.x = memory.challenges[count - 1];
        [memory.mu, memory.nu, memory.u, memory.x_n] = std::array::from_fn(|_| memory.word());
        // The key's points have a word with their length before them.
        memory.next += POINT;
        let sizes = protocol.sets.iter().map(|set| set.polys.len());
        memory.points = sizes.map(|size| memory.take(POINT * size)).collect();
        memory
    }

    /// Gives places from zero on to words, and after them to challenges and leaves.
    pub(super) fn of_part(words: usize, challenges: usize, leaves: &[Leaf]) -> Self {
        let mut memory = Self { next: WORD * words, ..Self::empty() };
        memory.challenges = (0..challenges).map(|_| memory.word()).collect();
        memory.x = memory.challenges[challenges - 1];
        leaves.iter().for_each(|leaf| {
            memory.leaf(leaf);
        });
        memory
    }

    /// Takes some bytes.
    pub(super) fn take(&mut self, bytes: usize) -> usize {
        let place = self.next;
        self.next += bytes;
        place
    }

    /// Takes a word.
    pub(super) fn word(&mut self) -> usize {
        self.take(WORD)
    }

    /// Where memory that is not taken yet begins.
    pub(super) fn rest(&self) -> usize {
        self.next
    }

    /// The challenges of the rounds.
    pub(super) fn challenges(&self) -> &[usize] {
        &self.challenges
    }

    /// The place of a leaf, taken at the first call.
    pub(super) fn leaf(&mut self, leaf: &Leaf) -> usize {
        match leaf {
            Leaf::Identity => self.x,
            Leaf::Challenge(number) => self.challenges[*number],
            // Alpha is the challenge before x.
            Leaf::Alpha(1) => self.challenges[self.challenges.len() - 2],
            other => {
                let next = self.next;
                let place = *self.leaves.entry(other.clone()).or_insert(next);
                self.next = self.next.max(place + WORD);
                place
            }
        }
    }
}
