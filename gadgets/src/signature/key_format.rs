//! How the leaves of a set have whole keys, of schemes that add them up.

use halo2curves::bn256::Fr;

use crate::hash::poseidon::{self, MAX_WIDTH};

/// Bits of a key in one element of a leaf of whole keys. A weight stands above them in the last.
pub const KEY_WORD_BITS: usize = 192;

/// How a leaf has whole keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyFormat {
    /// Elements of a key.
    elements: usize,
    /// Label of the tag in the capacity lane.
    domain: &'static str,
}

impl KeyFormat {
    /// Elements of the state that a leaf fills: the widest permutation there is.
    pub const WIDTH: usize = MAX_WIDTH;
    /// Elements of a leaf. Behind those of its members stand zeros.
    pub const ELEMENTS: usize = Self::WIDTH - 1;

    /// Keys of so many elements, with the label of a tag for leaves of nothing else.
    ///
    /// # Panics
    /// If a leaf has no room for a key of so many elements, or there are none.
    pub const fn new(elements: usize, domain: &'static str) -> Self {
        assert!(0 < elements && elements <= Self::ELEMENTS, "a leaf has room for a key");
        Self { elements, domain }
    }

    /// Elements of a key.
    pub fn elements(self) -> usize {
        self.elements
    }

    /// Members that a leaf has.
    pub fn members(self) -> usize {
        Self::ELEMENTS / self.elements
    }

    /// The tag in the capacity lane.
    pub fn tag(self) -> Fr {
        poseidon::domain(self.domain)
    }
}
