//! Rows of `muster pvss sweep`: the time of dealing, verification, sums and decryption over sizes.

mod measure;
mod peers;
mod plot;
mod results;
mod row;
#[cfg(test)]
mod tests;

pub use measure::Ask;
pub use row::{Key, Row};
