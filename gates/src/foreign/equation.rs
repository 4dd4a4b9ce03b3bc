//! The equations that a block can hold.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::{BigInt, BigUint};

use super::{
    form::{Form, Ratio, Sum},
    source::Source::{self, Above, Back, Operand, Result, Turned},
};
use muster_schemes::field::foreign::{relation::Operands, Range, Relation};

/// A sum of small multiples of sources. Each source occurs once, and no multiple is 0.
pub(super) type Terms = BTreeMap<Source, i64>;

/// `X₀·Y₀ + X₁·Y₁ + … + L + c ≡ 0` modulo a foreign prime, or over the integers for the modulus 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Equation {
    modulus: BigUint,
    products: Vec<[Terms; 2]>,
    linear: Terms,
    constant: BigInt,
    /// Operands whose limbs have signs.
    signed: BTreeSet<usize>,
    /// Operands, of the block or of the one above, whose top limb is only near its bound.
    near: BTreeSet<Source>,
    /// Whether the equation also says that `Y₀` does not vanish.
    apart: bool,
}

impl Equation {
    /// No equation: only a range check of the result.
    pub fn free() -> Self {
        Self::zero(&BigUint::ZERO, Form::default())
    }

    /// States that the form is a multiple of the modulus.
    ///
    /// Its products are `X₀·Y₀`, `X₁·Y₁` and so on, in order, each with its factors in order.
    ///
    /// # Panics
    /// If it reads the result 0 blocks above, which is the block's own.
    pub fn zero(modulus: &BigUint, form: Form) -> Self {
        let Form { products, linear, constant } = form;
        let products = products.into_iter().map(|product| product.map(terms)).collect();
        let (modulus, linear) = (modulus.clone(), terms(linear));
        let (signed, near) = (BTreeSet::new(), BTreeSet::new());
        Self { modulus, products, linear, constant, signed, near, apart: false }
    }

    /// States that the result is the value, modulo the modulus; for a [`Ratio`] `n/d`, that `R·d = n`.
    ///
    /// # Panics
    /// As [`Self::zero`].
    pub fn result(modulus: &BigUint, value: impl Into<Ratio>) -> Self {
        let Ratio { numerator, denominator } = value.into();
        let form = match denominator {
            Some(denominator) => Result * denominator - numerator,
            None => numerator - Result,
        };
        Self::zero(modulus, form)
    }

    /// `A₀·A₁`.
    pub fn multiply(modulus: &BigUint) -> Self {
        Self::result(modulus, Operand(0) * Operand(1))
    }

    /// Declares that the limbs of an operand have signs.
    ///
    /// # Panics
    /// If it is [near](Self::near) its bound.
    #[must_use]
    pub fn signed(mut self, operand: usize) -> Self {
        self.signed.insert(operand);
        self.assert_one_range_each();
        self
    }

    /// Declares operands, of the block or of the one above, that may be
    /// [witnessed](super::ForeignChip::witness) outside a block. They may be any other elements too.
    ///
    /// # Panics
    /// If one is no operand, or its limbs have signs.
    #[must_use]
    pub fn near(mut self, operands: impl IntoIterator<Item = Source>) -> Self {
        self.near.extend(operands);
        let is_operand = |source: &Source| matches!(source, Operand(_) | Above(_));
        assert!(self.near.iter().all(is_operand), "only operands are witnessed outside a block");
        self.assert_one_range_each();
        self
    }

    /// Also states that `Y₀`, the difference of two elements, is not 0 modulo the prime.
    ///
    /// # Panics
    /// If `Y₀` is no such difference.
    #[must_use]
    pub fn apart(mut self) -> Self {
        assert!(self.is_difference(), "the sum Y is the difference of two elements");
        self.apart = true;
        self
    }

    /// Adds the sum `Y₀`, in a product whose other factor is 0.
    #[cfg(debug_assertions)]
    pub fn differing(mut self, first: Source, second: Source) -> Self {
        self.products.insert(0, [Terms::new(), Terms::from([(first, 1), (second, -1)])]);
        self
    }

