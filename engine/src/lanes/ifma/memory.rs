use std::arch::x86_64::__m512i;

use super::{constants::MASK, octet::Limbs, token::Ifma};
use crate::{
    field::{read_words, write_words, Field},
    lanes::arithmetic::LANES,
};

/// Four words of eight elements: word `i` of all of them in vector `i`.
type Words = [__m512i; 4];

impl Ifma {
    /// Reads eight elements of four words each, and turns them: vector `i` has their words `i`.
    #[inline(always)]
    pub(super) fn load_words<F: Field>(self, elements: &[F; LANES]) -> Words {
        let pairs: Words = pulp::cast(write_words(elements));
        let even = self.indices([0, 4, 8, 12, 1, 5, 9, 13]);
        let odd = self.indices([2, 6, 10, 14, 3, 7, 11, 15]);
        let [lower, upper] = [[0, 1], [2, 3]].map(|[left, right]| {
            [even, odd].map(|indices| {
                self.avx512f._mm512_permutex2var_epi64(pairs[left], indices, pairs[right])
            })
        });
        [
            self.lower_halves(lower[0], upper[0]),
            self.upper_halves(lower[0], upper[0]),
            self.lower_halves(lower[1], upper[1]),
            self.upper_halves(lower[1], upper[1]),
        ]
    }

    /// What [`Self::load_words`] reads, back to memory.
    #[inline(always)]
    pub(super) fn store_words<F: Field>(self, words: Words, elements: &mut [F; LANES]) {
        let lower = [[0, 1], [2, 3]].map(|[i, j]| self.lower_halves(words[i], words[j]));
        let upper = [[0, 1], [2, 3]].map(|[i, j]| self.upper_halves(words[i], words[j]));
        let first = self.indices([0, 4, 8, 12, 1, 5, 9, 13]);
        let second = self.indices([2, 6, 10, 14, 3, 7, 11, 15]);
        let [a, c] = [lower, upper].map(|[left, right]| {
            [first, second]
                .map(|indices| self.avx512f._mm512_permutex2var_epi64(left, indices, right))
        });
        let pairs: Words = [a[0], a[1], c[0], c[1]];
        read_words(&pulp::cast(pairs), elements);
    }

    /// Integers of four words, times `2^SHIFT`, in limbs. `SHIFT` is at most 4, so that 260 bits hold them.
    #[inline(always)]
    pub(super) fn split<const SHIFT: u32>(self, words: Words) -> Limbs {
        let mask = self.all(MASK);
        let piece = |i: usize, drop: u32| {
            let upper = self.left(words[i], 64 - drop);
            let lower = self.right(words[i - 1], drop);
            self.avx512f._mm512_and_si512(self.avx512f._mm512_or_si512(lower, upper), mask)
        };
        [
            self.avx512f._mm512_and_si512(self.left(words[0], SHIFT), mask),
            piece(1, 52 - SHIFT),
            piece(2, 40 - SHIFT),
            piece(3, 28 - SHIFT),
            self.right(words[3], 16 - SHIFT),
        ]
    }

    /// Integers below `2^256` of limbs below `2^52`, in four words.
    #[inline(always)]
    pub(super) fn join(self, limbs: Limbs) -> Words {
        let piece = |i: usize, drop: u32| {
            let upper = self.left(limbs[i + 1], 52 - drop);
            self.avx512f._mm512_or_si512(self.right(limbs[i], drop), upper)
        };
        [piece(0, 0), piece(1, 12), piece(2, 24), piece(3, 36)]
    }

    /// Lane `i` of vector `j` becomes lane `j` of vector `i`.
    #[inline(always)]
    pub(super) fn transpose_words(self, rows: [__m512i; LANES]) -> [__m512i; LANES] {
        let f = self.avx512f;
        let low = |i| f._mm512_unpacklo_epi64(rows[i], rows[i + 1]);
        let high = |i| f._mm512_unpackhi_epi64(rows[i], rows[i + 1]);
        // Now lane 2l of pair [side][i] is what column 2l + side has in row 2i, and lane 2l + 1 what it
        // has in row 2i + 1. Then 128 bits are moved at a time.
        let pairs = [[low(0), low(2), low(4), low(6)], [high(0), high(2), high(4), high(6)]];
        let columns = pairs.map(|[a, b, c, d]| {
            let even = [f._mm512_shuffle_i64x2::<0x88>(a, b), f._mm512_shuffle_i64x2::<0x88>(c, d)];
            let odd = [f._mm512_shuffle_i64x2::<0xdd>(a, b), f._mm512_shuffle_i64x2::<0xdd>(c, d)];
            [
                f._mm512_shuffle_i64x2::<0x88>(even[0], even[1]),
                f._mm512_shuffle_i64x2::<0x88>(odd[0], odd[1]),
                f._mm512_shuffle_i64x2::<0xdd>(even[0], even[1]),
                f._mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1]),
            ]
        });
        std::array::from_fn(|column| columns[column % 2][column / 2])
    }

    #[inline(always)]
    fn indices(self, indices: [u64; LANES]) -> __m512i {
        pulp::cast(indices)
    }

    #[inline(always)]
    fn lower_halves(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0x44>(left, right)
    }

    #[inline(always)]
    fn upper_halves(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0xee>(left, right)
    }

    #[inline(always)]
    fn left(self, vector: __m512i, bits: u32) -> __m512i {
        self.avx512f._mm512_sllv_epi64(vector, self.all(u64::from(bits)))
    }

    #[inline(always)]
    fn right(self, vector: __m512i, bits: u32) -> __m512i {
        self.avx512f._mm512_srlv_epi64(vector, self.all(u64::from(bits)))
    }
}
