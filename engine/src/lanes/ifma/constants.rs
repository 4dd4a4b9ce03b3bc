use std::marker::PhantomData;

use crate::{field::Field, lanes::GREATEST};

/// A limb's bits.
pub(super) const BITS: u32 = 52;

/// All bits of a limb.
pub(super) const MASK: u64 = (1 << BITS) - 1;

/// Four words of 64 bits as five limbs of 52.
pub(super) const fn split(words: [u64; 4]) -> [u64; 5] {
    [
        words[0] & MASK,
        (words[0] >> 52 | words[1] << 12) & MASK,
        (words[1] >> 40 | words[2] << 24) & MASK,
        (words[2] >> 28 | words[3] << 36) & MASK,
        words[3] >> 16,
    ]
}

/// What the arithmetic of a field needs to know about its prime.
pub(super) struct Constants<F>(PhantomData<F>);

impl<F: Field> Constants<F> {
    /// `p` in limbs.
    pub(super) const PRIME: [u64; 5] = split(F::WORDS);

    /// `−1/p` modulo `2^52`.
    pub(super) const INVERSE: u64 = {
        let mut inverse: u64 = 1;
        let mut bits = 1;
        // Newton's iteration doubles the number of correct bits.
        while bits < BITS {
            let error = Self::PRIME[0].wrapping_mul(inverse);
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(error));
            bits *= 2;
        }
        inverse.wrapping_neg() & MASK
    };

    /// `2^260 − p` in limbs.
    pub(super) const NEGATED: [u64; 5] = {
        let mut limbs = [0; 5];
        let mut borrow = 0;
        let mut i = 0;
        while i < limbs.len() {
            let difference = 0u64.wrapping_sub(Self::PRIME[i] + borrow);
            limbs[i] = difference & MASK;
            borrow = 1;
            i += 1;
        }
        limbs
    };

    /// `⌊2^92 / (p₄ + 1)⌋`, where `p₄` is the highest limb of `p`.
    pub(super) const QUOTIENT: u64 = {
        // p is in this range.
        assert!(Self::PRIME[4] >= 1 << 45 && Self::PRIME[4] < 1 << 46);
        // The greatest integers that occur fit into five limbs.
        assert!((Self::PRIME[4] + 1) * (GREATEST as u64) <= 1 << BITS);
        ((1u128 << 92) / (Self::PRIME[4] as u128 + 1)) as u64
    };
}

/// Multiples of a field's prime.
pub(super) struct Multiples<F>(PhantomData<F>);

impl<F: Field> Multiples<F> {
    /// `0·p`, `p`, `2p` and so on, limb by limb: a limb may exceed 52 bits.
    pub(super) const LIMBS: &'static [[u64; 5]; GREATEST as usize + 1] = &{
        let mut multiples = [[0; 5]; GREATEST as usize + 1];
        let mut times = 1;
        while times < multiples.len() {
            let mut i = 0;
            while i < 5 {
                multiples[times][i] = Constants::<F>::PRIME[i] * times as u64;
                i += 1;
            }
            times += 1;
        }
        multiples
    };
}
