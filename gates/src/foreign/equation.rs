//! The equations that a block can hold: what they are about, which sums of it a gate has, and how they are written.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::{Add, Div, Mul, Neg, Sub},
};

use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use serde::{Deserialize, Serialize};

use muster_schemes::field::foreign::{relation::Operands, Range, Relation};
use Source::{Above, Back, Operand, Result, Turned};

/// What an equation is about. The order of the variants is that of the fixed columns, so it is part of the verifying
/// keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The result of the block.
    Result,
    /// The result of the block that many blocks above, from 1 on.
    Back(usize),
    /// An operand of the block, counted from 0.
    Operand(usize),
    /// Operand 1 with the sign of the digit that asks for it.
    Turned,
    /// An operand of the block above.
    Above(usize),
}

/// What is written with the results of the blocks above by their names, the last one first: `λ² - 2x` two blocks below
/// `x` is `above(|[slope, _, x]| slope * slope - 2 * x)`.
pub fn above<const N: usize, T>(write: impl FnOnce([Source; N]) -> T) -> T {
    write(std::array::from_fn(|place| Back(place + 1)))
}

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
        let terms = self.products.iter().flatten().chain([&self.linear]);
        let reach = terms.flat_map(Terms::keys).map(|source| match source {
            Back(blocks) => *blocks,
            Above(_) => 1,
            Result | Operand(_) | Turned => 0,
        });
        reach.max().unwrap_or_default()
    }

    pub(super) fn uses(&self, source: Source) -> bool {
        let terms = self.products.iter().flatten().chain([&self.linear]);
        terms.into_iter().any(|terms| terms.contains_key(&source))
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

/// Coordinates of an entry: the operands of the block that holds it, and of one that asks for it.
pub(super) const COORDINATES: usize = 2;
/// The number of the sum `Y₀`, which is the difference where a digit is asked for.
pub(super) const DIFFERENCE: usize = 1;

/// What the sums of `X₀·Y₀ + X₁·Y₁ + … + L` may be made of: exactly the sources that some equation of the gate has
/// there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// Both factors of each product.
    products: Vec<[Vec<Source>; 2]>,
    /// What is added to the products.
    linear: Vec<Source>,
    /// The most operands of any equation that says that `Y₀` does not vanish; `None` if none does. Most files leave it
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    apart: Option<usize>,
}

impl Default for Sums {
    /// Those of the equations of a curve in Weierstrass form. A layout's file that names no sums has these.
    fn default() -> Self {
        let [b1, b2, b3, b4] = above(|results| results);
        let [a0, a1] = [0, 1].map(Operand);
        Self {
            products: vec![
                [vec![Result, b1, b2, a0], vec![Result, b1, b2, b3, b4, a0, a1]],
                [vec![b2, b4], vec![b1, b2, b3, b4, a0]],
            ],
            linear: vec![Result, b1, b2, b3, a0, a1, Turned, Above(0)],
            apart: None,
        }
    }
}

impl Sums {
    /// What `equations` are made of.
    ///
    /// # Panics
    /// If digits ask for entries and no equation has a product, and so none has a difference.
    pub(super) fn of(equations: &[Equation]) -> Self {
        let products = equations.iter().map(|equation| equation.products().len()).max();
        let together = |terms: &mut dyn Iterator<Item = &Terms>| {
            terms.flat_map(Terms::keys).copied().collect::<BTreeSet<_>>().into_iter().collect()
        };
        let factor = |product: usize, factor: usize| {
            let all = equations.iter().filter_map(|equation| equation.products().get(product));
            together(&mut all.map(|product| &product[factor]))
        };
        let products = 0..products.unwrap_or_default();
        let sums = Self {
            products: products.map(|i| [0, 1].map(|side| factor(i, side))).collect(),
            linear: together(&mut equations.iter().map(Equation::linear)),
            apart: { equations.iter().filter(|one| one.is_apart()) }.map(Equation::operands).max(),
        };
        assert!(!sums.asks() || !sums.products.is_empty(), "whoever asks has a difference");
        sums
    }

    /// Whether the gate was made for such an equation.
    pub(super) fn hold(&self, equation: &Equation) -> bool {
        let within = |sum: &[Source], terms: &Terms| terms.keys().all(|one| sum.contains(one));
        let products = self.products.iter().zip(equation.products());
        let fits =
            |([a, b], [x, y]): (&[Vec<Source>; 2], &[Terms; 2])| within(a, x) && within(b, y);
        (!equation.is_apart() || self.apart.is_some_and(|most| equation.operands() <= most))
            && equation.products().len() <= self.products.len()
            && products.into_iter().all(fits)
            && within(&self.linear, equation.linear())
    }

    /// All sums: the factors of each product, and what is added to the products.
    pub(super) fn all(&self) -> impl Iterator<Item = &[Source]> {
        self.products.iter().flatten().chain([&self.linear]).map(Vec::as_slice)
    }

    /// The factors that an equation has in each sum.
    pub(super) fn factors(&self, equation: &Equation) -> Vec<Vec<i64>> {
        let none = Terms::new();
        let terms = |sum: usize| match equation.products().get(sum / 2) {
            _ if sum == 2 * self.products.len() => equation.linear(),
            Some(product) => &product[sum % 2],
            None => &none,
        };
        let of = |(sum, sources): (usize, &[Source])| {
            let terms = terms(sum);
            sources.iter().map(|one| terms.get(one).copied().unwrap_or_default()).collect()
        };
        self.all().enumerate().map(of).collect()
    }

