//! Seeds.

use rand::RngCore;

use super::rng;

#[test]
fn two_generators_differ() {
    assert_ne!(rng().next_u64(), rng().next_u64());
}
