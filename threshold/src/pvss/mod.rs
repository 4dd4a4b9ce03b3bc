//! Weighted, publicly verifiable secret sharing over BLS12-381: Chunky, Chunky2 and a compact variant.
//!
//! A dealer encrypts to every player its shares of a secret, in chunks small enough to take
//! logarithms of, and proves it; anyone can verify the bytes. Verified dealings of several dealers
//! add up. The README argues why it is sound, what it hides, and what it costs.

mod bases;
mod challenge;
mod deal;
mod decrypt;
pub mod dlog;
mod equations;
mod error;
mod field;
mod keys;
mod lagrange;
mod low_degree;
pub mod measure;
mod parameters;
mod range;
mod rounds;
mod session;
mod shape;
mod srs;
mod subtranscript;
#[cfg(test)]
mod tests;
mod transcript;
mod verify;
mod witness;

pub use deal::{deal, deal_random};
pub use decrypt::{decrypt, reconstruct, Share};
pub use error::{Equation, Error, KeyKind, Place};
pub use field::Field;
pub use keys::{KeyBundle, PlayerKeys, SecretKeys, SIGNATURE_BYTES};
pub use parameters::Parameters;
pub use session::Session;
pub use shape::{Shape, Variant, MOST_PLAYERS, MOST_SHARES};
pub use srs::{Contribution, Srs, MOST_POWERS};
pub(crate) use subtranscript::bitmap;
pub use subtranscript::Subtranscript;
#[cfg(test)]
pub(crate) use tests::deal_with_share;
pub(crate) use transcript::signed_digest;
#[cfg(test)]
pub(crate) use transcript::signed_message;
pub use transcript::{dealer_of, Dealt};
pub use verify::{verify, verify_all, Verified};
