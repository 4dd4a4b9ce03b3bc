//! Which members of a set signed.

#[cfg(feature = "circuit")]
pub mod chip;
#[cfg(feature = "circuit")]
pub mod complement;
mod native;

#[cfg(test)]
mod tests;

pub use native::{MaskError, SignerMask, MASK_WORD_BITS, MAX_MASKED};
