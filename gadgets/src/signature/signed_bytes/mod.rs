//! Bytes that are signed as they are.

pub(crate) mod chip;
#[cfg(test)]
mod tests;
