use super::scalars::{Scalar, SCALAR_BITS};

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
