//! Relations modulo a foreign prime, and the bounds that make their checks sound.
//!
//! A relation is `E ≡ 0 (mod p)` for `E = Σ f·a·b + Σ g·x + c` over elements in limbs, with small
//! integers `f` and `g`. A witness `q` says `E = q·p` over the integers. With `D = E - q·p` it is
//! checked that
//!
//! ```text
//! D ≡ 0 (mod r)        for the native prime r
//! D ≡ 0 (mod 2^T)      over limbs, T a multiple of a group's bits
//! ```
//!
//! hence `D ≡ 0 (mod r·2^T)`, and `|D| < r·2^T` leaves `D = 0`. The second check takes limbs in
//! groups, here of three. With `Dᵢ` the part of `D` at `2^(b·i)`,
//!
//! ```text
//! D₀ + 2^b·D₁ + 2^(2b)·D₂      = 2^(3b)·k₀
//! D₃ + 2^b·D₄ + 2^(2b)·D₅ + k₀ = 2^(3b)·k₁     …
//! ```
//!
//! are checked modulo `r`. Both sides differ by less than `r`, so they are equal as integers. The
//! quotient and the carries are shifted to be positive and range-checked. This module derives how
//! far, and refuses a relation whose bounds do not hold.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::format::{Format, Interval, Range};

/// A product or a linear term, given by the numbers of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operands {
    /// `a·b`.
    Product(usize, usize),
    /// `x`.
    Linear(usize),
}

/// `Σ f·a·b + Σ g·x + c ≡ 0` modulo the foreign prime.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relation {
    /// Terms with their factors.
    pub terms: Vec<(i64, Operands)>,
    /// The constant.
    pub constant: BigInt,
}

/// A witness that is an integer in `[offset, offset + 2^bits)`; the difference is range-checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shifted {
    /// The least value.
    pub offset: BigInt,
    /// Bits of the difference, a whole number of lookups.
    pub bits: usize,
}

/// How a relation is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checks {
    /// The quotient.
    pub quotient: Shifted,
    /// The carries, one per group of limbs.
    pub carries: Vec<Shifted>,
}

/// The ranges of quotient and carries that several relations share, so that they have the same
/// layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Bits of the quotient.
    pub quotient: usize,
    /// Bits of each carry.
    pub carry: usize,
    /// Carries.
    pub carries: usize,
}

/// Why a relation cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoundError {
    /// A group of limbs could wrap around the native prime.
    #[error("group {group} of limbs may have {bits} bits, too many for the native prime")]
    Wraps {
        /// Number of the group.
        group: usize,
        /// Bits of its greatest magnitude.
        bits: u64,
    },
}

impl Shifted {
    /// The smallest range of whole lookups that holds an interval, of `least` bits or more.
    fn around(interval: &Interval, format: &Format, least: usize) -> Self {
        let width = (&interval.high - &interval.low).magnitude().bits() as usize;
        Self { offset: interval.low.clone(), bits: format.rounded(width.max(least).max(1)) }
    }

    /// All values that pass the range check.
    fn interval(&self) -> Interval {
        let mut interval = Interval::of_bits(self.bits);
        interval.add(&Interval::point(self.offset.clone()));
        interval
    }
}

impl Checks {
    /// Lookups of the quotient and the carries.
    pub fn lookups(&self, format: &Format) -> usize {
        let carries: usize = self.carries.iter().map(|carry| carry.bits).sum();
        (self.quotient.bits + carries) / format.lookup_bits()
    }
}

/// A relation for which ranges are sought.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sought<P> {
    /// Its prime, or the format of its operands.
    pub modulo: P,
    /// The relation.
    pub relation: Relation,
    /// The ranges of its operands.
    pub ranges: Vec<Range>,
}

impl<P> Sought<P> {
    /// How often products are taken.
    fn weight(&self) -> u64 {
        let terms = self.relation.terms.iter();
        let products = terms.filter(|(_, operands)| matches!(operands, Operands::Product(..)));
        products.map(|(factor, _)| factor.unsigned_abs()).sum()
    }

