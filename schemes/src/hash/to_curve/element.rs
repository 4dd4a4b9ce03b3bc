//! The fields that messages are hashed to.

use ff::{Field, FromUniformBytes, PrimeField};
use halo2curves::{bls12_381, bn256};
use num_bigint::BigUint;
use subtle::{Choice, ConditionallySelectable};

use super::expand::{expand, Tag};

/// Most bytes of a coordinate that is not reduced.
const WIDE: usize = 64;

/// An element of such a field: coordinates over its prime field.
pub trait Element: Field {
    /// Bytes of each coordinate before it is reduced: at least 128 bits more than its prime has, in whole bytes. `L` of RFC
    /// 9380 section 5.1.
    const BYTES: usize;
    /// Coordinates.
    const DEGREE: usize;

    /// The element whose coordinates are these big-endian integers, reduced.
    ///
    /// # Panics
    /// If there are not [`Self::BYTES`] bytes for each coordinate.
    fn reduced(bytes: &[u8]) -> Self;

    /// `sgn0` of RFC 9380 section 4.1: the lowest bit of the first coordinate that is not 0.
    fn sign(&self) -> Choice;

    /// The least integers that represent its coordinates.
    fn integers(&self) -> Vec<BigUint>;

    /// The element with these coordinates, reduced.
    ///
    /// # Panics
    /// If there are not [`Self::DEGREE`] of them.
    fn of_integers(integers: &[BigUint]) -> Self;
}

/// `count` elements from a message, RFC 9380 section 5.2.
pub fn hash_to_field<F: Element>(message: &[u8], tag: &Tag, count: usize) -> Vec<F> {
    let each = F::DEGREE * F::BYTES;
    let bytes = expand(message, tag, count * each);
    bytes.chunks_exact(each).map(F::reduced).collect()
}

/// A big-endian integer modulo the prime.
fn residue<F: FromUniformBytes<WIDE>>(bytes: &[u8], expected: usize) -> F {
    assert_eq!(bytes.len(), expected, "as many bytes as an element takes");
    let mut wide = [0; WIDE];
    wide[..expected].copy_from_slice(bytes);
    wide[..expected].reverse();
    F::from_uniform_bytes(&wide)
}

/// An integer modulo the prime.
fn of_integer<F: PrimeField>(integer: &BigUint) -> F {
    let prime = self::integer(&-F::ONE) + 1u8;
    let bytes = (integer % prime).to_bytes_le();
    let mut repr = F::Repr::default();
    repr.as_mut()[..bytes.len()].copy_from_slice(&bytes);
    F::from_repr(repr).expect("below the prime")
}

fn integer<F: PrimeField>(element: &F) -> BigUint {
    BigUint::from_bytes_le(element.to_repr().as_ref())
}

impl Element for bls12_381::Fq {
    const BYTES: usize = 64;
    const DEGREE: usize = 1;

    fn reduced(bytes: &[u8]) -> Self {
        residue(bytes, Self::BYTES)
    }

    fn sign(&self) -> Choice {
        self.is_odd()
    }

    fn integers(&self) -> Vec<BigUint> {
        vec![integer(self)]
    }

    fn of_integers(integers: &[BigUint]) -> Self {
        assert_eq!(integers.len(), Self::DEGREE, "the coordinates of an element");
        of_integer(&integers[0])
    }
}

impl Element for bn256::Fq {
    const BYTES: usize = 48;
    const DEGREE: usize = 1;

    fn reduced(bytes: &[u8]) -> Self {
        residue(bytes, Self::BYTES)
    }

    fn sign(&self) -> Choice {
        self.is_odd()
    }

    fn integers(&self) -> Vec<BigUint> {
        vec![integer(self)]
    }

    fn of_integers(integers: &[BigUint]) -> Self {
        assert_eq!(integers.len(), Self::DEGREE, "the coordinates of an element");
        of_integer(&integers[0])
    }
}

impl Element for bls12_381::Fq2 {
    const BYTES: usize = 64;
    const DEGREE: usize = 2;

    fn reduced(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), 2 * Self::BYTES, "as many bytes as an element takes");
        let (real, imaginary) = bytes.split_at(Self::BYTES);
        Self { c0: residue(real, Self::BYTES), c1: residue(imaginary, Self::BYTES) }
    }

    fn sign(&self) -> Choice {
        Choice::conditional_select(&self.c0.is_odd(), &self.c1.is_odd(), Field::is_zero(&self.c0))
    }

    fn integers(&self) -> Vec<BigUint> {
        vec![integer(&self.c0), integer(&self.c1)]
    }

    fn of_integers(integers: &[BigUint]) -> Self {
        assert_eq!(integers.len(), Self::DEGREE, "the coordinates of an element");
        Self { c0: of_integer(&integers[0]), c1: of_integer(&integers[1]) }
    }
}
