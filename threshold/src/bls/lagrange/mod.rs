//! Lagrange coefficients at zero: what a share of a secret counts for in a set of signers.
//!
//! For signers S at points x_i, λ_i = Π_{j ∈ S, j ≠ i} x_j / (x_j − x_i). All methods have the same
//! result; [`Domain::coefficients`] uses the one that is expected to be the fastest
//! ([`Method::fastest`]).

mod consecutive;
mod crossover;
mod domain;
mod method;
mod naive;
mod ntt;
mod product;
mod roots;
mod secrets;
mod shift;
mod subproduct;
#[cfg(test)]
mod tests;

pub use domain::Domain;
pub use method::Method;