    /// The relation as bounds see it, with the same [`Checks`]: one operand of each range, and one term for all terms
    /// of one sign over the same ranges. This leaves the sums of intervals unchanged. Relations that differ only in
    /// which operands they read become equal.
    ///
    /// # Panics
    /// If a term names an operand that does not exist.
    pub fn outlined(self) -> Self {
        let Self { modulo, relation, ranges } = self;
        let kinds: BTreeSet<_> = ranges.iter().copied().collect();
        let kinds: Vec<_> = kinds.into_iter().collect();
        let kind =
            |operand: usize| kinds.binary_search(&ranges[operand]).expect("it is one of them");
        let mut factors = BTreeMap::<_, i64>::new();
        for (factor, operands) in &relation.terms {
            let kinds = match operands {
                Operands::Product(a, b) => {
                    let (a, b) = (kind(*a), kind(*b));
                    Operands::Product(a.min(b), a.max(b))
                }
                Operands::Linear(x) => Operands::Linear(kind(*x)),
            };
            *factors.entry((kinds, factor.is_negative())).or_default() += factor;
        }
        let terms = factors.into_iter().map(|((kinds, _), factor)| (factor, kinds)).collect();
        let relation = Relation { terms, constant: relation.constant };
        Self { modulo, relation, ranges: kinds }
    }
}

impl Widths {
    /// The limbs and ranges that serve all of `relations` with the fewest lookups and copies of
    /// `operands` operands, for elements of `bits` bits.
    ///
    /// # Panics
    /// If none do.
    pub fn cheapest(
        native: &BigUint,
        (bits, lookup_bits, operands): (usize, usize, usize),
        relations: &[Sought<BigUint>],
    ) -> (Format, Self) {
        let alone = |format: &Format| format.element_lookups() + operands * format.limbs();
        // Those with the most products first: they take the widest ranges, and so refuse limbs the soonest.
        let mut relations: Vec<_> = relations.to_vec();
        relations.sort_by_cached_key(|sought| Reverse(sought.weight()));
        let relations = &relations[..];
        let mut formats: Vec<_> = Format::all(native, bits, lookup_bits).collect();
        formats.sort_by_key(alone);
        let mut best: Option<((usize, usize, usize), Format, Self)> = None;
        for format in formats {
            // Bounds take long to find, and no format that follows costs less, even without the
            // lookups of its widths.
            if best.as_ref().is_some_and(|((cells, ..), ..)| alone(&format) >= *cells) {
                break;
            }
            let most = best.as_ref().map(|((cells, ..), ..)| *cells - alone(&format));
            let Some(widths) = Self::of_format(&format, relations, most) else { continue };
            let cells = alone(&format) + widths.lookups(&format);
            // Among equals, the narrowest limbs, and then the smallest groups.
            let rank = (cells, format.limb_bits(), format.group());
            if best.as_ref().is_none_or(|(least, ..)| rank < *least) {
                best = Some((rank, format, widths));
            }
        }
        let (_, format, widths) = best.expect("some limbs will do");
        (format, widths)
    }

    /// The least ranges that serve all of `relations` with the limbs of `format`, if they take at most `most` lookups.
    fn of_format(
        format: &Format,
        relations: &[Sought<BigUint>],
        most: Option<usize>,
    ) -> Option<Self> {
        let with = |sought: &Sought<BigUint>| Sought {
            modulo: format.with_modulus(&sought.modulo),
            relation: sought.relation.clone(),
            ranges: sought.ranges.clone(),
        };
        let relations: Vec<_> = relations.iter().map(with).collect();
        // Ranges only grow from relation to relation.
        let fits = |widths: &Self| most.is_none_or(|most| widths.lookups(format) <= most);
        Self::common_while(&relations, fits).ok().flatten()
    }

    /// The least ranges that serve all of `relations`. Their formats may differ only in their primes.
    ///
    /// # Errors
    ///
    /// [`BoundError`] if there are none.
    pub fn common(relations: &[Sought<Format>]) -> Result<Self, BoundError> {
        Ok(Self::common_while(relations, |_| true)?.expect("any will do"))
    }

