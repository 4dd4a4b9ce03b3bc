//! Seeds and samples.

use rand::RngCore;

use super::{rng, sampled, EXHAUSTIVE};

#[test]
fn two_generators_differ() {
    assert_ne!(rng().next_u64(), rng().next_u64());
}

#[test]
fn a_sample_is_a_share_in_order_and_never_empty() {
    let all = std::env::var(EXHAUSTIVE).as_deref() == Ok("1");
    for (count, share, expected) in [(9, 4, 3), (8, 4, 2), (1, 4, 1), (0, 4, 0)] {
        let drawn = sampled(0..count, share);
        assert_eq!(drawn.len(), if all { count } else { expected });
        assert!(drawn.is_sorted() && drawn.iter().all(|case| *case < count));
    }
}
