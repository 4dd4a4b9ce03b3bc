//! Transforms between coefficients and values at the powers of a root of unity, or at a coset of them.

mod butterfly;
mod plan;
#[cfg(test)]
mod tests;

use std::{fmt, sync::Arc};

use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use thiserror::Error;

use crate::{
    backend::{Backend, Work},
    lanes::Lanes,
};
use plan::{apply, Factors, Scaling, Shape, Tables};

/// The points at which polynomials with `2^k` coefficients have values: the powers of a root of unity of that
/// order, or those times a shift.
///
/// Tables and working memory are kept, for as many transforms at a time as there are threads. What was
/// transformed last stays in that memory.
pub struct Domain {
    k: u32,
    shift: Fr,
    steps: Box<dyn Steps>,
}

/// Why there is no such domain.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DomainError {
    /// There is no root of unity of this order.
    #[error("there is no domain of 2^{0} points; the most is 2^{most}", most = Fr::S)]
    Size(u32),
    /// Times zero, all points would be the same.
    #[error("the shift of a coset must not be zero")]
    Shift,
}

impl Domain {
    /// The powers of the library's root of unity of order `2^k`.
    ///
    /// # Errors
    ///
    /// If `k` is more than 28.
    pub fn new(backend: Backend, k: u32) -> Result<Self, DomainError> {
        if k > Fr::S {
            return Err(DomainError::Size(k));
        }
        let roots = Roots::new(k);
        let steps: Box<dyn Steps> = if k < Shape::LEAST {
            Box::new(Few { roots, shift: Shift::one() })
        } else {
            backend.run(Plan(roots))
        };
        Ok(Self { k, shift: Fr::ONE, steps })
    }

    /// The same points times `shift`. They share their tables.
    ///
    /// # Errors
    ///
    /// If `shift` is zero.
    pub fn coset(&self, shift: Fr) -> Result<Self, DomainError> {
        let shift = self.shift * shift;
        let inverse = Option::from(shift.invert()).ok_or(DomainError::Shift)?;
        Ok(Self { k: self.k, shift, steps: self.steps.with_shift(Shift { shift, inverse }) })
    }

    /// The binary logarithm of the number of points.
    pub fn k(&self) -> u32 {
        self.k
    }

    /// Point `i` is this to the power `i`, times the shift.
    pub fn root(&self) -> Fr {
        Roots::new(self.k).root
    }

    /// What all points are multiplied by: 1, except for a coset.
    pub fn shift(&self) -> Fr {
        self.shift
    }

    /// The values at the points, in place of the coefficients.
    ///
    /// # Panics
    ///
    /// If there are not `2^k` of them.
    pub fn to_values(&self, coefficients: &mut [Fr]) {
        assert_eq!(coefficients.len(), 1 << self.k, "a domain of 2^{} points", self.k);
        self.steps.to_values(coefficients);
    }

    /// The coefficients, in place of the values at the points.
    ///
    /// # Panics
    ///
    /// If there are not `2^k` of them.
    pub fn to_coefficients(&self, values: &mut [Fr]) {
        assert_eq!(values.len(), 1 << self.k, "a domain of 2^{} points", self.k);
        self.steps.to_coefficients(values);
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Domain").field("k", &self.k).field("shift", &self.shift).finish()
    }
}

/// A root of unity of order `2^k`.
#[derive(Clone, Copy)]
pub(crate) struct Roots {
    k: u32,
    root: Fr,
    pub(crate) inverse: Fr,
}

impl Roots {
    /// The library's.
    pub(crate) fn new(k: u32) -> Self {
        let order = |root: Fr| (k..Fr::S).fold(root, |root, _| root.square());
        Self { k, root: order(Fr::ROOT_OF_UNITY), inverse: order(Fr::ROOT_OF_UNITY_INV) }
    }

    /// `2^-k`.
    pub(crate) fn size_inverse(self) -> Fr {
        Fr::TWO_INV.pow_vartime([u64::from(self.k)])
    }
}

#[derive(Clone, Copy)]
struct Shift {
    shift: Fr,
    inverse: Fr,
}

