use halo2curves::{bn256::Fr, ff::Field};

use crate::{field::powers, lanes::Lanes};

/// Octets that stay in the L1 cache: 20 KiB of vectors.
const BLOCK: usize = 64;

/// Powers of a root of unity, as the butterflies of all levels read them.
pub(super) struct Twiddles<Factor> {
    /// Entry `half + j` is the `j`th power of the root of order `2·half`. So the entries for a smaller size
    /// are the first of those for a larger.
    factors: Vec<Factor>,
    /// A root of order 4.
    quarter: Factor,
}

impl<Factor: Copy> Twiddles<Factor> {
    /// For all sizes up to `2^log_size`, at least 4, with `root` of that order.
    pub(super) fn new<L: Lanes<Fr, Factor = Factor>>(lanes: L, root: Fr, log_size: u32) -> Self {
        let size = 1 << log_size;
        let powers: Vec<Fr> = powers(Fr::ONE, root).take(size / 2).collect();
        let mut factors = vec![lanes.factor(&Fr::ONE)];
        for half in (0..log_size).map(|level| 1 << level) {
            let stride = size / 2 / half;
            factors.extend((0..half).map(|j| lanes.factor(&powers[j * stride])));
        }
        let quarter = lanes.factor(&powers[size / 4]);
        Self { factors, quarter }
    }
}

/// `Σᵢ columnᵢ·rootⁱʲ` for all `j`, in each lane. The column is in bit-reversed order, at least four long, and its
/// bound is at most 2.
///
/// The result's bound: the first two levels leave at most 8, each further one adds 2. For lengths of at most
/// `2^14` that makes 32.
#[inline(always)]
pub(super) fn transform<L: Lanes<Fr>>(
    lanes: L,
    column: &mut [L::Octet],
    twiddles: &Twiddles<L::Factor>,
) {
    for block in column.chunks_mut(BLOCK) {
        first_levels(lanes, block, twiddles.quarter);
        levels(lanes, block, twiddles, 4);
    }
    levels(lanes, column, twiddles, BLOCK);
}

/// The first two levels: of their four factors for four elements, only one is not 1.
#[inline(always)]
fn first_levels<L: Lanes<Fr>>(lanes: L, column: &mut [L::Octet], quarter: L::Factor) {
    let quarter = lanes.splat(quarter);
    for four in column.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = *four;
        let even = [lanes.add(a, b), lanes.sub::<2>(a, b)];
        let odd = [lanes.add(c, d), lanes.mul(lanes.sub::<2>(c, d), quarter)];
        *four = [
            lanes.add(even[0], odd[0]),
            lanes.add(even[1], odd[1]),
            lanes.sub::<4>(even[0], odd[0]),
            lanes.sub::<2>(even[1], odd[1]),
        ];
    }
}

/// All levels that join transforms of `from` elements and more.
#[inline(always)]
fn levels<L: Lanes<Fr>>(
    lanes: L,
    column: &mut [L::Octet],
    twiddles: &Twiddles<L::Factor>,
    from: usize,
) {
    let mut half = from;
    while half < column.len() {
        let factors = &twiddles.factors[half..2 * half];
        for pair in column.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for ((low, high), factor) in low.iter_mut().zip(high).zip(factors) {
                let product = lanes.mul(*high, lanes.splat(*factor));
                *high = lanes.sub::<2>(*low, product);
                *low = lanes.add(*low, product);
            }
        }
        half *= 2;
    }
}