    /// Operands of a block.
    pub(super) fn operands(&self) -> usize {
        let operands = self.all().flatten().map(|source| match source {
            Operand(operand) | Above(operand) => operand + 1,
            Turned => COORDINATES,
            Result | Back(_) => 0,
        });
        operands.max().unwrap_or_default()
    }

    /// Whether digits ask for the entries of tables.
    pub(super) fn asks(&self) -> bool {
        self.all().flatten().any(|source| *source == Turned)
    }

    /// Whether an equation may say that `Y₀` does not vanish.
    pub(super) fn apart(&self) -> bool {
        self.apart.is_some()
    }

    /// An operand that is never given where an equation says that `Y₀` does not vanish, so that two of its cells can
    /// show it. `None` if digits ask, which have cells for it.
    pub(super) fn idle(&self) -> Option<usize> {
        self.apart.filter(|taken| !self.asks() && *taken < self.operands())
    }

    /// Whether a file of the layout leaves them out.
    pub(super) fn are_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A sum of small multiples of sources, as it is written.
type Sum = Vec<(i64, Source)>;

/// `Σ a·b + l + c` for sums `a`, `b` and `l` of small multiples of sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    products: Vec<[Sum; 2]>,
    linear: Sum,
    constant: BigInt,
}

/// A form over a sum, for [`Equation::result`](super::Equation::result).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: Form,
    /// `None` for 1.
    denominator: Option<Form>,
}

impl Form {
    /// Scales the second factor of a product: which of the two it is affects the verifying keys.
    fn scaled(mut self, factor: i64) -> Self {
        let scale = |sum: &mut Sum| sum.iter_mut().for_each(|(multiple, _)| *multiple *= factor);
        self.products.iter_mut().for_each(|[_, second]| scale(second));
        scale(&mut self.linear);
        self.constant *= factor;
        self
    }

    /// Its value, if it has no sources.
    fn number(&self) -> Option<i64> {
        let is_number = self.products.is_empty() && self.linear.is_empty();
        is_number.then(|| self.constant.to_i64().expect("factors are small"))
    }

    /// Its linear sum.
    ///
    /// # Panics
    /// If it has products or a constant.
    fn sum(self) -> Sum {
        assert!(self.products.is_empty() && self.constant.is_zero(), "a factor is a plain sum");
        self.linear
    }

    fn plus(mut self, other: Self) -> Self {
        self.products.extend(other.products);
        self.linear.extend(other.linear);
        self.constant += other.constant;
        self
    }

    fn times(self, other: Self) -> Self {
        match (self.number(), other.number()) {
            (Some(factor), _) => other.scaled(factor),
            (_, Some(factor)) => self.scaled(factor),
            _ => Self { products: vec![[self.sum(), other.sum()]], ..Self::default() },
        }
    }
}

impl From<Source> for Form {
    fn from(source: Source) -> Self {
        Self { linear: vec![(1, source)], ..Self::default() }
    }
}

impl From<i64> for Form {
    fn from(number: i64) -> Self {
        BigInt::from(number).into()
    }
}

impl From<BigInt> for Form {
    fn from(constant: BigInt) -> Self {
        Self { constant, ..Self::default() }
    }
}

impl From<&BigUint> for Form {
    fn from(constant: &BigUint) -> Self {
        BigInt::from(constant.clone()).into()
    }
}

impl From<Form> for Ratio {
    fn from(numerator: Form) -> Self {
        Self { numerator, denominator: None }
    }
}

impl<T: Into<Form>> Add<T> for Form {
    type Output = Form;

    fn add(self, other: T) -> Form {
        self.plus(other.into())
    }
}

impl<T: Into<Form>> Sub<T> for Form {
    type Output = Form;

    fn sub(self, other: T) -> Form {
        self.plus(-other.into())
    }
}

impl<T: Into<Form>> Mul<T> for Form {
    type Output = Form;

    fn mul(self, other: T) -> Form {
        self.times(other.into())
    }
}

impl<T: Into<Form>> Div<T> for Form {
    type Output = Ratio;

    fn div(self, other: T) -> Ratio {
        Ratio { numerator: self, denominator: Some(other.into()) }
    }
}

impl Neg for Form {
    type Output = Form;

    fn neg(self) -> Form {
        self.scaled(-1)
    }
}

impl<T: Into<Form>> Add<T> for Source {
    type Output = Form;

    fn add(self, other: T) -> Form {
        Form::from(self) + other
    }
}

impl<T: Into<Form>> Sub<T> for Source {
    type Output = Form;

    fn sub(self, other: T) -> Form {
        Form::from(self) - other
    }
}

impl<T: Into<Form>> Mul<T> for Source {
    type Output = Form;

    fn mul(self, other: T) -> Form {
        Form::from(self) * other
    }
}

impl<T: Into<Form>> Div<T> for Source {
    type Output = Ratio;

    fn div(self, other: T) -> Ratio {
        Form::from(self) / other
    }
}

impl Neg for Source {
    type Output = Form;

    fn neg(self) -> Form {
        -Form::from(self)
    }
}

impl Mul<Source> for i64 {
    type Output = Form;

    fn mul(self, other: Source) -> Form {
        Form::from(other) * self
    }
}

impl Mul<Form> for i64 {
    type Output = Form;

    fn mul(self, other: Form) -> Form {
        other * self
    }
}

impl Div<Source> for i64 {
    type Output = Ratio;

    fn div(self, other: Source) -> Ratio {
        Form::from(self) / other
    }
}
