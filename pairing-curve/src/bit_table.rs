//! Short transforms of bits, by lookup.
//!
//! A transform of p bits is the sum of the columns (1, wᵗ, w²ᵗ, …) of the set bits. The sums of all
//! subsets of six are stored: p bits take ⌈p/6⌉ − 1 additions for each value, where the transform
//! takes (p − 1)²/2p products. Which sum is read depends on the bits.

use ff::Field;

use super::Fr;

/// Bits of a subset.
const GROUP: usize = 6;

/// Transforms of `order` bits times a factor.
pub(super) struct BitTable {
    order: usize,
    /// Indexed by group of bits, subset and value.
    sums: Vec<Vec<Fr>>,
}

impl BitTable {
    /// For the root of unity of that order.
    pub(super) fn new(order: usize, root: &Fr, factor: &Fr) -> Self {
        let powers: Vec<Fr> =
            std::iter::successors(Some(*factor), |power| Some(*power * root)).take(order).collect();
        let group = |first: usize| {
            let bits = GROUP.min(order - first);
            let mut sums = vec![Fr::ZERO; order << bits];
            for subset in 1..1usize << bits {
                let highest = subset.ilog2() as usize;
                let rest = subset ^ (1 << highest);
                for value in 0..order {
                    let column = powers[(first + highest) * value % order];
                    sums[subset * order + value] = sums[rest * order + value] + column;
                }
            }
            sums
        };
        Self { order, sums: (0..order).step_by(GROUP).map(group).collect() }
    }

    /// The transform of every `stride`-th of the bits, each a byte.
    pub(super) fn transform(&self, bits: &[u8], stride: usize, out: &mut [Fr]) {
        for (group, sums) in self.sums.iter().enumerate() {
            let own = bits.iter().step_by(stride).skip(group * GROUP).take(GROUP);
            let subset =
                own.enumerate().fold(0, |subset, (place, bit)| subset | usize::from(*bit) << place);
            let sums = &sums[subset * self.order..][..self.order];
            match group {
                0 => out.copy_from_slice(sums),
                _ => out.iter_mut().zip(sums).for_each(|(value, sum)| *value += sum),
            }
        }
    }
}
