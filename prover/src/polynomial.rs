//! Sums and products of columns and of polynomials.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Domain, Graph, Inputs};
use rayon::prelude::*;

/// A column's cells, or the coefficients of its polynomial.
pub(crate) type Numbers = Vec<Fr>;

/// `Σ weightᵢ·columnᵢ`. All columns have the same number of rows, and there is at least one.
pub(crate) fn combine(backend: Backend, weights: &[Fr], columns: &[&[Fr]]) -> Numbers {
    let mut graph = Graph::new();
    let weighted: Vec<_> =
        (0..columns.len()).map(|column| (graph.parameter(column), graph.cell(column, 0))).collect();
    let sum = graph.combine(&weighted);
    let inputs = Inputs { rows: columns[0].len(), columns, parameters: weights };
    graph.compile(&[sum]).evaluate(backend, inputs).swap_remove(0)
}

/// The coefficients of columns.
pub(crate) fn coefficients<N: AsRef<[Fr]> + Sync>(domain: &Domain, columns: &[N]) -> Vec<Numbers> {
    let coefficients = columns.par_iter().map(|values| {
        let mut coefficients = values.as_ref().to_vec();
        domain.to_coefficients(&mut coefficients);
        coefficients
    });
    coefficients.collect()
}

/// `1, base, base², …`.
pub(crate) fn powers(base: Fr) -> impl Iterator<Item = Fr> {
    std::iter::successors(Some(Fr::ONE), move |power| Some(*power * base))
}

/// In each row, the product of the factors of all rows before it.
pub(crate) fn running_product(factors: &[Fr]) -> Numbers {
    let before = factors.iter().scan(Fr::ONE, |product, factor| {
        let next = *product * factor;
        Some(std::mem::replace(product, next))
    });
    before.collect()
}

/// A polynomial times `X − root`.
pub(crate) fn times_root(coefficients: &[Fr], root: Fr) -> Numbers {
    let mut product = vec![Fr::ZERO; coefficients.len() + 1];
    for (place, coefficient) in coefficients.iter().enumerate() {
        product[place + 1] += coefficient;
        product[place] -= root * coefficient;
    }
    product
}

/// A polynomial less its values at some points, divided by `X − point` for each. The missing highest coefficients are zero.
///
/// What has these values is what such a division leaves, and that is dropped in any case.
pub(crate) fn quotient(coefficients: &[Fr], points: &[Fr]) -> Numbers {
    let mut quotient = coefficients.to_vec();
    for point in points {
        quotient = divide(&quotient, *point);
    }
    quotient.resize(coefficients.len(), Fr::ZERO);
    quotient
}

/// The value at `u` of the polynomial of least degree with these values. The points are different.
pub(crate) fn interpolated(points: &[Fr], values: &[Fr], u: Fr) -> Fr {
    let term = |(place, value): (usize, &Fr)| {
        let (mut above, mut below) = (*value, Fr::ONE);
        for (_, other) in points.iter().enumerate().filter(|(other, _)| *other != place) {
            above *= u - other;
            below *= points[place] - other;
        }
        above * below.invert().expect("the points are different")
    };
    values.iter().enumerate().map(term).sum()
}

/// A polynomial divided by `X − root`, without the remainder.
pub(crate) fn divide(coefficients: &[Fr], root: Fr) -> Numbers {
    let mut quotient = vec![Fr::ZERO; coefficients.len() - 1];
    let mut carry = Fr::ZERO;
    for (quotient, coefficient) in quotient.iter_mut().zip(&coefficients[1..]).rev() {
        carry = carry * root + coefficient;
        *quotient = carry;
    }
    quotient
}
