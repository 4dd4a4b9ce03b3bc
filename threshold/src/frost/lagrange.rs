//! Lagrange coefficients at zero, all of a set at once.

use frost_core::{Field, Group, Scalar};

use super::{Identifier, Suite};

/// λ_i = ∏ x_j / (x_j - x_i) over all j other than i, in the order of the identifiers, which are
/// distinct. One inversion; where identifiers are numbers, as they are unless somebody chose
/// others, several differences are multiplied in a machine word before they meet the field.
///
/// # Panics
///
/// If an identifier occurs twice.
pub fn at_zero<C: Suite>(identifiers: &[Identifier<C>]) -> Vec<Scalar<C>> {
    let points: Vec<_> = identifiers.iter().map(Identifier::to_scalar).collect();
    let all = points.iter().fold(one::<C>(), |product, point| product * *point);
    let numbers: Option<Vec<_>> = points.iter().map(small::<C>).collect();
    // x_i · ∏ (x_j - x_i): the numerator's missing factor goes below the line.
    let denominators = (0..points.len()).map(|i| match &numbers {
        Some(numbers) => points[i] * differences::<C>(numbers, i),
        None => (0..points.len())
            .filter(|j| *j != i)
            .fold(points[i], |product, j| product * (points[j] - points[i])),
    });
    invert_all::<C>(&denominators.collect::<Vec<_>>())
        .into_iter()
        .map(|inverse| all * inverse)
        .collect()
}

/// ∏ (x_j - x_i) over all j other than i.
fn differences<C: Suite>(numbers: &[u64], i: usize) -> Scalar<C> {
    let (mut product, mut word) = (one::<C>(), 1u64);
    let mut negative = false;
    for number in numbers.iter().filter(|number| **number != numbers[i]) {
        negative ^= *number < numbers[i];
        let difference = number.abs_diff(numbers[i]);
        word = word.checked_mul(difference).unwrap_or_else(|| {
            product = product * C::scalar(word);
            difference
        });
    }
    product = product * C::scalar(word);
    match negative {
        true => <<C::Group as Group>::Field>::zero() - product,
        false => product,
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
