//! The quotient of all constraints, joined, by the vanishing polynomial of the domain.

use std::sync::OnceLock;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, WithSmallOrderMulGroup},
};
use muster_engine::{Backend, Domain, DomainError, Inputs, Program};
use rayon::prelude::*;

use super::blinded::Blinded;
use crate::{
    polynomial::{combine, times_root, Numbers},
    profile::{Phase, Stopwatch},
};

/// Where the constraints are evaluated: on cosets of the domain. On each of them `Xⁿ` is a constant of its own.
#[derive(Debug)]
pub(super) struct Cosets {
    domains: Vec<Domain>,
    /// For each piece of the quotient, the weight in it of each coset's remainder.
    weights: Vec<Vec<Fr>>,
    /// `Xⁿ` on each coset.
    powers: Vec<Fr>,
    rows: usize,
    /// For each coset, the values of the key's columns, in their order, if they are kept.
    kept: OnceLock<Vec<Vec<Numbers>>>,
}

impl Cosets {
    /// As many cosets as the quotient has pieces.
    pub(super) fn new(domain: &Domain, pieces: usize) -> Result<Self, DomainError> {
        let rows = 1 << domain.k();
        let log_count = pieces.next_power_of_two().trailing_zeros();
        let step = Domain::new(Backend::portable(), domain.k() + log_count)?.root();
        let shifts: Vec<Fr> = std::iter::successors(Some(Fr::ZETA), |shift| Some(*shift * step))
            .take(pieces)
            .collect();
        let domains = shifts.iter().map(|shift| domain.coset(*shift)).collect::<Result<_, _>>()?;
        let powers: Vec<Fr> = shifts.iter().map(|shift| shift.pow_vartime([rows as u64])).collect();
        let (weights, kept) = (weights(&powers), OnceLock::new());
        Ok(Self { domains, weights, powers, rows, kept })
    }

    /// One of them, with `Xⁿ` there.
    pub(super) fn first(&self) -> (&Domain, Fr) {
        (&self.domains[0], self.powers[0])
    }

    /// Keeps the values of the key's columns from now on; `of_key` are their coefficients, in their order. This takes
    /// the memory of all these columns once per coset.
    pub(super) fn keep(&self, of_key: &[Blinded]) {
        if self.kept.get().is_none() {
            let values = |domain: &Domain| -> Vec<Numbers> {
                let columns = of_key.par_iter().map(|column| {
                    let mut values = column.numbers.clone();
                    domain.to_values(&mut values);
                    values
                });
                columns.collect()
            };
            // If another thread was faster, its values are the same.
            let _ = self.kept.set(self.domains.iter().map(values).collect());
        }
    }

    /// The pieces of the quotient. All columns are given by the coefficients of their polynomials, those of the key first; challenges are
    /// the program's parameters.
    ///
    /// On the coset of `s`, `Xⁿ` is `sⁿ`. There the joined constraints, divided by `sⁿ − 1`, are the
    /// values of a polynomial of degree below `n`: the quotient `Σ pieceᵢ·Xⁿⁱ` modulo `Xⁿ − sⁿ`, which is
    /// `Σ pieceᵢ·sⁿⁱ`. As many cosets as pieces determine the pieces.
    pub(super) fn quotient(
        &self,
        backend: Backend,
        constraints: &Program,
        polynomials: &[&Blinded],
        challenges: &[Fr],
        watch: &mut Stopwatch,
    ) -> Vec<Numbers> {
        let (rows, kept) = (self.rows, self.kept.get());
        let new = &polynomials[kept.map_or(0, |kept| kept[0].len())..];
        let mut values: Vec<Numbers> = new.iter().map(|_| vec![Fr::ZERO; rows]).collect();
        let remainders = self.domains.iter().enumerate().map(|(coset, domain)| {
            values.par_iter_mut().zip(new).for_each(|(values, polynomial)| {
                values.copy_from_slice(&polynomial.numbers);
                let vanishing = self.powers[coset] - Fr::ONE;
                for (value, blinder) in values.iter_mut().zip(&polynomial.blinders) {
                    *value += vanishing * blinder;
                }
                domain.to_values(values);
            });
            watch.lap(Phase::Transforms, values.len());
            let kept = kept.map_or([].as_slice(), |kept| &kept[coset]);
            let columns: Vec<&[Fr]> = kept.iter().chain(&values).map(Vec::as_slice).collect();
            let inputs = Inputs { rows, columns: &columns, parameters: challenges };
            let mut remainder = constraints.evaluate(backend, inputs).swap_remove(0);
            watch.lap(Phase::Quotient, 1);
            domain.to_coefficients(&mut remainder);
            watch.lap(Phase::Transforms, 1);
            remainder
        });
        let remainders: Vec<_> = remainders.collect();
        let remainders: Vec<_> = remainders.iter().map(Vec::as_slice).collect();
        let piece = |weights: &Vec<Fr>| combine(backend, weights, &remainders);
        let pieces = self.weights.iter().map(piece).collect();
        watch.lap(Phase::Quotient, 0);
        pieces
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
