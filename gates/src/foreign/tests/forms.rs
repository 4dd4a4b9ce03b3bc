//! What is written by operators, term by term.

use super::{
    Source::{Back, Operand, Result},
    *,
};
use muster_schemes::field::foreign::relation::Operands::{Linear, Product};

#[test]
fn a_quotient_says_what_the_result_times_the_divisor_is() {
    let [y, x] = [1, 2].map(Back);
    let chord = Equation::result(&base_field(), (y - Operand(1)) / (x - Operand(0)));
    let sources = chord.sources();
    let number = |source| sources.iter().position(|one| *one == source).expect("it is used");
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
    assert_eq!(tangent.sources(), [Result, y, x]);
    let [result, y, x] = [0, 1, 2];
    let products = [(2, Product(result, y)), (-3, Product(x, x))];
    assert_eq!(tangent.relation().terms, products);
    assert_eq!(tangent.relation().constant, 5.into());
    // A sign that stands before the first factor stays there.
    let negated = Equation::zero(&base_field(), -Operand(0) * Operand(1));
    let [x, y] = negated.products()[0].each_ref().map(|sum| sum.values().sum::<i64>());
    assert_eq!([x, y], [-1, 1]);
    assert_ne!(negated, Equation::zero(&base_field(), -(Operand(0) * Operand(1))));
}

#[test]
#[should_panic(expected = "a factor is a plain sum")]
fn three_factors_are_too_many() {
    let _ = Operand(0) * Operand(1) * Back(1);
}

/// A layout has room for the equations that it was made for: as many products, and each sum of the same sources.
#[test]
fn an_equation_has_its_sums() {
    let [a, b] = [0, 1].map(Operand);
    let square = Equation::result(&base_field(), a * a);
    let sums = Sums::of(&[square.clone(), Equation::result(&base_field(), a * b + Back(1))]);
    let of = |form: Form| sums.hold(&Equation::result(&base_field(), form));
    assert!(sums.hold(&square) && of(2 * (a * (a - 3 * b))) && of(a * b - Back(1)));
    assert!(!of(b * a) && !of(a * b - Back(2)) && !of(a * b + a) && !of(a * a + a * a));
    assert_eq!((sums.all().count(), sums.operands(), sums.asks()), (3, 2, false));
    let with_digits = Sums::of(&[ask(), square]);
    assert!(with_digits.asks());
    let above = Equation::result(&base_field(), Source::Above(3) - a);
    assert_eq!(Sums::of(&[above]).operands(), 4);
}

#[test]
#[should_panic(expected = "the sums of the gate were made for this equation")]
fn another_equation_is_refused() {
    circuit(&shape(SMALL), |chip| {
        let above = any(chip, &number(1));
        let equation = Equation::result(&base_field(), Back(1) * Back(1));
        chip.below(&[&above]).relate(&equation, &[], &number(1));
    });
}
