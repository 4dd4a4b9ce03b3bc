//! Transforms over roots of unity of order 2^a, and 3, 11, 33, 19 or 57 times that.
//!
//! r − 1 = 2^32 · 3 · 11 · 19 · …, so a domain need not be twice as large as what it holds.
//! Decimation in time, one factor per level; an odd factor p costs (p − 1)²/2 multiplications for p
//! values, since the sums and differences of values at t and p − t share them.

use ff::{Field, PrimeField};

use super::{
    points::{divide, words},
    scalar_bytes, Fr,
};

/// Odd parts of the orders of domains.
pub const ODD_FACTORS: [usize; 6] = [1, 3, 11, 33, 19, 57];
/// The largest odd prime among the factors.
const LARGEST: usize = 19;

/// The least order of a domain of at least that size.
pub fn domain_size(least: usize) -> usize {
    let fit = |odd: usize| odd * least.div_ceil(odd).next_power_of_two();
    ODD_FACTORS.into_iter().map(fit).min().unwrap_or(least)
}

/// Transforms of one order.
#[derive(Clone, Debug)]
pub struct Transform {
    /// Powers of the root of unity.
    roots: Vec<Fr>,
    /// Prime factors (or four) of the order, the outermost first.
    factors: Vec<usize>,
    /// 1 / order.
    scale: Fr,
}

impl Transform {
    /// Transforms of `size` values: 2^a times one of [`ODD_FACTORS`].
    pub fn new(size: usize) -> Self {
        let root = root(size);
        let roots = std::iter::successors(Some(Fr::ONE), |power| Some(*power * root));
        let (mut factors, mut rest) = (vec![], size);
        for factor in [4, 2, 3, 11, 19] {
            while rest.is_multiple_of(factor) {
                factors.push(factor);
                rest /= factor;
            }
        }
        assert_eq!(rest, 1, "order of a domain");
        let scale = Fr::from(size as u64).invert().unwrap_or(Fr::ZERO);
        Self { roots: roots.take(size).collect(), factors, scale }
    }

    /// The powers of the root of unity, in order.
    pub fn roots(&self) -> &[Fr] {
        &self.roots
    }

    /// Number of values.
    pub fn size(&self) -> usize {
        self.roots.len()
    }

    /// 1 / size.
    pub fn scale(&self) -> Fr {
        self.scale
    }

    /// Values at the roots of unity in order, of the polynomial with these coefficients.
    pub fn forward(&self, coefficients: &[Fr], values: &mut [Fr]) {
        assert!(coefficients.len() == self.size() && values.len() == self.size(), "whole domain");
        let read = |first: usize, _: usize, out: &mut [Fr]| out[0] = coefficients[first];
        self.step((0, 1), values, &self.factors, &read);
    }

    /// The same for coefficients that are `factor` where a byte is 1 and zero where it is 0: the
    /// innermost level, the most expensive one of an odd order, is a lookup.
    pub fn forward_bits(&self, bits: &[u8], factor: &Fr, values: &mut [Fr]) {
        assert!(bits.len() == self.size() && values.len() == self.size(), "whole domain");
        let Some((&last, outer)) = self.factors.split_last() else {
            values[0] = *factor * Fr::from(u64::from(bits[0]));
            return;
        };
        let table = BitTable::new(last, &self.roots[self.size() / last], factor);
        let read = |first: usize, stride: usize, out: &mut [Fr]| {
            table.transform(&bits[first..], stride, out);
        };
        self.step((0, 1), values, outer, &read);
    }

    /// Coefficients times their number, of the polynomial with these values.
    pub fn inverse_unscaled(&self, values: &[Fr], coefficients: &mut [Fr]) {
        self.forward(values, coefficients);
        coefficients[1..].reverse();
    }

    /// The same for values that are `factor` where a byte is 1 and zero where it is 0.
    pub fn inverse_bits_unscaled(&self, bits: &[u8], factor: &Fr, coefficients: &mut [Fr]) {
        self.forward_bits(bits, factor, coefficients);
        coefficients[1..].reverse();
    }

    /// The transform of every `stride`-th coefficient from `first` on; `read` provides them once no
    /// factor is left.
    fn step(
        &self,
        (first, stride): (usize, usize),
        out: &mut [Fr],
        factors: &[usize],
        read: &impl Fn(usize, usize, &mut [Fr]),
    ) {
        let Some((&factor, inner)) = factors.split_first() else {
            return read(first, stride, out);
        };
        let part = out.len() / factor;
        for (t, out) in out.chunks_exact_mut(part).enumerate() {
            self.step((first + t * stride, stride * factor), out, inner, read);
        }
        // `stride` is order / out.len(): the root for this level is ω^stride.
        match factor {
            2 => self.pairs(stride, out),
            4 => self.quads(stride, out),
            _ => self.odd(factor, stride, out),
        }
    }

