//! halo2's own prover, and what it drew at random.

use std::{io, marker::PhantomData, sync::Mutex};

use halo2_base::halo2_proofs::{
    halo2curves::bn256::{Bn256, Fr, G1Affine, G1},
    plonk::{create_proof, Circuit, ProvingKey},
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
};
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::plonk::{randomness::Randomness, Fresh};

/// The library's parameters, which write down what is committed to.
#[derive(Clone, Copy, Debug)]
struct Recorder<'a> {
    params: &'a ParamsKZG<Bn256>,
    seen: &'a Mutex<Seen>,
}

/// What was committed to, in order; but columns of advice come in any order.
#[derive(Debug, Default)]
struct Seen {
    columns: Vec<Vec<Fr>>,
    polynomials: Vec<Vec<Fr>>,
}

/// A run of halo2's prover, to be repeated.
pub(super) struct Repeated {
    fresh: Fresh<ChaCha20Rng>,
    mask: Vec<Fr>,
    /// The permuted input of each lookup.
    inputs: Vec<Vec<Fr>>,
}

impl Randomness for Repeated {
    fn number(&mut self) -> Fr {
        self.fresh.number()
    }

    fn mask(&mut self, length: usize) -> Vec<Fr> {
        assert_eq!(self.mask.len(), length);
        self.mask.clone()
    }

    fn arrange(&mut self, lookup: usize, values: &mut Vec<Fr>) {
        let mut order = self.inputs[lookup].clone();
        order.dedup();
        order.truncate(values.len());
        let sorted = |values: &[Fr]| {
            let mut sorted = values.to_vec();
            sorted.sort();
            sorted
        };
        assert_eq!(sorted(&order), sorted(values), "both count the same values");
        *values = order;
    }
}

/// Makes a proof as the library does, and says how to repeat it.
pub(super) fn prove<C, E, T>(
    (params, pk): (&ParamsKZG<Bn256>, &ProvingKey<G1Affine>),
    circuit: C,
    public_inputs: &[Fr],
    seed: u64,
    transcript: &mut T,
) -> Repeated
where
    C: Circuit<Fr>,
    E: EncodedChallenge<G1Affine>,
    T: TranscriptWrite<G1Affine, E>,
{
    let seen = Mutex::default();
    let recorder = Recorder { params, seen: &seen };
    let rng = ChaCha20Rng::seed_from_u64(seed);
    create_proof::<Kzg<'_>, Shplonk<'_>, E, _, T, C>(
        &recorder,
        pk,
        &[circuit],
        &[&[public_inputs]],
        rng.clone(),
        transcript,
    )
    .expect("it is proven");
    let Seen { columns, polynomials } = seen.into_inner().expect("nobody panicked");
    let cs = pk.get_vk().cs();
    let permuted = columns.into_iter().skip(cs.num_advice_columns()).step_by(2);
    let inputs = permuted.take(cs.lookups().len()).collect();
    Repeated { fresh: Fresh(rng), mask: polynomials[0].clone(), inputs }
}

#[derive(Debug)]
struct Kzg<'a>(PhantomData<&'a ()>);

impl<'a> CommitmentScheme for Kzg<'a> {
    type Scalar = Fr;
    type Curve = G1Affine;
    type ParamsProver = Recorder<'a>;
    type ParamsVerifier = ParamsKZG<Bn256>;

    fn new_params(_: u32) -> Recorder<'a> {
        unreachable!()
    }

    fn read_params<R: io::Read>(_: &mut R) -> io::Result<Recorder<'a>> {
        unreachable!()
    }
}

impl<'params> Params<'params, G1Affine> for Recorder<'_> {
    type MSM = MSMKZG<Bn256>;

    fn k(&self) -> u32 {
        self.params.k()
    }

    fn n(&self) -> u64 {
        self.params.n()
    }

    fn downsize(&mut self, _: u32) {
        unreachable!()
    }

    fn empty_msm(&'params self) -> MSMKZG<Bn256> {
        MSMKZG::new()
    }

    fn commit_lagrange(&self, column: &Polynomial<Fr, LagrangeCoeff>, blind: Blind<Fr>) -> G1 {
        self.seen.lock().unwrap().columns.push(column.to_vec());
        self.params.commit_lagrange(column, blind)
    }

    fn write<W: io::Write>(&self, _: &mut W) -> io::Result<()> {
        unreachable!()
    }

    fn read<R: io::Read>(_: &mut R) -> io::Result<Self> {
        unreachable!()
    }
}

impl<'params> ParamsProver<'params, G1Affine> for Recorder<'_> {
    type ParamsVerifier = ParamsKZG<Bn256>;

    fn new(_: u32) -> Self {
        unreachable!()
    }

    fn commit(&self, polynomial: &Polynomial<Fr, Coeff>, blind: Blind<Fr>) -> G1 {
        self.seen.lock().unwrap().polynomials.push(polynomial.to_vec());
        self.params.commit(polynomial, blind)
    }

    fn get_g(&self) -> &[G1Affine] {
        self.params.get_g()
    }

    fn verifier_params(&'params self) -> &'params ParamsKZG<Bn256> {
        self.params
    }
}

#[derive(Debug)]
struct Shplonk<'params>(ProverSHPLONK<'params, Bn256>);

impl<'params, 'a: 'params> Prover<'params, Kzg<'a>> for Shplonk<'params> {
    const QUERY_INSTANCE: bool = false;

    fn new(recorder: &'params Recorder<'a>) -> Self {
        Self(<ProverSHPLONK<_> as Prover<KZGCommitmentScheme<Bn256>>>::new(recorder.params))
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