    /// The same; `None` once they do not fit.
    fn common_while(
        relations: &[Sought<Format>],
        fits: impl Fn(&Self) -> bool,
    ) -> Result<Option<Self>, BoundError> {
        // Bounds of terms are derived when they are reached: most limbs do not serve the first few relations.
        let mut bounds: Vec<Terms> = Vec::with_capacity(relations.len());
        let mut widths = Self::default();
        loop {
            let mut next = widths;
            for (i, Sought { modulo, relation, ranges }) in relations.iter().enumerate() {
                if bounds.len() == i {
                    bounds.push(Terms::new(relation, modulo, ranges));
                }
                let Checks { quotient, carries } = bounds[i].checks(widths)?;
                next.quotient = next.quotient.max(quotient.bits);
                next.carries = next.carries.max(carries.len());
                let widest = carries.iter().map(|carry| carry.bits).max();
                next.carry = next.carry.max(widest.unwrap_or_default());
                if !fits(&next) {
                    return Ok(None);
                }
            }
            // Wider quotients may make wider carries. This ends, since ranges only grow and would
            // wrap at last.
            if next == widths {
                return Ok(Some(widths));
            }
            widths = next;
        }
    }

    /// Lookups of a relation, not counting those of its result.
    pub fn lookups(&self, format: &Format) -> usize {
        (self.quotient + self.carry * self.carries) / format.lookup_bits()
    }
}

impl Relation {
    /// `a·b - c` over operands 0, 1 and 2.
    pub fn product() -> Self {
        let terms = vec![(1, Operands::Product(0, 1)), (-1, Operands::Linear(2))];
        Self { terms, constant: BigInt::zero() }
    }

    /// How the relation is checked over operands of these ranges.
    ///
    /// # Errors
    ///
    /// [`BoundError`] if the limbs are too wide for the relation.
    ///
    /// # Panics
    /// If a term names an operand that does not exist.
    pub fn checks(&self, format: &Format, ranges: &[Range]) -> Result<Checks, BoundError> {
        self.checks_of(format, ranges, Widths::default())
    }

    /// [`Self::checks`] with ranges of at least `least`.
    ///
    /// # Errors
    ///
    /// As [`Self::checks`]: a range that is wider than necessary may wrap around.
    ///
    /// # Panics
    /// As [`Self::checks`].
    pub fn checks_of(
        &self,
        format: &Format,
        ranges: &[Range],
        least: Widths,
    ) -> Result<Checks, BoundError> {
        Terms::new(self, format, ranges).checks(least)
    }

    /// Limb of the constant and of the quotient's offset times the modulus, modulo `2^T`.
    pub fn constant_limb(&self, format: &Format, quotient: &Shifted, position: usize) -> BigUint {
        let constant = self.exact_constant(format, quotient);
        // Arithmetic shift: the residue of a negative number modulo a power of two.
        let limb = constant >> (position * format.limb_bits());
        let base = BigInt::one() << format.limb_bits();
        limb.mod_floor(&base).magnitude().clone()
    }

    /// The constant and the quotient's offset times the modulus.
    pub fn exact_constant(&self, format: &Format, quotient: &Shifted) -> BigInt {
        &self.constant - &quotient.offset * BigInt::from(format.modulus().clone())
    }
}

/// A relation with the bounds of its terms, which do not depend on the ranges of quotient and
/// carries.
struct Terms<'a> {
    relation: &'a Relation,
    format: &'a Format,
    limbs: Vec<Vec<Interval>>,
    modulus: Vec<Interval>,
    /// The sum of all terms.
    sum: Interval,
    /// Its parts at `2^(b·i)`, as far as they were needed.
    parts: Vec<Interval>,
}

impl<'a> Terms<'a> {
    fn new(relation: &'a Relation, format: &'a Format, ranges: &[Range]) -> Self {
        let limbs: Vec<_> = ranges.iter().map(|range| format.limb_intervals(*range)).collect();
        let values: Vec<_> = limbs.iter().map(|limbs| value(limbs, format)).collect();
        let mut sum = Interval::point(relation.constant.clone());
        for (factor, operands) in &relation.terms {
            let term = match operands {
                Operands::Product(a, b) => values[*a].product(&values[*b]),
                Operands::Linear(x) => values[*x].clone(),
            };
            sum.add(&term.scaled(&BigInt::from(*factor)));
        }
        let modulus = format.split(format.modulus(), format.limbs()).into_iter();
        let modulus = modulus.map(|limb| Interval::point(limb.into())).collect();
        Self { relation, format, limbs, modulus, sum, parts: vec![] }
    }

