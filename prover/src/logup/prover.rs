use std::sync::Arc;

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Fr, G1Affine, G1},
        group::Curve,
    },
    poly::commitment::ParamsProver,
};
use muster_engine::{Backend, Bases, Domain};
use muster_params::Srs;
use muster_verifier::{Key, Protocol};

use super::{blinded::Blinded, columns::Columns, key::KeyColumns, programs::Programs};
use crate::{commitment::lagrange_bases, cosets::Cosets, Error};

/// Cosets on which the quotient is found, and pieces that it has: constraints have a degree of 5.
pub(super) const PIECES: usize = 4;

/// What the proofs of a key share.
#[derive(Debug)]
pub(crate) struct Prover {
    pub(super) backend: Backend,
    pub(super) key: Arc<Key>,
    pub(super) columns: Columns,
    pub(super) programs: Programs,
    pub(super) domain: Domain,
    pub(super) cosets: Cosets,
    pub(super) bases: Commitments,
}

impl Prover {
    /// Compiles the constraints of `key`, and prepares the bases of the SRS.
    ///
    /// # Errors
    ///
    /// If the SRS is of another size than the key, or has too few powers.
    pub(crate) fn new(backend: Backend, srs: &Srs, key: Arc<Key>) -> Result<Self, Error> {
        let (found, needed) = (srs.k(), key.protocol().k());
        if found != needed {
            return Err(Error::Usage(format!(
                "the SRS is for k = {found}, and the key for k = {needed}"
            )));
        }
        let lagrange = lagrange_bases(srs.params());
        let (monomial, further) = (srs.params().get_g(), srs.require_further()?);
        let powers = Powers { monomial, further, lagrange: &lagrange };
        Self::of(backend, powers, key)
    }

    /// The same with the points of an SRS of as many powers as the key has rows.
    pub(super) fn of(backend: Backend, powers: Powers<'_>, key: Arc<Key>) -> Result<Self, Error> {
        let protocol = key.protocol();
        let columns = Columns::of(protocol);
        let usage = |error: muster_engine::DomainError| Error::Usage(error.to_string());
        let domain = Domain::new(backend, protocol.k()).map_err(usage)?;
        let cosets = Cosets::new(&domain, PIECES).map_err(usage)?;
        let bases = Commitments::new(backend, powers, protocol.usable());
        let programs = Programs::new(protocol, columns, |table| Fr::from(table as u64));
        Ok(Self { backend, key, columns, programs, domain, cosets, bases })
    }

    /// Makes what all proofs with these columns share.
    pub(crate) fn prepare(&self, key: &KeyColumns) {
        key.coefficients(&self.domain);
    }

    /// Keeps the values of the key's columns wherever constraints are evaluated: no proof will have to compute them
    /// again.
    pub(crate) fn keep(&self, key: &KeyColumns) {
        let coefficients: Vec<&[Fr]> =
            key.coefficients(&self.domain).iter().map(Vec::as_slice).collect();
        self.cosets.keep(&coefficients);
    }

    pub(super) fn protocol(&self) -> &Protocol {
        self.key.protocol()
    }
}

/// The points of an SRS.
#[derive(Clone, Copy, Debug)]
pub(super) struct Powers<'a> {
    pub(super) monomial: &'a [G1Affine],
    pub(super) further: &'a [G1Affine],
    pub(super) lagrange: &'a [G1Affine],
}

/// Commits to columns and polynomials.
#[derive(Debug)]
pub(super) struct Commitments {
    /// For values: of all rows, and of the random ones alone.
    lagrange: Bases,
    random: Bases,
    usable: usize,
    /// For the coefficients of multiples of `Xⁿ − 1`.
    blinders: Bases,
    /// For coefficients: four more than there are rows.
    monomial: Bases,
}

impl Commitments {
    fn new(backend: Backend, powers: Powers<'_>, usable: usize) -> Self {
        let Powers { monomial, further, lagrange } = powers;
        let blinders = further.iter().zip(monomial).map(|(high, low)| G1::from(*high) - low);
        let mut normal = vec![G1Affine::default(); further.len()];
        G1::batch_normalize(&blinders.collect::<Vec<_>>(), &mut normal);
        Self {
            random: Bases::with_multiples(backend, &lagrange[usable..]),
            lagrange: Bases::with_multiples(backend, lagrange),
            usable,
            blinders: Bases::with_multiples(backend, &normal),
            monomial: Bases::with_multiples(backend, &[monomial, further].concat()),
        }
    }

    /// Commitments to columns by their values. Their random rows are summed apart: few large numbers would make sums of
    /// small ones as long as those of large ones.
    pub(super) fn columns(&self, columns: &[Blinded]) -> Vec<G1Affine> {
        let (rows, random): (Vec<_>, Vec<_>) =
            columns.iter().map(|column| column.numbers.split_at(self.usable)).unzip();
        let blinders: Vec<_> = columns.iter().map(|column| column.blinders.as_slice()).collect();
        let mut sums = self.lagrange.multiply_all(&rows);
        let apart = self.random.multiply_all(&random).into_iter();
        for (sum, apart) in sums.iter_mut().zip(apart.zip(self.blinders.multiply_all(&blinders))) {
            *sum += apart.0 + apart.1;
        }
        normal(&sums)
    }

    /// Commitments to polynomials by their coefficients.
    pub(super) fn polynomials(&self, polynomials: &[Vec<Fr>]) -> Vec<G1Affine> {
        normal(&self.monomial.multiply_all(polynomials))
    }
}

fn normal(sums: &[G1]) -> Vec<G1Affine> {
    let mut points = vec![G1Affine::default(); sums.len()];
    G1::batch_normalize(sums, &mut points);
    points
}
