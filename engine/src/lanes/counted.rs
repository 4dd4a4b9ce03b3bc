use super::arithmetic::{Lanes, LANES, PRODUCT};

/// Lanes that hold bounds in place of elements, and panic where an algorithm exceeds one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted;

fn within(bound: u32) -> u32 {
    assert!(bound <= PRODUCT, "a bound of {bound}");
    bound
}

fn product(left: u32, right: u32) -> u32 {
    within(left * right);
    2
}

impl<F: Copy> Lanes<F> for Counted {
    type Octet = u32;
    type Multiplier = u32;
    type Factor = ();

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

    /// All lanes have the greatest bound.
    fn transpose(self, octets: [u32; LANES]) -> [u32; LANES] {
        [octets.into_iter().fold(0, u32::max); LANES]
    }
}
