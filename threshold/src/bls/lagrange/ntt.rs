//! Number-theoretic transforms over the roots of unity of order 2^k.
//!
//! Forward transforms take coefficients in their order and leave values in bit-reversed order,
//! inverse ones do the opposite, so nothing is ever reordered. In bit-reversed order the first half
//! of the values of order 2d are the values of order d: the product trees rely on it.

use ff::PrimeField;

/// Up to this length a transform's data and roots stay in the L1 cache, and levels go one by one.
/// Above it, the halves are finished one after the other.
const CACHED: usize = 1 << 11;

/// Powers of a root of unity of order 2^k, for all transforms up to that length.
#[derive(Clone, Debug)]
pub(super) struct Ntt<F> {
    /// At `h + i` for i < h: the i-th power of the root of order 2h, h a power of two.
    powers: Vec<F>,
}

impl<F: PrimeField> Ntt<F> {
    /// Roots for transforms of up to `length` values, a power of two within the field's two-adicity.
    pub(super) fn new(length: usize) -> Self {
        assert!(length.is_power_of_two() && length.ilog2() <= F::S, "length of a transform");
        let length = length.max(2);
        let mut powers = vec![F::ONE; length];
        let half = length / 2;
        let root = (length.ilog2()..F::S).fold(F::ROOT_OF_UNITY, |root, _| root.square());
        let mut power = F::ONE;
        for slot in &mut powers[half..] {
            *slot = power;
            power *= root;
        }
        // Every other power of a root of order 2h is one of order h.
        for h in (1..half).rev() {
            powers[h] = powers[2 * h];
        }
        Self { powers }
    }

    /// The first `half` powers of the root of order `2 half`.
    pub(super) fn powers(&self, half: usize) -> &[F] {
        &self.powers[half..2 * half]
    }

    /// The root of order `order` to the power `exponent`.
    pub(super) fn root(&self, order: usize, exponent: usize) -> F {
        let (exponent, half) = (exponent % order, order / 2);
        match exponent {
            0 => F::ONE,
            _ if exponent < half => self.powers[half + exponent],
            _ => -self.powers[half + exponent - half],
        }
    }

    /// Coefficients to values, in place.
    pub(super) fn forward(&self, values: &mut [F]) {
        let half = values.len() / 2;
        if half == 0 {
            return;
        }
        if values.len() > CACHED {
            self.decimate(values);
            let (low, high) = values.split_at_mut(half);
            self.forward(low);
            self.forward(high);
            return;
        }
        let mut length = values.len();
        while length >= 2 {
            values.chunks_exact_mut(length).for_each(|block| self.decimate(block));
            length /= 2;
        }
    }

    /// Values to coefficients times the number of values, in place.
    pub(super) fn inverse_unscaled(&self, values: &mut [F]) {
        let half = values.len() / 2;
        if half == 0 {
            return;
        }
        if values.len() > CACHED {
            let (low, high) = values.split_at_mut(half);
            self.inverse_unscaled(low);
            self.inverse_unscaled(high);
            self.recombine(values);
            return;
        }
        let mut length = 2;
        while length <= values.len() {
            values.chunks_exact_mut(length).for_each(|block| self.recombine(block));
            length *= 2;
        }
    }

    /// The first step of a transform: (a, b) becomes (a + b, (a − b) wⁱ).
    fn decimate(&self, block: &mut [F]) {
        let half = block.len() / 2;
        let (low, high) = block.split_at_mut(half);
        let (first, second) = (low[0], high[0]);
        (low[0], high[0]) = (first + second, first - second);
        let powers = &self.powers(half)[1..];
        for ((a, b), power) in low[1..].iter_mut().zip(&mut high[1..]).zip(powers) {
            let difference = *a - *b;
            *a += *b;
            *b = difference * power;
        }
    }

    /// The last step of an inverse transform: (a, b) becomes (a + b w⁻ⁱ, a − b w⁻ⁱ), with
    /// w⁻ⁱ = −wʰ⁻ⁱ for the root w of order 2h.
    fn recombine(&self, block: &mut [F]) {
        let half = block.len() / 2;
        let (low, high) = block.split_at_mut(half);
        let (first, second) = (low[0], high[0]);
        (low[0], high[0]) = (first + second, first - second);
        let powers = self.powers(half)[1..].iter().rev();
        for ((a, b), power) in low[1..].iter_mut().zip(&mut high[1..]).zip(powers) {
            let product = *b * power;
            *b = *a + product;
            *a -= product;
        }
    }

    /// Values of order `block` of a polynomial whose coefficients stand at the start of `values`,
    /// `length` of them and nothing after: as [`Self::forward`], but zeros are not worked on.
    /// Block b of `length` values is left as coefficients, twisted by the b-th coset.
    pub(super) fn spread(&self, values: &mut [F], length: usize) {
        let mut size = values.len();
        while size > length {
            let powers = &self.powers(size / 2)[..length];
            for block in values.chunks_exact_mut(size) {
                let (low, high) = block.split_at_mut(size / 2);
                for ((a, b), power) in low.iter().zip(high.iter_mut()).zip(powers) {
                    *b = *a * power;
                }
            }
            size /= 2;
        }
    }
}

/// The inverse of a length in the field.
pub(super) fn inverse_of<F: PrimeField>(length: usize) -> F {
    debug_assert!(length.is_power_of_two());
    (0..length.ilog2()).fold(F::ONE, |power, _| power * F::TWO_INV)
}

/// `index` with its `bits` lowest bits in reverse.
pub(super) fn reversed(index: usize, bits: u32) -> usize {
    match bits {
        0 => index,
        _ => index.reverse_bits() >> (usize::BITS - bits),
    }
}
