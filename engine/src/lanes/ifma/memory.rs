//! Elements and points as the words that the library keeps, as vectors of words, and as limbs.

use std::{arch::x86_64::__m512i, io};

use halo2curves::bn256::{Fq, G1Affine};

use super::{
    constants::MASK,
    octet::{Ifma, Limbs},
};
use crate::{field::Field, lanes::LANES};

/// Four words of eight elements: word `i` of all of them in vector `i`.
type Words = [__m512i; 4];

/// Moves to the front the first words of two elements, or the first words of their second halves.
const FRONT: [u64; LANES] = [0, 4, 8, 12, 1, 5, 9, 13];
const BACK: [u64; LANES] = [2, 6, 10, 14, 3, 7, 11, 15];

impl Ifma {
    /// Reads eight elements of four words each, and transposes them: vector `i` has their words `i`.
    #[inline(always)]
    pub(super) fn load_words<F: Field>(self, elements: &[F; LANES]) -> Words {
        self.transpose_pairs(pulp::cast(write_words(elements)))
    }

    /// Reads the x of eight points as [`Self::load_words`] does elements.
    #[inline(always)]
    pub(super) fn load_x_words(self, points: [&G1Affine; LANES]) -> Words {
        self.transpose_pairs(pulp::cast(write_x(points)))
    }

    /// Two elements in each vector; word `i` of all in vector `i`.
    #[inline(always)]
    fn transpose_pairs(self, pairs: Words) -> Words {
        let front = [self.pick(FRONT, pairs[0], pairs[1]), self.pick(FRONT, pairs[2], pairs[3])];
        let back = [self.pick(BACK, pairs[0], pairs[1]), self.pick(BACK, pairs[2], pairs[3])];
        [
            self.lower_halves(front[0], front[1]),
            self.upper_halves(front[0], front[1]),
            self.lower_halves(back[0], back[1]),
            self.upper_halves(back[0], back[1]),
        ]
    }

    /// Writes back to memory what [`Self::load_words`] reads.
    #[inline(always)]
    pub(super) fn store_words<F: Field>(self, words: Words, elements: &mut [F; LANES]) {
        let first = [self.lower_halves(words[0], words[1]), self.lower_halves(words[2], words[3])];
        let last = [self.upper_halves(words[0], words[1]), self.upper_halves(words[2], words[3])];
        let pairs: Words = [
            self.pick(FRONT, first[0], first[1]),
            self.pick(BACK, first[0], first[1]),
            self.pick(FRONT, last[0], last[1]),
            self.pick(BACK, last[0], last[1]),
        ];
        read_words(pulp::cast(pairs), elements);
    }

    /// Reads eight points, a vector each, and transposes them: word `i` of x, and of y, of all of them.
    #[inline(always)]
    pub(super) fn load_point_words(self, points: [&G1Affine; LANES]) -> [Words; 2] {
        let mut rows = [self.all(0); LANES];
        for i in 0..LANES {
            rows[i] = pulp::cast(write_point(points[i]));
        }
        let [a, b, c, d, e, f, g, h] = self.transpose_words(rows);
        [[a, b, c, d], [e, f, g, h]]
    }

    /// What [`Self::load_point_words`] reads, as points.
    #[inline(always)]
    pub(super) fn store_point_words(self, words: [Words; 2]) -> [G1Affine; LANES] {
        let [[a, b, c, d], [e, f, g, h]] = words;
        let rows = self.transpose_words([a, b, c, d, e, f, g, h]);
        let mut points = [G1Affine { x: Fq::zero(), y: Fq::zero() }; LANES];
        for i in 0..LANES {
            points[i] = read_point(pulp::cast(rows[i]));
        }
        points
    }

    /// Integers of four words, times `2^SHIFT`, in limbs. `SHIFT` is at most 4, so that 260 bits hold them.
    #[inline(always)]
    pub(super) fn split<const SHIFT: u32>(self, words: Words) -> Limbs {
        [
            self.low_bits(self.left(words[0], SHIFT)),
            self.low_bits(self.join_at(words[0], words[1], 52 - SHIFT, 64)),
            self.low_bits(self.join_at(words[1], words[2], 40 - SHIFT, 64)),
            self.low_bits(self.join_at(words[2], words[3], 28 - SHIFT, 64)),
            self.right(words[3], 16 - SHIFT),
        ]
    }

    /// Integers below `2^256` of limbs below `2^52`, in four words.
    #[inline(always)]
    pub(super) fn join(self, limbs: Limbs) -> Words {
        [
            self.join_at(limbs[0], limbs[1], 0, 52),
            self.join_at(limbs[1], limbs[2], 12, 52),
            self.join_at(limbs[2], limbs[3], 24, 52),
            self.join_at(limbs[3], limbs[4], 36, 52),
        ]
    }

