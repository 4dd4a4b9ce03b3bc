//! Thresholds as the command line has them.

use super::Thresholds;

#[test]
fn thresholds_are_powers_of_two() {
    assert_eq!("2^1..2^20".parse(), Ok(Thresholds(1..=20)));
    assert_eq!("2^11".parse(), Ok(Thresholds(11..=11)));
    assert_eq!("1..64".parse(), Ok(Thresholds(0..=6)));
    for bad in ["", "0", "3", "2^", "2^23", "2^3..2^2", "2^1..", "2^-1", "-1"] {
        assert!(bad.parse::<Thresholds>().is_err(), "{bad}");
    }
}
