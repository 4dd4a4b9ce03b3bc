//! Keys depend on the shape alone.
//!
//! What tells keys of one shape apart is what the circuit writes: fixed columns, selectors and copies.
//! They are compared themselves, which is exact and takes none of the time of their commitments.

use std::io;

use halo2_base::halo2_proofs::{
    dev::CellValue,
    halo2curves::{
        bn256::{Bn256, G1Affine, G1},
        ff::{BatchInvert, Field, PrimeField},
    },
    plonk::{keygen_vk_custom, VerifyingKey},
    poly::{
        commitment::{Blind, Params},
        kzg::{commitment::ParamsKZG, msm::MSMKZG},
        LagrangeCoeff, Polynomial,
    },
};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::{
    forged::{members, Claim, MODES},
    *,
};

/// The SRS whose secret `τ` is drawn from a fixed seed. Whoever knows it commits to `f` by `f(τ)·G`, so keys take no sums of
/// points. Not for proofs.
#[derive(Clone, Debug)]
pub(crate) struct Trapdoor {
    degree: u32,
    /// The Lagrange polynomials at `τ`.
    lagrange: Vec<Fr>,
}

impl Trapdoor {
    pub(crate) fn new(degree: u32) -> Self {
        let (tau, rows) = (Fr::random(rng(1)), 1u64 << degree);
        let root = (degree..Fr::S).fold(Fr::ROOT_OF_UNITY, |root, _| root.square());
        let roots = std::iter::successors(Some(Fr::one()), |power| Some(power * root));
        let roots: Vec<_> = roots.take(1 << degree).collect();
        let mut lagrange: Vec<_> = roots.iter().map(|root| tau - root).collect();
        lagrange.iter_mut().batch_invert();
        let factor = (tau.pow_vartime([rows]) - Fr::one()) * Fr::from(rows).invert().unwrap();
        lagrange.iter_mut().zip(&roots).for_each(|(value, root)| *value *= factor * root);
        Self { degree, lagrange }
    }
}

impl<'params> Params<'params, G1Affine> for Trapdoor {
    type MSM = MSMKZG<Bn256>;

    fn k(&self) -> u32 {
        self.degree
    }

    fn n(&self) -> u64 {
        1 << self.degree
    }

    fn downsize(&mut self, degree: u32) {
        *self = Self::new(degree);
    }

    fn empty_msm(&'params self) -> Self::MSM {
        MSMKZG::new()
    }

    fn commit_lagrange(&self, poly: &Polynomial<Fr, LagrangeCoeff>, _: Blind<Fr>) -> G1 {
        let terms = poly.par_iter().zip(&self.lagrange);
        G1Affine::generator() * terms.map(|(value, at_tau)| value * at_tau).sum::<Fr>()
    }

    fn write<W: io::Write>(&self, _: &mut W) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read<R: io::Read>(_: &mut R) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(crate) fn verifying_key(circuit: &ThresholdCircuit, degree: u32) -> VerifyingKey<G1Affine> {
    keygen_vk_custom(&Trapdoor::new(degree), circuit, false).expect("the circuit fits its rows")
}

/// Keys are what the SRS itself gives.
#[test]
fn a_known_secret_commits_as_its_srs_does() {
    let shape = fit(&request(Scheme::Schnorr, 4, 2, Mode::WholeSet));
    let (degree, circuit) = (shape.degree(), ThresholdCircuit::keygen(&shape));
    let srs = ParamsKZG::<Bn256>::setup(degree, rng(1));
    let theirs = keygen_vk_custom(&srs, &circuit, false).expect("the circuit fits its rows");
    let ours = verifying_key(&circuit, degree);
    assert_eq!(ours.fixed_commitments(), theirs.fixed_commitments());
    assert_eq!(ours.permutation().commitments(), theirs.permutation().commitments());
    assert_eq!(ours.transcript_repr(), theirs.transcript_repr());
}

/// What a circuit commits to in its verifying key: fixed columns with the selectors, and copies.
pub(super) fn key_material(circuit: &ThresholdCircuit, shape: &Shape) -> KeyMaterial {
    let public = vec![Fr::zero(); shape.public_inputs()];
    let prover = MockProver::run(shape.degree(), circuit, vec![public]).expect("the rows fit");
    let copies = prover.permutation().mapping().map(|column| column.collect()).collect();
    (prover.fixed().clone(), copies)
}

type KeyMaterial = (Vec<Vec<CellValue<Fr>>>, Vec<Vec<(usize, usize)>>);

pub(super) fn assert_one_key(shape: &Shape, circuits: &[ThresholdCircuit]) {
    let keys: Vec<_> = circuits.iter().map(|circuit| key_material(circuit, shape)).collect();
    let one = keys.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(one, "{:?}, {:?}", shape.scheme, shape.mode);
}

#[test]
fn the_witness_plays_no_part() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let shape = fit(&wanted);
            let mut circuits = vec![ThresholdCircuit::keygen(&shape)];
            // Other keys, signers, messages and thresholds, a slot that is not used, and a smaller set.
            let smaller = Request { capacity: 3, ..wanted.clone() };
            for (wanted, signers, seed) in [(&wanted, &[4][..], 2), (&smaller, &[1, 2], 3)] {
                let case = case(wanted, signers, seed);
                // The set is committed to by the tree of the shape that is asked for.
                let key_set_root = shape.tree(&case.committee).expect("it fits").root();
                let statement = Statement { key_set_root, ..case.statement };
                let case = Case { shape: shape.clone(), statement, ..case };
                circuits.push(case.circuit().expect("it fits the shape"));
            }
            // A witness that is no good.
            let mut bad = Claim::new(&shape, &members(5), &[2, 3]).inputs;
            bad.threshold = 0;
            bad.signatures[0].s = [0xff; 32];
            bad.slots[0].public_key.x = Fr::zero();
            bad.slots[0].weight = u64::MAX;
            circuits.push(fill(&shape, &bad));
            assert_one_key(&shape, &circuits);
        }
    }
}

#[test]
fn keys_of_two_shapes_differ() {
    let mut seen = vec![];
    for scheme in EMBEDDED {
        for mode in MODES {
            // Five leaves of a node, and one more.
            let capacities = if scheme == Scheme::Schnorr { &[20, 21][..] } else { &[20] };
            for &capacity in capacities {
                let wanted = Request { degree: Some(11), ..request(scheme, capacity, 2, mode) };
                let shape = fit(&wanted);
                let key = key_material(&ThresholdCircuit::keygen(&shape), &shape);
                // In the path mode the capacity counts by the depth of the tree.
                let again = seen.contains(&key);
                assert!(!again, "{scheme}, {mode:?}, {capacity}");
                seen.push(key);
            }
        }
    }
}

/// The prover takes these places from the keys.
#[test]
fn the_vertical_gate_changes_columns_where_the_keys_have_it() {
    for scheme in EMBEDDED {
        for mode in MODES {
            let wanted = request(scheme, 5, 2, mode);
            let case = case(&wanted, &[0, 3], 9);
            let keygen = ThresholdCircuit::keygen(&case.shape);
            key_material(&keygen, &case.shape);
            let placement = keygen.placement().expect("known once a key was made");
            let check = case.circuit().expect("it fits the shape");
            key_material(&check, &case.shape);
            assert_eq!(check.placement().expect("known by now"), placement);
        }
    }
}
