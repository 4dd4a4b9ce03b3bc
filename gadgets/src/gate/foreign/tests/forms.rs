//! What is written by operators, term by term.

use super::{
    super::equation::number,
    Source::{Back, Operand, Result},
    *,
};
use crate::field::foreign::relation::Operands::{Linear, Product};

#[test]
fn a_quotient_says_what_the_result_times_the_divisor_is() {
    let [y, x] = [1, 2].map(Back);
    let chord = Equation::result(&base_field(), (y - Operand(1)) / (x - Operand(0)));
    let of = |sign: i64, a, b| (sign, Product(number(a), number(b)));
    let products = [of(1, Result, x), of(-1, Result, Operand(0))];
    let linear = [(-1, Linear(number(y))), (1, Linear(number(Operand(1))))];
    assert_eq!(chord.relation().terms, [products, linear].concat());
    assert_eq!(chord.relation().constant, BigInt::ZERO);
}

#[test]
fn numbers_and_signs_go_to_the_second_factor() {
    let [y, x] = [1, 2].map(Back);
    let tangent = Equation::result(&base_field(), (3 * (x * x) - 5) / (2 * y));
    let [result, x, y] = [Result, x, y].map(number);
    let products = [(2, Product(result, y)), (-3, Product(x, x))];
    assert_eq!(tangent.relation().terms, products);
    assert_eq!(tangent.relation().constant, 5.into());
    // A sign that stands before the first factor stays there.
    let negated = Equation::zero(&base_field(), -Operand(0) * Operand(1));
    let [x, y] = [X, Y].map(|sum| negated.factors()[sum].iter().sum::<i64>());
    assert_eq!([x, y], [-1, 1]);
    assert_ne!(negated, Equation::zero(&base_field(), -(Operand(0) * Operand(1))));
}

#[test]
#[should_panic(expected = "a factor is a plain sum")]
fn three_factors_are_too_many() {
    let _ = Operand(0) * Operand(1) * Back(1);
}

#[test]
#[should_panic(expected = "an equation has two products")]
fn three_products_are_too_many() {
    let square = || Back(1) * Back(1);
    let _ = Equation::zero(&base_field(), square() + square() + square());
}

#[test]
#[should_panic(expected = "is not made of")]
fn a_sum_takes_its_own_sources() {
    let _ = Equation::zero(&base_field(), Back(4) * Back(1));
}
