use std::arch::x86_64::__m512i;

use super::{
    constants::{Constants, Multiple, BITS, MASK},
    token::Ifma,
};
use crate::field::Field;

/// Limb `i` of eight integers in vector `i`.
pub(super) type Limbs = [__m512i; 5];

impl Ifma {
    /// The same word in all lanes.
    #[inline(always)]
    pub(super) fn all(self, word: u64) -> __m512i {
        pulp::cast([word; 8])
    }

    #[inline(always)]
    pub(super) fn add_limbs(self, left: Limbs, right: Limbs) -> Limbs {
        std::array::from_fn(|i| self.avx512f._mm512_add_epi64(left[i], right[i]))
    }

    /// `left − right + BOUND·p`, which is not negative if `right` is below `BOUND·p`. Limbs may be.
    #[inline(always)]
    pub(super) fn sub_limbs<F: Field, const BOUND: u32>(self, left: Limbs, right: Limbs) -> Limbs {
        let raise = Multiple::<F, BOUND>::LIMBS.map(|limb| self.all(limb));
        let raised = self.add_limbs(left, raise);
        std::array::from_fn(|i| self.avx512f._mm512_sub_epi64(raised[i], right[i]))
    }

    /// Takes carries along, so that all limbs are below `2^52`, provided that the integers are below
    /// `2^260` and not negative. Limbs may be: the shift keeps the sign.
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
    /// For integers below `a·p` and `b·p` it is below `(ab·p/2^260 + 1)·p`, hence below `2p` if
    /// `ab ≤ 84`. The accumulators stay far below `2^64`: at most 21 numbers below `2^52` are added to one.
    #[inline(always)]
    pub(super) fn montgomery<F: Field>(self, left: Limbs, right: Limbs) -> Limbs {
        let zero = self.all(0);
        let mut wide = [zero; 10];
        for i in 0..5 {
            for j in 0..5 {
                wide[i + j] = self.ifma._mm512_madd52lo_epu64(wide[i + j], left[j], right[i]);
            }
            for j in 0..5 {
                wide[i + j + 1] =
                    self.ifma._mm512_madd52hi_epu64(wide[i + j + 1], left[j], right[i]);
            }
        }
        self.divide::<F>(wide)
    }

    /// Divides by `2^260` modulo `p`: for each limb, from the lowest, a multiple of `p` that makes it zero is
    /// added, and the rest of the limb is carried.
    #[inline(always)]
    fn divide<F: Field>(self, mut wide: [__m512i; 10]) -> Limbs {
        let prime = Constants::<F>::PRIME.map(|limb| self.all(limb));
        let inverse = self.all(Constants::<F>::INVERSE);
        let (zero, mask) = (self.all(0), self.all(MASK));
        for i in 0..5 {
            let quotient = self.ifma._mm512_madd52lo_epu64(zero, wide[i], inverse);
            // The lower half of quotient·p₀ would be what the lower 52 bits lack of 2^52, or nothing if they
            // are zero. The sum's carry is thus that of the greatest number of 52 bits.
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
        self.carry([a, b, c, d, e])
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
        let negated = Constants::<F>::NEGATED.map(|limb| self.all(limb));
        let limbs = self.carry(limbs);
        let quotient = self.all(Constants::<F>::QUOTIENT);
        let quotient = self.ifma._mm512_madd52hi_epu64(zero, limbs[4], quotient);
        let quotient = self.avx512f._mm512_srli_epi64::<40>(quotient);
        // x + q·(2^260 − p), of which the mask takes q·2^260 away.
        let mut rest = limbs;
        for i in 0..5 {
            rest[i] = self.ifma._mm512_madd52lo_epu64(rest[i], quotient, negated[i]);
        }
        for i in 0..4 {
            rest[i + 1] = self.ifma._mm512_madd52hi_epu64(rest[i + 1], quotient, negated[i]);
        }
        let mut rest = self.carry(rest);
        rest[4] = self.avx512f._mm512_and_si512(rest[4], mask);
        // x − p as x + (2^260 − p): there is a bit 260 if and only if x is p or more.
        let less = self.carry(self.add_limbs(rest, negated));
        let replace = self.avx512f._mm512_cmpgt_epu64_mask(less[4], mask);
        let mut reduced: Limbs =
            std::array::from_fn(|i| self.avx512f._mm512_mask_mov_epi64(rest[i], replace, less[i]));
        reduced[4] = self.avx512f._mm512_and_si512(reduced[4], mask);
        reduced
    }
}
