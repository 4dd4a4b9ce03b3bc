//! The k-of-n multi-signature circuit: its statement, its shapes and their layouts.
//!
//! A [`Shape`] fixes a verifying key. A [`ThresholdCircuit`] of that shape proves a [`Statement`]
//! from a [`Committee`] and the [`Signatures`] of some of its members.

mod builder;
mod committee;
mod error;
mod layout;
mod scheme;
mod shape;
mod statement;
#[cfg(test)]
mod tests;
mod threshold;

pub use builder::{Columns, ThresholdCircuit};
pub use committee::{verify, Committee, Signatures};
pub use error::{Error, Rejection};
pub use scheme::Scheme;
pub use shape::{Goal, Mode, Request, Shape, DEFAULT_ARITY, MAX_SLOTS};
pub use statement::{Statement, KEY_SET_ROOT, MESSAGE, PUBLIC_INPUTS, THRESHOLD};
