//! Baby Jubjub, the twisted Edwards curve 168700·x² + y² = 1 + 168696·x²·y² over the BN254 scalar
//! field (EIP-2494, circomlib). It has 8·l points for the prime l of [`Scalar`].

mod encoding;
mod multiply;
mod pippenger;
pub mod point;
pub mod scalar;
mod subgroup;

#[cfg(test)]
mod tests;

pub use encoding::{PointError, SubgroupPoint};
pub use multiply::{msm_vartime, mul_generator, torsion_point};
pub use point::{batch_normalize, AffinePoint, Point, COEFF_A, COEFF_D};
pub use scalar::{halves, Scalar};
