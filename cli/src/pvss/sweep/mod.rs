//! `muster pvss sweep`: the time of dealing, verification, sums and decryption over sizes.

mod args;
mod measure;
mod peers;
mod plot;
mod results;
mod row;
mod run;

#[cfg(test)]
mod tests;

pub(super) use args::SweepArgs;
pub(super) use run::run;
