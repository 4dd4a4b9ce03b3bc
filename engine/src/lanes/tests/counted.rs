use halo2curves::bn256::G1Affine;

use super::{Lanes, Points, GREATEST, LANES};

/// Lanes that hold bounds in place of elements, and panic if an algorithm exceeds one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted;

fn within(bound: u32) -> u32 {
    assert!(bound <= GREATEST, "a bound of {bound}");
    bound
}

fn product(left: u32, right: u32) -> u32 {
    within(1 + (left * right).div_ceil(GREATEST))
}

impl<F: Copy> Lanes<F> for Counted {
    type Octet = u32;
    type Multiplier = u32;
    type Factor = ();
    /// The sum of the products of bounds, and how many there are.
    type Wide = [u32; 2];

    fn vectorize<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    fn load(self, _: &[F; LANES]) -> u32 {
        1
    }

    fn store(self, octet: u32, _: &mut [F; LANES]) {
        within(octet);
    }

    fn store_small(self, octet: u32, _: &mut [F; LANES]) {
        assert!(octet <= 2, "{octet} is stored as 2");
    }

    fn multiply(self, _: &mut [F; LANES], right: u32) {
        assert!(product(1, right) <= 2, "{right} is multiplied by and stored as 2");
    }

    fn multiplier(self, _: &[F; LANES]) -> u32 {
        1
    }

    fn load_multiplier(self, _: &[F; LANES]) -> u32 {
        16
    }

    fn factor(self, _: &F) {}

    fn splat(self, (): ()) -> u32 {
        1
    }

    fn add(self, left: u32, right: u32) -> u32 {
        within(left + right)
    }

    fn sub<const BOUND: u32>(self, left: u32, right: u32) -> u32 {
        assert!(right <= BOUND, "{right} is subtracted as {BOUND}");
        within(left + BOUND)
    }

    fn mul(self, left: u32, right: u32) -> u32 {
        product(left, right)
    }

    fn chain(self, left: u32, right: u32) -> u32 {
        product(left, right)
    }

    fn sum(self, left: u32, right: u32) -> u32 {
        within(left + right)
    }

    fn difference(self, left: u32, right: u32, bound: u32) -> u32 {
        assert!(right <= bound, "{right} is subtracted as {bound}");
        within(left + bound)
    }

    fn wide(self) -> [u32; 2] {
        [0; 2]
    }

    fn accumulate(self, [sum, count]: [u32; 2], left: u32, right: u32) -> [u32; 2] {
        assert!(count < 8, "too many products");
        [sum + left * right, count + 1]
    }

    fn narrow(self, [sum, _]: [u32; 2]) -> u32 {
        within(1 + sum.div_ceil(GREATEST))
    }

    /// All lanes have the greatest bound.
    fn transpose(self, octets: [u32; LANES]) -> [u32; LANES] {
        [octets.into_iter().fold(0, u32::max); LANES]
    }
}

impl Points for Counted {
    fn load_points(self, _: [&G1Affine; LANES]) -> [u32; 2] {
        [1; 2]
    }

    fn load_x(self, _: [&G1Affine; LANES]) -> u32 {
        1
    }

    fn store_points(self, x: u32, y: u32) -> [G1Affine; LANES] {
        within(x.max(y));
        [G1Affine::default(); LANES]
    }

    fn to_multiplier(self, octet: u32) -> u32 {
        within(16 * octet)
    }

    fn has_zero(self, octet: u32) -> bool {
        assert_eq!(octet, 1, "it was loaded");
        false
    }

    fn has_equal(self, left: u32, right: u32) -> bool {
        assert_eq!((left, right), (1, 1), "both were loaded");
        false
    }
}
