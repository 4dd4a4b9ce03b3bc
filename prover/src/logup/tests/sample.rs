//! Keys and proofs of any columns, with an SRS whose secret is known.

use std::sync::Arc;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G2Affine},
    ff::{Field, PrimeField},
    group::Curve,
};
use muster_engine::{Backend, Domain};
use muster_params::FURTHER;
use muster_verifier::{Key, KeyParts, Protocol, VerifyError};
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

use crate::{
    logup::{
        blinded::{point_bytes, to_bytes, Blinded},
        key::KeyColumns,
        prover::{Powers, Prover},
        run::{Round, Run},
    },
    polynomial::{powers, Numbers},
    profile::Stopwatch,
};

/// A copied column, counted among the copied ones, and a row.
pub(super) type Cell = (usize, usize);

/// A circuit with everything in it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) protocol: Protocol,
    pub(super) fixed: Vec<Numbers>,
    /// For each copied column and row, the cell that follows in its cycle.
    pub(super) next: Vec<Vec<Cell>>,
    pub(super) advice: Vec<Numbers>,
    pub(super) inputs: Numbers,
}

/// What the SRS is made of.
pub(super) fn tau() -> Fr {
    Fr::from(0x1234_5678_9abc_def1).pow([5])
}

/// The rows' points.
pub(super) fn points(k: u32) -> Numbers {
    powers(Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - k)])).take(1 << k).collect()
}

/// The value at `x` of the polynomial that has these values in the rows.
pub(super) fn interpolate(column: &[Fr], x: Fr) -> Fr {
    let points = points(column.len().trailing_zeros());
    let rows = Fr::from(column.len() as u64);
    let scale = (x.pow([column.len() as u64]) - Fr::ONE) * rows.invert().unwrap();
    let parts = column.iter().zip(points);
    scale * parts.map(|(value, point)| *value * point * (x - point).invert().unwrap()).sum::<Fr>()
}

/// `[number]₁`.
pub(super) fn commit(number: Fr) -> G1Affine {
    (G1Affine::generator() * number).to_affine()
}

fn g2_bytes(point: &G2Affine) -> [u8; 128] {
    let parts = [point.x.c1, point.x.c0, point.y.c1, point.y.c0];
    let parts = parts.map(|part| part.to_repr().into_iter().rev().collect::<Vec<u8>>());
    parts.concat().try_into().unwrap()
}

/// Generators of random numbers, each of its own seed.
pub(super) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

impl Sample {
    /// σ as the specification names cells.
    pub(super) fn sigma(&self) -> Vec<Numbers> {
        let points = points(self.protocol.k());
        let name = |(column, row): &Cell| Fr::DELTA.pow([*column as u64]) * points[*row];
        self.next.iter().map(|column| column.iter().map(name).collect()).collect()
    }

    /// No cell is a copy.
    pub(super) fn no_copies(protocol: &Protocol) -> Vec<Vec<Cell>> {
        let columns = 0..protocol.copied().len();
        columns.map(|column| (0..protocol.rows()).map(|row| (column, row)).collect()).collect()
    }

    /// Makes two cells copies of each other: joins their cycles, or parts the cycle that has both.
    pub(super) fn copy(&mut self, one: Cell, two: Cell) {
        let follower = self.next[one.0][one.1];
        self.next[one.0][one.1] = self.next[two.0][two.1];
        self.next[two.0][two.1] = follower;
    }
}

/// A key with what its prover needs.
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) key: Arc<Key>,
    pub(super) columns: KeyColumns,
    pub(super) prover: Prover,
}

impl Keys {
    pub(super) fn of(sample: &Sample) -> Self {
        let protocol = &sample.protocol;
        let (backend, rows) = (Backend::portable(), protocol.rows());
        let own = [sample.fixed.clone(), sample.sigma()].concat();
        let mut fixed: Vec<[u8; 64]> =
            own.iter().map(|column| point_bytes(&commit(interpolate(column, tau())))).collect();
        let sigma = fixed.split_off(protocol.fixed());
        let key = KeyParts {
            protocol: protocol.clone(),
            description: b"a test".to_vec(),
            is_ceremony: false,
            tau_g2: g2_bytes(&(G2Affine::generator() * tau()).to_affine()),
            fixed,
            sigma,
        };
        let key = Arc::new(Key::new(key).unwrap());
        let columns = KeyColumns::new(&Domain::new(backend, protocol.k()).unwrap(), protocol, own);
        let generator = G1Affine::generator();
        let monomial: Numbers = powers(tau()).take(rows + FURTHER).collect();
        let mut monomial = backend.multiples(&generator, &monomial);
        let further = monomial.split_off(rows);
        let unit = |row: usize| (0..rows).map(move |other| Fr::from(u64::from(row == other)));
        let lagrange = (0..rows).map(|row| interpolate(&unit(row).collect::<Numbers>(), tau()));
        let lagrange = backend.multiples(&generator, &lagrange.collect::<Numbers>());
        let points = Powers { monomial: &monomial, further: &further, lagrange: &lagrange };
        let prover = Prover::of(backend, points, key.clone()).unwrap();
        Self { key, columns, prover }
    }

    /// A proof of these columns, if `edit` leaves them as they are.
    pub(super) fn forge(
        &self,
        sample: &Sample,
        seed: u64,
        edit: impl FnMut(Round, &mut Vec<Blinded>),
    ) -> Vec<u8> {
        let (mut rng, mut watch) = (rng(seed), Stopwatch::start());
        let mut run = Run::new(&self.prover, &self.columns, &mut rng, &mut watch, edit);
        run.proof(sample.advice.clone(), &sample.inputs)
    }

    pub(super) fn prove(&self, sample: &Sample, seed: u64) -> Vec<u8> {
        self.forge(sample, seed, |_, _| ())
    }

    pub(super) fn verify(&self, sample: &Sample, proof: &[u8]) -> Result<(), VerifyError> {
        let inputs: Vec<[u8; 32]> = sample.inputs.iter().map(to_bytes).collect();
        self.key.verify(&inputs, proof)
    }

    /// Whether a forged proof is accepted.
    pub(super) fn accept(
        &self,
        sample: &Sample,
        edit: impl FnMut(Round, &mut Vec<Blinded>),
    ) -> bool {
        let verdict = self.verify(sample, &self.forge(sample, 7, edit));
        assert!(matches!(verdict, Ok(()) | Err(VerifyError::Equation)), "{verdict:?}");
        verdict.is_ok()
    }
}