impl Shift {
    fn one() -> Self {
        Self { shift: Fr::ONE, inverse: Fr::ONE }
    }
}

/// How a domain of some size computes, on some backend.
trait Steps: Send + Sync {
    fn with_shift(&self, shift: Shift) -> Box<dyn Steps>;
    fn to_values(&self, elements: &mut [Fr]);
    fn to_coefficients(&self, elements: &mut [Fr]);
}

/// Too few points for lanes.
struct Few {
    roots: Roots,
    shift: Shift,
}

impl Steps for Few {
    fn with_shift(&self, shift: Shift) -> Box<dyn Steps> {
        Box::new(Few { roots: self.roots, shift })
    }

    fn to_values(&self, elements: &mut [Fr]) {
        scale(elements, Fr::ONE, self.shift.shift);
        transform(elements, self.roots.root);
    }

    fn to_coefficients(&self, elements: &mut [Fr]) {
        transform(elements, self.roots.inverse);
        scale(elements, self.roots.size_inverse(), self.shift.inverse);
    }
}

/// The transform of few elements, by halves: the even places and the odd places.
fn transform(elements: &mut [Fr], root: Fr) {
    if elements.len() == 1 {
        return;
    }
    let half = |first: usize| {
        let mut part: Vec<Fr> = elements.iter().skip(first).step_by(2).copied().collect();
        transform(&mut part, root.square());
        part
    };
    let (even, mut odd) = (half(0), half(1));
    scale(&mut odd, Fr::ONE, root);
    let (low, high) = elements.split_at_mut(even.len());
    for ((low, high), (even, odd)) in low.iter_mut().zip(high).zip(even.iter().zip(&odd)) {
        *low = *even + odd;
        *high = *even - odd;
    }
}

/// Multiplies element `i` by `first·baseⁱ`.
fn scale(elements: &mut [Fr], first: Fr, base: Fr) {
    let mut power = first;
    for element in elements {
        *element *= power;
        power *= base;
    }
}

struct Plan(Roots);

impl Work<Fr> for Plan {
    type Output = Box<dyn Steps>;

    fn run<L: Lanes<Fr>>(self, lanes: L) -> Box<dyn Steps> {
        let Self(roots) = self;
        let shape = Shape::new(roots.k);
        let [forward, backward] =
            [roots.root, roots.inverse].map(|root| Tables::new(lanes, shape, root));
        let base = Arc::new(Base { roots, shape, forward, backward });
        Box::new(Planned::new(lanes, base, Shift::one()))
    }
}

/// What all cosets share.
struct Base<L: Lanes<Fr>> {
    roots: Roots,
    shape: Shape,
    forward: Tables<L>,
    backward: Tables<L>,
}

struct Planned<L: Lanes<Fr>> {
    lanes: L,
    base: Arc<Base<L>>,
    forward: Factors<L>,
    backward: Factors<L>,
}

impl<L: Lanes<Fr>> Planned<L> {
    fn new(lanes: L, base: Arc<Base<L>>, Shift { shift, inverse }: Shift) -> Self {
        let Roots { root, inverse: inverse_root, .. } = base.roots;
        let forward = Scaling { before: shift, after: Fr::ONE, all: Fr::ONE };
        let backward = Scaling { before: Fr::ONE, after: inverse, all: base.roots.size_inverse() };
        let forward = Factors::new(lanes, base.shape, root, forward);
        let backward = Factors::new(lanes, base.shape, inverse_root, backward);
        Self { lanes, base, forward, backward }
    }
}

impl<L: Lanes<Fr>> Steps for Planned<L> {
    fn with_shift(&self, shift: Shift) -> Box<dyn Steps> {
        Box::new(Self::new(self.lanes, self.base.clone(), shift))
    }

    fn to_values(&self, elements: &mut [Fr]) {
        apply(self.lanes, elements, &self.base.forward, &self.forward);
    }

    fn to_coefficients(&self, elements: &mut [Fr]) {
        apply(self.lanes, elements, &self.base.backward, &self.backward);
    }
}
