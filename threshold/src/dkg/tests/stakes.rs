//! Weights keep both bounds, exactly.

use proptest::prelude::*;

use crate::dkg::{weights, Error, Fraction, Weights};

fn fraction(numerator: u32, denominator: u32) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

/// All sets of players: those up to the secrecy bound have fewer shares than reconstruct, those above the
/// other bound have enough.
fn check(stakes: &[u64], secrecy: Fraction, reconstruction: Fraction, made: &Weights) {
    let total: u128 = stakes.iter().map(|stake| u128::from(*stake)).sum();
    for set in 0u32..1 << stakes.len() {
        let members = || (0..stakes.len()).filter(|player| set >> player & 1 == 1);
        let stake: u128 = members().map(|player| u128::from(stakes[player])).sum();
        let weight: usize = members().map(|player| made.weights[player] as usize).sum();
        if !secrecy.is_exceeded(stake, total) {
            assert!(weight < made.threshold, "{stakes:?} {made:?} {set:b}");
        }
        if reconstruction.is_exceeded(stake, total) {
            assert!(weight >= made.threshold, "{stakes:?} {made:?} {set:b}");
        }
    }
}

/// The published rounding lets a set of exactly half reconstruct these.
#[test]
fn a_set_of_exactly_half() {
    let stakes = [10, 5, 2, 3];
    let (half, two_thirds) = (fraction(1, 2), fraction(2, 3));
    let made = weights(&stakes, half, two_thirds).unwrap();
    check(&stakes, half, two_thirds, &made);
    // At W′ = 6 weights are 3, 2, 1, 1 and 0.5 + 0.4 + 0.1 is rounded up. Published: ⌈3 + 1⌉ = 4 shares
    // reconstruct, and the last three players, with 10 of 20, have 4. Here more than 4 are needed.
    let (rounded, up, down) = super::super::weights::round(&stakes, 20, 6);
    assert_eq!(rounded, [3, 2, 1, 1]);
    assert_eq!((up, down), (20, 0));
    assert_eq!(rounded[1..].iter().sum::<u32>(), 4);
}

#[test]
fn extremes() {
    let (half, two_thirds) = (fraction(1, 2), fraction(2, 3));
    for stakes in [
        vec![1],
        vec![u64::MAX; 5],
        vec![0, u64::MAX, 1],
        vec![1; 12],
        vec![0, 0, 7],
        (1..=12).map(|i| 1u64 << (5 * i)).collect(),
    ] {
        let made = weights(&stakes, half, two_thirds).unwrap();
        assert!(made.threshold <= made.shares());
        check(&stakes, half, two_thirds, &made);
    }
    assert_eq!(weights(&[], half, two_thirds), Err(Error::Players { players: 0 }));
    assert_eq!(weights(&[0, 0], half, two_thirds), Err(Error::NoStake));
    for (secrecy, reconstruction) in
        [((1, 3), (2, 3)), ((2, 3), (1, 2)), ((1, 2), (1, 2)), ((1, 2), (3, 4))]
    {
        let refused = weights(
            &[1, 2],
            fraction(secrecy.0, secrecy.1),
            fraction(reconstruction.0, reconstruction.1),
        );
        assert!(matches!(refused, Err(Error::Bounds { .. })));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_set_of_up_to_twelve(stakes in prop::collection::vec(0u64..1000, 1..=12)) {
        prop_assume!(stakes.iter().any(|stake| *stake > 0));
        for (secrecy, reconstruction) in [((1, 2), (2, 3)), ((34, 100), (1, 2)), ((3, 5), (2, 3))] {
            let (low, high) =
                (fraction(secrecy.0, secrecy.1), fraction(reconstruction.0, reconstruction.1));
            let made = weights(&stakes, low, high).unwrap();
            check(&stakes, low, high, &made);
        }
    }
}

/// Bounds so close together that no session has enough shares: found out at once.
#[test]
fn bounds_too_close_together() {
    let stakes: Vec<u64> = (1..=200).map(|player| 1_000_003 * player % 65_537).collect();
    let found = weights(&stakes, fraction(500, 999), fraction(501, 1000));
    let needed = crate::pvss::MOST_SHARES + 1;
    let most = crate::pvss::MOST_SHARES;
    let error = crate::pvss::Error::Shares { shares: needed, most };
    assert_eq!(found, Err(Error::Sharing(error)));
}
