//! The range proof: DeKART's univariate form with bits, over a hiding KZG commitment.
//!
//! A commitment has f(ω^a) = z_a and f(1) = 0. With random values r, rⱼ at 1, f̂ = f + r·L₀ and fⱼ
//! with the bits of z at ω^a, the equations f̂ = Σ 2ʲ fⱼ and fⱼ (fⱼ − 1) = 0 all hold on the domain
//! except at 1. This is shown by the following h being a polynomial:
//!
//! ```text
//! h = [β (f̂ − Σ 2ʲ fⱼ) + Σ βⱼ fⱼ (fⱼ − 1)] / Z*,   Z* = (X^M − 1) / (X − 1)
//! ```
//!
//! It is opened at one point ζ, together with f̂ and all fⱼ.

mod at_point;
mod prove;

pub(super) use at_point::{quotient_holds, AtPoint};
pub(super) use prove::RangeProver;
