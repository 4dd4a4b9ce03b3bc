//! Eight elements in the lanes of 512-bit registers, with the instructions of AVX-512 IFMA: they
//! multiply two integers of 52 bits and add the lower or the upper half of the product to one of 64.

mod constants;
mod memory;
mod octet;
mod token;

use std::marker::PhantomData;

use super::arithmetic::{Lanes, LANES};
use crate::field::Field;
use octet::Limbs;
pub(crate) use token::Ifma;

/// Eight integers in limbs of 52 bits, a vector for each limb. Sums and differences leave limbs that
/// are wider, or negative; the integers are not. `|limb| < 2^60`, because the bound is at most 84, and
/// each operation adds no more than `2^53` to a limb for each `p` that it adds to the bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octet<F>(Limbs, PhantomData<F>);

/// Eight integers with limbs below `2^52`. A number of the field is there times `2^260`, so that a product
/// keeps the form of its left side, or times `2^256·16`, which is the same number with less work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiplier<F>(Limbs, PhantomData<F>);

/// One reduced integer in five limbs below `2^52`: a number of the field times `2^260`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor<F>([u64; 5], PhantomData<F>);

impl<F: Field> Lanes<F> for Ifma {
    type Octet = Octet<F>;
    type Multiplier = Multiplier<F>;
    type Factor = Factor<F>;

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        Ifma::vectorize(self, work)
    }

    #[inline(always)]
    fn load(self, elements: &[F; LANES]) -> Octet<F> {
        Octet(self.split::<0>(self.load_words(elements)), PhantomData)
    }

    #[inline(always)]
    fn store(self, octet: Octet<F>, elements: &mut [F; LANES]) {
        self.store_words(self.join(self.reduce::<F>(octet.0)), elements);
    }

    fn multiplier(self, elements: &[F; LANES]) -> Multiplier<F> {
        let raised = elements.map(|element| element * F::from(16));
        Multiplier(self.vectorize(|| self.split::<0>(self.load_words(&raised))), PhantomData)
    }

    #[inline(always)]
    fn load_multiplier(self, elements: &[F; LANES]) -> Multiplier<F> {
        Multiplier(self.split::<4>(self.load_words(elements)), PhantomData)
    }

    fn factor(self, element: &F) -> Factor<F> {
        let mut bytes = [0; 32];
        let mut writer = &mut bytes[..];
        (*element * F::from(16)).write_raw(&mut writer).expect("an element has 32 bytes");
        let words = [0, 8, 16, 24].map(|i| {
            u64::from_le_bytes(bytes[i..i + 8].try_into().expect("eight bytes make a word"))
        });
        Factor(constants::split(words), PhantomData)
    }

    #[inline(always)]
    fn splat(self, factor: Factor<F>) -> Multiplier<F> {
        Multiplier(factor.0.map(|limb| self.all(limb)), PhantomData)
    }

    #[inline(always)]
    fn add(self, left: Octet<F>, right: Octet<F>) -> Octet<F> {
        Octet(self.add_limbs(left.0, right.0), PhantomData)
    }

    #[inline(always)]
    fn sub<const BOUND: u32>(self, left: Octet<F>, right: Octet<F>) -> Octet<F> {
        Octet(self.sub_limbs::<F, BOUND>(left.0, right.0), PhantomData)
    }

    #[inline(always)]
    fn mul(self, left: Octet<F>, right: Multiplier<F>) -> Octet<F> {
        Octet(self.montgomery::<F>(self.carry(left.0), right.0), PhantomData)
    }

    #[inline(always)]
    fn chain(self, left: Multiplier<F>, right: Multiplier<F>) -> Multiplier<F> {
        Multiplier(self.montgomery::<F>(left.0, right.0), PhantomData)
    }

    #[inline(always)]
    fn transpose(self, octets: [Octet<F>; LANES]) -> [Octet<F>; LANES] {
        let limbs: [[_; LANES]; 5] =
            std::array::from_fn(|limb| self.transpose_words(octets.map(|octet| octet.0[limb])));
        std::array::from_fn(|lane| Octet(limbs.map(|limb| limb[lane]), PhantomData))
    }
}
