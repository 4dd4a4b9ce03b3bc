//! Cases as the command line has them.

use super::{weighted, Case};

#[test]
fn cases_are_two_numbers() {
    assert_eq!("6/8".parse(), Ok(Case { threshold: 6, shares: 8 }));
    for bad in ["", "6", "6/", "/8", "9/8", "0/8", "a/b"] {
        assert!(bad.parse::<Case>().is_err(), "{bad}");
    }
    assert_eq!(weighted(Case { threshold: 129, shares: 219 }).iter().sum::<u32>(), 219);
}