    fn pairs(&self, stride: usize, out: &mut [Fr]) {
        let (low, high) = out.split_at_mut(out.len() / 2);
        for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
            let turned = if k == 0 { *b } else { *b * self.roots[k * stride] };
            (*a, *b) = (*a + turned, *a - turned);
        }
    }

    fn quads(&self, stride: usize, out: &mut [Fr]) {
        let part = out.len() / 4;
        let imaginary = self.roots[self.size() / 4];
        for k in 0..part {
            let at = |t: usize| match k {
                0 => out[t * part],
                _ => out[t * part + k] * self.roots[t * k * stride],
            };
            let (a, b, c, d) = (out[k], at(1), at(2), at(3));
            let (even, odd) = ((a + c, a - c), (b + d, (b - d) * imaginary));
            out[k] = even.0 + odd.0;
            out[k + part] = even.1 + odd.1;
            out[k + 2 * part] = even.0 - odd.0;
            out[k + 3 * part] = even.1 - odd.1;
        }
    }

    fn odd(&self, factor: usize, stride: usize, out: &mut [Fr]) {
        let (part, half) = (out.len() / factor, factor / 2);
        let unit = self.size() / factor;
        // (w^i ± w^−i) / 2 for the root w of order `factor`.
        let (mut sums, mut differences) = ([Fr::ZERO; LARGEST], [Fr::ZERO; LARGEST]);
        for i in 0..factor {
            let (plus, minus) = (self.roots[i * unit], self.roots[(factor - i) % factor * unit]);
            sums[i] = (plus + minus) * Fr::TWO_INV;
            differences[i] = (plus - minus) * Fr::TWO_INV;
        }
        for k in 0..part {
            let (mut even, mut odd) = ([Fr::ZERO; LARGEST], [Fr::ZERO; LARGEST]);
            let first = out[k];
            let mut all = first;
            for t in 1..=half {
                let turned = |t: usize| match k {
                    0 => out[t * part],
                    _ => out[t * part + k] * self.roots[t * k * stride],
                };
                let (a, b) = (turned(t), turned(factor - t));
                (even[t], odd[t]) = (a + b, a - b);
                all += even[t];
            }
            out[k] = all;
            for s in 1..=half {
                let (mut re, mut im) = (first, Fr::ZERO);
                for t in 1..=half {
                    re += even[t] * sums[t * s % factor];
                    im += odd[t] * differences[t * s % factor];
                }
                out[k + s * part] = re + im;
                out[k + (factor - s) * part] = re - im;
            }
        }
    }
}

/// A root of unity of that order, which divides r − 1: a power of the field's generator.
fn root(order: usize) -> Fr {
    let mut exponent = words(&scalar_bytes(&-Fr::ONE));
    assert_eq!(divide(&mut exponent, order as u64), 0, "the order divides r − 1");
    Fr::MULTIPLICATIVE_GENERATOR.pow_vartime(&exponent)
}

/// Bits of a subset.
const GROUP: usize = 6;

/// Short transforms of `order` bits times a factor, by lookup.
///
/// A transform of p bits is the sum of the columns (1, wᵗ, w²ᵗ, …) of the set bits. The sums of all
/// subsets of six are stored: p bits take ⌈p/6⌉ − 1 additions for each value, where the transform
/// takes (p − 1)²/2p products. Which sum is read depends on the bits.
struct BitTable {
    order: usize,
    /// Indexed by group of bits, subset and value.
    sums: Vec<Vec<Fr>>,
}

impl BitTable {
    /// For the root of unity of that order.
    fn new(order: usize, root: &Fr, factor: &Fr) -> Self {
        let powers: Vec<Fr> =
            std::iter::successors(Some(*factor), |power| Some(*power * root)).take(order).collect();
        let group = |first: usize| {
            let bits = GROUP.min(order - first);
            let mut sums = vec![Fr::ZERO; order << bits];
            for subset in 1..1usize << bits {
                let highest = subset.ilog2() as usize;
                let rest = subset ^ (1 << highest);
                for value in 0..order {
                    let column = powers[(first + highest) * value % order];
                    sums[subset * order + value] = sums[rest * order + value] + column;
                }
            }
            sums
        };
        Self { order, sums: (0..order).step_by(GROUP).map(group).collect() }
    }

    /// The transform of every `stride`-th of the bits, each a byte.
    fn transform(&self, bits: &[u8], stride: usize, out: &mut [Fr]) {
        for (group, sums) in self.sums.iter().enumerate() {
            let own = bits.iter().step_by(stride).skip(group * GROUP).take(GROUP);
            let subset =
                own.enumerate().fold(0, |subset, (place, bit)| subset | usize::from(*bit) << place);
            let sums = &sums[subset * self.order..][..self.order];
            match group {
                0 => out.copy_from_slice(sums),
                _ => out.iter_mut().zip(sums).for_each(|(value, sum)| *value += sum),
            }
        }
    }
}
