//! Equations as they are written on paper: sums, products and one quotient of sources, by operators.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

use super::source::Source;

/// A sum of small multiples of sources.
pub(super) type Sum = Vec<(i64, Source)>;

/// `Σ a·b + l + c` for sums `a`, `b` and `l` of small multiples of sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    pub(super) products: Vec<[Sum; 2]>,
    pub(super) linear: Sum,
    pub(super) constant: BigInt,
}

/// A form over a sum, for [`Equation::result`](super::Equation::result).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    pub(super) numerator: Form,
    /// `None` for 1.
    pub(super) denominator: Option<Form>,
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
