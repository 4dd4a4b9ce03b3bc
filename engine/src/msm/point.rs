use halo2curves::bn256::G1Affine;

/// A point in a line of the processor's caches. Allocators would let each lie in two, and sums fetch points from anywhere.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Point(pub(super) G1Affine);

impl Point {
    /// Points, each in a line.
    pub(super) fn all(points: &[G1Affine]) -> Vec<Self> {
        points.iter().copied().map(Self).collect()
    }
}
