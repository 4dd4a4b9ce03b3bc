//! Lagrange coefficients at zero, all of a set at once.

use std::collections::BTreeSet;

use frost_core::{Field, Group, Scalar};

use super::{Identifier, Suite};

/// λ_i = ∏ x_j / (x_j - x_i) over all j other than i, in the order of the identifiers.
///
/// One inversion. Where identifiers are numbers, as they are unless somebody chose others, the
/// product is taken over those that are missing, if they are fewer, and several differences are
/// multiplied in two machine words before they meet the field.
///
/// # Panics
///
/// It may, if an identifier occurs twice: the coefficients do not exist.
pub fn at_zero<C: Suite>(identifiers: &[Identifier<C>]) -> Vec<Scalar<C>> {
    let points: Vec<_> = identifiers.iter().map(Identifier::to_scalar).collect();
    let all = points.iter().fold(one::<C>(), |product, point| product * *point);
    let numbers: Option<Vec<_>> = points.iter().map(small::<C>).collect();
    // λ_i = all·above / below, where x_i, which `all` has too many, is below.
    let (above, below): (Vec<_>, Vec<_>) = match &numbers {
        Some(numbers) => fractions::<C>(numbers),
        None => (0..points.len()).map(|i| (one::<C>(), general::<C>(&points, i))).unzip(),
    };
    let below: Vec<_> = below.iter().zip(&points).map(|(below, x)| *below * *x).collect();
    let inverses = invert_all::<C>(&below);
    above.iter().zip(inverses).map(|(above, inverse)| all * *above * inverse).collect()
}

/// ∏ (x_j - x_i) over all j other than i.
fn general<C: Suite>(points: &[Scalar<C>], i: usize) -> Scalar<C> {
    let others = points.iter().enumerate().filter(|(j, _)| *j != i);
    others.fold(one::<C>(), |product, (_, point)| product * (*point - points[i]))
}

/// 1/∏ (x_j - x_i) for each i, above the line and below it. If fewer numbers are missing between one
/// and the greatest than there are, it is the missing ones' product over that of all, which is a pair
/// of factorials.
fn fractions<C: Suite>(numbers: &[u64]) -> (Vec<Scalar<C>>, Vec<Scalar<C>>) {
    let greatest = numbers.iter().max().copied().unwrap_or(0);
    if greatest >= 2 * numbers.len() as u64 {
        let below = numbers.iter().map(|number| differences::<C>(numbers, *number));
        return (vec![one::<C>(); numbers.len()], below.collect());
    }
    let present: BTreeSet<_> = numbers.iter().collect();
    let missing: Vec<_> = (1..=greatest).filter(|number| !present.contains(number)).collect();
    let mut factorials = vec![one::<C>()];
    for number in 1..=greatest {
        let last = factorials[number as usize - 1];
        factorials.push(last * C::scalar(number.into()));
    }
    let fraction = |number: &u64| {
        let (before, after) = (number - 1, greatest - number);
        let below = factorials[before as usize] * factorials[after as usize];
        (differences::<C>(&missing, *number), signed::<C>(below, before % 2 == 1))
    };
    numbers.iter().map(fraction).unzip()
}

/// ∏ (number - x) over all numbers other than x.
fn differences<C: Suite>(numbers: &[u64], x: u64) -> Scalar<C> {
    let (mut product, mut words) = (one::<C>(), [1u64; 2]);
    let mut negative = false;
    for number in numbers.iter().filter(|number| **number != x) {
        negative ^= *number < x;
        let difference = number.abs_diff(x);
        words = match words {
            [_, last] if last.checked_mul(difference).is_some() => [words[0], last * difference],
            [1, last] => [last, difference],
            [first, last] => {
                product = product * C::scalar(u128::from(first) * u128::from(last));
                [1, difference]
            }
        };
    }
    let rest = u128::from(words[0]) * u128::from(words[1]);
    signed::<C>(product * C::scalar(rest), negative)
}

fn signed<C: Suite>(scalar: Scalar<C>, negative: bool) -> Scalar<C> {
    match negative {
        true => <<C::Group as Group>::Field>::zero() - scalar,
        false => scalar,
    }
}

/// The integer, if it is below 2^64.
pub(super) fn small<C: frost_core::Ciphersuite>(scalar: &Scalar<C>) -> Option<u64> {
    let bytes = <<C::Group as Group>::Field>::little_endian_serialize(scalar);
    let (low, high) = bytes.as_ref().split_first_chunk()?;
    high.iter().all(|byte| *byte == 0).then_some(u64::from_le_bytes(*low))
}

fn one<C: Suite>() -> Scalar<C> {
    <<C::Group as Group>::Field>::one()
}

/// The inverses of scalars that are not zero, by Montgomery's trick.
fn invert_all<C: Suite>(scalars: &[Scalar<C>]) -> Vec<Scalar<C>> {
    let mut product = one::<C>();
    let mut inverses: Vec<_> = scalars
        .iter()
        .map(|scalar| {
            let before = product;
            product = product * *scalar;
            before
        })
        .collect();
    let mut inverse = <<C::Group as Group>::Field>::invert(&product)
        .expect("identifiers are distinct and not zero");
    for (before, scalar) in inverses.iter_mut().zip(scalars).rev() {
        *before = *before * inverse;
        inverse = inverse * *scalar;
    }
    inverses
}
