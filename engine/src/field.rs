use std::io;

use halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::PrimeField,
    serde::SerdeObject,
};

mod sealed {
    pub trait Sealed {}
}

/// A field of BN254: [`Fr`], the scalars, or [`Fq`], the coordinates.
///
/// The library keeps an element `x` as four little-endian words of the integer `x·2^256 mod p`.
pub trait Field: PrimeField + SerdeObject + sealed::Sealed {
    /// The prime `p`, in four little-endian words.
    const WORDS: [u64; 4];
}

impl sealed::Sealed for Fr {}

impl Field for Fr {
    const WORDS: [u64; 4] =
        [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];
}

impl sealed::Sealed for Fq {}

impl Field for Fq {
    const WORDS: [u64; 4] =
        [0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029];
}

/// The words of elements in memory, in the library's form. An element shows them only to a writer.
#[inline(always)]
pub(crate) fn write_words<F: Field>(elements: &[F; 8]) -> [[u64; 4]; 8] {
    let mut all = [[0; 4]; 8];
    for (words, element) in all.iter_mut().zip(elements) {
        *words = element_words(element);
    }
    all
}

/// Elements of words in the library's form, which are below `p`.
#[inline(always)]
pub(crate) fn read_words<F: Field>(all: [[u64; 4]; 8], elements: &mut [F; 8]) {
    for (words, element) in all.into_iter().zip(elements) {
        *element = element_of(words);
    }
}

/// The words of a point's coordinates, x before y.
#[inline(always)]
pub(crate) fn write_point(point: &G1Affine) -> [[u64; 4]; 2] {
    [element_words(&point.x), element_words(&point.y)]
}

/// A point of what [`write_point`] gives.
#[inline(always)]
pub(crate) fn read_point([x, y]: [[u64; 4]; 2]) -> G1Affine {
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

/// Four words that the library reads or writes in order, one at a time. That compiles to copies, as
/// reading from a slice of bytes does not.
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
