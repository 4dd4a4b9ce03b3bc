//! Arithmetic modulo primes other than the native one: fields by coordinates over their prime field.

pub mod foreign;
mod integer;

pub use integer::{element, modulus, number};
pub(crate) use integer::{
    from_big_endian, halves, hex, in_bytes, of_bytes, small, to_big_endian, words,
};

use ff::{Field, FromUniformBytes, PrimeField};
use halo2curves::{bls12_381, bn256};
use num_bigint::BigUint;
use subtle::{Choice, ConditionallySelectable};

/// Most bytes of a coordinate that is not reduced.
const WIDE: usize = 64;

/// A base field of a curve, or its quadratic extension: an element is as many coordinates as the degree. A circuit has
/// more to say of such a field, the forms of products, so it has a trait of its own above this one.
pub trait ExtensionField: PrimeField {
    /// Coordinates of an element.
    const DEGREE: usize;
    /// Bytes of each coordinate before it is reduced where messages are hashed to the field: at least 128 bits more than
    /// its prime has, in whole bytes. `L` of RFC 9380 section 5.1.
    const BYTES: usize;

    /// The element whose coordinates are these big-endian integers, reduced.
    ///
    /// # Panics
    /// If there are not [`Self::BYTES`] bytes for each coordinate.
    fn reduced(bytes: &[u8]) -> Self;

    /// `sgn0` of RFC 9380 section 4.1: the lowest bit of the first coordinate that is not 0.
    fn sign(&self) -> Choice;

    /// The least integers that represent its coordinates, that of 1 first.
    fn integers(&self) -> Vec<BigUint>;

    /// The element with these coordinates, reduced.
    ///
    /// # Panics
    /// If there are not [`Self::DEGREE`] of them.
    fn of_integers(integers: &[BigUint]) -> Self;

    /// [`Self::integers`], as many as the degree.
    fn coefficients<const D: usize>(&self) -> [BigUint; D] {
        const { assert!(D == Self::DEGREE, "the coordinates of an element") };
        self.integers().try_into().expect("as many as the degree")
    }
}

macro_rules! prime {
    ($field:ty, $bytes:literal) => {
        impl ExtensionField for $field {
            const DEGREE: usize = 1;
            const BYTES: usize = $bytes;

            fn reduced(bytes: &[u8]) -> Self {
                residue(bytes, Self::BYTES)
            }

            fn sign(&self) -> Choice {
                self.is_odd()
            }

            fn integers(&self) -> Vec<BigUint> {
                vec![number(self)]
            }

            fn of_integers(integers: &[BigUint]) -> Self {
                assert_eq!(integers.len(), Self::DEGREE, "the coordinates of an element");
                of_integer(&integers[0])
            }
        }
    };
}

macro_rules! quadratic {
    ($field:ty, $bytes:literal) => {
        impl ExtensionField for $field {
            const DEGREE: usize = 2;
            const BYTES: usize = $bytes;

            fn reduced(bytes: &[u8]) -> Self {
                assert_eq!(bytes.len(), 2 * Self::BYTES, "as many bytes as an element takes");
                let (real, imaginary) = bytes.split_at(Self::BYTES);
                Self { c0: residue(real, Self::BYTES), c1: residue(imaginary, Self::BYTES) }
            }

            fn sign(&self) -> Choice {
                let [real, imaginary] = [self.c0.is_odd(), self.c1.is_odd()];
                Choice::conditional_select(&real, &imaginary, Field::is_zero(&self.c0))
            }

            fn integers(&self) -> Vec<BigUint> {
                vec![number(&self.c0), number(&self.c1)]
            }

            fn of_integers(integers: &[BigUint]) -> Self {
                assert_eq!(integers.len(), Self::DEGREE, "the coordinates of an element");
                Self { c0: of_integer(&integers[0]), c1: of_integer(&integers[1]) }
            }
        }
    };
}

prime!(bn256::Fq, 48);
prime!(bls12_381::Fq, 64);
quadratic!(bn256::Fq2, 48);
quadratic!(bls12_381::Fq2, 64);

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
    element(&(integer % modulus::<F>()))
}
