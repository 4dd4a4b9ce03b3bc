//! Weights that are too wide for a leaf.

/// Bits that weights lose at their lower end: `⌊w/2^S⌋` stands for the weight `w`, `⌈T/2^S⌉` for the
/// threshold `T`.
///
/// Whoever reaches the shifted threshold reaches the threshold itself:
/// `Σwᵢ ≥ 2^S·Σ⌊wᵢ/2^S⌋ ≥ 2^S·⌈T/2^S⌉ ≥ T`. The converse does not hold, as each signer may lose up
/// to `2^S - 1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightShift(u32);

impl WeightShift {
    /// The greatest number of bits.
    pub const MOST: u32 = u128::BITS - 1;

    /// A shift by this many bits; `None` if they are more than [`Self::MOST`].
    pub const fn new(bits: u32) -> Option<Self> {
        if bits <= Self::MOST {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// The bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The shifted weight, `⌊weight/2^S⌋`. A member for whom it is 0 cannot be in a set.
    pub fn weight(self, weight: u128) -> u128 {
        weight >> self.0
    }

    /// The shifted threshold, `⌈threshold/2^S⌉`.
    pub fn threshold(self, threshold: u128) -> u128 {
        threshold.div_ceil(1 << self.0)
    }
}
