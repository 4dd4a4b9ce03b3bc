//! Sums of many points of a pairing-friendly curve `y² = x³ + b`, whatever points they are: two relations per point
//! over a prime field, four over a quadratic extension.
//!
//! The addition chain of a sum as a prover computes it, before any of it is recorded.
//!
//! The sum starts at `-S` for a point `S` of the curve, and adds one point after the other and `S` last. The prover
//! may choose any `S`, so it chooses one with which no sum on the way has the first coordinate of its addend.

#[cfg(test)]
#[path = "tests/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use ff::{BatchInvert, Field};
use halo2curves::{
    bn256,
    group::{Curve, Group},
    CurveAffine,
};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;

pub use crate::field::modulus;
use crate::field::ExtensionField;

/// Why points have no sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SumError {
    /// A point has no coordinates.
    #[error("point {0} is the identity")]
    Point(usize),
    /// The sum has no coordinates: the points cancel, or there are none.
    #[error("the sum of the points is the identity")]
    Identity,
}

/// A coordinate, or a slope.
pub type Element<const D: usize> = [BigUint; D];

/// The slope to an addend, and the first coordinate of the sum with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<const D: usize> {
    /// The slope of the line to the addend.
    pub slope: Element<D>,
    /// The first coordinate of the sum.
    pub x: Element<D>,
}

/// All sums from `-S` on, with the slopes that lead to them: a step for each point, and one for `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumWalk<const D: usize> {
    /// `S`.
    pub start: [Element<D>; 2],
    /// One step for each point, and one for `S`.
    pub steps: Vec<Step<D>>,
    /// The second coordinate of the last sum.
    pub y: Element<D>,
}

impl<const D: usize> SumWalk<D> {
    /// The addition chain for `points`, from the first start with which no sum meets its addend.
    ///
    /// For each point, about one start in `2^252` fails.
    ///
    /// # Errors
    /// If a point is the identity, or the sum is.
    pub fn new<C>(points: &[C]) -> Result<Self, SumError>
    where
        C: CurveAffine,
        C::Base: ExtensionField,
    {
        if let Some(place) = points.iter().position(|point| bool::from(point.is_identity())) {
            return Err(SumError::Point(place));
        }
        let next = |sum: &mut C::Curve, point: &C| {
            *sum += *point;
            Some(*sum)
        };
        let partial: Vec<_> = points.iter().scan(C::Curve::identity(), next).collect();
        if partial.last().is_none_or(|sum| bool::from(sum.is_identity())) {
            return Err(SumError::Identity);
        }
        let walk = starts::<C>().find_map(|start| Self::from_start(points, &partial, start));
        Ok(walk.expect("almost every start will do"))
    }

    /// Both coordinates of the sum.
    pub fn sum(&self) -> [&Element<D>; 2] {
        [&self.steps.last().expect("a walk has steps").x, &self.y]
    }

    /// The addition chain from the opposite of `start`, if no sum meets its addend.
    fn from_start<C>(points: &[C], partial: &[C::Curve], start: C) -> Option<Self>
    where
        C: CurveAffine,
        C::Base: ExtensionField,
    {
        let all = partial.last()?;
        let first = -start.to_curve();
        let sums = [first].into_iter().chain(partial.iter().map(|sum| *sum + first)).chain([*all]);
        let sums: Vec<_> = sums.collect();
        let mut affine = vec![C::identity(); sums.len()];
        C::Curve::batch_normalize(&sums, &mut affine);
        let coordinates =
            |point: &C| point.coordinates().into_option().map(|found| (*found.x(), *found.y()));
        let sums: Vec<_> = affine.iter().map(coordinates).collect::<Option<_>>()?;
        let addends = points.iter().chain([&start]).map(coordinates);
        let addends: Vec<_> = addends.collect::<Option<_>>()?;
        let apart = sums.iter().zip(&addends).all(|((x, _), (other, _))| differ(x, other));
        if !apart {
            return None;
        }
        let differences = sums.iter().zip(&addends).map(|((x, _), (other, _))| *x - other);
        let mut inverses: Vec<_> = differences.collect();
        inverses.iter_mut().batch_invert();
        let step = |i: usize| {
            let slope = (sums[i].1 - addends[i].1) * inverses[i];
            Step { slope: slope.coefficients(), x: sums[i + 1].0.coefficients() }
        };
        let steps = (0..addends.len()).map(step).collect();
        let start = addends.last()?;
        let start = [start.0.coefficients(), start.1.coefficients()];
        Some(Self { start, steps, y: sums.last()?.1.coefficients() })
    }
}

/// Points with small first coordinates.
pub fn starts<C: CurveAffine>() -> impl Iterator<Item = C> {
    (1..).filter_map(|x| {
        let x = C::Base::from(x);
        let y = Option::from((x.square() * x + C::a() * x + C::b()).sqrt())?;
        Option::from(C::from_xy(x, y))
    })
}

/// Whether the gate can tell two first coordinates apart: as an integer, the difference of the lowest
/// coefficients is not a multiple of their prime plus one of the native prime.
fn differ<F: ExtensionField>(a: &F, b: &F) -> bool {
    let [a, b] = [a, b].map(|x| BigInt::from(x.integers().swap_remove(0)));
    let [p, native] = [modulus::<F>(), modulus::<bn256::Fr>()].map(BigInt::from);
    let difference = a - b;
    [-&p, BigInt::zero(), p].iter().all(|multiple| !((&difference - multiple) % &native).is_zero())
}
