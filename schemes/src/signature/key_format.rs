//! How leaves hold whole keys, for schemes whose keys add up.

use halo2curves::bn256::Fr;

use crate::hash::poseidon::{self, MAX_WIDTH};

/// Bits of a key per element of a leaf of whole keys. In a key's last element, its weight stands
/// above them.
pub const KEY_WORD_BITS: usize = 192;

/// How a leaf holds whole keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyFormat {
    /// Elements of a key.
    elements: usize,
    /// Label of the tag in the capacity lane.
    domain: &'static str,
}

impl KeyFormat {
    /// Width of the permutation that hashes a leaf: the widest there is.
    pub const WIDTH: usize = MAX_WIDTH;
    /// Elements of a leaf: those of its members, then zeros.
    pub const ELEMENTS: usize = Self::WIDTH - 1;

    /// Keys of `elements` elements each; `domain` is the label of a tag that is used for such
    /// leaves only.
    ///
    /// # Panics
    /// If a leaf has no room for a key of this many elements, or there are none.
    pub const fn new(elements: usize, domain: &'static str) -> Self {
        assert!(0 < elements && elements <= Self::ELEMENTS, "a leaf has room for a key");
        Self { elements, domain }
    }

    /// Elements of a key.
    pub fn elements(self) -> usize {
        self.elements
    }

    /// Members per leaf.
    pub fn members(self) -> usize {
        Self::ELEMENTS / self.elements
    }

    /// The tag in the capacity lane.
    pub fn tag(self) -> Fr {
        poseidon::domain(self.domain)
    }
}
