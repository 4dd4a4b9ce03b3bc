//! SHA-512.

pub mod native;

pub use native::sha512;
