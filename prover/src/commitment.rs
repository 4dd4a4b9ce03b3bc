//! KZG on BN254 for halo2's prover, with the sums of `muster-engine` in place of the library's slower ones.
//!
//! Proofs are the same: [`Engine`] stands in for the library's parameters in
//! [`create_proof`](halo2_base::halo2_proofs::plonk::create_proof), and commitments do not depend
//! on how they are computed. The sums are the portable ones on every machine, so that a comparison with this prover
//! shows what vectors bring.

use std::{io, marker::PhantomData};

use halo2_base::halo2_proofs::{
    halo2curves::{
        bn256::{Bn256, Fr, G1Affine, G1},
        serde::SerdeObject,
    },
    poly::{
        commitment::{Blind, CommitmentScheme, Params, ParamsProver, Prover},
        kzg::{
            commitment::{KZGCommitmentScheme, ParamsKZG},
            msm::MSMKZG,
            multiopen::ProverSHPLONK,
        },
        Coeff, LagrangeCoeff, Polynomial, ProverQuery,
    },
    transcript::{EncodedChallenge, TranscriptWrite},
    SerdeFormat,
};
use muster_engine::{Backend, Bases};
use rand::RngCore;

/// The bases of an SRS, prepared for many products.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    monomial: Bases,
    lagrange: Bases,
}

impl Prepared {
    /// Prepares the bases of `params`. Nearly all commitments of a proof are to columns, so the
    /// Lagrange bases get their multiples where they are few enough.
    pub(crate) fn new(params: &ParamsKZG<Bn256>) -> Self {
        let backend = Backend::portable();
        let monomial = Bases::plain(backend, params.get_g());
        Self { monomial, lagrange: Bases::with_multiples(backend, &lagrange_bases(params)) }
    }
}

/// An SRS, ready to commit with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engine<'srs> {
    params: &'srs ParamsKZG<Bn256>,
    bases: &'srs Prepared,
}

impl<'srs> Engine<'srs> {
    /// An engine on the bases of `params`.
    pub(crate) fn new(params: &'srs ParamsKZG<Bn256>, bases: &'srs Prepared) -> Self {
        Self { params, bases }
    }
}

/// KZG with [`Engine`] as the prover's parameters.
#[derive(Debug)]
pub(crate) struct Kzg<'srs>(PhantomData<&'srs ()>);

impl<'srs> CommitmentScheme for Kzg<'srs> {
    type Scalar = Fr;
    type Curve = G1Affine;
    type ParamsProver = Engine<'srs>;
    type ParamsVerifier = ParamsKZG<Bn256>;

    fn new_params(_: u32) -> Engine<'srs> {
        unreachable!("an engine is made from an SRS")
    }

    fn read_params<R: io::Read>(_: &mut R) -> io::Result<Engine<'srs>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<'params> Params<'params, G1Affine> for Engine<'_> {
    type MSM = MSMKZG<Bn256>;

    fn k(&self) -> u32 {
        self.params.k()
    }

    fn n(&self) -> u64 {
        self.params.n()
    }

    fn downsize(&mut self, _: u32) {
        unreachable!("an engine is made for one size")
    }

    fn empty_msm(&'params self) -> MSMKZG<Bn256> {
        MSMKZG::new()
    }

    fn commit_lagrange(&self, column: &Polynomial<Fr, LagrangeCoeff>, _: Blind<Fr>) -> G1 {
        self.bases.lagrange.multiply(column)
    }

    fn write<W: io::Write>(&self, writer: &mut W) -> io::Result<()> {
        self.params.write(writer)
    }

    fn read<R: io::Read>(_: &mut R) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<'params> ParamsProver<'params, G1Affine> for Engine<'_> {
    type ParamsVerifier = ParamsKZG<Bn256>;

    fn new(_: u32) -> Self {
        unreachable!("an engine is made from an SRS")
    }

    fn commit(&self, polynomial: &Polynomial<Fr, Coeff>, _: Blind<Fr>) -> G1 {
        self.bases.monomial.multiply(polynomial)
    }

    fn get_g(&self) -> &[G1Affine] {
        self.params.get_g()
    }

    fn verifier_params(&'params self) -> &'params ParamsKZG<Bn256> {
        self.params
    }
}

/// SHPLONK (ePrint 2020/081) as the library has it.
#[derive(Debug)]
pub(crate) struct Shplonk<'params>(ProverSHPLONK<'params, Bn256>);

impl<'params, 'srs: 'params> Prover<'params, Kzg<'srs>> for Shplonk<'params> {
    const QUERY_INSTANCE: bool = false;

    fn new(engine: &'params Engine<'srs>) -> Self {
        Self(<ProverSHPLONK<_> as Prover<KZGCommitmentScheme<Bn256>>>::new(engine.params))
    }

    fn create_proof<'com, E, T, R, I>(
        &self,
        rng: R,
        transcript: &mut T,
        queries: I,
    ) -> io::Result<()>
    where
        E: EncodedChallenge<G1Affine>,
        T: TranscriptWrite<G1Affine, E>,
        I: IntoIterator<Item = ProverQuery<'com, G1Affine>> + Clone,
        R: RngCore,
    {
        self.0.create_proof(rng, transcript, queries)
    }
}

/// The Lagrange bases of an SRS, which the library exposes only in its file format: `k` as 4 bytes,
/// then the monomial and the Lagrange bases of 64 bytes each.
pub(crate) fn lagrange_bases(params: &ParamsKZG<Bn256>) -> Vec<G1Affine> {
    let length = 64 * params.get_g().len();
    let mut part = Part { skip: 4 + length, bytes: Vec::with_capacity(length) };
    params
        .write_custom(&mut part, SerdeFormat::RawBytesUnchecked)
        .expect("writing to memory does not fail");
    // The bytes come from points in memory, so there is nothing to check.
    part.bytes.chunks_exact(64).map(G1Affine::from_raw_bytes_unchecked).collect()
}

/// Keeps part of the bytes written: skips the first `skip`, then keeps as many as there is room for.
struct Part {
    skip: usize,
    bytes: Vec<u8>,
}

impl io::Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let room = self.bytes.capacity() - self.bytes.len();
        self.bytes.extend(bytes[skipped..].iter().take(room));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
