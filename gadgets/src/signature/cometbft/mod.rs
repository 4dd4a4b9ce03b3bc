//! CometBFT's precommits: what a validator signs, natively and in circuit; and the hashes that a block is named by.

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/signature/cometbft/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
