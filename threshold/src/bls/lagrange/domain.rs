//! A committee's points, and the coefficients of sets of its signers.

use ff::PrimeField;

use super::{any_points, consecutive::Consecutive, method::Method, roots::Roots, Secrets};
use crate::bls::{
    error::Error,
    signers::{Identities, Signers, MOST_SIGNERS},
};

/// The points of a committee, with what all its coefficients share: roots of unity, or factorials.
/// Made once and used for any set of signers.
#[derive(Clone, Debug)]
pub struct Domain<F> {
    signers: usize,
    kind: Kind<F>,
}

#[derive(Clone, Debug)]
enum Kind<F> {
    Consecutive(Consecutive<F>),
    Roots(Roots<F>),
}

impl<F: PrimeField> Domain<F> {
    /// The points of a committee of `signers`.
    ///
    /// # Errors
    ///
    /// [`Error::CommitteeSize`] for none or more than [`MOST_SIGNERS`].
    pub fn new(identities: Identities, signers: usize) -> Result<Self, Error> {
        if !(1..=MOST_SIGNERS).contains(&signers) {
            return Err(Error::CommitteeSize { signers });
        }
        let kind = match identities {
            Identities::Consecutive => Kind::Consecutive(Consecutive::new(signers)),
            Identities::RootsOfUnity => Kind::Roots(Roots::new(signers)),
        };
        Ok(Self { signers, kind })
    }

    /// Size of the committee.
    pub fn signers(&self) -> usize {
        self.signers
    }

    /// What the points are.
    pub fn identities(&self) -> Identities {
        match self.kind {
            Kind::Consecutive(_) => Identities::Consecutive,
            Kind::Roots(_) => Identities::RootsOfUnity,
        }
    }

    /// The point of signer `index`, which counts from 1.
    fn point(&self, index: u32) -> F {
        match &self.kind {
            Kind::Consecutive(_) => F::from(u64::from(index)),
            Kind::Roots(roots) => roots.point(index),
        }
    }

    /// The coefficients of a set of signers, in its order, by the fastest method for its size.
    ///
    /// # Errors
    ///
    /// As [`Self::coefficients_by`].
    pub fn coefficients(&self, signers: &Signers) -> Result<Vec<F>, Error> {
        let method = Method::fastest(self.identities(), signers.count(), self.signers);
        self.coefficients_by(method, signers)
    }

    /// The coefficients by one of the methods.
    ///
    /// # Errors
    ///
    /// [`Error::OtherCommittee`] for signers of a committee of another size, [`Error::Method`] for
    /// a method that does not support the identities.
    pub fn coefficients_by(&self, method: Method, signers: &Signers) -> Result<Vec<F>, Error> {
        if signers.committee() != self.signers {
            return Err(Error::OtherCommittee);
        }
        let indices = signers.indices();
        let points = || -> Vec<F> { indices.iter().map(|&index| self.point(index)).collect() };
        Ok(match (method, &self.kind) {
            (Method::Naive, _) => any_points::naive(&points()),
            (Method::Quadratic, _) => any_points::quadratic(&points()),
            (Method::Subproduct, _) => any_points::subproduct(&points()),
            (Method::Missing, Kind::Consecutive(domain)) => domain.by_missing(indices),
            (Method::Values, Kind::Consecutive(domain)) => domain.by_values(indices),
            (Method::AbsentRoots, Kind::Roots(domain)) => domain.by_absent(indices),
            (Method::PresentRoots, Kind::Roots(domain)) => domain.by_present(indices),
            _ => return Err(Error::Method { method: method.name() }),
        })
    }

    /// The points of all signers in order, and their coefficients.
    pub(crate) fn all(&self) -> Result<Vec<(F, F)>, Error> {
        let all = Signers::new((1..=self.signers as u32).collect(), self.signers)?;
        let points = all.indices().iter().map(|&index| self.point(index));
        Ok(points.zip(self.coefficients(&all)?).collect())
    }

    /// A random polynomial with `threshold` coefficients: its value at zero, then its values at all
    /// points in order.
    pub(crate) fn deal(&self, threshold: usize, random: impl FnMut() -> F) -> Secrets<F> {
        match &self.kind {
            Kind::Consecutive(domain) => domain.deal(threshold, random),
            Kind::Roots(domain) => domain.deal(self.signers, threshold, random),
        }
    }
}
