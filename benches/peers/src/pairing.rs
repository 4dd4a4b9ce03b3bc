//! Products of pairings over BN254 that are 1: Muster's gadget, in a circuit of its own and proven by halo2's own prover.

use halo2_base::halo2_proofs::halo2curves::bn256::{Bn256, Fr, G1Affine, G2Affine};
use halo2_base::halo2_proofs::halo2curves::ff::PrimeField;
use halo2_base::halo2_proofs::halo2curves::group::Curve;
use halo2_base::halo2_proofs::plonk::{create_proof, keygen_pk2, verify_proof, ProvingKey};
use halo2_base::halo2_proofs::poly::commitment::ParamsProver;
use halo2_base::halo2_proofs::poly::kzg::commitment::{KZGCommitmentScheme, ParamsKZG};
use halo2_base::halo2_proofs::poly::kzg::multiopen::{ProverSHPLONK, VerifierSHPLONK};
use halo2_base::halo2_proofs::poly::kzg::strategy::SingleStrategy;
use halo2_base::halo2_proofs::transcript::{
    Blake2bRead, Blake2bWrite, Challenge255, TranscriptReadBuffer, TranscriptWriterBuffer,
};
use halo2_base::utils::modulus;
use muster_gadgets::curve::pairing::{
    assert_product_is_one, AssignedArguments, AssignedBasePoint, AssignedGroupPoint,
    AssignedTwistPoint, PairingEquations, SecondPoint, TRANSCRIPT_WIDTH,
};
use muster_gates::foreign::ForeignLayout;
use muster_gates::{vertical, GateCircuit, GateContext, Gates, Layout, Placement, PoseidonLayout};
use muster_schemes::curve::pairing::{BasePoint, PairingCurve, TwistPoint};
use num_bigint::BigUint;
use rand::rngs::OsRng;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::error::PeerError;
use crate::halo2_lib::count;
use crate::measure::{Prover, Shape};
use crate::sample::SEED;
use crate::usage::Usage;

/// Rows that neither relations nor range checks take.
const SPARE_ROWS: usize = 32;
/// The most columns of relations that are tried.
const MOST_COLUMNS: usize = 64;
/// The most bits that a range check looks up at once.
const MOST_RANGE_BITS: usize = 16;

/// Points whose product of pairings is 1: `e(Σ aᵢ·bᵢ·P, Q)·Π e(-aᵢ·P, bᵢ·Q)`.
pub(crate) fn points(pairs: usize) -> Vec<(G1Affine, G2Affine)> {
    let mut rng = ChaCha20Rng::seed_from_u64(SEED);
    let mut scalar = || Fr::from(rng.next_u64());
    let mut sum = Fr::zero();
    let mut points: Vec<_> = (1..pairs)
        .map(|_| {
            let (a, b) = (scalar(), scalar());
            sum += a * b;
            ((G1Affine::generator() * -a).to_affine(), (G2Affine::generator() * b).to_affine())
        })
        .collect();
    points.push(((G1Affine::generator() * sum).to_affine(), G2Affine::generator()));
    points
}

/// A product with an SRS of its circuit's size; the keys come with [`Prover::keygen`].
pub(crate) struct MusterPairing {
    layout: Layout,
    pairs: Vec<(BasePoint, TwistPoint)>,
    public_inputs: Vec<Fr>,
    srs: ParamsKZG<Bn256>,
    keys: Option<(ProvingKey<G1Affine>, Placement)>,
}

impl MusterPairing {
    /// A product of so many pairings, none of whose points is fixed.
    ///
    /// # Errors
    /// If it does not fit so many rows.
    pub(crate) fn new(pairs: usize, degree: u32) -> Result<Self, PeerError> {
        let number = |repr: &[u8]| BigUint::from_bytes_le(repr);
        let pairs: Vec<_> = points(pairs)
            .iter()
            .map(|(p, q)| {
                let p = [p.x, p.y].map(|x| number(x.to_repr().as_ref()));
                let q = [q.x, q.y].map(|x| [x.c0, x.c1].map(|x| number(x.to_repr().as_ref())));
                (p, q)
            })
            .collect();
        let layout = layout(&pairs, degree)?;
        let mut public_inputs = vec![];
        let mut gates = Gates::new(&layout, false);
        build(&mut gates.context(), &pairs, &mut public_inputs);
        let srs = ParamsKZG::setup(degree, ChaCha20Rng::seed_from_u64(SEED));
        Ok(Self { layout, pairs, public_inputs, srs, keys: None })
    }

    fn circuit(&self, witness_gen_only: bool) -> GateCircuit {
        let build = |ctx: &mut GateContext| {
            build(ctx, &self.pairs, &mut vec![]);
        };
        GateCircuit::new(&self.layout, witness_gen_only, build)
            .with_public_inputs(self.public_inputs.len())
    }

