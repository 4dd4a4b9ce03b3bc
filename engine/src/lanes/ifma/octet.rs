//! Functions here and in `memory.rs`, and those of `mod.rs` that have loops, are always inlined: what is not inlined
//! is not compiled for the processor's features. That is why there are loops where closures would be shorter.

use std::arch::x86_64::__m512i;

use super::constants::{Constants, BITS, MASK};
use crate::field::Field;

pulp::simd_type! {
    /// Proof that the processor has the instructions.
    pub(crate) struct Ifma {
        pub(super) avx512f: "avx512f",
        pub(super) avx512vl: "avx512vl",
        pub(super) ifma: "avx512ifma",
    }
}

/// Limb `i` of eight integers in vector `i`.
pub(super) type Limbs = [__m512i; 5];

/// Sums of the lower halves of products of limbs, and of the upper ones: of limbs `i` and `j` in vector
/// `i + j`, and `i + j + 1`. They are kept apart because each addition waits for the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideLimbs {
    low: [__m512i; 10],
    high: [__m512i; 10],
}

impl Ifma {
    /// The same word in all lanes.
    #[inline(always)]
    pub(super) fn all(self, word: u64) -> __m512i {
        pulp::cast([word; 8])
    }

    /// The limbs of one integer in all lanes.
    #[inline(always)]
    pub(super) fn all_limbs(self, limbs: [u64; 5]) -> Limbs {
        [
            self.all(limbs[0]),
            self.all(limbs[1]),
            self.all(limbs[2]),
            self.all(limbs[3]),
            self.all(limbs[4]),
        ]
    }

    #[inline(always)]
    pub(super) fn add_limbs(self, mut left: Limbs, right: Limbs) -> Limbs {
        for i in 0..5 {
            left[i] = self.avx512f._mm512_add_epi64(left[i], right[i]);
        }
        left
    }

    /// `left − right + multiple`, which is not negative if `right` is at most `multiple`. Limbs may be.
    #[inline(always)]
    pub(super) fn sub_limbs(self, left: Limbs, right: Limbs, multiple: [u64; 5]) -> Limbs {
        let mut limbs = self.add_limbs(left, self.all_limbs(multiple));
        for i in 0..5 {
            limbs[i] = self.avx512f._mm512_sub_epi64(limbs[i], right[i]);
        }
        limbs
    }

    /// Propagates carries, so that all limbs are below `2^52`, provided that the integers are below `2^260`
    /// and not negative. Limbs may be negative: the shift keeps the sign.
    #[inline(always)]
    pub(super) fn carry(self, mut limbs: Limbs) -> Limbs {
        let mask = self.all(MASK);
        for i in 0..4 {
            let carry = self.avx512f._mm512_srai_epi64::<BITS>(limbs[i]);
            limbs[i + 1] = self.avx512f._mm512_add_epi64(limbs[i + 1], carry);
            limbs[i] = self.avx512f._mm512_and_si512(limbs[i], mask);
        }
        limbs
    }

    /// Montgomery's product `left·right/2^260` modulo `p`, all limbs below `2^52`.
    ///
    /// For integers below `a·p` and `b·p` it is below `(ab·p/2^260 + 1)·p`, and `p/2^260 < 1/84`.
    #[inline(always)]
    pub(super) fn montgomery<F: Field>(self, left: Limbs, right: Limbs) -> Limbs {
        self.reduce_products::<F>(self.add_product(self.no_products(), left, right))
    }

    #[inline(always)]
    pub(super) fn no_products(self) -> WideLimbs {
        WideLimbs { low: [self.all(0); 10], high: [self.all(0); 10] }
    }

    /// `wide + left·right`, for limbs below `2^52`. A sum of eight products stays far below `2^64`: for each,
    /// at most five numbers below `2^52` are added to a limb of either kind.
    #[inline(always)]
    pub(super) fn add_product(self, mut wide: WideLimbs, left: Limbs, right: Limbs) -> WideLimbs {
        let WideLimbs { low, high } = &mut wide;
        for i in 0..5 {
            for j in 0..5 {
                low[i + j] = self.ifma._mm512_madd52lo_epu64(low[i + j], left[j], right[i]);
                high[i + j + 1] =
                    self.ifma._mm512_madd52hi_epu64(high[i + j + 1], left[j], right[i]);
            }
        }
        wide
    }

    /// A sum of products, divided by `2^260` modulo `p`; all limbs below `2^52`. A sum below `s·p²` becomes
    /// less than `(s·p/2^260 + 1)·p`.
    #[inline(always)]
    pub(super) fn reduce_products<F: Field>(self, wide: WideLimbs) -> Limbs {
        self.carry(self.divide_products::<F>(wide))
    }

