//! Multi-scalar multiplication on G1 of BN254.
//!
//! Pippenger's method with signed digits, on precomputed multiples of bases that are used often.
//! The points of all buckets of a window are summed in pairs, in rounds of affine additions that
//! share one inversion: six multiplications per addition, eight additions side by side.

mod bases;
mod buckets;
mod lagrange;
mod multiples;
mod products;
mod round;
mod scalars;
#[cfg(test)]
mod tests;

pub use bases::Bases;
