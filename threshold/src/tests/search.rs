//! Culprits among errors that are numbers.

use std::ops::Range;

use crate::search::{culprits, Errors, Known};

/// Errors that are numbers, and how many sums were computed.
struct Numbers<'a>(&'a [i64], usize);

impl Errors for Numbers<'_> {
    type Sum = i64;

    fn sum(&mut self, set: Range<usize>) -> i64 {
        self.1 += 1;
        self.0[set].iter().sum()
    }

    fn split(&mut self, set: &i64, first: Range<usize>) -> (i64, i64) {
        let first = self.sum(first);
        (first, set - first)
    }

    fn is_zero(&self, sum: &i64) -> bool {
        *sum == 0
    }

    fn first(&self, length: usize) -> usize {
        length / 3
    }
}

/// Every set of culprits among up to nine, whichever part is asked first.
#[test]
fn all_culprits_are_named() {
    for length in 1..=9usize {
        for guilty in 0..1u32 << length {
            // Powers of two: no sum of some of them is zero.
            let errors: Vec<i64> = (0..length).map(|i| i64::from(guilty >> i & 1) << i).collect();
            let expected: Vec<usize> = (0..length).filter(|i| guilty >> i & 1 == 1).collect();
            let mut numbers = Numbers(&errors, 0);
            let sum = numbers.sum(0..length);
            assert_eq!(culprits(&mut numbers, 0..length, Known::Sum(sum)), expected);
            assert!(numbers.1 <= length.max(1), "{} sums for {length}", numbers.1);
            if guilty != 0 {
                assert_eq!(culprits(&mut numbers, 0..length, Known::Guilty), expected);
            }
        }
    }
}

/// Whoever is told of a culprit that is not there names nobody.
#[test]
fn nobody_is_named_for_another() {
    assert!(culprits(&mut Numbers(&[0; 5], 0), 0..5, Known::Guilty).is_empty());
}
