//! SHA-256, and tagged hashes.

pub mod chip;
#[cfg(test)]
mod tests;
