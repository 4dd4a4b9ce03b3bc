//! A circuit, compiled: what turns its columns into polynomials, and what commits to them.

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Domain};
use muster_verifier::{Column, Pack, Polynomial, Protocol, Round};

use super::{columns::Columns, commitments::Commitments, programs::Programs};
use crate::{cosets::Cosets, Error};

/// Cosets on which the quotient is found, and pieces that it has: constraints have a degree of 5.
pub(super) const PIECES: usize = 4;

/// A circuit with everything that its proofs share, but for the columns of its key.
#[derive(Debug)]
pub(super) struct System {
    pub(super) backend: Backend,
    pub(super) protocol: Protocol,
    pub(super) columns: Columns,
    pub(super) programs: Programs,
    pub(super) domain: Domain,
    pub(super) cosets: Cosets,
    /// Which polynomials share a commitment, in the order in which they are opened.
    pub(super) packs: Vec<Pack>,
    pub(super) bases: Commitments,
}

impl System {
    /// Compiles the constraints of a protocol.
    ///
    /// # Errors
    ///
    /// If there are no roots of unity for as many rows.
    pub(super) fn new(
        backend: Backend,
        protocol: &Protocol,
        packs: Vec<Pack>,
        bases: Commitments,
    ) -> Result<Self, Error> {
        let columns = Columns::of(protocol);
        let usage = |error: muster_engine::DomainError| Error::Usage(error.to_string());
        let domain = Domain::new(backend, protocol.k()).map_err(usage)?;
        let cosets = Cosets::new(&domain, PIECES).map_err(usage)?;
        let programs = Programs::new(protocol, columns, |table| Fr::from(table as u64));
        let protocol = protocol.clone();
        Ok(Self { backend, protocol, columns, programs, domain, cosets, packs, bases })
    }

    /// The packs that a round commits to.
    pub(super) fn round(&self, round: Round) -> impl Iterator<Item = &Pack> {
        self.packs.iter().filter(move |pack| pack.round == round)
    }

    /// The numbers of a pack's columns, by place.
    pub(super) fn places(&self, pack: &Pack) -> impl Iterator<Item = usize> + '_ {
        let opened = self.protocol.arrangement().polynomials();
        let places: Vec<usize> =
            pack.polynomials.iter().map(|number| self.place(opened[*number].polynomial)).collect();
        places.into_iter()
    }

    /// The number of a column.
    pub(super) fn place(&self, polynomial: Polynomial) -> usize {
        let columns = self.columns;
        match polynomial {
            Polynomial::Advice(index) => columns.column(Column::Advice(index)),
            Polynomial::Multiplicity(index) => columns.multiplicity(index),
            Polynomial::Helper(index) => columns.helper(index),
            Polynomial::Sum => columns.sum(),
            Polynomial::Product => columns.product(),
            Polynomial::Difference(index) => columns.difference(index),
            Polynomial::Fixed(index) => columns.column(Column::Fixed(index)),
            Polynomial::Sigma(index) => columns.sigma(index),
            Polynomial::Quotient => unreachable!("it is no column"),
        }
    }

    /// `x·ω^λ`.
    pub(super) fn point(&self, x: Fr, rotation: i32) -> Fr {
        let rows = self.protocol.rows() as i64;
        let power = i64::from(rotation).rem_euclid(rows) as u64;
        x * self.domain.root().pow_vartime([power])
    }

    /// `x^n`, unless `x` is 0 or a row.
    pub(super) fn raised(&self, x: Fr) -> Option<Fr> {
        let raised = x.pow_vartime([self.protocol.rows() as u64]);
        (x != Fr::ZERO && raised != Fr::ONE).then_some(raised)
    }
}

/// Every polynomial apart, in order, as the format `fast` has them.
pub(super) fn apart(protocol: &Protocol) -> Vec<Pack> {
    let opened = protocol.arrangement().polynomials().iter().enumerate();
    let opened = opened.filter(|(_, opened)| opened.polynomial != Polynomial::Quotient);
    let pack = |(number, opened): (usize, &muster_verifier::Opened)| Pack {
        polynomials: vec![number],
        rotations: opened.rotations.clone(),
        round: Round::of(opened.polynomial),
    };
    opened.map(pack).collect()
}
