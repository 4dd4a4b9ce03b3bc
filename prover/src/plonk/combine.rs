//! Sums and products of columns.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Graph, Inputs};

use super::columns::Numbers;

/// `Σ weightᵢ·columnᵢ`. All columns have the same number of rows, and there is at least one.
pub(super) fn combine(backend: Backend, weights: &[Fr], columns: &[&[Fr]]) -> Numbers {
    let mut graph = Graph::new();
    let weighted: Vec<_> =
        (0..columns.len()).map(|column| (graph.parameter(column), graph.cell(column, 0))).collect();
    let sum = graph.combine(&weighted);
    let inputs = Inputs { rows: columns[0].len(), columns, parameters: weights };
    graph.compile(&[sum]).evaluate(backend, inputs).swap_remove(0)
}

/// `1, base, base², …`.
pub(super) fn powers(base: Fr) -> impl Iterator<Item = Fr> {
    std::iter::successors(Some(Fr::ONE), move |power| Some(*power * base))
}

/// In each row, `first` times the product of the factors of all rows before it.
pub(super) fn running_product(first: Fr, factors: &[Fr]) -> Numbers {
    let mut product = first;
    let before = factors.iter().map(|factor| {
        let before = product;
        product *= factor;
        before
    });
    before.collect()
}

/// A polynomial times `X − root`.
pub(super) fn times_root(coefficients: &[Fr], root: Fr) -> Numbers {
    let mut product = vec![Fr::ZERO; coefficients.len() + 1];
    for (place, coefficient) in coefficients.iter().enumerate() {
        product[place + 1] += coefficient;
        product[place] -= root * coefficient;
    }
    product
}
