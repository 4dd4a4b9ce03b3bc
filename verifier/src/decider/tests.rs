//! What fits a row, and what becomes of forms that do not.

use ark_ff::{AdditiveGroup, Field};

use super::{
    builder::{Builder, MOST_K},
    form::{Form, Variable},
};
use crate::Scalar;

fn variable(number: u32) -> Form {
    Variable(number).into()
}

fn constant(number: u64) -> Form {
    Form::constant(Scalar::from(number))
}

/// The sum of forms of which every part of the sum fits.
fn sum(forms: &[Form]) -> Form {
    forms.iter().fold(constant(0), |sum, form| sum.plus(form).expect("it fits"))
}

#[test]
fn three_variables_fit_or_a_product_with_one() {
    let three = sum(&[variable(3), variable(1), variable(2)]);
    let numbers: Vec<_> = three.linear().iter().map(|(variable, _)| variable.number()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert!(!three.has_room() && !three.is_affine());
    assert_eq!(three.plus(&variable(4)), None);
    assert!(three.plus(&variable(2)).is_some());
    assert!(sum(&[variable(1), variable(2)]).has_room());

    let product = variable(2).times(&variable(1));
    assert!(product.has_room() && !product.is_affine());
    let with = sum(&[product.clone(), variable(1), variable(2)]);
    // Its own variables take no room.
    assert!(with.has_room());
    let with = sum(&[with, variable(7)]);
    assert!(!with.has_room());
    assert_eq!(with.plus(&variable(8)), None);
    assert_eq!(three.plus(&product), sum(&[variable(1), variable(2), variable(3)]).plus(&product));
    assert_eq!(sum(&[variable(3), variable(4)]).plus(&product), None);
    assert_eq!(product.plus(&variable(1).times(&variable(3))), None);
}

#[test]
fn what_becomes_0_is_left_out() {
    let one = sum(&[variable(1), variable(2)]);
    let minus = variable(2).scaled(-Scalar::ONE);
    assert_eq!(sum(&[one, minus]), variable(1));
    let product = variable(1).times(&variable(2));
    let difference = product.plus(&product.clone().scaled(-Scalar::ONE));
    assert_eq!(difference, Some(constant(0)));
    assert_eq!(product.scaled(Scalar::ZERO), constant(0));
    // Where a product goes, there is room for what it left none for.
    let full = sum(&[variable(1).times(&variable(2)), variable(3)]);
    let other = variable(1).times(&variable(2)).scaled(-Scalar::ONE);
    let other = sum(&[other, variable(4)]);
    assert_eq!(full.plus(&other), Some(sum(&[variable(3), variable(4)])));
}

#[test]
fn affine_forms_have_a_product() {
    let left = variable(5).scaled(Scalar::from(2)).plus_constant(Scalar::from(3));
    let right = variable(4).plus_constant(Scalar::from(7));
    let product = left.times(&right);
    let it = product.product().expect("it is one");
    assert_eq!((it.left, it.right, it.factor), (Variable(4), Variable(5), Scalar::from(2)));
    assert_eq!(product.factor(Variable(4)), Scalar::from(3));
    assert_eq!(product.factor(Variable(5)), Scalar::from(14));
    assert_eq!(product.remainder(), Scalar::from(21));
    // (v + 1)·(v − 1) has no v.
    let square = variable(1).plus_constant(Scalar::ONE);
    let square = square.times(&variable(1).plus_constant(-Scalar::ONE));
    assert!(square.linear().is_empty());
    assert_eq!(constant(2).times(&left), left.clone().scaled(Scalar::from(2)));
    assert_eq!(left.times(&constant(2)), left.scaled(Scalar::from(2)));
}

/// Rows of forms that are made from variables 0 to 3, after which come `zero` and `one`.
#[test]
fn operations_make_the_rows_that_they_need() {
    let mut builder = Builder::new(4, true, MOST_K).expect("it is small");
    let start = builder.rows;
    assert_eq!(start, 6);
    assert_eq!(builder.assign(&constant(0)), Ok(Variable(4)));
    assert_eq!(builder.assign(&constant(1)), Ok(Variable(5)));
    assert_eq!(builder.assign(&variable(2)), Ok(Variable(2)));
    assert_eq!(builder.rows, start);
    assert_eq!(builder.assign(&constant(2)), Ok(Variable(6)));

    // The left one becomes a variable, since the right one has room.
    let three = sum(&[variable(0), variable(1), variable(2)]);
    let made = builder.add(&three, &variable(3)).expect("it is small");
    assert_eq!(made, sum(&[variable(7), variable(3)]));
    // The left one is affine, so that the right one does.
    let made = builder.add(&variable(3), &three).expect("it is small");
    assert_eq!(made, sum(&[variable(8), variable(3)]));
    // Neither has room.
    let made = builder.add(&three, &three.clone().plus_constant(Scalar::ONE));
    let twice = sum(&[variable(0), variable(1), variable(2)]).scaled(Scalar::from(2));
    assert_eq!(made, Ok(twice.plus_constant(Scalar::ONE)));
    let four = sum(&[variable(1), variable(2), variable(3)]);
    let made = builder.add(&three, &four).expect("it is small");
    assert_eq!(made, sum(&[variable(9), variable(10)]));

    let made = builder.multiply(three, variable(3)).expect("it is small");
    assert_eq!(made, variable(3).times(&variable(11)));
    // A sixth power: of 110, the second bit multiplies, and the third does not.
    let rows = builder.rows;
    assert_eq!(builder.power(Variable(0), 1), Ok(Variable(0)));
    assert_eq!(builder.power(Variable(0), 6), Ok(Variable(14)));
    assert_eq!(builder.rows, rows + 3);
    // The inverse is a variable before that of its row.
    assert_eq!(builder.inverse(variable(0)), Ok(Variable(15)));
    assert_eq!(builder.made.variables, 17);
}