    pub(super) fn modulus(&self) -> &BigUint {
        &self.modulus
    }

    pub(super) fn products(&self) -> &[[Terms; 2]] {
        &self.products
    }

    pub(super) fn linear(&self) -> &Terms {
        &self.linear
    }

    /// `Y₀`, if there is a product.
    pub(super) fn difference(&self) -> Option<&Terms> {
        self.products.first().map(|[_, y]| y)
    }

    pub(super) fn is_apart(&self) -> bool {
        self.apart
    }

    pub(super) fn is_signed(&self, operand: usize) -> bool {
        self.signed.contains(&operand)
    }

    pub(super) fn is_near(&self, operand: Source) -> bool {
        self.near.contains(&operand)
    }

    /// The sources that it uses, each once and in the order in which [`Self::relation`] numbers them.
    pub(super) fn sources(&self) -> Vec<Source> {
        let terms = self.products.iter().flatten().chain([&self.linear]);
        let sources: BTreeSet<_> = terms.flat_map(Terms::keys).copied().collect();
        sources.into_iter().collect()
    }

    /// The number of operands of its block, including those that it only declares signed or near.
    pub(super) fn operands(&self) -> usize {
        let all = self.sources().into_iter().chain(self.near.iter().copied());
        let all = all.chain(self.signed.iter().copied().map(Operand));
        let last = all.map(|source| match source {
            Operand(operand) => operand + 1,
            Result | Back(_) | Turned | Above(_) => 0,
        });
        last.max().unwrap_or_default()
    }

    /// How many blocks above it reaches.
    pub(super) fn reach(&self) -> usize {
        let reach = self.sources().into_iter().map(|source| match source {
            Back(blocks) => blocks,
            Above(_) => 1,
            Result | Operand(_) | Turned => 0,
        });
        reach.max().unwrap_or_default()
    }

    pub(super) fn uses(&self, source: Source) -> bool {
        self.sources().contains(&source)
    }

    /// Whether `Y₀` is the difference of two elements that have no signs.
    pub(super) fn is_difference(&self) -> bool {
        let terms = self.difference().into_iter().flatten();
        let is_plain = |source: &Source| self.range(*source) != Range::Signed;
        let mut factors: Vec<_> = terms.map(|(source, f)| (*f, is_plain(source))).collect();
        factors.sort_unstable();
        factors == [(-1, true), (1, true)]
    }

    /// The relation over its [sources](Self::sources).
    pub(super) fn relation(&self) -> Relation {
        let sources = self.sources();
        let number = |source: &Source| sources.binary_search(source).expect("it is one of them");
        let mut terms = vec![];
        for [x, y] in &self.products {
            for (a, f) in x {
                for (b, g) in y {
                    terms.push((f * g, Operands::Product(number(a), number(b))));
                }
            }
        }
        terms.extend(self.linear.iter().map(|(x, f)| (*f, Operands::Linear(number(x)))));
        Relation { terms, constant: self.constant.clone() }
    }

    fn assert_one_range_each(&self) {
        let both = self.signed.iter().find(|operand| self.is_near(Operand(**operand)));
        assert_eq!(both, None, "an operand's limbs have signs, or are those of a witness");
    }

    /// What is known about each of its [sources](Self::sources).
    pub(super) fn ranges(&self) -> Vec<Range> {
        self.sources().into_iter().map(|source| self.range(source)).collect()
    }

    /// What is known about a source.
    pub(super) fn range(&self, source: Source) -> Range {
        match source {
            Turned => Range::Signed,
            Operand(operand) if self.is_signed(operand) => Range::Signed,
            Operand(_) | Above(_) if self.is_near(source) => Range::Near,
            Result | Back(_) | Operand(_) | Above(_) => Range::Element,
        }
    }
}

fn terms(sum: Sum) -> Terms {
    let mut terms = Terms::new();
    for (factor, source) in sum {
        assert_ne!(source, Back(0), "the block's own result has a name of its own");
        *terms.entry(source).or_default() += factor;
    }
    terms.retain(|_, factor| *factor != 0);
    terms
}