    /// Lane `i` of vector `j` becomes lane `j` of vector `i`.
    #[inline(always)]
    pub(super) fn transpose_words(self, rows: [__m512i; LANES]) -> [__m512i; LANES] {
        let f = self.avx512f;
        let mut columns = rows;
        for side in 0..2 {
            // Of pair i, 128-bit lane l has rows 2i and 2i + 1 of column 2l + side.
            let mut pairs = [rows[0]; 4];
            for i in 0..4 {
                pairs[i] = if side == 0 {
                    f._mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1])
                } else {
                    f._mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1])
                };
            }
            // Then 128-bit lanes are moved: those with even l, and those with odd l.
            let even = [self.even(pairs[0], pairs[1]), self.even(pairs[2], pairs[3])];
            let odd = [self.odd(pairs[0], pairs[1]), self.odd(pairs[2], pairs[3])];
            columns[side] = self.even(even[0], even[1]);
            columns[side + 2] = self.even(odd[0], odd[1]);
            columns[side + 4] = self.odd(even[0], even[1]);
            columns[side + 6] = self.odd(odd[0], odd[1]);
        }
        columns
    }

    #[inline(always)]
    fn pick(self, indices: [u64; LANES], left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_permutex2var_epi64(left, pulp::cast(indices), right)
    }

    #[inline(always)]
    fn even(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0x88>(left, right)
    }

    #[inline(always)]
    fn odd(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0xdd>(left, right)
    }

    #[inline(always)]
    fn lower_halves(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0x44>(left, right)
    }

    #[inline(always)]
    fn upper_halves(self, left: __m512i, right: __m512i) -> __m512i {
        self.avx512f._mm512_shuffle_i64x2::<0xee>(left, right)
    }

    /// `low` without its `drop` lowest bits, joined with `high`, which begins at bit `bits` of the two.
    #[inline(always)]
    fn join_at(self, low: __m512i, high: __m512i, drop: u32, bits: u32) -> __m512i {
        self.avx512f._mm512_or_si512(self.right(low, drop), self.left(high, bits - drop))
    }

    #[inline(always)]
    fn low_bits(self, vector: __m512i) -> __m512i {
        self.avx512f._mm512_and_si512(vector, self.all(MASK))
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

/// The words of elements in memory, in the library's form. An element exposes them only to a writer.
#[inline(always)]
pub(super) fn write_words<F: Field>(elements: &[F; LANES]) -> [[u64; 4]; LANES] {
    let mut all = [[0; 4]; LANES];
    for (words, element) in all.iter_mut().zip(elements) {
        *words = element_words(element);
    }
    all
}

/// Elements from words in the library's form, which are below `p`.
#[inline(always)]
fn read_words<F: Field>(all: [[u64; 4]; LANES], elements: &mut [F; LANES]) {
    for (words, element) in all.into_iter().zip(elements) {
        *element = element_of(words);
    }
}

/// The words of a point's coordinates, x before y.
#[inline(always)]
fn write_point(point: &G1Affine) -> [[u64; 4]; 2] {
    [element_words(&point.x), element_words(&point.y)]
}

/// The words of eight points' x.
#[inline(always)]
fn write_x(points: [&G1Affine; LANES]) -> [[u64; 4]; LANES] {
    let mut all = [[0; 4]; LANES];
    for (words, point) in all.iter_mut().zip(points) {
        *words = element_words(&point.x);
    }
    all
}

/// The point that [`write_point`] wrote.
#[inline(always)]
fn read_point([x, y]: [[u64; 4]; 2]) -> G1Affine {
    G1Affine { x: element_of(x), y: element_of(y) }
}

#[inline(always)]
fn element_words<F: Field>(element: &F) -> [u64; 4] {
    let mut writer = WordByWord { words: [0; 4], next: 0 };
    element.write_raw(&mut writer).expect("an element has four words");
    writer.words
}

#[inline(always)]
fn element_of<F: Field>(words: [u64; 4]) -> F {
    F::read_raw_unchecked(&mut WordByWord { words, next: 0 })
}

/// Four words that the library reads or writes in order, one at a time. That compiles to copies, unlike
/// reading from a slice of bytes.
struct WordByWord {
    words: [u64; 4],
    next: usize,
}

impl io::Write for WordByWord {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline(always)]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let word = bytes.try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
        self.words[self.next] = u64::from_le_bytes(word);
        self.next += 1;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Read for WordByWord {
    #[inline(always)]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.read_exact(bytes).map(|()| bytes.len())
    }

    #[inline(always)]
    fn read_exact(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        bytes.copy_from_slice(&self.words[self.next].to_le_bytes());
        self.next += 1;
        Ok(())
    }
}
