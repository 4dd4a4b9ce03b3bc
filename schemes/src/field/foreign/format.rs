//! How elements of a foreign field lie in limbs.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Most limbs per carry.
pub const MAX_GROUP: usize = 8;
/// Bits of a digit of a scalar; limbs are whole digits, so that a scalar's digits make its limbs.
pub const DIGIT_BITS: usize = 4;
/// Largest modulus in bits.
pub const MAX_MODULUS_BITS: usize = 400;

/// A foreign prime, the native one, and the limbs by which elements of the first are written in the
/// second.
///
/// An element is `Σ xᵢ·2^(b·i)` over `L` limbs. All limbs are below `2^b`, the top one is below a
/// smaller power of two, so that an element has as many bits as the prime and no more. Relations
/// are checked modulo the native prime and over limbs, with one carry per group of limbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    native: BigUint,
    modulus: BigUint,
    element_bits: usize,
    limb_bits: usize,
    limbs: usize,
    group: usize,
    lookup_bits: usize,
}

/// How long the limbs of an element are, as the bounds of relations assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimbShape {
    /// Bits of an element.
    pub element_bits: usize,
    /// Bits of a limb; the top one has what is left.
    pub limb_bits: usize,
}

/// The range that is known of an operand's limbs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Range {
    /// They are range-checked and not negative.
    Element,
    /// As for an element, but each with a sign of its own.
    Signed,
    /// As for an element, but the top limb is [near](Format::near_bound) its bound.
    Near,
}

impl LimbShape {
    /// Bits of each limb, the lowest first.
    pub fn widths(&self) -> Vec<usize> {
        let widths = (0..self.element_bits).step_by(self.limb_bits);
        widths.map(|low| (self.element_bits - low).min(self.limb_bits)).collect()
    }
}

impl Format {
    /// Limbs of `limb_bits` bits for elements modulo `modulus`, range-checked by lookups of
    /// `lookup_bits` bits, with a carry every `group` limbs.
    ///
    /// # Panics
    /// If limbs are not a whole number of lookups, or the modulus has fewer than two limbs or more
    /// than [`MAX_MODULUS_BITS`] bits.
    pub fn new(
        native: BigUint,
        modulus: BigUint,
        (limb_bits, group): (usize, usize),
        lookup_bits: usize,
    ) -> Self {
        let bits = modulus.bits() as usize;
        Self::of_bits(native, bits, (limb_bits, group), lookup_bits).with_modulus(&modulus)
    }

    /// Limbs for elements of `element_bits` bits, for equations over the integers until a prime is
    /// [given](Self::with_modulus).
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn of_bits(
        native: BigUint,
        element_bits: usize,
        (limb_bits, group): (usize, usize),
        lookup_bits: usize,
    ) -> Self {
        assert!(lookup_bits > 0 && limb_bits > 0 && group > 0, "limbs and lookups have bits");
        assert!(limb_bits.is_multiple_of(lookup_bits), "a limb is a whole number of lookups");
        assert!(element_bits <= MAX_MODULUS_BITS, "primes have {MAX_MODULUS_BITS} bits at most");
        let limbs = element_bits.div_ceil(limb_bits);
        assert!(limbs > 1, "a modulus of one limb needs no limbs");
        let modulus = BigUint::zero();
        Self { native, modulus, element_bits, limb_bits, limbs, group, lookup_bits }
    }

