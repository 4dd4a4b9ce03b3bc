//! CometBFT's precommits: what a validator signs, in circuit.

pub mod chip;
#[cfg(test)]
#[path = "../../../../schemes/src/signature/cometbft/samples.rs"]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
