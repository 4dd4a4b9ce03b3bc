//! What tells the two hash functions apart.

use std::fmt::Debug;

use crate::{Layout, Sha2Layout, Usage};
use muster_schemes::hash::{sha256::native as sha256, sha512::native as sha512};

/// Words of a hash value in one column: four in `a`, four in `e`.
pub(super) const STATE: usize = 4;
/// Words of a block of the message.
pub(super) const MESSAGE: usize = 16;

/// The rows of a step, by what stands beside its running sum: words that are copied, and carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) word_a: usize,
    pub(super) word_e: usize,
    pub(super) word_w: usize,
    pub(super) carry_a: usize,
    pub(super) carry_e: usize,
    pub(super) carry_e_more: usize,
    pub(super) carry_w: usize,
}

impl Sides {
    /// The least rows that a step can have.
    pub(super) fn rows(&self) -> usize {
        let words = self.word_a.max(self.word_e).max(self.word_w);
        // The carries are in consecutive rows, `carry_w` last.
        words.max(self.carry_w) + 1
    }
}

/// A row for each word and carry.
pub(super) const SPREAD: Sides =
    Sides { word_a: 0, word_e: 1, word_w: 2, carry_a: 3, carry_e: 4, carry_e_more: 5, carry_w: 6 };

/// Four rows, since no step has more than four words and carries.
pub(super) const TIGHT: Sides =
    Sides { word_a: 2, word_e: 3, word_w: 3, carry_a: 0, carry_e: 1, carry_e_more: 2, carry_w: 3 };

/// A hash function as the gate needs it. Its fields are private to the gate, so there are these two functions and no
/// others.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Names its gates.
    pub(super) name: &'static str,
    /// Names the cells of its rows.
    pub(super) type_id: &'static str,
    /// Names the constraint by which words are sums of bits.
    pub(super) end: &'static str,
    /// Bits of a word.
    pub(super) word: usize,
    /// The constants of the rounds.
    pub(super) constants: &'static [u64],
    /// `Σ₀` and `Σ₁`: the bits by which words are rotated to the right.
    pub(super) large: [[usize; 3]; 2],
    /// `σ₀` and `σ₁`; the last of each is a shift.
    pub(super) small: [[usize; 3]; 2],
    /// Bits between the sums that share a cell.
    pub(super) slot: usize,
    /// Sums in one cell.
    pub(super) slots: usize,
    /// Where words and carries stand.
    pub(super) sides: Sides,
    /// Whether words can be read in either byte order; those of a hash value then have a running sum of their own.
    pub(super) ordered: bool,
}

impl Spec {
    /// The most bits that the range check of a word lets pass, in whole lookups of 1 to 16 bits: 45 for 32, with
    /// lookups of 15, and 75 for 64.
    pub(super) const fn checked(&self) -> usize {
        let (mut lookup, mut most) = (1, 0);
        while lookup <= 16 {
            let bits = self.word.div_ceil(lookup) * lookup;
            most = if bits > most { bits } else { most };
            lookup += 1;
        }
        most
    }

    /// A sum has at most seven words, a constant and a carry of up to 6: less than 16 times a word. With a
    /// range-checked word on the other side, a slot holds at most twice the larger of the two, which leaves a bit for
    /// the sign. All slots together are below half of the native modulus, which has 254 bits.
    const fn assert(&self) {
        let sum = self.word + TERM_BITS;
        let larger = if self.checked() > sum { self.checked() } else { sum };
        assert!(larger + 1 < self.slot);
        assert!((self.slots - 1) * self.slot + larger + 2 < 253);
    }
}

/// Bits that a sum has beyond those of a word.
const TERM_BITS: usize = {
    let (words, constant, carry) = (7usize, 1, 6);
    (words + constant + carry).next_power_of_two().ilog2() as usize
};

/// SHA-256 or SHA-512.
pub trait Sha2: Copy + Debug + Send + Sync + 'static {
    /// A word.
    type Int: Copy + Into<u64> + TryFrom<u64>;
    /// The function.
    const SPEC: Spec;

    /// Its lanes in a layout, if there are any.
    fn lanes(layout: &Layout) -> Option<Sha2Layout>;

    /// Where its rows are counted.
    fn rows(usage: &mut Usage) -> &mut usize;
}

/// FIPS 180-4, section 6.2.
#[derive(Clone, Copy, Debug)]
pub struct Sha256;

/// FIPS 180-4, section 6.4.
#[derive(Clone, Copy, Debug)]
pub struct Sha512;

const SHA256_CONSTANTS: [u64; sha256::ROUNDS] = {
    let mut wide = [0; sha256::ROUNDS];
    let mut round = 0;
    while round < wide.len() {
        wide[round] = sha256::CONSTANTS[round] as u64;
        round += 1;
    }
    wide
};

const SHA256: Spec = Spec {
    name: "sha256",
    type_id: "muster-gadgets:gate:sha256",
    end: "end of a step",
    word: 32,
    constants: &SHA256_CONSTANTS,
    large: sha256::LARGE,
    small: sha256::SMALL,
    slot: 60,
    slots: 4,
    sides: SPREAD,
    ordered: false,
};

const SHA512: Spec = Spec {
    name: "sha512",
    type_id: "muster-gadgets:gate:sha512",
    end: "end of a long step",
    word: 64,
    constants: &sha512::CONSTANTS,
    large: sha512::LARGE,
    small: sha512::SMALL,
    slot: 80,
    slots: 3,
    sides: TIGHT,
    ordered: true,
};

const _: () = {
    SHA256.assert();
    SHA512.assert();
};

impl Sha2 for Sha256 {
    type Int = u32;
    const SPEC: Spec = SHA256;

    fn lanes(layout: &Layout) -> Option<Sha2Layout> {
        layout.sha256
    }

    fn rows(usage: &mut Usage) -> &mut usize {
        &mut usage.sha256_rows
    }
}

impl Sha2 for Sha512 {
    type Int = u64;
    const SPEC: Spec = SHA512;

    fn lanes(layout: &Layout) -> Option<Sha2Layout> {
        layout.sha512
    }

    fn rows(usage: &mut Usage) -> &mut usize {
        &mut usage.sha512_rows
    }
}
