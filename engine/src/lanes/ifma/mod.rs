//! Eight elements in the lanes of 512-bit registers, with the instructions of AVX-512 IFMA: they
//! multiply two integers of 52 bits and add the lower or the upper half of the product to one of 64.

mod constants;
mod memory;
mod octet;

use halo2curves::bn256::{Fq, G1Affine};

use super::{Lanes, Points, LANES};
use crate::field::Field;
use constants::Multiples;
use memory::write_words;
pub(crate) use octet::Ifma;
use octet::{Limbs, WideLimbs};

impl<F: Field> Lanes<F> for Ifma {
    /// Eight integers in limbs of 52 bits, a vector for each limb. Sums and differences leave limbs that
    /// are wider, or negative; the integers are not. `|limb| < 2^63`: in sums and differences of the bound `b` a limb
    /// is at most `(b²/4 + b/2)·2^52`, since a difference adds its multiple of `p` and whatever is negative in its
    /// right side. At 84, the greatest bound, that is `1806·2^52`.
    type Octet = Limbs;
    /// Eight integers with limbs below `2^52`. A field element is held times `2^260`, so that a product keeps the form
    /// of its left side, or times `2^256·16`, which is the same number with less work.
    type Multiplier = Limbs;
    /// One reduced integer in five limbs below `2^52`: a field element times `2^260`.
    type Factor = [u64; 5];
    /// Sums of products of limbs, see [`Ifma::add_product`].
    type Wide = WideLimbs;

    #[inline(always)]
    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        Ifma::vectorize(self, work)
    }

    #[inline(always)]
    fn load(self, elements: &[F; LANES]) -> Limbs {
        self.split::<0>(self.load_words(elements))
    }

    #[inline(always)]
    fn store(self, octet: Limbs, elements: &mut [F; LANES]) {
        self.store_words(self.join(self.reduce::<F>(octet)), elements);
    }

    #[inline(always)]
    fn store_small(self, octet: Limbs, elements: &mut [F; LANES]) {
        self.store_words(self.join(self.reduce_once::<F>(octet)), elements);
    }

    #[inline(always)]
    fn multiply(self, elements: &mut [F; LANES], right: Limbs) {
        let left = self.split::<0>(self.load_words(elements));
        let wide = self.add_product(self.no_products(), left, right);
        let limbs = self.reduce_once::<F>(self.divide_products::<F>(wide));
        self.store_words(self.join(limbs), elements);
    }

    fn multiplier(self, elements: &[F; LANES]) -> Limbs {
        let raised = elements.map(|element| element * F::from(16));
        self.vectorize(
            #[inline(always)]
            || self.split::<0>(self.load_words(&raised)),
        )
    }

    #[inline(always)]
    fn load_multiplier(self, elements: &[F; LANES]) -> Limbs {
        self.split::<4>(self.load_words(elements))
    }

    fn factor(self, element: &F) -> [u64; 5] {
        let raised = *element * F::from(16);
        let [words, ..] = write_words(&[raised; LANES]);
        constants::split(words)
    }

    #[inline(always)]
    fn splat(self, factor: [u64; 5]) -> Limbs {
        self.all_limbs(factor)
    }

    #[inline(always)]
    fn add(self, left: Limbs, right: Limbs) -> Limbs {
        self.add_limbs(left, right)
    }

    #[inline(always)]
    fn sub<const BOUND: u32>(self, left: Limbs, right: Limbs) -> Limbs {
        let multiple = const { Multiples::<F>::LIMBS[BOUND as usize] };
        self.sub_limbs(left, right, multiple)
    }

    #[inline(always)]
    fn mul(self, left: Limbs, right: Limbs) -> Limbs {
        self.montgomery::<F>(self.carry(left), right)
    }

    #[inline(always)]
    fn chain(self, left: Limbs, right: Limbs) -> Limbs {
        self.montgomery::<F>(left, right)
    }

    #[inline(always)]
    fn sum(self, left: Limbs, right: Limbs) -> Limbs {
        self.carry(self.add_limbs(left, right))
    }

    #[inline(always)]
    fn difference(self, left: Limbs, right: Limbs, bound: u32) -> Limbs {
        let multiple = Multiples::<F>::LIMBS[bound as usize];
        self.carry(self.sub_limbs(left, right, multiple))
    }

    #[inline(always)]
    fn wide(self) -> WideLimbs {
        self.no_products()
    }

    #[inline(always)]
    fn accumulate(self, wide: WideLimbs, left: Limbs, right: Limbs) -> WideLimbs {
        self.add_product(wide, left, right)
    }

    #[inline(always)]
    fn narrow(self, wide: WideLimbs) -> Limbs {
        self.reduce_products::<F>(wide)
    }

    #[inline(always)]
    fn transpose(self, octets: [Limbs; LANES]) -> [Limbs; LANES] {
        let mut turned = octets;
        for limb in 0..5 {
            let mut rows = [octets[0][limb]; LANES];
            for i in 1..LANES {
                rows[i] = octets[i][limb];
            }
            let columns = self.transpose_words(rows);
            for i in 0..LANES {
                turned[i][limb] = columns[i];
            }
        }
        turned
    }
}

impl Points for Ifma {
    #[inline(always)]
    fn load_points(self, points: [&G1Affine; LANES]) -> [Limbs; 2] {
        let [x, y] = self.load_point_words(points);
        [self.split::<0>(x), self.split::<0>(y)]
    }

    #[inline(always)]
    fn load_x(self, points: [&G1Affine; LANES]) -> Limbs {
        self.split::<0>(self.load_x_words(points))
    }

    #[inline(always)]
    fn store_points(self, x: Limbs, y: Limbs) -> [G1Affine; LANES] {
        let x = self.join(self.reduce::<Fq>(x));
        let y = self.join(self.reduce::<Fq>(y));
        self.store_point_words([x, y])
    }

    /// All limbs are below `2^52` afterwards; before, they may be wider or negative: those of sums and differences with a
    /// bound of 5 or less are far below `2^59`.
    #[inline(always)]
    fn to_multiplier(self, octet: Limbs) -> Limbs {
        let mut product = octet;
        for i in 0..5 {
            product[i] = self.avx512f._mm512_slli_epi64::<4>(octet[i]);
        }
        self.carry(product)
    }

    /// Limbs are below `2^52`, as loaded.
    #[inline(always)]
    fn has_zero(self, octet: Limbs) -> bool {
        let mut any = self.all(0);
        for limb in octet {
            any = self.avx512f._mm512_or_si512(any, limb);
        }
        self.avx512f._mm512_testn_epi64_mask(any, any) != 0
    }

    #[inline(always)]
    fn has_equal(self, mut left: Limbs, right: Limbs) -> bool {
        for i in 0..5 {
            left[i] = self.avx512f._mm512_xor_si512(left[i], right[i]);
        }
        self.has_zero(left)
    }
}
