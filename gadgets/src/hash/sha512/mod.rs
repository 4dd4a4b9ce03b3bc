//! SHA-512.

pub mod chip;
#[cfg(test)]
mod tests;
