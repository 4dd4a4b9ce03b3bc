//! How elements of a foreign field lie in limbs.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::relation::Relation;

/// Most limbs that a carry is taken over.
const MAX_GROUP: usize = 8;
/// Largest modulus in bits.
pub const MAX_MODULUS_BITS: usize = 400;

/// A foreign prime, the native one, and the limbs between them.
///
/// An element is `Σ xᵢ·2^(b·i)` over `L` limbs. All limbs are below `2^b`, the top one is below a
/// smaller power of two, so that an element is hardly larger than the prime. Relations are checked
/// modulo the native prime and over limbs, carries going over groups of limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    native: BigUint,
    modulus: BigUint,
    limb_bits: usize,
    limbs: usize,
    group: usize,
    lookup_bits: usize,
}

impl Format {
    /// Limbs of `limb_bits` bits for elements modulo `modulus`, range-checked by lookups of
    /// `lookup_bits` bits, with a carry every `group` limbs.
    ///
    /// # Panics
    /// If limbs are no whole number of lookups, or the modulus has fewer than two limbs or more
    /// than [`MAX_MODULUS_BITS`] bits.
    pub fn new(
        native: BigUint,
        modulus: BigUint,
        (limb_bits, group): (usize, usize),
        lookup_bits: usize,
    ) -> Self {
        assert!(lookup_bits > 0 && limb_bits > 0 && group > 0, "limbs and lookups have bits");
        assert!(limb_bits.is_multiple_of(lookup_bits), "a limb is a whole number of lookups");
        let bits = modulus.bits() as usize;
        assert!(bits <= MAX_MODULUS_BITS, "the modulus has at most {MAX_MODULUS_BITS} bits");
        let limbs = bits.div_ceil(limb_bits);
        assert!(limbs > 1, "a modulus of one limb needs no limbs");
        Self { native, modulus, limb_bits, limbs, group, lookup_bits }
    }

    /// The cheapest limbs for products: the fewest cells for the lookups of result, quotient and
    /// carries and for copies of two operands.
    ///
    /// # Panics
    /// As [`Self::new`]; or if no limbs will do.
    pub fn cheapest(native: &BigUint, modulus: &BigUint, lookup_bits: usize) -> Self {
        let bits = modulus.bits() as usize;
        let limbs = (1..).map(|lookups| lookups * lookup_bits).take_while(|limb| *limb < bits);
        let choices = limbs.flat_map(|limb| (1..=MAX_GROUP).map(move |group| (limb, group)));
        let formats =
            choices.map(|choice| Self::new(native.clone(), modulus.clone(), choice, lookup_bits));
        let priced = formats.filter_map(|format| {
            let checks = Relation::product().checks(&format, &[bits; 3]).ok()?;
            Some((
                checks.lookups(&format) + format.rounded(bits) / lookup_bits + 2 * format.limbs,
                format,
            ))
        });
        let (_, format) = priced.min_by_key(|(cells, _)| *cells).expect("some limbs will do");
        format
    }

    /// The same limbs for another prime.
    ///
    /// # Panics
    /// If it takes another number of limbs.
    pub fn with_modulus(&self, modulus: &BigUint) -> Self {
        let shape = (self.limb_bits, self.group);
        let format = Self::new(self.native.clone(), modulus.clone(), shape, self.lookup_bits);
        assert_eq!(format.limbs, self.limbs, "primes of one block have as many limbs");
        format
    }

    /// Bits of a range-checked element.
    pub fn element_bits(&self) -> usize {
        self.rounded(self.modulus.bits() as usize)
    }

    /// The native prime.
    pub fn native(&self) -> &BigUint {
        &self.native
    }

    /// The foreign prime.
    pub fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    /// Bits of a limb.
    pub fn limb_bits(&self) -> usize {
        self.limb_bits
    }

    /// Limbs of an element.
    pub fn limbs(&self) -> usize {
        self.limbs
    }

    /// Limbs that a carry is taken over.
    pub fn group(&self) -> usize {
        self.group
    }

    /// Bits of a lookup.
    pub fn lookup_bits(&self) -> usize {
        self.lookup_bits
    }

    /// `bits` rounded up to whole lookups.
    pub fn rounded(&self, bits: usize) -> usize {
        bits.next_multiple_of(self.lookup_bits)
    }

    /// Bits of each limb of a range-checked number of `bits` bits, the lowest first.
    pub fn limb_widths(&self, bits: usize) -> Vec<usize> {
        let bits = self.rounded(bits);
        let widths = (0..bits).step_by(self.limb_bits);
        widths.map(|low| (bits - low).min(self.limb_bits)).collect()
    }

    /// The limbs of a number that fits `count` of them.
    ///
    /// # Panics
    /// If it does not.
    pub fn split(&self, number: &BigUint, count: usize) -> Vec<BigUint> {
        assert!(number.bits() as usize <= count * self.limb_bits, "the number fits its limbs");
        let mask = (BigUint::one() << self.limb_bits) - 1u8;
        (0..count).map(|limb| (number >> (limb * self.limb_bits)) & &mask).collect()
    }
}

/// Integers from `low` to `high`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

impl Interval {
    pub(super) fn point(value: BigInt) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// From 0 to `high`.
    pub(super) fn up_to(high: BigUint) -> Self {
        Self { low: BigInt::zero(), high: high.into() }
    }

    /// Numbers of so many bits.
    pub(super) fn of_bits(bits: usize) -> Self {
        Self::up_to((BigUint::one() << bits) - 1u8)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.low += &other.low;
        self.high += &other.high;
    }

    /// All multiples by `factor`.
    pub(super) fn scaled(&self, factor: &BigInt) -> Self {
        let (a, b) = (&self.low * factor, &self.high * factor);
        if a <= b {
            Self { low: a, high: b }
        } else {
            Self { low: b, high: a }
        }
    }

    /// The products of two intervals of numbers that are not negative.
    pub(super) fn product(&self, other: &Self) -> Self {
        debug_assert!(self.low >= BigInt::zero() && other.low >= BigInt::zero());
        Self { low: &self.low * &other.low, high: &self.high * &other.high }
    }

    /// The largest absolute value.
    pub(super) fn magnitude(&self) -> BigUint {
        self.low.magnitude().max(self.high.magnitude()).clone()
    }
}
