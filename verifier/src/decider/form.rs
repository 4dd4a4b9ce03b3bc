//! Forms: what a row can compute. Section 11 of the specification, "Forms".

use ark_ff::{AdditiveGroup, Field, One, Zero};

use crate::Scalar;

/// How many variables a row without a product takes.
const SUMMANDS: usize = 3;
/// How many variables a row with a product takes beside those two.
const BESIDE: usize = 1;

/// A variable of a decider: a number that stands in one or more of its cells.
///
/// Variables are numbered from 0 as they are created. The first ones are the public inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub(super) u32);

impl Variable {
    /// The variable's number.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// `factor·left·right`, with a factor that is not 0 and `left ≤ right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Product {
    pub(super) left: Variable,
    pub(super) right: Variable,
    pub(super) factor: Scalar,
}

impl Product {
    fn has(&self, variable: Variable) -> bool {
        self.left == variable || self.right == variable
    }
}

/// `constant + Σ f_v·v + f_vw·v·w`. Every form that exists fits a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    constant: Scalar,
    /// Ascending by variable. No factor is 0.
    linear: Vec<(Variable, Scalar)>,
    product: Option<Product>,
}

impl From<Variable> for Form {
    fn from(variable: Variable) -> Self {
        let linear = vec![(variable, Scalar::ONE)];
        Self { constant: Scalar::ZERO, linear, product: None }
    }
}

impl Form {
    pub(super) fn constant(constant: Scalar) -> Self {
        Self { constant, linear: vec![], product: None }
    }

    /// What is added to everything else.
    pub(super) fn remainder(&self) -> Scalar {
        self.constant
    }

    /// The variables with their factors, without the product.
    pub(super) fn linear(&self) -> &[(Variable, Scalar)] {
        &self.linear
    }

    pub(super) fn product(&self) -> Option<&Product> {
        self.product.as_ref()
    }

    /// The factor of a variable outside the product.
    pub(super) fn factor(&self, variable: Variable) -> Scalar {
        let found = self.linear.iter().find(|(other, _)| *other == variable);
        found.map_or(Scalar::ZERO, |&(_, factor)| factor)
    }

    /// The variables that are not in the product.
    pub(super) fn beside(&self) -> impl Iterator<Item = &(Variable, Scalar)> {
        let product = self.product;
        self.linear.iter().filter(move |(variable, _)| !product.is_some_and(|it| it.has(*variable)))
    }

    /// The constant, if the form is one.
    pub(super) fn as_constant(&self) -> Option<Scalar> {
        (self.linear.is_empty() && self.product.is_none()).then_some(self.constant)
    }

    /// The variable, if the form is one and nothing else.
    pub(super) fn as_variable(&self) -> Option<Variable> {
        match self.linear[..] {
            [(variable, factor)] if factor.is_one() => {
                (self.product.is_none() && self.constant.is_zero()).then_some(variable)
            }
            _ => None,
        }
    }

    pub(super) fn is_affine(&self) -> bool {
        self.product.is_none() && self.linear.len() <= 1
    }

    /// Whether it fits a row with so many more variables.
    fn fits_with(&self, more: usize) -> bool {
        let most = if self.product.is_some() { BESIDE } else { SUMMANDS };
        self.beside().count() + more <= most
    }

    /// Whether it fits a row with one more variable.
    pub(super) fn has_room(&self) -> bool {
        self.fits_with(1)
    }

    pub(super) fn scaled(mut self, by: Scalar) -> Self {
        if by.is_zero() {
            return Self::constant(Scalar::ZERO);
        }
        self.constant *= by;
        self.linear.iter_mut().for_each(|(_, factor)| *factor *= by);
        self.product.iter_mut().for_each(|product| product.factor *= by);
        self
    }

    pub(super) fn plus_constant(mut self, constant: Scalar) -> Self {
        self.constant += constant;
        self
    }

    /// The sum, if it fits a row.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let product = match (self.product, other.product) {
            (Some(one), Some(two)) if (one.left, one.right) == (two.left, two.right) => {
                let factor = one.factor + two.factor;
                (!factor.is_zero()).then_some(Product { factor, ..one })
            }
            (Some(_), Some(_)) => return None,
            (one, two) => one.or(two),
        };
        let constant = self.constant + other.constant;
        let sum = Self { constant, linear: merged(&self.linear, &other.linear), product };
        sum.fits_with(0).then_some(sum)
    }

    /// The product of two affine forms, which always fits.
    pub(super) fn times(&self, other: &Self) -> Self {
        debug_assert!(self.is_affine() && other.is_affine());
        let (Some(&(left, f)), Some(&(right, g))) = (self.linear.first(), other.linear.first())
        else {
            // One of them is a constant.
            return if other.linear.is_empty() {
                self.clone().scaled(other.constant)
            } else {
                other.clone().scaled(self.constant)
            };
        };
        let one = Self { constant: Scalar::ZERO, ..self.clone() }.scaled(other.constant);
        let two = Self { constant: Scalar::ZERO, ..other.clone() }.scaled(self.constant);
        let (left, right) = (left.min(right), left.max(right));
        Self {
            constant: self.constant * other.constant,
            linear: merged(&one.linear, &two.linear),
            product: Some(Product { left, right, factor: f * g }),
        }
    }
}

/// The sum of two ascending lists, without what becomes 0.
fn merged(one: &[(Variable, Scalar)], two: &[(Variable, Scalar)]) -> Vec<(Variable, Scalar)> {
    let mut sum = Vec::with_capacity(one.len() + two.len());
    let (mut one, mut two) = (one.iter().peekable(), two.iter().peekable());
    while let (Some(&&left), Some(&&right)) = (one.peek(), two.peek()) {
        if left.0 < right.0 {
            sum.push(left);
            one.next();
        } else if right.0 < left.0 {
            sum.push(right);
            two.next();
        } else {
            let factor = left.1 + right.1;
            if !factor.is_zero() {
                sum.push((left.0, factor));
            }
            one.next();
            two.next();
        }
    }
    sum.extend(one);
    sum.extend(two);
    sum
}
