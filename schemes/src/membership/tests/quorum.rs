//! Fractions of totals, and weights that are shifted, against the sums that they are about.

use proptest::prelude::*;

use super::super::{Fraction, Quorum, QuorumError, WeightShift, TOTAL_WEIGHT_BITS};

fn fraction(numerator: u32, denominator: u32) -> Fraction {
    Fraction::new(numerator, denominator).unwrap()
}

fn more_than(numerator: u32, denominator: u32, total: u128) -> Result<u128, QuorumError> {
    Quorum::MoreThan(fraction(numerator, denominator)).threshold(total)
}

fn at_least(numerator: u32, denominator: u32, total: u128) -> Result<u128, QuorumError> {
    Quorum::AtLeast(fraction(numerator, denominator)).threshold(total)
}

#[test]
fn two_thirds() {
    for (total, more, least) in
        [(1, 1, 1), (2, 2, 2), (3, 3, 2), (4, 3, 3), (5, 4, 4), (6, 5, 4), (100, 67, 67)]
    {
        assert_eq!(more_than(2, 3, total), Ok(more), "{total}");
        assert_eq!(at_least(2, 3, total), Ok(least), "{total}");
    }
}

#[test]
fn nobody_and_everybody() {
    for total in [1, 2, 1000, u128::MAX] {
        assert_eq!(more_than(0, 1, total), Ok(1));
        assert_eq!(at_least(1, 1, total), Ok(total));
        assert_eq!(at_least(1000, 1000, total), Ok(total));
        let nothing = Quorum::AtLeast(fraction(0, 1));
        assert_eq!(nothing.threshold(total), Err(QuorumError::Nothing { quorum: nothing, total }));
        let all = Quorum::MoreThan(fraction(1, 1));
        assert_eq!(all.threshold(total), Err(QuorumError::Unreachable { quorum: all, total }));
    }
    // A set without weight has no quorum.
    assert!(
        more_than(0, 1, 0).is_err() && more_than(2, 3, 0).is_err() && at_least(2, 3, 0).is_err()
    );
}

#[test]
fn large_totals() {
    let most = (1 << TOTAL_WEIGHT_BITS) - 1;
    // 2^60 - 1 is a multiple of 3, and the numbers below it are not.
    assert_eq!(most % 3, 0);
    for (total, more, least) in [
        (most, most / 3 * 2 + 1, most / 3 * 2),
        (most - 1, most / 3 * 2, most / 3 * 2),
        (most - 2, most / 3 * 2 - 1, most / 3 * 2 - 1),
    ] {
        assert_eq!(more_than(2, 3, total), Ok(more));
        assert_eq!(at_least(2, 3, total), Ok(least));
    }
    // Products with the numerator would not fit.
    assert_eq!(u128::MAX % 3, 0);
    assert_eq!(more_than(2, 3, u128::MAX), Ok(u128::MAX / 3 * 2 + 1));
    assert_eq!(at_least(999, 1000, u128::MAX), Ok(u128::MAX - u128::MAX / 1000));
}

#[test]
fn quorums_are_read_and_written() {
    for (text, quorum) in [
        (">2/3", Quorum::MoreThan(fraction(2, 3))),
        (">=2/3", Quorum::AtLeast(fraction(2, 3))),
        (">= 1/1000", Quorum::AtLeast(fraction(1, 1000))),
        ("> 0/1", Quorum::MoreThan(fraction(0, 1))),
    ] {
        assert_eq!(text.parse(), Ok(quorum));
        assert_eq!(quorum.to_string(), text.replace(' ', ""));
    }
    for bad in
        ["", "2/3", ">", ">=", "=>2/3", ">2", ">3/2", ">1/0", ">-1/3", ">1/1001", ">0.67", "<2/3"]
            .into_iter()
            .chain([">+2/3", ">2/+3", ">02/3", ">=2/03"])
    {
        assert!(bad.parse::<Quorum>().is_err(), "{bad}");
    }
}

#[test]
fn shifts() {
    assert_eq!(WeightShift::new(128), None);
    for bits in [0, 1, 68, 127] {
        let shift = WeightShift::new(bits).unwrap();
        let unit = 1u128 << bits;
        assert_eq!((shift.weight(0), shift.threshold(0)), (0, 0));
        assert_eq!((shift.weight(unit), shift.threshold(unit)), (1, 1));
        assert_eq!(shift.weight(unit - 1), u128::from(bits == 0) * (unit - 1));
        assert_eq!(shift.threshold(1), 1);
        assert_eq!(shift.weight(u128::MAX), u128::MAX / unit);
        assert_eq!(shift.threshold(u128::MAX), (u128::MAX - 1) / unit + 1);
    }
}

proptest! {
    /// The threshold of a quorum is the least sum that is one.
    #[test]
    fn a_quorum_is_its_threshold(
        total in 1u128..1 << 100, numerator in 0u32..1000, denominator in 1u32..1000
    ) {
        prop_assume!(numerator <= denominator);
        let (n, d) = (u128::from(numerator), u128::from(denominator));
        let (is_more, is_least) = (|sum: u128| sum * d > n * total, |sum: u128| sum * d >= n * total);
        if let Ok(threshold) = more_than(numerator, denominator, total) {
            prop_assert!(is_more(threshold) && !is_more(threshold - 1));
        } else {
            prop_assert_eq!(n, d);
        }
        if let Ok(threshold) = at_least(numerator, denominator, total) {
            prop_assert!(is_least(threshold) && !is_least(threshold - 1));
        } else {
            prop_assert_eq!(n, 0);
        }
    }

    /// Who reaches the shifted threshold by shifted weights reaches the threshold.
    #[test]
    fn a_shift_can_only_refuse(
        weights in prop::collection::vec(0u128..1 << 100, 1..9), bits in 0u32..101, part in 0u128..1000
    ) {
        let shift = WeightShift::new(bits).unwrap();
        let total: u128 = weights.iter().sum();
        let shifted: u128 = weights.iter().map(|weight| shift.weight(*weight)).sum();
        // Thresholds around the sum, and as near to it as the shift can tell.
        for threshold in [total * part / 500, total, total + 1, (shifted << bits) + 1] {
            if shifted >= shift.threshold(threshold) {
                prop_assert!(total >= threshold);
            }
        }
    }
}