    /// All formats with limbs of whole digits for elements of `element_bits` bits.
    pub fn all(
        native: &BigUint,
        element_bits: usize,
        lookup_bits: usize,
    ) -> impl Iterator<Item = Self> + '_ {
        (1..)
            .map(move |lookups| lookups * lookup_bits)
            .take_while(move |limb| *limb < element_bits)
            .filter(|limb| limb.is_multiple_of(DIGIT_BITS))
            .flat_map(|limb| (1..=MAX_GROUP).map(move |group| (limb, group)))
            .map(move |shape| Self::of_bits(native.clone(), element_bits, shape, lookup_bits))
    }

    /// The same limbs for another prime, or for equations over the integers if it is 0. A prime may have fewer bits
    /// than an element, as the order of a curve may have fewer than the field: then more numbers represent one
    /// residue, and quotients are longer.
    ///
    /// # Panics
    /// If it has more bits than an element.
    pub fn with_modulus(&self, modulus: &BigUint) -> Self {
        let fits = modulus.bits() as usize <= self.element_bits;
        assert!(fits, "a prime has no more bits than an element");
        Self { modulus: modulus.clone(), ..self.clone() }
    }

    /// Bits of an element.
    pub fn element_bits(&self) -> usize {
        self.element_bits
    }

    /// Bits by which whole lookups exceed an element.
    pub fn spare_bits(&self) -> usize {
        self.rounded(self.element_bits) - self.element_bits
    }

    /// Lookups of an element: one for each lookup's worth of bits, and one more if the top one must
    /// be kept short.
    pub fn element_lookups(&self) -> usize {
        self.rounded(self.element_bits) / self.lookup_bits + usize::from(self.spare_bits() > 0)
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

    /// Limbs per carry.
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

    /// The least number that does not pass as one of `bits` bits where all lookups are whole, and the lowest may
    /// overlap the others so that these end with the number: `2^bits + 2^b - 2^t` for lookups of `b` bits, of which the
    /// lowest has `t` to itself. It exceeds `2^bits` by less than a lookup. A number shorter than a lookup is bounded
    /// exactly.
    pub fn near_bound(&self, bits: usize) -> BigUint {
        let power = |bits: usize| BigUint::one() << bits;
        if bits < self.lookup_bits {
            return power(bits);
        }
        let lowest = bits - self.lookup_bits * (bits.div_ceil(self.lookup_bits) - 1);
        power(bits) + power(self.lookup_bits) - power(lowest)
    }

    /// The greatest number whose limbs are in a range.
    pub fn greatest(&self, range: Range) -> BigInt {
        let limbs = self.limb_intervals(range).into_iter().rev();
        limbs.fold(BigInt::zero(), |sum, limb| (sum << self.limb_bits) + limb.high)
    }

    /// How long the limbs of an element are.
    pub fn limb_shape(&self) -> LimbShape {
        LimbShape { element_bits: self.element_bits, limb_bits: self.limb_bits }
    }

    /// How long the limbs are of an element whose top limb is [near](Range::Near) its bound.
    pub fn near_shape(&self) -> LimbShape {
        let element_bits = self.greatest(Range::Near).bits() as usize;
        LimbShape { element_bits, ..self.limb_shape() }
    }

    /// Bits of each limb of a number of `bits` bits, the lowest first.
    pub fn limb_widths(&self, bits: usize) -> Vec<usize> {
        LimbShape { element_bits: bits, ..self.limb_shape() }.widths()
    }

    /// The limbs of an operand.
    pub(super) fn limb_intervals(&self, range: Range) -> Vec<Interval> {
        let widths = self.limb_widths(self.element_bits).into_iter();
        let limb = |bits: usize| match range {
            Range::Element => Interval::of_bits(bits),
            Range::Signed => {
                let Interval { high, .. } = Interval::of_bits(bits);
                Interval { low: -high.clone(), high }
            }
            Range::Near => Interval::up_to(self.near_bound(bits) - 1u8),
        };
        widths.map(limb).collect()
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

/// Integers from `low` to `high`, both included. The default is 0 alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

    /// Numbers of `bits` bits.
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

    /// All products.
    pub(super) fn product(&self, other: &Self) -> Self {
        let mut product = self.scaled(&other.low);
        let above = self.scaled(&other.high);
        product.low = product.low.min(above.low);
        product.high = product.high.max(above.high);
        product
    }

    /// The largest absolute value.
    pub(super) fn magnitude(&self) -> BigUint {
        self.low.magnitude().max(self.high.magnitude()).clone()
    }
}
