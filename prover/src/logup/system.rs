//! A circuit, compiled: what turns its columns into polynomials, and what commits to them; and the columns of its key.

use std::sync::OnceLock;

use halo2_base::halo2_proofs::halo2curves::{bn256::Fr, ff::Field};
use muster_engine::{Backend, Domain};
use muster_verifier::{Pack, Polynomial, Protocol, Round};

use super::{
    blinded::Blinded, columns::Columns, commitments::Commitments, constraints::Programs,
    cosets::Cosets,
};
use crate::{
    polynomial::{coefficients, powers, Numbers},
    Error,
};

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
    /// Compiles the constraints of a protocol, if there are roots of unity for as many rows.
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
    pub(super) fn places(&self, pack: &Pack) -> impl Iterator<Item = usize> {
        let opened = self.protocol.arrangement().polynomials();
        pack.polynomials.iter().map(|number| self.columns.place(opened[*number].polynomial))
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

/// The columns that all proofs of a key share: fixed, σ, and those that tell rows apart.
#[derive(Clone, Debug)]
pub(crate) struct KeyColumns {
    pub(super) values: Vec<Numbers>,
    /// Made at the first use: keys that are only stored or compared need none.
    coefficients: OnceLock<Vec<Blinded>>,
    /// How many are the key's own.
    own: usize,
}

impl KeyColumns {
    /// The columns of `protocol` with these fixed and σ columns, in this order.
    ///
    /// # Panics
    ///
    /// If there are not as many of them, and as many rows, as the protocol has.
    pub(crate) fn new(domain: &Domain, protocol: &Protocol, own: Vec<Numbers>) -> Self {
        assert_eq!(own.len(), protocol.fixed() + protocol.copied().len(), "columns of a key");
        let rows = protocol.rows();
        assert!(own.iter().all(|column| column.len() == rows), "columns of 2^k rows");
        let is_one = |is_one: &dyn Fn(usize) -> bool| -> Numbers {
            (0..rows).map(|row| if is_one(row) { Fr::ONE } else { Fr::ZERO }).collect()
        };
        let (count, usable) = (own.len(), protocol.usable());
        let points = powers(domain.root()).take(rows).collect();
        let mut values = own;
        values.extend([points, is_one(&|row| row == 0), is_one(&|row| row < usable)]);
        Self { values, coefficients: OnceLock::new(), own: count }
    }

    /// The coefficients of all columns. Whoever prepares a prover asks for them, so that no proof has to wait.
    pub(super) fn coefficients(&self, domain: &Domain) -> &[Blinded] {
        if let Some(coefficients) = self.coefficients.get() {
            return coefficients;
        }
        // Not inside `get_or_init`: a pool thread may pick up a proof meanwhile, which would wait for this one.
        let made = coefficients(domain, &self.values).into_iter().map(Blinded::plain).collect();
        self.coefficients.get_or_init(|| made)
    }

    /// The fixed and the σ columns.
    pub(crate) fn own(&self) -> &[Numbers] {
        &self.values[..self.own]
    }
}
