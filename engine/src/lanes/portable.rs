use halo2curves::ff::PrimeField;

use super::arithmetic::{Lanes, LANES};

/// The library's own arithmetic, always reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl<F: PrimeField> Lanes<F> for Portable {
    type Octet = [F; LANES];
    type Multiplier = [F; LANES];
    type Factor = F;

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn load(self, elements: &[F; LANES]) -> [F; LANES] {
        *elements
    }

    #[inline(always)]
    fn store(self, octet: [F; LANES], elements: &mut [F; LANES]) {
        *elements = octet;
    }

    #[inline(always)]
    fn store_small(self, octet: [F; LANES], elements: &mut [F; LANES]) {
        *elements = octet;
    }

    #[inline(always)]
    fn multiplier(self, elements: &[F; LANES]) -> [F; LANES] {
        *elements
    }

    #[inline(always)]
    fn load_multiplier(self, elements: &[F; LANES]) -> [F; LANES] {
        *elements
    }

    #[inline(always)]
    fn factor(self, element: &F) -> F {
        *element
    }

    #[inline(always)]
    fn splat(self, factor: F) -> [F; LANES] {
        [factor; LANES]
    }

    #[inline(always)]
    fn add(self, mut left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        left.iter_mut().zip(&right).for_each(|(left, right)| *left += right);
        left
    }

    #[inline(always)]
    fn sub<const BOUND: u32>(self, mut left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        left.iter_mut().zip(&right).for_each(|(left, right)| *left -= right);
        left
    }

    #[inline(always)]
    fn mul(self, mut left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        left.iter_mut().zip(&right).for_each(|(left, right)| *left *= right);
        left
    }

    #[inline(always)]
    fn chain(self, left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        <Self as Lanes<F>>::mul(self, left, right)
    }

    #[inline(always)]
    fn transpose(self, octets: [[F; LANES]; LANES]) -> [[F; LANES]; LANES] {
        std::array::from_fn(|lane| octets.map(|octet| octet[lane]))
    }
}
