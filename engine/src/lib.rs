//! BN254 for provers, on one of two backends: eight field elements at a time with AVX-512 IFMA, or the
//! library's own arithmetic. Both give the same results, bit for bit.
//!
//! ```
//! use halo2curves::{bn256::Fr, ff::Field};
//! use muster_engine::{Backend, Domain};
//!
//! let domain = Domain::new(Backend::from_env()?, 10)?;
//! let coefficients: Vec<Fr> = (0..1 << 10).map(Fr::from).collect();
//! let mut values = coefficients.clone();
//! domain.to_values(&mut values);
//! assert_eq!(values[0], coefficients.iter().sum::<Fr>());
//! domain.to_coefficients(&mut values);
//! assert_eq!(values, coefficients);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here runs in constant time.

mod backend;
mod elements;
mod expression;
mod field;
mod lanes;
mod msm;
mod transform;

#[cfg(test)]
mod tests;

pub use backend::{Backend, BackendError, ENGINE_ENV};
pub use expression::{Graph, Inputs, Program, Term};
pub use field::Field;
pub use msm::Bases;
pub use transform::{Domain, DomainError};
