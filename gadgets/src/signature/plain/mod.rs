//! Short messages that are public themselves, not by a digest.

pub mod chip;
#[cfg(test)]
mod tests;
