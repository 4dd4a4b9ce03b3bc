use std::collections::HashSet;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;

use crate::plonk::{randomness::Randomness, Fresh};

/// Tests that compare with halo2 bring a mask of their own.
#[test]
fn masks_are_drawn_anew() {
    let draw = |seed| Fresh(ChaCha20Rng::seed_from_u64(seed)).mask(64);
    let (one, two) = (draw(1), draw(2));
    let numbers: HashSet<_> = one.iter().chain(&two).map(|number| format!("{number:?}")).collect();
    assert_eq!(numbers.len(), 128);
}
