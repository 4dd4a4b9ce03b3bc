//! Eight field elements at a time. Algorithms are written once, over [`Lanes`]; [`Portable`] computes
//! them with the library's own arithmetic, `ifma` in vectors.

mod arithmetic;
#[cfg(test)]
mod counted;
mod points;
mod portable;
#[cfg(test)]
mod tests;

#[cfg(target_arch = "x86_64")]
pub(crate) mod ifma;

pub(crate) use arithmetic::{Lanes, GREATEST, LANES};
#[cfg(test)]
pub(crate) use counted::Counted;
pub(crate) use points::Points;
pub(crate) use portable::Portable;
