//! The quotient of all constraints, joined, by the polynomial that is zero on the domain.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, WithSmallOrderMulGroup},
};
use muster_engine::{Backend, Domain, DomainError, Inputs, Program};
use rayon::prelude::*;

use super::{
    columns::{Columns, Numbers},
    combine::{combine, times_root},
};

/// Where the constraints are evaluated: on cosets of the domain, on each of which `Xⁿ` is a number of its own.
#[derive(Debug)]
pub(super) struct Cosets {
    domains: Vec<Domain>,
    /// Of each piece of the quotient, how often it has the remainder on each coset.
    weights: Vec<Vec<Fr>>,
}

impl Cosets {
    /// As many cosets as the quotient has pieces.
    pub(super) fn new(domain: &Domain, columns: &Columns) -> Result<Self, DomainError> {
        let log_count = columns.pieces.next_power_of_two().trailing_zeros();
        let step = Domain::new(Backend::portable(), domain.k() + log_count)?.root();
        let shifts: Vec<Fr> = std::iter::successors(Some(Fr::ZETA), |shift| Some(*shift * step))
            .take(columns.pieces)
            .collect();
        let domains = shifts.iter().map(|shift| domain.coset(*shift)).collect::<Result<_, _>>()?;
        let powers: Vec<Fr> =
            shifts.iter().map(|shift| shift.pow_vartime([columns.rows as u64])).collect();
        Ok(Self { domains, weights: weights(&powers) })
    }

    /// The pieces of the quotient, for columns by the coefficients of their polynomials.
    ///
    /// On the coset of `s`, `Xⁿ` is `sⁿ`. There the joined constraints, divided by `sⁿ − 1`, are the
    /// values of a polynomial below degree `n`, which is what the quotient `Σ pieceᵢ·Xⁿⁱ` leaves modulo `Xⁿ −
    /// sⁿ`: `Σ pieceᵢ·sⁿⁱ`. As many cosets as pieces say what the pieces are.
    pub(super) fn quotient(
        &self,
        backend: Backend,
        constraints: &Program,
        polynomials: &[&[Fr]],
        challenges: &[Fr],
    ) -> Vec<Numbers> {
        let rows = polynomials[0].len();
        let mut values: Vec<Numbers> = polynomials.iter().map(|_| vec![Fr::ZERO; rows]).collect();
        let remainders = self.domains.iter().map(|domain| {
            values.par_iter_mut().zip(polynomials).for_each(|(values, coefficients)| {
                values.copy_from_slice(coefficients);
                domain.to_values(values);
            });
            let columns: Vec<_> = values.iter().map(Vec::as_slice).collect();
            let inputs = Inputs { rows, columns: &columns, parameters: challenges };
            let mut remainder = constraints.evaluate(backend, inputs).swap_remove(0);
            domain.to_coefficients(&mut remainder);
            remainder
        });
        let remainders: Vec<_> = remainders.collect();
        let remainders: Vec<_> = remainders.iter().map(Vec::as_slice).collect();
        let piece = |weights: &Vec<Fr>| combine(backend, weights, &remainders);
        self.weights.iter().map(piece).collect()
    }
}

/// The inverse of the matrix `powerⱼⁱ`, with column `j` divided by `powerⱼ − 1`: entry `i` of column `j` is coefficient `i` of
/// the polynomial that is 1 at `powerⱼ` and 0 at the others.
fn weights(powers: &[Fr]) -> Vec<Vec<Fr>> {
    let mut weights = vec![vec![]; powers.len()];
    for (place, power) in powers.iter().enumerate() {
        let mut basis = vec![Fr::ONE];
        let mut scale = *power - Fr::ONE;
        for other in powers.iter().enumerate().filter(|(other, _)| *other != place) {
            basis = times_root(&basis, *other.1);
            scale *= *power - other.1;
        }
        let inverse = scale.invert().expect("cosets differ from each other and from the domain");
        for (weights, coefficient) in weights.iter_mut().zip(basis) {
            weights.push(coefficient * inverse);
        }
    }
    weights
}
