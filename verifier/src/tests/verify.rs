//! Proofs and batches, accepted and refused.

use ark_bn254::G2Affine;
use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::{AdditiveGroup, BigInteger, PrimeField};

use super::{
    equation::challenges,
    sample::{g2_bytes, key, key_parts, protocol, TAU},
    simulator::{accepted, simulate},
};
use crate::{
    domain::Domain,
    key::Kind,
    proof::{Challenges, Proof},
    scalar_from_bytes, scalar_to_bytes,
    transcript::hash,
    verify::{claim_at, factors},
    verify_batch, BatchItem, Column, Key, KeyParts, PointError, Polynomial, ProofPoint, Protocol,
    ProtocolParts, Scalar, VerifyError,
};

fn inputs() -> [Scalar; 2] {
    [Scalar::from(3), Scalar::from(12_345)]
}

fn bytes(inputs: &[Scalar]) -> Vec<[u8; 32]> {
    inputs.iter().map(scalar_to_bytes).collect()
}

/// A key without tables, lookups or inputs, and with one rotation that no other polynomial has.
fn other_key() -> Key {
    let parts = ProtocolParts {
        k: 3,
        usable: 4,
        fixed: 1,
        advice: 2,
        inputs: 0,
        nodes: vec![
            super::sample::cell(Column::Advice(0), -3),
            super::sample::cell(Column::Advice(0), 2),
            super::sample::cell(Column::Fixed(0), 0),
        ],
        constraints: vec![0, 1, 2],
        tables: vec![],
        copied: vec![Column::Advice(1)],
    };
    let protocol = Protocol::new(parts).expect("it obeys the rules");
    Key::new(key_parts(protocol, "other")).expect("it obeys the rules")
}

#[test]
fn simulated_proofs_are_accepted() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    assert_eq!(proof.len(), key.protocol().arrangement().proof_bytes());
    assert_eq!(key.verify(&bytes(&inputs()), &proof), Ok(()));
    let other = other_key();
    assert_eq!(other.verify(&[], &accepted(&other, &[], "two")), Ok(()));
}

/// The identity is allowed in keys.
#[test]
fn keys_that_commit_to_nothing_verify() {
    let parts = key_parts(protocol(), "nothing");
    let fixed = parts.fixed.iter().map(|_| [0; 64]).collect();
    let nothing = Key::new(KeyParts { fixed, ..parts }).expect("the identity is allowed");
    let proof = accepted(&nothing, &inputs(), "one");
    assert_eq!(nothing.verify(&bytes(&inputs()), &proof), Ok(()));
}

#[test]
fn inputs_are_those_of_the_proof() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let [first, second] = inputs();
    for other in [[second, first], [first + Scalar::from(1), second], [first, Scalar::ZERO]] {
        assert_eq!(key.verify(&bytes(&other), &proof), Err(VerifyError::Equation));
    }
    for found in [0, 1, 3] {
        let inputs = vec![[0; 32]; found];
        let error = VerifyError::InputCount { found, expected: 2 };
        assert_eq!(key.verify(&inputs, &proof), Err(error));
    }
    let inputs = [scalar_to_bytes(&first), [0xff; 32]];
    assert_eq!(key.verify(&inputs, &proof), Err(VerifyError::Input(1)));
}

#[test]
fn proofs_have_one_length() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let expected = proof.len();
    for found in [0, 1, 64, expected - 1, expected + 1, 2 * expected] {
        let mut other = proof.clone();
        other.resize(found, 0);
        let error = VerifyError::Length { found, expected };
        assert_eq!(key.verify(&bytes(&inputs()), &other), Err(error));
    }
}

