//! Relations between elements of a prime field other than the native one.

pub mod chip;
pub mod halves;
pub mod integer;
pub mod regroup;
pub mod script;
#[cfg(test)]
mod tests;
