//! All numbers on the way of a proof, under keys of many shapes, against those of the reference. A test of the contract
//! (`contracts/test/Trace.t.sol`) compares what the contract finds with the same files.

use ark_ec::CurveGroup;
use ark_ff::Field;

use super::{file::File, sample};
use crate::{
    claim::left,
    compact::{claim_at, Challenges, Evaluations, Proof},
    domain::Domain,
    encoding::{point_g2, point_or_identity, Reader, SCALAR},
    key::{Compact, Kind, Packs},
    proof::Inputs,
    scalar_to_bytes,
    tests::sample::point_bytes,
    transcript::hash,
    Key, Scalar,
};

const FOLDER: &str = "../contracts/test/vectors";
const HONEST: [&str; 9] = [
    "small",
    "stride-7",
    "large",
    "copies",
    "lookups",
    "three-inputs",
    "six-packs",
    "no-inputs",
    "no-first-round",
];
const RANDOM: usize = 32;

/// What a contract has of a key: all that verifying takes, but nothing of the circuit.
struct Known {
    inputs: usize,
    compact: Compact,
    key: Key,
}

impl Known {
    fn read(bytes: &[u8]) -> Self {
        let mut reader = Reader::new(bytes);
        assert_eq!(reader.array(), Some(b"muster-evm-key-1"));
        let mut number = || reader.number().expect("a number") as usize;
        let [k, inputs, first, second] = [number(), number(), number(), number()];
        let _digest: &[u8; 32] = reader.array().expect("the digest");
        let tau = point_g2(reader.array().expect("a point")).expect("it is good");
        let decider = reader.array().expect("a point");
        let packs = reader.remaining() / 64;
        let packs = reader.points(packs).expect("they are there");
        // Of some other circuit, which nothing below looks at.
        let mut key = sample::key();
        key.tau = tau.into();
        key.commitments = packs
            .iter()
            .chain([decider])
            .map(|point| point_or_identity(point).expect("it is good"))
            .collect();
        let Kind::Compact(sample) = &key.kind else { panic!("it is compact") };
        let packs = Packs { key: packs.len(), first, second };
        let compact = Compact { decider_k: k as u32, packs, ..sample.clone() };
        Self { inputs, compact, key }
    }
}

/// Every number in the order of `trace` in `reference/trace.py`, and whether the proof is accepted.
fn trace(file: &File) -> (Vec<[u8; 32]>, bool) {
    let evm_key = file.bytes("evm_key");
    let Known { inputs, compact, key } = Known::read(&evm_key);
    let (name, words) = (hash(&[&evm_key]), file.words("inputs"));
    assert_eq!(name, file.array("name"));
    let inputs = Inputs::read(inputs, &words).expect("they are scalars").scalars;
    let proof = Proof::read(&compact.packs, &file.bytes("proof")).expect("it is readable");
    let challenges = Challenges::new(&name, &words, &proof.items);
    let (second, rho) = (challenges.decider, challenges.rho);

    let domain = Domain::new(compact.decider_k);
    let public = [&inputs, &challenges.public[..], &proof.weights, &[proof.remainder]].concat();
    let evaluations = Evaluations(proof.evaluations);
    let quotient = evaluations.quotient(&domain, &public, &second).expect("x₂ is no row");
    let claim = claim_at(&key, &compact, &inputs, &proof, &challenges).expect("it is regular");
    // Of the last points, those which a verifier multiplies by what it has computed.
    let last = proof.packs.len();
    let [by_quotient, _w, _w_prime, values, wires, product, decider_quotient, ..] =
        claim.left.factors[last..]
    else {
        panic!("nine more points")
    };
    let fixed = *claim.key_factors.last().expect("that of the decider");

    let mut scalars = challenges.public.to_vec();
    scalars.extend([second.beta, second.gamma, second.y, second.x, second.alpha, second.u, rho]);
    let mut found: Vec<_> = scalars.iter().map(scalar_to_bytes).collect();
    found.push(challenges.name);
    let factors = [fixed, values, wires, product, decider_quotient, by_quotient, claim.one_factor];
    found.extend([&[quotient], &factors[..]].concat().iter().map(scalar_to_bytes));
    for point in [left(&[(&claim, Scalar::ONE)]).total(), -claim.right.total()] {
        let bytes = point_bytes(&point.into_affine());
        found.extend(bytes.as_chunks::<SCALAR>().0);
    }
    (found, claim.check().is_ok())
}

#[test]
fn every_number_is_that_of_the_reference() {
    let random = (0..RANDOM).map(|number| format!("random-{number}"));
    for label in HONEST.map(|label| format!("honest-{label}")).into_iter().chain(random) {
        let file = File::at(&format!("{FOLDER}/{label}.json"));
        let (found, accepted) = trace(&file);
        let expected = file.words("trace");
        assert_eq!(found.len(), expected.len(), "{label}");
        for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{label}: word {place}");
        }
        assert_eq!(accepted, file.is_true("accepted"), "{label}");
    }
}
