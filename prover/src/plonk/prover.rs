use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine, G1},
        ff::Field,
        group::Curve,
    },
    plonk::ProvingKey,
    poly::{commitment::ParamsProver, kzg::commitment::ParamsKZG, Basis, Polynomial},
};
use muster_engine::{Backend, Bases, Domain, DomainError};

use super::{columns::Columns, openings::Openings, programs::Programs};
use crate::{
    commitment::lagrange_bases,
    cosets::Cosets,
    polynomial::{powers, Numbers},
};

/// What the proofs of a key share.
#[derive(Debug)]
pub(crate) struct Prover {
    pub(super) backend: Backend,
    pub(super) columns: Columns,
    pub(super) programs: Programs,
    pub(super) openings: Openings,
    pub(super) domain: Domain,
    pub(super) cosets: Cosets,
    /// The points of the domain: as values, and as coefficients.
    pub(super) points: Numbers,
    points_polynomial: Numbers,
    pub(super) lagrange: Bases,
    pub(super) monomial: Bases,
}

impl Prover {
    /// Compiles the constraints of `pk`, and prepares the bases of the SRS that it was made from.
    ///
    /// # Errors
    ///
    /// If the domain of the quotient has more points than there are roots of unity.
    ///
    /// # Panics
    ///
    /// If the key's circuit has challenges of its own, or not exactly one instance column.
    pub(crate) fn new(
        backend: Backend,
        params: &ParamsKZG<Bn256>,
        pk: &ProvingKey<G1Affine>,
    ) -> Result<Self, DomainError> {
        let columns = Columns::of(pk);
        assert_eq!(pk.get_vk().cs().num_challenges(), 0, "circuits have no challenges");
        assert_eq!(columns.instance, 1, "circuits have one column of public inputs");
        let domain = Domain::new(backend, pk.get_vk().get_domain().k())?;
        let cosets = Cosets::new(&domain, columns.pieces)?;
        let points = powers(domain.root()).take(columns.rows).collect();
        let mut points_polynomial = vec![Fr::ZERO; columns.rows];
        points_polynomial[1] = Fr::ONE;
        Ok(Self {
            backend,
            columns,
            programs: Programs::new(pk, columns),
            openings: Openings::new(pk, columns),
            domain,
            cosets,
            points,
            points_polynomial,
            lagrange: Bases::with_multiples(backend, &lagrange_bases(params)),
            monomial: Bases::plain(backend, params.get_g()),
        })
    }
}

impl Prover {
    /// Keeps the values of the key's columns wherever constraints are evaluated: no proof will have to compute them again.
    pub(crate) fn keep(&self, pk: &ProvingKey<G1Affine>) {
        self.cosets.keep(&self.of_key(pk));
    }

    /// The polynomials of [`Columns::of_key`].
    pub(super) fn of_key<'a>(&'a self, pk: &'a ProvingKey<G1Affine>) -> Vec<&'a [Fr]> {
        let rows = [pk.l0().values(), pk.l_last().values(), pk.l_active_row().values()];
        slices(pk.fixed_polys())
            .chain(slices(pk.permutation().polys()))
            .chain([self.points_polynomial.as_slice()])
            .chain(rows)
            .collect()
    }
}

pub(super) fn slices<B: Basis>(polynomials: &[Polynomial<Fr, B>]) -> impl Iterator<Item = &[Fr]> {
    polynomials.iter().map(|polynomial| polynomial.values())
}

/// Commitments to columns of cells, or of coefficients.
pub(crate) fn commit<N: AsRef<[Fr]> + Sync>(bases: &Bases, columns: &[N]) -> Vec<G1Affine> {
    let sums = bases.multiply_all(columns);
    let mut commitments = vec![G1Affine::default(); sums.len()];
    G1::batch_normalize(&sums, &mut commitments);
    commitments
}