    /// How the relation is checked, with ranges of at least `least`.
    fn checks(&mut self, least: Widths) -> Result<Checks, BoundError> {
        let format = self.format;
        let quotients = quotients(&self.sum, format.modulus());
        let quotient = Shifted::around(&quotients, format, least.quotient);
        // All that passes as a quotient, not only what an honest prover takes.
        let mut difference = self.sum.clone();
        let modulus = -BigInt::from(format.modulus().clone());
        difference.add(&quotient.interval().scaled(&modulus));
        let least = Widths { carries: groups(&difference, format).max(least.carries), ..least };
        let carries = self.carries(&quotient, least)?;
        Ok(Checks { quotient, carries })
    }

    /// Bounds of the carries out of each group of limbs.
    fn carries(&mut self, quotient: &Shifted, least: Widths) -> Result<Vec<Shifted>, BoundError> {
        let format = self.format;
        let widths = format.limb_widths(quotient.bits).into_iter();
        let limbs: Vec<_> = widths.map(Interval::of_bits).collect();
        let base = BigInt::one() << (format.group() * format.limb_bits());
        let mut carries: Vec<Shifted> = vec![];
        for group in 0..least.carries {
            let mut sum = carries.last().map(Shifted::interval).unwrap_or_default();
            for place in 0..format.group() {
                let position = format.group() * group + place;
                let constant = self.relation.constant_limb(format, quotient, position);
                let mut part = Interval::point(constant.into());
                part.add(self.part(position));
                let product = convolution(&limbs, &self.modulus, position);
                part.add(&product.scaled(&-BigInt::one()));
                sum.add(&part.scaled(&(BigInt::one() << (place * format.limb_bits()))));
            }
            let honest = Interval { low: sum.low.div_ceil(&base), high: sum.high.div_floor(&base) };
            let carry = Shifted::around(&honest, format, least.carry);
            sum.add(&carry.interval().scaled(&-&base));
            let magnitude = sum.magnitude();
            if magnitude >= *format.native() {
                return Err(BoundError::Wraps { group, bits: magnitude.bits() });
            }
            carries.push(carry);
        }
        Ok(carries)
    }

    /// Bounds of the part at `2^(b·position)` of all terms over limbs.
    fn part(&mut self, position: usize) -> &Interval {
        while self.parts.len() <= position {
            let mut sum = Interval::default();
            for (factor, operands) in &self.relation.terms {
                let term = match operands {
                    Operands::Product(a, b) => {
                        convolution(&self.limbs[*a], &self.limbs[*b], self.parts.len())
                    }
                    Operands::Linear(x) => {
                        self.limbs[*x].get(self.parts.len()).cloned().unwrap_or_default()
                    }
                };
                sum.add(&term.scaled(&BigInt::from(*factor)));
            }
            self.parts.push(sum);
        }
        &self.parts[position]
    }
}

/// The number that limbs make.
fn value(limbs: &[Interval], format: &Format) -> Interval {
    let mut sum = Interval::default();
    for (i, limb) in limbs.iter().enumerate() {
        sum.add(&limb.scaled(&(BigInt::one() << (i * format.limb_bits()))));
    }
    sum
}

/// The quotients of multiples of `modulus` in `sum`. Over the integers, where the modulus is 0, the
/// quotient is 0.
fn quotients(sum: &Interval, modulus: &BigUint) -> Interval {
    if modulus.is_zero() {
        return Interval::default();
    }
    let modulus = BigInt::from(modulus.clone());
    Interval { low: sum.low.div_ceil(&modulus), high: sum.high.div_floor(&modulus) }
}

/// How many groups of limbs make `r·2^T` large enough that its only multiple among the differences
/// is zero.
fn groups(difference: &Interval, format: &Format) -> usize {
    let excess = difference.magnitude() / format.native();
    let group = (format.group() * format.limb_bits()) as u64;
    // |D| < r·(excess + 1) ≤ r·2^bits
    excess.bits().div_ceil(group).to_usize().unwrap_or(usize::MAX).max(1)
}

fn convolution(a: &[Interval], b: &[Interval], position: usize) -> Interval {
    let mut sum = Interval::default();
    for (u, limb) in a.iter().enumerate().take(position + 1) {
        if let Some(other) = b.get(position - u) {
            sum.add(&limb.product(other));
        }
    }
    sum
}
