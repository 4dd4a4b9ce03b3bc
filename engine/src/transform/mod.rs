//! Transforms between coefficients and values at the powers of a root of unity, or at a coset of them.

mod butterfly;
mod domain;
mod plan;
#[cfg(test)]
mod tests;

pub(crate) use domain::Roots;
pub use domain::{Domain, DomainError};
