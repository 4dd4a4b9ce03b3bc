//! The search for culprits: sums of errors, and halves of them.
//!
//! Everybody's equation has an error, zero if it holds, and the errors of a set add up. So a set
//! whose sum is zero is innocent (except with a probability that random coefficients keep small),
//! and if the sum of a set is known, that of its first part gives the other part's: a guilty set
//! takes one more sum, for its first part. b culprits of n take at most one sum for each set with a
//! culprit in the tree of halves, leaves aside: b log₂ n if they are few, and less than n always.
//!
//! Members are named only by the error of their own equation: computed, or, which is the same, what
//! remains of a set's sum without all the others'.

use std::ops::Range;

/// Equations whose errors add up.
pub(crate) trait Errors {
    /// The sum of the errors of a set.
    type Sum;

    /// The sum of a set.
    fn sum(&mut self, set: Range<usize>) -> Self::Sum;

    /// The sum of the first part of a set, and that of the rest, which follows from the set's sum.
    fn split(&mut self, set: &Self::Sum, first: Range<usize>) -> (Self::Sum, Self::Sum);

    /// Whether the equations hold.
    fn is_zero(&self, sum: &Self::Sum) -> bool;

    /// How many of a set are asked first: from 1 to `length` - 1. `length` is at least 2.
    fn first(&self, length: usize) -> usize {
        length / 2
    }
}

/// What is known about a set.
pub(crate) enum Known<S> {
    /// Its sum.
    Sum(S),
    /// That there is a culprit in it.
    Guilty,
}

/// The places of all culprits of a set, ascending.
pub(crate) fn culprits<E: Errors>(
    errors: &mut E,
    set: Range<usize>,
    known: Known<E::Sum>,
) -> Vec<usize> {
    let mut found = vec![];
    search(errors, set, known, &mut found);
    found
}

/// Adds the culprits of a set, which is not empty.
fn search<E: Errors>(
    errors: &mut E,
    set: Range<usize>,
    known: Known<E::Sum>,
    found: &mut Vec<usize>,
) {
    let known = match known {
        Known::Sum(sum) if errors.is_zero(&sum) => return,
        Known::Guilty if set.len() == 1 => {
            let sum = errors.sum(set.clone());
            return search(errors, set, Known::Sum(sum), found);
        }
        known => known,
    };
    if set.len() == 1 {
        found.push(set.start);
        return;
    }
    let middle = set.start + errors.first(set.len()).clamp(1, set.len() - 1);
    let (first, rest) = (set.start..middle, middle..set.end);
    let (of_first, of_rest) = match known {
        Known::Sum(sum) => {
            let (of_first, of_rest) = errors.split(&sum, first.clone());
            (of_first, Known::Sum(of_rest))
        }
        Known::Guilty => {
            let of_first = errors.sum(first.clone());
            // If the first part is innocent, the rest is guilty and need not be asked as a whole.
            let of_rest = if errors.is_zero(&of_first) {
                Known::Guilty
            } else {
                Known::Sum(errors.sum(rest.clone()))
            };
            (of_first, of_rest)
        }
    };
    search(errors, first, Known::Sum(of_first), found);
    search(errors, rest, of_rest, found);
}
