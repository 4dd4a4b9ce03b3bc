//! The whole: over random circuits in random packs, and columns that meet them or nearly do, the verifier accepts exactly what the judge does.

use muster_testing::sampled;
use rand::Rng;

use super::{
    super::{
        random::compared,
        sample::{rng, Keys, Sample},
    },
    packs::packing,
};

/// Packs of up to eight places.
fn keys(seed: u64, sample: &Sample) -> Keys {
    let mut rng = rng(seed);
    let stride = rng.gen_range(1..=8);
    Keys::compact(sample, packing(&sample.protocol, stride, &mut rng))
}

#[test]
fn what_is_accepted_holds_and_what_holds_is_accepted() {
    compared(sampled(0..2000, 400), keys);
}
