//! Lagrange coefficients at zero, all of a set at once.

use frost_core::{Field as _, Scalar};

use super::{one, small, zero, Identifier, Suite, F};
use crate::missing::{absent, Field};

/// λ_i = ∏ x_j / (x_j - x_i) over all j other than i, in the order of the identifiers.
///
/// One inversion. Where identifiers are numbers, as they are unless somebody chose others, the
/// product is taken over the missing ones if they are fewer, and several differences are multiplied
/// in two machine words before they enter the field.
///
/// # Panics
///
/// Possibly, if an identifier occurs twice: the coefficients do not exist then.
pub(crate) fn at_zero<C: Suite>(identifiers: &[Identifier<C>]) -> Vec<Scalar<C>> {
    let points: Vec<_> = identifiers.iter().map(Identifier::to_scalar).collect();
    let number = |point| small::<C>(point).and_then(|number| i64::try_from(number).ok());
    let numbers: Option<Vec<i64>> = points.iter().map(number).collect();
    let Some(numbers) = numbers else {
        let slopes = (0..points.len()).map(|i| general::<C>(&points, i));
        return by_slopes::<C>(&points, slopes.collect());
    };
    // A number too large for a word is far above twice their count.
    let short: Option<Vec<u32>> = numbers.iter().map(|number| (*number).try_into().ok()).collect();
    let few = |short: &Vec<u32>| short.iter().all(|number| (*number as usize) < 2 * short.len());
    if let Some(short) = short.filter(few) {
        return by_missing::<C>(&short);
    }
    let slope = |x: &i64| field::<C>().value(*x, numbers.iter().copied().filter(move |n| n != x));
    // The product of x_i - x_j, not of x_j - x_i.
    let turned = numbers.len().is_multiple_of(2);
    let slopes = numbers.iter().map(|x| if turned { zero::<C>() - slope(x) } else { slope(x) });
    by_slopes::<C>(&points, slopes.collect())
}

/// The coefficients, where `slopes` are ∏ (x_j - x_i) over all j other than i.
fn by_slopes<C: Suite>(points: &[Scalar<C>], slopes: Vec<Scalar<C>>) -> Vec<Scalar<C>> {
    let all = points.iter().fold(one::<C>(), |product, point| product * *point);
    // ∏ x_j over all j has the factor x_i too many, so x_i goes into the denominator.
    let below: Vec<_> = slopes.into_iter().zip(points).map(|(slope, x)| slope * *x).collect();
    invert_all::<C>(&below).into_iter().map(|inverse| all * inverse).collect()
}

/// ∏ (x_j - x_i) over all j other than i.
fn general<C: Suite>(points: &[Scalar<C>], i: usize) -> Scalar<C> {
    let others = points.iter().enumerate().filter(|(j, _)| *j != i);
    others.fold(one::<C>(), |product, (_, point)| product * (*point - points[i]))
}

/// The coefficients, by the numbers missing between one and the greatest.
fn by_missing<C: Suite>(numbers: &[u32]) -> Vec<Scalar<C>> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let greatest = sorted.last().copied().unwrap_or(0);
    let absent = absent(&sorted, greatest);
    let mut factorials = vec![one::<C>()];
    for number in 1..=greatest {
        let last = factorials[number as usize - 1];
        factorials.push(last * C::scalar(number.into()));
    }
    let value = |x: u32| field::<C>().value(x.into(), absent.iter().map(|&root| root.into()));
    let below =
        |number: &u32| factorials[*number as usize] * factorials[(greatest - number) as usize];
    field::<C>().coefficients(numbers, value, |at_zero| {
        // One inversion for all.
        let all: Vec<_> = numbers.iter().map(below).chain([at_zero]).collect();
        let mut inverses = invert_all::<C>(&all);
        let common = inverses.pop().unwrap_or(at_zero) * factorials[greatest as usize];
        inverses.into_iter().map(|inverse| inverse * common).collect()
    })
}

fn field<C: Suite>() -> Field<Scalar<C>> {
    let integer = |[first, last]: [u64; 2]| C::scalar(u128::from(first) * u128::from(last));
    Field { zero: zero::<C>(), integer }
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
    let mut inverse = F::<C>::invert(&product).expect("identifiers are distinct and not zero");
    for (before, scalar) in inverses.iter_mut().zip(scalars).rev() {
        *before = *before * inverse;
        inverse = inverse * *scalar;
    }
    inverses
}
