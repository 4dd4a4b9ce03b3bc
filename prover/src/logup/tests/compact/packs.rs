//! Packs of a circuit, and the whole: over random circuits in random packs, and columns that meet them or nearly do, the verifier accepts exactly
//! what the judge does.

use muster_testing::sampled;
use muster_verifier::{Opened, Packing, Protocol, Round};
use rand::{seq::SliceRandom, Rng};
use rand_chacha::ChaCha20Rng;

use super::super::{
    random::compared,
    sample::{rng, Keys, Sample},
};

/// Packs of at most `stride` polynomials, in any places that the rules allow.
pub(super) fn packing(protocol: &Protocol, stride: usize, rng: &mut ChaCha20Rng) -> Packing {
    let opened = protocol.arrangement().polynomials();
    let mut packs = vec![];
    for round in [Round::Key, Round::First, Round::Second] {
        let is_of = |number: &usize| Round::of(opened[*number].polynomial) == round;
        let mut own: Vec<usize> = (0..opened.len() - 1).filter(is_of).collect();
        own.shuffle(rng);
        let mut pack: Vec<usize> = vec![];
        for number in own {
            if pack.len() == stride || rng.gen_ratio(1, 6) || !fits(protocol, &pack, number) {
                packs.extend((!pack.is_empty()).then(|| std::mem::take(&mut pack)));
            }
            pack.push(number);
        }
        packs.extend((!pack.is_empty()).then_some(pack));
    }
    Packing::new(protocol.clone(), stride as u32, packs).unwrap()
}

/// Whether all rotations together are different rows.
fn fits(protocol: &Protocol, pack: &[usize], number: usize) -> bool {
    let opened = protocol.arrangement().polynomials();
    let rotations = |Opened { rotations, .. }: &Opened| rotations.clone();
    let mut all: Vec<i32> =
        pack.iter().chain([&number]).flat_map(|it| rotations(&opened[*it])).collect();
    all.sort_unstable();
    all.dedup();
    let mut rows: Vec<i32> = all.iter().map(|it| it.rem_euclid(1 << protocol.k())).collect();
    rows.sort_unstable();
    rows.dedup();
    rows.len() == all.len()
}

/// Packs of `stride` polynomials, those of each round in order.
pub(super) fn in_order(protocol: &Protocol, stride: usize) -> Packing {
    let opened = protocol.arrangement().polynomials();
    let mut packs = vec![];
    for round in [Round::Key, Round::First, Round::Second] {
        let is_of = |number: &usize| Round::of(opened[*number].polynomial) == round;
        let own: Vec<usize> = (0..opened.len() - 1).filter(is_of).collect();
        packs.extend(own.chunks(stride).map(<[usize]>::to_vec));
    }
    Packing::new(protocol.clone(), stride as u32, packs).unwrap()
}

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
