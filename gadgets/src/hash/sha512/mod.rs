//! SHA-512.

#[cfg(feature = "circuit")]
pub mod chip;
pub mod native;

#[cfg(all(test, feature = "circuit"))]
mod tests;

pub use native::sha512;
