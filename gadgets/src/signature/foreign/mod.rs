//! Signatures over Weierstrass curves in circuit: what ECDSA, BIP-340 and Ed25519 share.
//!
//! Signature `i` holds if `Rᵢ + aᵢ·Aᵢ + gᵢ·G = 0` for its nonce point, its key and scalars that
//! depend on the scheme. With coefficients `zᵢ` squeezed from everything that they batch,
//!
//! ```text
//! Σ zᵢ·Rᵢ + Σ (zᵢ·aᵢ)·Aᵢ + (Σ zᵢ·gᵢ)·G = 0
//! ```
//!
//! holds for a false signature with a probability of `2^-128`: the group has prime order, so a false
//! signature leaves a non-zero multiple of its `zᵢ`, and at most one of the `2^128` values of `zᵢ`
//! makes the sum the identity.

mod batch;
mod coefficient;
mod points;
mod scalar;
mod sum;
#[cfg(test)]
mod tests;

#[cfg(test)]
use batch::SchnorrHints;
pub(super) use batch::{KeyPoint, Opened, SchnorrBatch, SignatureBatch};
pub(super) use coefficient::{choices, coefficients, Coefficient, Factor};
pub(super) use points::{assign_keys, from_halves, integers};
pub use points::{equations, AssignedKey, AssignedNonce, RawKey, RawSignature};
pub(super) use scalar::{Parts, ScalarEquations};
pub(super) use sum::{multiply, Multiples, Multiplied, Scalars};

/// No choice works: the sum over these signatures meets a point of the last one, or the generator.
/// Circuits refuse the witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionalCase {
    /// The signatures by number.
    pub signatures: Vec<usize>,
}