/// Where the points of the sample's proof stand, and what they are.
fn points(key: &Key, length: usize) -> Vec<(usize, ProofPoint)> {
    use Polynomial::{Advice, Difference, Helper, Multiplicity, Product, Sum};
    let mut names: Vec<_> = (0..5).map(Advice).chain((0..3).map(Multiplicity)).collect();
    names.extend([Helper(0), Helper(1), Sum, Product, Difference(1), Difference(2)]);
    assert_eq!(names.len(), key.protocol().arrangement().committed());
    let mut names: Vec<_> = names.into_iter().map(ProofPoint::Commitment).collect();
    names.extend((0..4).map(ProofPoint::Piece));
    let mut points: Vec<_> = (0..).step_by(32).zip(names).collect();
    points.extend([(length - 64, ProofPoint::W), (length - 32, ProofPoint::WPrime)]);
    points
}

/// 4³ + 3 = 67 is no square modulo q.
const OFF_CURVE: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[31] = 4;
    bytes
};

/// The coordinate 0, and the bit that tells two points apart.
const ZERO_AND_SIGN: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 0x80;
    bytes
};

#[test]
fn points_and_values_are_checked() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let refused = |place: usize, with: &[u8]| {
        let mut other = proof.clone();
        other[place..place + with.len()].copy_from_slice(with);
        key.verify(&bytes(&inputs()), &other).expect_err("it is changed")
    };
    let points = points(&key, proof.len());
    for &(place, point) in &points {
        let error = |error| VerifyError::Point { point, error };
        assert_eq!(refused(place, &OFF_CURVE), error(PointError::NotOnCurve));
        // The identity has no encoding: no point has the coordinate 0, since 3 is no square.
        for identity in [[0; 32], ZERO_AND_SIGN] {
            assert_eq!(refused(place, &identity), error(PointError::NotOnCurve));
        }
        assert_eq!(refused(place, &[0xff; 32]), error(PointError::NotCanonical));
        assert_eq!(refused(place, &[0x7f; 32]), error(PointError::NotCanonical));
        // A good point of another place, and the point's negative.
        let other = if place == 0 { 32 } else { 0 };
        assert_eq!(refused(place, &proof[other..other + 32]), VerifyError::Equation);
        assert_eq!(refused(place, &[proof[place] ^ 0x80]), VerifyError::Equation);
    }
    let first = (points.len() - 2) * 32;
    for value in 0..key.protocol().arrangement().values() {
        assert_eq!(refused(first + 32 * value, &[0xff; 32]), VerifyError::Value(value));
        let place = first + 32 * value;
        let scalar = scalar_from_bytes(&proof[place..place + 32].try_into().expect("32 bytes"));
        let mut sum = scalar.expect("it is below r").into_bigint();
        sum.add_with_carry(&Scalar::MODULUS);
        assert_eq!(refused(place, &sum.to_bytes_be()), VerifyError::Value(value));
        assert_eq!(refused(first + 32 * value, &[0; 32]), VerifyError::Equation);
    }
}

#[test]
fn every_byte_counts() {
    let key = other_key();
    let proof = accepted(&key, &[], "bytes");
    for place in 0..proof.len() {
        let mut other = proof.clone();
        // Another bit in each byte of a number.
        other[place] ^= 1 << ((place + place / 32) % 8);
        assert!(key.verify(&[], &other).is_err(), "byte {place}");
    }
}

/// Nobody can look for a proof that has them; whoever finds one learns that it is refused, and not by chance.
#[test]
fn degenerate_challenges_are_refused() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let verdict = |challenges| {
        let proof = Proof::read(key.protocol().arrangement(), &proof)?;
        let Kind::Fast(fast) = &key.kind else { panic!("the sample is fast") };
        claim_at(&key, fast, &inputs(), proof, challenges)?.check()
    };
    let row = |row| Domain::new(key.protocol().k()).power(row);
    for x in [Scalar::ZERO, row(0), row(5), row(-1)] {
        let challenges = Challenges { x, ..challenges("degenerate") };
        assert_eq!(verdict(challenges), Err(VerifyError::Challenge));
    }
    let x = challenges("degenerate").x;
    // The sample opens polynomials at 0 and 1.
    for (rotation, error) in [
        (0, VerifyError::Challenge),
        (1, VerifyError::Challenge),
        (-1, VerifyError::Equation),
        (2, VerifyError::Equation),
    ] {
        let challenges = Challenges { u: x * row(rotation), ..challenges("degenerate") };
        assert_eq!(verdict(challenges), Err(error));
    }
}

