use halo2curves::{bn256::Fr, ff::PrimeField};
use rayon::prelude::*;

/// A scalar as a sign and an integer of at most [`SCALAR_BITS`] bits: a scalar close to the prime is as short as one
/// close to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    /// Little-endian. The highest bit is the sign.
    words: [u64; 4],
}

/// Bits of the greatest integer, `(p − 1)/2`.
pub(super) const SCALAR_BITS: usize = 253;

/// That of a negative scalar, in the highest word.
const SIGN: u64 = 1 << 63;

impl Scalar {
    pub(super) fn new(scalar: &Fr) -> Self {
        let (plain, negated) = (limbs(scalar), limbs(&-*scalar));
        let is_negative = negated.iter().rev().lt(plain.iter().rev());
        let mut words = if is_negative { negated } else { plain };
        words[3] |= if is_negative { SIGN } else { 0 };
        Self { words }
    }

    /// All scalars.
    pub(super) fn all(scalars: &[Fr]) -> Vec<Self> {
        scalars.par_iter().map(Self::new).collect()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.words == [0; 4]
    }

    /// A word of the integer.
    fn word(&self, index: usize) -> u64 {
        match index {
            0..=2 => self.words[index],
            3 => self.words[3] & !SIGN,
            _ => 0,
        }
    }

    /// How many bits the integer has.
    pub(super) fn bits(&self) -> usize {
        let top = (0..4).rev().find(|index| self.word(*index) != 0);
        top.map_or(0, |top| 64 * top + self.word(top).ilog2() as usize + 1)
    }

    /// The digit of one of windows that are all of a size.
    pub(super) fn digit(&self, window: usize, bits: usize) -> i32 {
        self.digit_from(window * bits, bits)
    }

    /// The digit of the window of `bits` bits from `start` on, between `−2^(bits−1)` and `2^(bits−1)` (Booth's
    /// recoding). Windows may have different sizes: each takes what the one below it carries.
    pub(super) fn digit_from(&self, start: usize, bits: usize) -> i32 {
        // The bit below the window decides whether it takes a carry.
        let chunk = match start.checked_sub(1) {
            None => self.words[0] << 1,
            Some(start) => {
                let (word, shift) = (start / 64, start % 64);
                let pair = u128::from(self.word(word)) | u128::from(self.word(word + 1)) << 64;
                (pair >> shift) as u64
            }
        };
        let chunk = (chunk & ((1 << (bits + 1)) - 1)) as i32;
        let digit = ((chunk + 1) >> 1) - ((chunk >> bits) << bits);
        // Signs are random.
        let sign = -((self.words[3] >> 63) as i32);
        (digit ^ sign) - sign
    }
}

/// How many windows the longest scalar has, the last one with room for a carry.
pub(super) fn windows(scalars: &[Scalar], bits: usize) -> usize {
    scalars.iter().map(Scalar::bits).max().unwrap_or(0) / bits + 1
}

/// Most bits of a window: wider ones save nothing for less than a million scalars, and each has a sum for every two digits.
const MOST_BITS: usize = 16;

/// Additions that the sum of a bucket takes: one for each half of its digit.
const PER_BUCKET: usize = 2;

/// Bits of scalars from `start` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) start: usize,
    pub(super) bits: usize,
}

/// Windows of these scalars with the least additions, from the lowest on. The last one has room for a carry.
///
/// A scalar is added in the windows that begin below its highest bit, and in the next one if that begins right above it, since its highest
/// bit is carried. So windows are narrow where few scalars have bits, and end above those of short ones.
pub(super) fn cuts(scalars: &[Scalar]) -> Vec<Window> {
    // How many scalars have at least so many bits.
    let mut longer = [0; SCALAR_BITS + 1];
    scalars.iter().for_each(|scalar| longer[scalar.bits()] += 1);
    let longest = longer.iter().rposition(|count| *count > 0).unwrap_or(0);
    for bits in (0..longest).rev() {
        longer[bits] += longer[bits + 1];
    }
    // The additions for so many bits of all scalars, and the bits of the highest window among them.
    let mut least = vec![(0, 0)];
    for end in 1..=longest + 1 {
        let additions = |bits: usize| {
            let start = end - bits;
            least[start].0 + longer[start.max(1)] + (PER_BUCKET << (bits - 1))
        };
        let cheapest = (1..=end.min(MOST_BITS)).map(|bits| (additions(bits), bits)).min();
        least.push(cheapest.expect("a window has a bit at least"));
    }
    let mut end = longest + 1;
    let mut windows = vec![];
    while end > 0 {
        let bits = least[end].1;
        end -= bits;
        windows.push(Window { start: end, bits });
    }
    windows.reverse();
    windows
}

/// The integer, little-endian.
pub(super) fn limbs(scalar: &Fr) -> [u64; 4] {
    let bytes = scalar.to_repr();
    let mut limbs = [0; 4];
    for (limb, bytes) in limbs.iter_mut().zip(bytes.as_ref().as_chunks::<8>().0) {
        *limb = u64::from_le_bytes(*bytes);
    }
    limbs
}
