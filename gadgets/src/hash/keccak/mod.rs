//! Keccak-256 and Ethereum addresses.

pub mod chip;
#[cfg(test)]
mod tests;
