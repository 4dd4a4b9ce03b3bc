//! Commitments to columns in packs, and to polynomials.

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G1},
    ff::Field,
    group::Curve,
};
use muster_engine::{Backend, Bases};
use muster_params::{PackBases, FURTHER};

use super::blinded::Blinded;

/// Commits to packs of columns by their values. A pack of stride `M` commits to `Σ_i X^i·f_i(X^M)`, and with the stride 1 a column is its
/// own pack.
#[derive(Debug)]
pub(super) struct Commitments {
    /// For values of usable rows: those of place 0, then those of place 1, and so on.
    usable: Bases,
    /// Likewise for values of random rows, and for the coefficients of multiples of `Xⁿ − 1`.
    random: Bases,
    usable_rows: usize,
    /// How many places a pack has.
    pub(super) stride: usize,
}

/// What an SRS has for the places of packs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    /// For the values of all rows.
    pub(super) lagrange: &'a [Vec<G1Affine>],
    /// For the coefficients of multiples of `Xⁿ − 1`.
    pub(super) blinders: &'a [[G1Affine; FURTHER]],
}

impl<'a> From<&'a PackBases> for Places<'a> {
    fn from(bases: &'a PackBases) -> Self {
        Self { lagrange: bases.lagrange(), blinders: bases.further() }
    }
}

impl Commitments {
    pub(super) fn new(backend: Backend, places: Places<'_>, usable_rows: usize) -> Self {
        let Places { lagrange, blinders } = places;
        let (mut usable, mut random) = (vec![], vec![]);
        for (lagrange, blinders) in lagrange.iter().zip(blinders) {
            let (first, last) = lagrange.split_at(usable_rows);
            usable.extend_from_slice(first);
            random.extend_from_slice(last);
            random.extend_from_slice(blinders);
        }
        Self {
            usable: Bases::with_multiples(backend, &usable),
            random: Bases::with_multiples(backend, &random),
            usable_rows,
            stride: lagrange.len(),
        }
    }

    /// Commitments to packs, which are columns by place. Their random rows are summed apart: few large numbers would make sums of
    /// small ones as long as those of large ones.
    pub(super) fn packs(&self, packs: &[Vec<&Blinded>]) -> Vec<G1Affine> {
        let (mut usable, mut random) = (vec![], vec![]);
        for columns in packs {
            let (mut rows, mut others) = (vec![], vec![]);
            for Blinded { numbers, blinders } in columns {
                let (first, last) = numbers.split_at(self.usable_rows);
                rows.extend_from_slice(first);
                others.extend_from_slice(last);
                others.extend((0..FURTHER).map(|at| blinders.get(at).copied().unwrap_or_default()));
            }
            usable.push(rows);
            random.push(others);
        }
        let mut sums = self.usable.multiply_all(&usable);
        for (sum, apart) in sums.iter_mut().zip(self.random.multiply_all(&random)) {
            *sum += apart;
        }
        normal(&sums)
    }
}

/// `Σ_i X^i·f_i(X^M)` by its coefficients, from those of `f_0, f_1, …`, of which there are at most `M`.
pub(crate) fn interleaved<'a>(
    stride: usize,
    polynomials: impl IntoIterator<Item = &'a [Fr]>,
) -> Vec<Fr> {
    let mut all = vec![];
    for (place, polynomial) in polynomials.into_iter().enumerate() {
        let least = place + stride * polynomial.len().saturating_sub(1) + 1;
        all.resize(least.max(all.len()), Fr::ZERO);
        for (to, from) in all[place..].iter_mut().step_by(stride).zip(polynomial) {
            *to = *from;
        }
    }
    all
}

/// Commitments to polynomials by their coefficients, or to columns by their values: as the bases are.
pub(crate) fn commit<N: AsRef<[Fr]> + Sync>(bases: &Bases, columns: &[N]) -> Vec<G1Affine> {
    normal(&bases.multiply_all(columns))
}

fn normal(sums: &[G1]) -> Vec<G1Affine> {
    let mut points = vec![G1Affine::default(); sums.len()];
    G1::batch_normalize(sums, &mut points);
    points
}
