//! Which members of a set signed.

mod native;

#[cfg(test)]
mod tests;

pub use native::{MaskError, SignerMask, MASK_WORD_BITS, MAX_MASKED};
