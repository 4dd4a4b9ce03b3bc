//! What an expression reads at a row, its value and its slope.

use std::collections::BTreeSet;

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Expression,
    poly::Rotation,
};

use super::record::{Place, Read, Sheet};

/// The advice cells that an expression reads, each once and in order.
pub(super) fn reads(expression: &Expression<Fr>) -> Vec<Read> {
    let mut found = BTreeSet::new();
    add_reads(expression, &mut found);
    found.into_iter().collect()
}

fn add_reads(expression: &Expression<Fr>, found: &mut BTreeSet<Read>) {
    match expression {
        Expression::Advice(query) => {
            found.insert((query.column_index(), query.rotation().0));
        }
        Expression::Negated(inner) | Expression::Scaled(inner, _) => add_reads(inner, found),
        Expression::Sum(left, right) | Expression::Product(left, right) => {
            add_reads(left, found);
            add_reads(right, found);
        }
        _ => {}
    }
}

/// The value of an expression at `row`. If the first factor of a product is 0, as the selector of a gate that is not
/// active here, the second is not evaluated.
pub(super) fn evaluate(
    sheet: &Sheet,
    expression: &Expression<Fr>,
    row: usize,
    advice: &impl Fn(Place) -> Fr,
) -> Fr {
    let at = |inner: &Expression<Fr>| evaluate(sheet, inner, row, advice);
    let below = |rotation: Rotation| sheet.below(row, rotation.0);
    match expression {
        Expression::Constant(constant) => *constant,
        Expression::Selector(selector) => sheet.selector(*selector, row),
        Expression::Fixed(query) => sheet.fixed(query.column_index(), below(query.rotation())),
        Expression::Advice(query) => {
            let row = below(query.rotation());
            row.map_or(Fr::zero(), |row| advice((query.column_index(), row)))
        }
        Expression::Instance(query) => {
            sheet.instance(query.column_index(), below(query.rotation()))
        }
        Expression::Challenge(_) => Fr::zero(),
        Expression::Negated(inner) => -at(inner),
        Expression::Sum(left, right) => at(left) + at(right),
        Expression::Product(left, right) => match at(left) {
            Fr::ZERO => Fr::ZERO,
            factor => factor * at(right),
        },
        Expression::Scaled(inner, factor) => at(inner) * factor,
    }
}

/// The value where the cells that `is` selects are 0, and the slope in them; `None` if the slope is 0 or not constant.
pub(super) fn slope(
    sheet: &Sheet,
    expression: &Expression<Fr>,
    row: usize,
    advice: &impl Fn(Place) -> Fr,
    is: &impl Fn(Place) -> bool,
) -> Option<(Fr, Fr)> {
    let at = |value: u64| {
        let cell = |place| if is(place) { Fr::from(value) } else { advice(place) };
        evaluate(sheet, expression, row, &cell)
    };
    let start = at(0);
    let slope = at(1) - start;
    let grows = slope != Fr::ZERO && at(5) == start + Fr::from(5) * slope;
    grows.then_some((start, slope))
}

/// 0 if the slope is the same whatever the other cells hold, else 1; `None` if there is no slope.
pub(super) fn rank(
    sheet: &Sheet,
    expression: &Expression<Fr>,
    row: usize,
    advice: &impl Fn(Place) -> Fr,
    is: &impl Fn(Place) -> bool,
) -> Option<u8> {
    let (_, here) = slope(sheet, expression, row, advice, is)?;
    let moved = |place: Place| advice(place) + Fr::from(7 + 13 * place.0 as u64 + place.1 as u64);
    let (_, there) = slope(sheet, expression, row, &moved, is)?;
    Some(u8::from(here != there))
}
