//! SHA-256, and tagged hashes.

pub mod native;

pub use native::{sha256, Midstate};
