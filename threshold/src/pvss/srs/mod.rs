//! The structured reference string: powers of τ in G1, [τ]₂, and the blinder's ξ in both groups.
//!
//! Anyone who knows τ or ξ can forge range proofs. Anyone may contribute: ξ, and τ if wanted, are
//! multiplied by a fresh secret, with a proof that its maker knew it. One honest contributor to
//! each of them is enough: one that leaves τ alone protects only ξ. No public ceremony has a ξ, so
//! an imported string is insecure until somebody has contributed one.

mod contribution;
mod import;
mod points;
mod string;

pub use contribution::Contribution;
pub use string::{Srs, MOST_POWERS};
