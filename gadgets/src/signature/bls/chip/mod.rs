//! BLS signatures in circuit.

mod keys;
mod message;
mod signed;
#[cfg(test)]
mod tests;

pub use keys::KeySums;
pub use message::{Hashed, MessagePoint};
pub use signed::{equations, AssignedSigned};