#[test]
fn proofs_are_of_one_key() {
    let proof = accepted(&key(), &inputs(), "one");
    for change in [
        |parts: &mut KeyParts| parts.description.push(0),
        |parts: &mut KeyParts| parts.is_ceremony = true,
        |parts: &mut KeyParts| parts.sigma.swap(0, 1),
    ] {
        let mut parts = key_parts(protocol(), "sample");
        change(&mut parts);
        let key = Key::new(parts).expect("it obeys the rules");
        assert_eq!(key.verify(&bytes(&inputs()), &proof), Err(VerifyError::Equation));
    }
}

#[test]
fn batches_are_of_any_keys() {
    let (key, other) = (key(), other_key());
    let tau = Scalar::from(0x7777_u64);
    let tau_g2 = g2_bytes(&(G2Affine::generator() * tau).into_affine());
    let elsewhere = KeyParts { tau_g2, ..key_parts(protocol(), "elsewhere") };
    let elsewhere = Key::new(elsewhere).expect("it obeys the rules");
    let shown = bytes(&inputs());
    let proofs = ["one", "two", "three"].map(|seed| accepted(&key, &inputs(), seed));
    let second = accepted(&other, &[], "four");
    let third = simulate(&elsewhere, tau, &inputs(), "five", Scalar::ZERO);
    let mut batch: Vec<BatchItem> = vec![
        (&key, &shown, &proofs[0]),
        (&other, &[], &second),
        (&key, &shown, &proofs[1]),
        (&elsewhere, &shown, &third),
        (&key, &shown, &proofs[2]),
    ];
    assert_eq!(verify_batch(&[]), Ok(()));
    for length in 1..=batch.len() {
        assert_eq!(verify_batch(&batch[..length]), Ok(()));
    }
    batch[0].2 = &[];
    batch[2].1 = &[];
    batch[3].0 = &key;
    let mut wrong = shown.clone();
    wrong.reverse();
    batch[4].1 = &wrong;
    let expected = proofs[0].len();
    let refused = verify_batch(&batch).expect_err("four are wrong").0;
    let all = [
        (0, VerifyError::Length { found: 0, expected }),
        (2, VerifyError::InputCount { found: 0, expected: 2 }),
        (3, VerifyError::Equation),
        (4, VerifyError::Equation),
    ];
    assert_eq!(refused, all);
}

/// As the reference's test has them: 1, and then the first halves of hashes.
#[test]
fn factors_are_of_all_names_before() {
    let names = [[1; 32], [2; 32], [3; 32]];
    let two = hash(&[&names[0], &names[1]]);
    let three = hash(&[&two, &names[2]]);
    let half = |hash: [u8; 32]| Scalar::from(u128::from_be_bytes(hash[..16].try_into().unwrap()));
    let expected = [Scalar::from(1), half(two), half(three)];
    assert_eq!(factors(names.into_iter()).collect::<Vec<_>>(), expected);
    assert_eq!(factors([].into_iter()).count(), 0);
}

/// Two proofs whose errors are each other's opposite: only their factors tell them from good ones.
#[test]
fn errors_do_not_cancel() {
    let key = key();
    let shown = bytes(&inputs());
    let error = Scalar::from(1_000_003);
    let proof = |seed, error| simulate(&key, Scalar::from(TAU), &inputs(), seed, error);
    let (one, two) = (proof("one", error), proof("two", -error));
    let refused = verify_batch(&[(&key, &shown, &one), (&key, &shown, &two)]);
    let all = vec![(0, VerifyError::Equation), (1, VerifyError::Equation)];
    assert_eq!(refused.expect_err("both are wrong").0, all);
}
