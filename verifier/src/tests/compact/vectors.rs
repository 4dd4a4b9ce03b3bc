//! Keys and proofs that another program made, with all that they go through.

use ark_bn254::G2Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{Field, MontFp};

use super::file::{File, PROOFS};
use crate::{
    claim::{left, Sum},
    compact::{claim_at, Challenges, Evaluations, Proof},
    domain::Domain,
    key::{Compact, Kind},
    proof::Inputs,
    scalar_to_bytes,
    tests::sample::{g2_bytes, multiple, point_bytes},
    transcript::hash,
    Decider, Format, Key, Scalar,
};

/// What the files' SRS is made of.
const TAU: Scalar = MontFp!("0x1234567890ABCDEF1234567890ABCDEF1234567890ABCDEF");

fn compact(key: &Key) -> &Compact {
    match &key.kind {
        Kind::Compact(compact) => compact,
        Kind::Fast(_) => panic!("it is compact"),
    }
}

#[test]
fn keys_are_those_of_the_files() {
    for name in PROOFS {
        let file = File::read(name);
        let key = file.key();
        assert_eq!(key.format(), Format::Compact);
        assert_eq!(key.to_bytes(), file.bytes("key"), "{name}");
        assert_eq!(key.digest(), file.array("digest"), "{name}");
        let evm_key = key.as_compact().expect("it is compact").evm_key();
        assert_eq!(evm_key.as_bytes(), file.bytes("evm_key"), "{name}");
        assert_eq!(evm_key.name(), file.array("name"), "{name}");
        assert_eq!(evm_key.name(), hash(&[evm_key.as_bytes()]));
    }
}

/// Who knows `τ` commits to a pack by its value there.
#[test]
fn deciders_are_what_keys_commit_to() {
    for name in PROOFS {
        let file = File::read(name);
        let key = file.key();
        let tau = (G2Affine::generator() * TAU).into_affine();
        assert_eq!(key.tau_g2(), g2_bytes(&tau));
        let compact = key.as_compact().expect("it is compact");
        let columns = Decider::new(compact.packing()).expect("it is small").columns();
        let place = TAU.pow([u64::from(Decider::STRIDE)]);
        let lagrange = Domain::new(compact.decider_k()).lagrange(place, 0, columns[0].len());
        let columns = columns.iter().map(|column| -> Scalar {
            column.iter().zip(&lagrange).map(|(cell, row)| *cell * row).sum()
        });
        let value: Scalar = columns.zip(0..).map(|(value, it)| value * TAU.pow([it])).sum();
        assert_eq!(compact.decider(), point_bytes(&multiple(value)), "{name}");
    }
}

#[test]
fn proofs_are_accepted_in_both_encodings() {
    for name in PROOFS {
        let file = File::read(name);
        let key = file.key();
        for proof in ["proof", "short_proof"] {
            let proof = file.bytes(proof);
            assert_eq!(key.verify(&file.words("inputs"), &proof), Ok(()), "{name}");
            let calldata =
                key.as_compact().expect("it is compact").calldata(&file.words("inputs"), &proof);
            assert_eq!(calldata, Ok(file.bytes("proof")), "{name}");
        }
    }
}

#[test]
fn challenges_and_points_are_those_of_the_files() {
    for name in PROOFS {
        let file = File::read(name);
        let (key, words) = (file.key(), file.words("inputs"));
        for encoding in ["proof", "short_proof"] {
            let proof = Proof::read(&compact(&key).packs, &file.bytes(encoding));
            let proof = proof.expect("it is readable");
            let challenges = Challenges::new(&file.array("name"), &words, &proof.items);
            let expected = file.object("challenges");
            let names = ["theta", "beta_l", "beta", "gamma", "y", "x", "alpha", "u"];
            for (challenge, name) in challenges.public.iter().zip(names) {
                assert_eq!(scalar_to_bytes(challenge), expected.array(name), "{name}");
            }
            let second = challenges.decider;
            for (challenge, name) in [
                (challenges.x, "x"),
                (challenges.alpha, "alpha"),
                (challenges.u, "u"),
                (second.beta, "beta_2"),
                (second.gamma, "gamma_2"),
                (second.y, "y_2"),
                (second.x, "x_2"),
                (second.alpha, "alpha_2"),
                (second.u, "u_2"),
                (challenges.rho, "rho"),
            ] {
                assert_eq!(scalar_to_bytes(&challenge), expected.array(name), "{name}");
            }
            assert_eq!(challenges.name, file.array("state"));

            let inputs = Inputs::read(words.len(), &words).expect("they are scalars");
            let public = [&inputs.scalars, &challenges.public[..], &proof.weights].concat();
            let public = [public, vec![proof.remainder]].concat();
            let domain = Domain::new(compact(&key).decider_k);
            let quotient = Evaluations(proof.evaluations).quotient(&domain, &public, &second);
            let quotient = quotient.expect("no challenge is degenerate");
            assert_eq!(scalar_to_bytes(&quotient), file.array("T_2"));

            let claim = claim_at(&key, compact(&key), &inputs.scalars, &proof, &challenges);
            let claim = claim.expect("no challenge is degenerate");
            let bytes = |sum: &Sum| point_bytes(&sum.total().into_affine());
            assert_eq!(bytes(&left(&[(&claim, Scalar::ONE)])), file.array("E"));
            assert_eq!(bytes(&claim.right), file.array("W_prime"));
        }
    }
}
