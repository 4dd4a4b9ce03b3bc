use halo2curves::bn256::{Fq, G1Affine};

use super::arithmetic::{Lanes, LANES};

/// What sums of eight points side by side need beyond [`Lanes`].
pub(crate) trait Points: Lanes<Fq> {
    /// The coordinates x and y of eight points from anywhere in memory. The bounds are 1.
    fn load_points(self, points: [&G1Affine; LANES]) -> [Self::Octet; 2];

    /// The coordinates x alone, in less time.
    fn load_x(self, points: [&G1Affine; LANES]) -> Self::Octet;

    /// Reduces coordinates x and y, and makes points from them.
    fn store_points(self, x: Self::Octet, y: Self::Octet) -> [G1Affine; LANES];

    /// Eight elements to multiply by, with 16 times the bound.
    fn to_multiplier(self, octet: Self::Octet) -> Self::Multiplier;

    /// Whether a lane is zero. The octet must be as loaded.
    fn has_zero(self, octet: Self::Octet) -> bool;

    /// Whether the two agree in a lane. Both must be as loaded.
    fn has_equal(self, left: Self::Octet, right: Self::Octet) -> bool;
}
