//! Which members of a set signed.

pub mod chip;
pub mod complement;
#[cfg(test)]
mod tests;
