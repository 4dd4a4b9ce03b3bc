//! Eight elements in the lanes of 512-bit registers, with the instructions of AVX-512 IFMA: they
//! multiply two integers of 52 bits and add the lower or the upper half of the product to one of 64.

mod constants;
mod memory;
mod octet;
mod token;
mod words;

use std::marker::PhantomData;

use halo2curves::bn256::{Fq, G1Affine};

use super::{
    arithmetic::{Lanes, LANES},
    points::Points,
};
use crate::field::Field;
use constants::Multiples;
use octet::{Limbs, WideLimbs};
pub(crate) use token::Ifma;
use words::write_words;

/// Eight integers in limbs of 52 bits, a vector for each limb. Sums and differences leave limbs that
/// are wider, or negative; the integers are not. `|limb| < 2^63`: in sums and differences of the bound `b` a limb
/// is at most `(b²/4 + b/2)·2^52`, since a difference adds its multiple of `p` and whatever is negative in its right
/// side. At 84, the greatest bound, that is `1806·2^52`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octet<F>(Limbs, PhantomData<F>);

/// Eight integers with limbs below `2^52`. A field element is held times `2^260`, so that a product keeps the form of
/// its left side, or times `2^256·16`, which is the same number with less work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Multiplier<F>(Limbs, PhantomData<F>);

/// One reduced integer in five limbs below `2^52`: a field element times `2^260`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factor<F>([u64; 5], PhantomData<F>);

/// Sums of products of limbs, see [`Ifma::add_product`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide<F>(WideLimbs, PhantomData<F>);

impl<F: Field> Lanes<F> for Ifma {
    type Octet = Octet<F>;
    type Multiplier = Multiplier<F>;
    type Factor = Factor<F>;
    type Wide = Wide<F>;

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

    #[inline(always)]
    fn store_small(self, octet: Octet<F>, elements: &mut [F; LANES]) {
        self.store_words(self.join(self.reduce_once::<F>(octet.0)), elements);
    }

    #[inline(always)]
    fn multiply(self, elements: &mut [F; LANES], right: Multiplier<F>) {
        let left = self.split::<0>(self.load_words(elements));
        let limbs = self.reduced_product::<F>(left, right.0);
        self.store_words(self.join(limbs), elements);
    }

    fn multiplier(self, elements: &[F; LANES]) -> Multiplier<F> {
        let raised = elements.map(|element| element * F::from(16));
        let limbs = self.vectorize(
            #[inline(always)]
            || self.split::<0>(self.load_words(&raised)),
        );
        Multiplier(limbs, PhantomData)
    }

    #[inline(always)]
    fn load_multiplier(self, elements: &[F; LANES]) -> Multiplier<F> {
        Multiplier(self.split::<4>(self.load_words(elements)), PhantomData)
    }

    fn factor(self, element: &F) -> Factor<F> {
        let raised = *element * F::from(16);
        let [words, ..] = write_words(&[raised; LANES]);
        Factor(constants::split(words), PhantomData)
    }

    #[inline(always)]
    fn splat(self, factor: Factor<F>) -> Multiplier<F> {
        Multiplier(self.all_limbs(factor.0), PhantomData)
    }

    #[inline(always)]
    fn add(self, left: Octet<F>, right: Octet<F>) -> Octet<F> {
        Octet(self.add_limbs(left.0, right.0), PhantomData)
    }

    #[inline(always)]
    fn sub<const BOUND: u32>(self, left: Octet<F>, right: Octet<F>) -> Octet<F> {
        let multiple = const { Multiples::<F>::LIMBS[BOUND as usize] };
        Octet(self.sub_limbs(left.0, right.0, multiple), PhantomData)
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
    fn sum(self, left: Multiplier<F>, right: Multiplier<F>) -> Multiplier<F> {
        Multiplier(self.carry(self.add_limbs(left.0, right.0)), PhantomData)
    }

    #[inline(always)]
    fn difference(self, left: Multiplier<F>, right: Multiplier<F>, bound: u32) -> Multiplier<F> {
        let multiple = Multiples::<F>::LIMBS[bound as usize];
        let limbs = self.sub_limbs(left.0, right.0, multiple);
        Multiplier(self.carry(limbs), PhantomData)
    }

    #[inline(always)]
    fn wide(self) -> Wide<F> {
        Wide(self.no_products(), PhantomData)
    }

    #[inline(always)]
    fn accumulate(self, wide: Wide<F>, left: Multiplier<F>, right: Multiplier<F>) -> Wide<F> {
        Wide(self.add_product(wide.0, left.0, right.0), PhantomData)
    }

    #[inline(always)]
    fn narrow(self, wide: Wide<F>) -> Multiplier<F> {
        Multiplier(self.reduce_products::<F>(wide.0), PhantomData)
    }

    #[inline(always)]
    fn transpose(self, octets: [Octet<F>; LANES]) -> [Octet<F>; LANES] {
        let mut turned = octets;
        for limb in 0..5 {
            let mut rows = [octets[0].0[limb]; LANES];
            for i in 1..LANES {
                rows[i] = octets[i].0[limb];
            }
            let columns = self.transpose_words(rows);
            for i in 0..LANES {
                turned[i].0[limb] = columns[i];
            }
        }
        turned
    }
}

impl Points for Ifma {
    #[inline(always)]
    fn load_points(self, points: [&G1Affine; LANES]) -> [Octet<Fq>; 2] {
        let [x, y] = self.load_point_words(points);
        [Octet(self.split::<0>(x), PhantomData), Octet(self.split::<0>(y), PhantomData)]
    }

    #[inline(always)]
    fn load_x(self, points: [&G1Affine; LANES]) -> Octet<Fq> {
        Octet(self.split::<0>(self.load_x_words(points)), PhantomData)
    }

    #[inline(always)]
    fn store_points(self, x: Octet<Fq>, y: Octet<Fq>) -> [G1Affine; LANES] {
        let x = self.join(self.reduce::<Fq>(x.0));
        let y = self.join(self.reduce::<Fq>(y.0));
        self.store_point_words([x, y])
    }

    #[inline(always)]
    fn to_multiplier(self, octet: Octet<Fq>) -> Multiplier<Fq> {
        Multiplier(self.times_16(octet.0), PhantomData)
    }

    #[inline(always)]
    fn has_zero(self, octet: Octet<Fq>) -> bool {
        self.is_zero(octet.0) != 0
    }

    #[inline(always)]
    fn has_equal(self, left: Octet<Fq>, right: Octet<Fq>) -> bool {
        self.is_equal(left.0, right.0) != 0
    }
}
