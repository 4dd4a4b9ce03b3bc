//! What an expression reads at a row, its value and its slope.

use std::{cell::RefCell, collections::BTreeSet};

use halo2_base::halo2_proofs::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Expression, Selector},
    poly::Rotation,
};

use super::record::{Place, Read, Sheet};

/// The advice cells that an expression reads.
pub(super) fn reads(expression: &Expression<Fr>) -> Vec<Read> {
    all_reads(expression).0
}

/// The fixed cells that an expression reads.
pub(super) fn fixed_reads(expression: &Expression<Fr>) -> Vec<Read> {
    all_reads(expression).1
}

/// The selectors that an expression reads.
pub(super) fn selectors(expression: &Expression<Fr>) -> Vec<Selector> {
    let selectors = RefCell::new(vec![]);
    let none = |_: ()| ();
    expression.evaluate(
        &|_| (),
        &|selector| selectors.borrow_mut().push(selector),
        &|_| (),
        &|_| (),
        &|_| (),
        &|_| (),
        &none,
        &|(), ()| (),
        &|(), ()| (),
        &|(), _| (),
    );
    selectors.into_inner()
}

/// Whether an expression reads public inputs.
pub(super) fn reads_public(expression: &Expression<Fr>) -> bool {
    let either = |left: bool, right: bool| left || right;
    expression.evaluate(
        &|_| false,
        &|_| false,
        &|_| false,
        &|_| false,
        &|_| true,
        &|_| false,
        &|inner| inner,
        &either,
        &either,
        &|inner, _| inner,
    )
}

/// The advice cells and the fixed cells that an expression reads, each once and in order.
fn all_reads(expression: &Expression<Fr>) -> (Vec<Read>, Vec<Read>) {
    let (advice, fixed) = (RefCell::new(BTreeSet::new()), RefCell::new(BTreeSet::new()));
    let none = |_: ()| ();
    expression.evaluate(
        &|_| (),
        &|_| (),
        &|query| fixed.borrow_mut().extend([(query.column_index(), query.rotation().0)]),
        &|query| advice.borrow_mut().extend([(query.column_index(), query.rotation().0)]),
        &|_| (),
        &|_| (),
        &none,
        &|(), ()| (),
        &|(), ()| (),
        &|(), _| (),
    );
    let in_order = |reads: RefCell<BTreeSet<Read>>| reads.into_inner().into_iter().collect();
    (in_order(advice), in_order(fixed))
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