    /// The same before carries are propagated.
    #[inline(always)]
    pub(super) fn divide_products<F: Field>(self, wide: WideLimbs) -> Limbs {
        let WideLimbs { mut low, high } = wide;
        for i in 1..9 {
            low[i] = self.avx512f._mm512_add_epi64(low[i], high[i]);
        }
        low[9] = high[9];
        self.divide::<F>(low)
    }

    /// Divides by `2^260` modulo `p`: for each limb, from the lowest, a multiple of `p` that makes its low 52 bits zero
    /// is added, and the rest of the limb is carried.
    #[inline(always)]
    fn divide<F: Field>(self, mut wide: [__m512i; 10]) -> Limbs {
        let prime = self.all_limbs(Constants::<F>::PRIME);
        let inverse = self.all(Constants::<F>::INVERSE);
        let (zero, mask) = (self.all(0), self.all(MASK));
        for i in 0..5 {
            let quotient = self.ifma._mm512_madd52lo_epu64(zero, wide[i], inverse);
            // The lower half of quotient·p₀ would be what the lower 52 bits lack to 2^52, or nothing if they
            // are zero. So the sum carries as if the greatest number of 52 bits were added.
            let carry = self.avx512f._mm512_add_epi64(wide[i], mask);
            let carry = self.avx512f._mm512_srli_epi64::<BITS>(carry);
            wide[i + 1] = self.avx512f._mm512_add_epi64(wide[i + 1], carry);
            for j in 1..5 {
                wide[i + j] = self.ifma._mm512_madd52lo_epu64(wide[i + j], quotient, prime[j]);
            }
            for j in 0..5 {
                wide[i + j + 1] =
                    self.ifma._mm512_madd52hi_epu64(wide[i + j + 1], quotient, prime[j]);
            }
        }
        let [.., a, b, c, d, e] = wide;
        [a, b, c, d, e]
    }

    /// The integer below `p` for one below `84·p`.
    ///
    /// With `x₄` and `p₄` the highest limbs, `q = ⌊x₄·⌊2^92/(p₄ + 1)⌋ / 2^92⌋` is at most `x/p`, since
    /// `x₄/(p₄ + 1) ≤ x/p`. It is above `x/p − 1 − 2^-38`: it loses less than 1 to its own rounding, less than
    /// `x₄/2^92` to that of the inner one, and `(x₄ + 1)/p₄ − x₄/(p₄ + 1) < 2^-38` to the lower limbs. So
    /// `x − q·p` is below `2p`, and subtracting `p` once more if it can be is enough.
    #[inline(always)]
    pub(super) fn reduce<F: Field>(self, limbs: Limbs) -> Limbs {
        let (zero, mask) = (self.all(0), self.all(MASK));
        let negated = self.all_limbs(Constants::<F>::NEGATED);
        let limbs = self.carry(limbs);
        let quotient = self.all(Constants::<F>::QUOTIENT);
        let quotient = self.ifma._mm512_madd52hi_epu64(zero, limbs[4], quotient);
        let quotient = self.avx512f._mm512_srli_epi64::<40>(quotient);
        // x + q·(2^260 − p); the mask takes q·2^260 away.
        let mut rest = limbs;
        for i in 0..5 {
            rest[i] = self.ifma._mm512_madd52lo_epu64(rest[i], quotient, negated[i]);
        }
        for i in 0..4 {
            rest[i + 1] = self.ifma._mm512_madd52hi_epu64(rest[i + 1], quotient, negated[i]);
        }
        let mut rest = self.carry(rest);
        rest[4] = self.avx512f._mm512_and_si512(rest[4], mask);
        self.reduce_once::<F>(rest)
    }

    /// The integer below `p` for one below `2p`. All limbs are below `2^52` afterwards; before, they may be wider or
    /// negative.
    #[inline(always)]
    pub(super) fn reduce_once<F: Field>(self, limbs: Limbs) -> Limbs {
        let mask = self.all(MASK);
        // x − p as x + (2^260 − p): bit 260 is set if and only if x is at least p. Neither carry waits for the other.
        let less = self.carry(self.add_limbs(limbs, self.all_limbs(Constants::<F>::NEGATED)));
        let limbs = self.carry(limbs);
        let replace = self.avx512f._mm512_cmpgt_epu64_mask(less[4], mask);
        let mut reduced = limbs;
        for i in 0..5 {
            reduced[i] = self.avx512f._mm512_mask_mov_epi64(limbs[i], replace, less[i]);
        }
        reduced[4] = self.avx512f._mm512_and_si512(reduced[4], mask);
        reduced
    }
}
