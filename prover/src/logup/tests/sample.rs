//! Keys and proofs of any columns, with an SRS whose secret is known.

use std::sync::Arc;

use halo2_base::halo2_proofs::halo2curves::{
    bn256::{Fr, G1Affine, G2Affine},
    ff::{Field, PrimeField},
    group::Curve,
};
use muster_engine::{Backend, Domain};
use muster_params::FURTHER;
use muster_verifier::{
    CompactKeyParts, Decider, Key, KeyParts, Pack, Packing, Protocol, Round as PackRound,
    VerifyError,
};
use rand_chacha::{rand_core::SeedableRng, ChaCha20Rng};

use crate::{
    logup::{
        blinded::{point_bytes, to_bytes, Blinded},
        commitments::Places,
        decider::columns as decider_columns,
        prover::{Points, Prover},
        run::{Round, Run},
        system::KeyColumns,
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

/// The value at τ of a pack of columns, by their values in the rows.
pub(super) fn packed<'a>(stride: u32, columns: impl Iterator<Item = &'a [Fr]>) -> Fr {
    let z = tau().pow([u64::from(stride)]);
    columns.zip(powers(tau())).map(|(column, power)| power * interpolate(column, z)).sum()
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

    /// The columns of the key.
    fn own(&self) -> Vec<Numbers> {
        [self.fixed.clone(), self.sigma()].concat()
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

/// The points of a stride that [`Prover`] commits with.
pub(super) struct Stride {
    lagrange: Vec<Vec<G1Affine>>,
    blinders: Vec<[G1Affine; FURTHER]>,
}

impl Stride {
    pub(super) fn of(k: u32, stride: usize) -> Self {
        let (backend, generator) = (Backend::portable(), G1Affine::generator());
        let (rows, z) = (1_u64 << k, tau().pow([stride as u64]));
        let scale = (z.pow([rows]) - Fr::ONE) * Fr::from(rows).invert().unwrap();
        let at_z: Numbers =
            points(k).iter().map(|point| scale * point * (z - point).invert().unwrap()).collect();
        let places: Numbers = powers(tau()).take(stride).collect();
        let lagrange = places.iter().map(|place| {
            let numbers: Numbers = at_z.iter().map(|number| *place * number).collect();
            backend.multiples(&generator, &numbers)
        });
        let vanishing = z.pow([rows]) - Fr::ONE;
        let blinders = places
            .iter()
            .map(|place| std::array::from_fn(|b| commit(*place * z.pow([b as u64]) * vanishing)));
        Self { lagrange: lagrange.collect(), blinders: blinders.collect() }
    }

    fn points(&self) -> Places<'_> {
        Places { lagrange: &self.lagrange, blinders: &self.blinders }
    }
}

/// So many powers of τ in G1.
fn powers_of_tau(count: usize) -> Vec<G1Affine> {
    let numbers: Numbers = powers(tau()).take(count).collect();
    Backend::portable().multiples(&G1Affine::generator(), &numbers)
}

/// `[τ]₂`, as keys have it.
pub(super) fn tau_g2() -> [u8; 128] {
    g2_bytes(&(G2Affine::generator() * tau()).to_affine())
}

impl Keys {
    pub(super) fn of(sample: &Sample) -> Self {
        let protocol = &sample.protocol;
        let own = sample.own();
        let mut fixed: Vec<[u8; 64]> =
            own.iter().map(|column| point_bytes(&commit(interpolate(column, tau())))).collect();
        let sigma = fixed.split_off(protocol.fixed());
        let key = KeyParts {
            protocol: protocol.clone(),
            description: b"a test".to_vec(),
            is_ceremony: false,
            tau_g2: tau_g2(),
            fixed,
            sigma,
        };
        let key = Arc::new(Key::new(key).unwrap());
        let powers = powers_of_tau(protocol.rows() + FURTHER);
        let circuit = Stride::of(protocol.k(), 1);
        let points = Points { circuit: circuit.points(), decider: None, powers: &powers };
        Self::with(sample, points, key)
    }

    /// A key of the format `compact`, whose packs are these.
    pub(super) fn compact(sample: &Sample, packing: Packing) -> Self {
        let (own, protocol) = (sample.own(), packing.protocol());
        let decider = Decider::new(&packing).unwrap();
        let value = |pack: &Pack| -> Fr {
            let first = protocol.arrangement().polynomials().len() - 1 - own.len();
            let columns = pack.polynomials.iter().map(|number| own[number - first].as_slice());
            packed(packing.stride(), columns)
        };
        let packs = packing.packs().iter().filter(|pack| pack.round == PackRound::Key);
        let columns = decider_columns(&decider);
        let parts = CompactKeyParts {
            description: b"a test".to_vec(),
            is_ceremony: false,
            tau_g2: tau_g2(),
            packs: packs.map(|pack| point_bytes(&commit(value(pack)))).collect(),
            decider: point_bytes(&commit(packed(
                Decider::STRIDE,
                columns.iter().map(Vec::as_slice),
            ))),
            packing: packing.clone(),
        };
        let key = Arc::new(Key::compact(parts).unwrap());
        let stride = packing.stride() as usize;
        let (rows, decider_rows) = (protocol.rows(), 1 << decider.k());
        let needed = [stride * (rows + FURTHER), 4 * rows, 10 * (decider_rows + FURTHER)];
        let powers = powers_of_tau(needed.into_iter().max().unwrap());
        let circuit = Stride::of(protocol.k(), stride);
        let decider = Stride::of(decider.k(), Decider::STRIDE as usize);
        let points =
            Points { circuit: circuit.points(), decider: Some(decider.points()), powers: &powers };
        Self::with(sample, points, key)
    }

    fn with(sample: &Sample, points: Points<'_>, key: Arc<Key>) -> Self {
        let (backend, protocol) = (Backend::portable(), &sample.protocol);
        let domain = Domain::new(backend, protocol.k()).unwrap();
        let columns = KeyColumns::new(&domain, protocol, sample.own());
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
