//! Elements and points as the words that the library keeps.

use std::io;

use halo2curves::bn256::G1Affine;

use crate::{field::Field, lanes::arithmetic::LANES};

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
pub(super) fn read_words<F: Field>(all: [[u64; 4]; LANES], elements: &mut [F; LANES]) {
    for (words, element) in all.into_iter().zip(elements) {
        *element = element_of(words);
    }
}

/// The words of a point's coordinates, x before y.
#[inline(always)]
pub(super) fn write_point(point: &G1Affine) -> [[u64; 4]; 2] {
    [element_words(&point.x), element_words(&point.y)]
}

/// The words of eight points' x.
#[inline(always)]
pub(super) fn write_x(points: [&G1Affine; LANES]) -> [[u64; 4]; LANES] {
    let mut all = [[0; 4]; LANES];
    for (words, point) in all.iter_mut().zip(points) {
        *words = element_words(&point.x);
    }
    all
}

/// The point that [`write_point`] wrote.
#[inline(always)]
pub(super) fn read_point([x, y]: [[u64; 4]; 2]) -> G1Affine {
    G1Affine { x: element_of(x), y: element_of(y) }
}

#[inline(always)]
fn element_words<F: Field>(element: &F) -> [u64; 4] {
    let mut writer = Words { words: [0; 4], next: 0 };
    element.write_raw(&mut writer).expect("an element has four words");
    writer.words
}

#[inline(always)]
fn element_of<F: Field>(words: [u64; 4]) -> F {
    F::read_raw_unchecked(&mut Words { words, next: 0 })
}

/// Four words that the library reads or writes in order, one at a time. That compiles to copies, unlike
/// reading from a slice of bytes.
struct Words {
    words: [u64; 4],
    next: usize,
}

impl io::Write for Words {
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

impl io::Read for Words {
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
