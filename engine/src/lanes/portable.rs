use halo2curves::{
    bn256::{Fq, G1Affine},
    ff::PrimeField,
};

use super::{Lanes, Points, LANES};

/// The library's own arithmetic, always reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl<F: PrimeField> Lanes<F> for Portable {
    type Octet = [F; LANES];
    type Multiplier = [F; LANES];
    type Factor = F;
    type Wide = [F; LANES];

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
    fn multiply(self, elements: &mut [F; LANES], right: [F; LANES]) {
        *elements = <Self as Lanes<F>>::mul(self, *elements, right);
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
    fn sum(self, left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        <Self as Lanes<F>>::add(self, left, right)
    }

    #[inline(always)]
    fn difference(self, left: [F; LANES], right: [F; LANES], _: u32) -> [F; LANES] {
        <Self as Lanes<F>>::sub::<1>(self, left, right)
    }

    #[inline(always)]
    fn wide(self) -> [F; LANES] {
        [F::ZERO; LANES]
    }

    /// In one loop: by way of [`mul`](Lanes::mul), whose eight products are copied, the quotient of a proof takes a tenth longer.
    #[inline(always)]
    fn accumulate(self, mut wide: [F; LANES], left: [F; LANES], right: [F; LANES]) -> [F; LANES] {
        for ((wide, left), right) in wide.iter_mut().zip(&left).zip(&right) {
            *wide += *left * right;
        }
        wide
    }

    #[inline(always)]
    fn narrow(self, wide: [F; LANES]) -> [F; LANES] {
        wide
    }

    #[inline(always)]
    fn transpose(self, octets: [[F; LANES]; LANES]) -> [[F; LANES]; LANES] {
        std::array::from_fn(|lane| octets.map(|octet| octet[lane]))
    }
}

impl Points for Portable {
    #[inline(always)]
    fn load_points(self, points: [&G1Affine; LANES]) -> [[Fq; LANES]; 2] {
        [points.map(|point| point.x), points.map(|point| point.y)]
    }

    #[inline(always)]
    fn load_x(self, points: [&G1Affine; LANES]) -> [Fq; LANES] {
        points.map(|point| point.x)
    }

    #[inline(always)]
    fn store_points(self, x: [Fq; LANES], y: [Fq; LANES]) -> [G1Affine; LANES] {
        std::array::from_fn(|lane| G1Affine { x: x[lane], y: y[lane] })
    }

    #[inline(always)]
    fn to_multiplier(self, octet: [Fq; LANES]) -> [Fq; LANES] {
        octet
    }

    #[inline(always)]
    fn has_zero(self, octet: [Fq; LANES]) -> bool {
        octet.contains(&Fq::zero())
    }

    #[inline(always)]
    fn has_equal(self, left: [Fq; LANES], right: [Fq; LANES]) -> bool {
        left.iter().zip(&right).any(|(left, right)| left == right)
    }
}
