//! A dealer that changes one element of its transcript, and makes everything after it again.

use std::cell::RefCell;

use ff::Field as _;
use group::{Curve, Group};

use crate::{
    pairing_curve::{Fr, G1Affine, G1Projective, G2Affine, G2Projective},
    pvss::Field,
};

thread_local! {
    static CHANGE: RefCell<Option<(Field, usize)>> = const { RefCell::new(None) };
}

/// Runs something while one element of a part is changed as it is written.
pub(super) fn with<T>(field: Field, place: usize, run: impl FnOnce() -> T) -> T {
    CHANGE.with(|change| *change.borrow_mut() = Some((field, place)));
    let result = run();
    CHANGE.with(|change| *change.borrow_mut() = None);
    result
}

fn changed<T: Copy>(field: Field, elements: &[T], alter: impl Fn(T) -> T) -> Vec<T> {
    let mut elements = elements.to_vec();
    CHANGE.with(|change| match *change.borrow() {
        Some((own, place)) if own == field => elements[place] = alter(elements[place]),
        _ => {}
    });
    elements
}

pub(crate) fn g1(field: Field, points: &[G1Affine]) -> Vec<G1Affine> {
    changed(field, points, |point| (G1Projective::generator() + point).to_affine())
}

pub(crate) fn g2(field: Field, points: &[G2Affine]) -> Vec<G2Affine> {
    changed(field, points, |point| (G2Projective::generator() + point).to_affine())
}

pub(crate) fn scalars(field: Field, scalars: &[Fr]) -> Vec<Fr> {
    changed(field, scalars, |scalar| scalar + Fr::ONE)
}