    fn keys(&self) -> Result<&(ProvingKey<G1Affine>, Placement), PeerError> {
        let reason = "the keys were not made".to_owned();
        self.keys.as_ref().ok_or(PeerError::Proof { step: "proving", reason })
    }
}

/// The fewest columns of relations that so many rows have room for.
fn layout(pairs: &[(BasePoint, TwistPoint)], degree: u32) -> Result<Layout, PeerError> {
    let bits = (degree as usize).saturating_sub(1).clamp(1, MOST_RANGE_BITS);
    let of = |columns| {
        let equations = PairingEquations::new(PairingCurve::Bn254).all();
        Layout {
            k: degree,
            vertical_columns: 1,
            range_columns: 1,
            range_bits: bits,
            poseidon: vec![PoseidonLayout { width: TRANSCRIPT_WIDTH, columns: 1, lanes: 1 }],
            constant_rows: 1 << 12,
            foreign: vec![ForeignLayout::new(&modulus::<Fr>(), bits, columns, &equations)],
            ..Layout::default()
        }
    };
    let fits = |layout: &Layout| {
        let mut gates = Gates::new(layout, false);
        build(&mut gates.context(), pairs, &mut vec![]);
        gates.usage().foreign_rows[0] + SPARE_ROWS < 1 << degree
    };
    let reason = format!("2^{degree} rows are too few for {} pairings", pairs.len());
    (2..=MOST_COLUMNS)
        .map(of)
        .find(fits)
        .ok_or(PeerError::Proof { step: "laying the circuit out", reason })
}

/// The coordinates of the first point are public, limb by limb.
fn build(ctx: &mut GateContext, pairs: &[(BasePoint, TwistPoint)], public_inputs: &mut Vec<Fr>) {
    let (equations, chip) = (PairingEquations::new(PairingCurve::Bn254), ctx.chips.foreign());
    let limbs = chip.block().format().limbs();
    let split = pairs[0].0.iter().flat_map(|x| chip.block().format().split(x, limbs));
    *public_inputs = split.map(|limb| halo2_base::utils::biguint_to_fe(&limb)).collect();
    let public: Vec<_> = public_inputs.iter().map(|input| ctx.load_witness(*input)).collect();
    let points = pairs.iter().map(|(p, q)| {
        let p = AssignedBasePoint::new(chip, &equations, p);
        let p = AssignedGroupPoint::try_from(p).expect("all points of BN254 are in the group");
        (p, AssignedTwistPoint::new(chip, &equations, q))
    });
    let points: Vec<_> = points.collect();
    let cells = points[0].0.coordinates().iter().flat_map(|x| x.limbs());
    cells.zip(&public).for_each(|(cell, public)| vertical::assert_equal(ctx, cell, public));
    let arguments = points
        .iter()
        .map(|(p, q)| AssignedArguments { first: p, second: SecondPoint::Variable(q) });
    let arguments: Vec<_> = arguments.collect();
    let (_, verdict) = assert_product_is_one(ctx, &equations, &arguments);
    verdict.expect("the product is 1");
}

impl Prover for MusterPairing {
    fn keygen(&mut self) -> Result<Shape, PeerError> {
        let circuit = self.circuit(false);
        let key =
            keygen_pk2(&self.srs, &circuit, false).map_err(PeerError::at("key generation"))?;
        let system = key.get_vk().cs();
        let shape = Shape {
            degree: self.layout.k,
            advice: system.num_advice_columns(),
            lookup: system.lookups().len(),
            fixed: system.num_fixed_columns(),
        };
        self.keys = Some((key, circuit.gates.placement().unwrap_or_default()));
        Ok(shape)
    }

    fn prove(&self) -> Result<Vec<u8>, PeerError> {
        let (key, placement) = self.keys()?;
        let mut circuit = self.circuit(true);
        circuit.gates.set_placement(placement.clone());
        let mut transcript = Blake2bWrite::<_, _, Challenge255<_>>::init(vec![]);
        create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            &self.srs,
            key,
            &[circuit],
            &[&[&self.public_inputs]],
            OsRng,
            &mut transcript,
        )
        .map_err(PeerError::at("proving"))?;
        Ok(transcript.finalize())
    }

    fn verify(&self, proof: &[u8], tampered: bool) -> bool {
        let Ok((key, _)) = self.keys() else { return false };
        let mut public_inputs = self.public_inputs.clone();
        if tampered {
            public_inputs[0] += Fr::one();
        }
        let mut transcript = Blake2bRead::<_, _, Challenge255<_>>::init(proof);
        verify_proof::<KZGCommitmentScheme<Bn256>, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            self.srs.verifier_params(),
            key.get_vk(),
            SingleStrategy::new(&self.srs),
            &[&[&public_inputs]],
            &mut transcript,
        )
        .is_ok()
    }

    fn usage(&self) -> Result<Usage, PeerError> {
        count(&self.circuit(false))
    }
}
