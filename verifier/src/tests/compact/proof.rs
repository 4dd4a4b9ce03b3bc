//! Proofs of the format `compact`, and batches with others, accepted and refused.

use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};

use super::{
    file::File,
    sample::{key, key_parts, packed, packing},
    simulator::{accepted, simulate, Errors},
};
use crate::{
    compact::{claim_at, divisor, Challenges, Proof},
    domain::Domain,
    key::{Compact, Kind},
    scalar_from_bytes, scalar_to_bytes,
    tests::{
        sample::{self, numbers, protocol},
        simulator,
    },
    verify::claim,
    verify_batch, BatchItem, CompactKeyParts, Key, PointError, ProofPoint, Scalar, VerifyError,
};

fn inputs() -> [Scalar; 2] {
    [Scalar::from(3), Scalar::from(12_345)]
}

fn bytes(inputs: &[Scalar]) -> Vec<[u8; 32]> {
    inputs.iter().map(scalar_to_bytes).collect()
}

#[test]
fn simulated_proofs_are_accepted() {
    let key = key();
    let mut names = vec![];
    for long in [true, false] {
        let proof = simulate(&key, &inputs(), "one", long, Errors::default());
        let inputs = bytes(&inputs());
        assert_eq!(key.verify(&inputs, &proof), Ok(()));
        names.push(claim(&key, &inputs, &proof).expect("it is readable").name);
    }
    assert_eq!(names[0], names[1], "an encoding is not part of what is proven");
    // Seven packs, of which four are the proof's.
    assert_eq!(accepted(&key, &inputs(), "one").len(), 64 * (4 + 9) + 32 * (7 + 18 + 1));
}

#[test]
fn both_errors_count() {
    let key = key();
    let one = Scalar::from(1_000_003);
    for errors in [
        Errors { packs: one, decider: Scalar::ZERO },
        Errors { packs: Scalar::ZERO, decider: one },
        Errors { packs: one, decider: -one },
    ] {
        let proof = simulate(&key, &inputs(), "one", true, errors);
        assert_eq!(key.verify(&bytes(&inputs()), &proof), Err(VerifyError::Equation));
    }
}

#[test]
fn inputs_are_those_of_the_proof() {
    let file = File::read("large");
    let key = file.key();
    let proof = file.bytes("short_proof");
    let good = file.words("inputs");
    let mut wrong = good.clone();
    wrong.reverse();
    assert_eq!(key.verify(&wrong, &proof), Err(VerifyError::Equation));
    for place in 0..good.len() {
        let mut wrong = good.clone();
        wrong[place][31] ^= 1;
        assert_eq!(key.verify(&wrong, &proof), Err(VerifyError::Equation));
        assert_eq!(key.verify(&wrong, &file.bytes("proof")), Err(VerifyError::Inverse));
        wrong[place] = [0xff; 32];
        assert_eq!(key.verify(&wrong, &proof), Err(VerifyError::Input(place)));
        let scalar = scalar_from_bytes(&good[place]).expect("it is below r");
        let mut sum = scalar.into_bigint();
        sum.add_with_carry(&Scalar::MODULUS);
        wrong[place] = sum.to_bytes_be().try_into().expect("32 bytes");
        assert_eq!(key.verify(&wrong, &proof), Err(VerifyError::Input(place)));
    }
    for found in [0, 1, 3] {
        let error = VerifyError::InputCount { found, expected: 2 };
        assert_eq!(key.verify(&vec![[0; 32]; found], &proof), Err(error));
    }
}

#[test]
fn proofs_have_two_lengths() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let (short, long) = (32 * (13 + 25), 64 * 13 + 32 * 26);
    assert_eq!(proof.len(), long);
    for found in
        [0, 1, 32, short - 1, short + 1, short + 32, long - 32, long - 1, long + 1, 2 * long]
    {
        let mut other = proof.clone();
        other.resize(found, 0);
        let error = VerifyError::CompactLength { found, short, long };
        assert_eq!(key.verify(&bytes(&inputs()), &other), Err(error));
    }
}

/// The points and scalars of a proof of the sample, in order.
fn layout() -> Vec<Option<ProofPoint>> {
    use ProofPoint::*;
    let mut layout: Vec<_> =
        (3..7).map(Pack).chain([Quotient, Values, W, WPrime]).map(Some).collect();
    layout.extend([None; 8]);
    layout.extend([Wires, DeciderProduct, DeciderQuotient].map(Some));
    layout.extend([None; 17]);
    layout.extend([DeciderW, DeciderWPrime].map(Some));
    layout
}

#[test]
fn points_and_scalars_are_checked() {
    let key = key();
    for long in [true, false] {
        let proof = simulate(&key, &inputs(), "one", long, Errors::default());
        let refused = |place: usize, with: &[u8]| {
            let mut other = proof.clone();
            other[place..place + with.len()].copy_from_slice(with);
            key.verify(&bytes(&inputs()), &other).expect_err("it is changed")
        };
        // What is changed has another inverse, where it has one. That does not depend on the last point, after which
        // only `ρ` is squeezed.
        let different = if long { VerifyError::Inverse } else { VerifyError::Equation };
        let (mut place, mut scalars) = (0, 0);
        for point in layout().into_iter().chain(long.then_some(None)) {
            let Some(point) = point else {
                let word = proof[place..place + 32].try_into().expect("32 bytes");
                let mut sum = scalar_from_bytes(&word).expect("it is below r").into_bigint();
                sum.add_with_carry(&Scalar::MODULUS);
                assert_eq!(refused(place, &sum.to_bytes_be()), VerifyError::Value(scalars));
                assert_eq!(refused(place, &[0xff; 32]), VerifyError::Value(scalars));
                assert_eq!(refused(place, &[0; 32]), different);
                (place, scalars) = (place + 32, scalars + 1);
                continue;
            };
            let error = |error| VerifyError::Point { point, error };
            let length = if long { 64 } else { 32 };
            assert_eq!(refused(place, &vec![0xff; length]), error(PointError::NotCanonical));
            let mut off = vec![0; length];
            off[31] = 4;
            assert_eq!(refused(place, &off), error(PointError::NotOnCurve));
            let identity = if long { PointError::Identity } else { PointError::NotOnCurve };
            assert_eq!(refused(place, &vec![0; length]), error(identity));
            // A good point of another place.
            let other = if place == 0 { length } else { 0 };
            let last = point == ProofPoint::DeciderWPrime;
            let different = if last { VerifyError::Equation } else { different.clone() };
            assert_eq!(refused(place, &proof[other..other + length]), different);
            place += length;
        }
        assert_eq!((place, scalars), (proof.len(), if long { 26 } else { 25 }));
    }
}

#[test]
fn every_byte_counts() {
    let file = File::read("small");
    let (key, inputs) = (file.key(), file.words("inputs"));
    for proof in ["proof", "short_proof"] {
        let proof = file.bytes(proof);
        for place in 0..proof.len() {
            let mut other = proof.clone();
            other[place] ^= 1;
            assert!(key.verify(&inputs, &other).is_err(), "byte {place}");
        }
    }
}

/// One number is right, and no other.
#[test]
fn the_inverse_is_checked() {
    let key = key();
    let proof = accepted(&key, &inputs(), "one");
    let (rest, word) = proof.split_last_chunk::<32>().expect("it has an inverse");
    let inverse = scalar_from_bytes(word).expect("it is below r");
    let verdict = |word: &[u8]| key.verify(&bytes(&inputs()), &[rest, word].concat());
    assert_eq!(verdict(word), Ok(()));
    let one = Scalar::ONE;
    for wrong in [Scalar::ZERO, one, -one, -inverse, one / inverse, inverse + one, inverse.double()]
    {
        assert_eq!(verdict(&scalar_to_bytes(&wrong)), Err(VerifyError::Inverse));
    }
    let mut sum = inverse.into_bigint();
    sum.add_with_carry(&Scalar::MODULUS);
    assert_eq!(verdict(&sum.to_bytes_be()), Err(VerifyError::Value(25)));
}

/// Of either encoding, and only of a proof that holds.
#[test]
fn calldata_is_the_long_encoding() {
    let (key, shown) = (key(), bytes(&inputs()));
    let compact = key.as_compact().expect("it is compact");
    let [long, short] =
        [true, false].map(|long| simulate(&key, &inputs(), "one", long, Errors::default()));
    assert_eq!(compact.calldata(&shown, &short), Ok(long.clone()));
    assert_eq!(compact.calldata(&shown, &long), Ok(long.clone()));

    let errors = Errors { packs: Scalar::ONE, decider: Scalar::ZERO };
    let wrong = simulate(&key, &inputs(), "one", false, errors);
    assert_eq!(compact.calldata(&shown, &wrong), Err(VerifyError::Equation));
    let other = bytes(&[inputs()[1], inputs()[0]]);
    assert_eq!(compact.calldata(&other, &short), Err(VerifyError::Equation));
    assert_eq!(compact.calldata(&other, &long), Err(VerifyError::Inverse));
    let error = VerifyError::InputCount { found: 1, expected: 2 };
    assert_eq!(compact.calldata(&shown[1..], &short), Err(error));
    assert!(compact.calldata(&shown, &short[32..]).is_err());
}

#[test]
fn proofs_are_of_one_key() {
    let proof = simulate(&key(), &inputs(), "one", false, Errors::default());
    let good = || key_parts(packing(), "compact");
    let verdict = |parts: CompactKeyParts| {
        Key::compact(parts).expect("it obeys the rules").verify(&bytes(&inputs()), &proof)
    };
    assert_eq!(verdict(good()), Ok(()));
    for change in [
        |parts: &mut CompactKeyParts| parts.description.push(0),
        |parts: &mut CompactKeyParts| parts.is_ceremony = true,
        |parts: &mut CompactKeyParts| parts.packs.swap(0, 1),
        |parts: &mut CompactKeyParts| parts.decider = parts.packs[0],
    ] {
        let mut parts = good();
        change(&mut parts);
        assert_eq!(verdict(parts), Err(VerifyError::Equation));
    }
    // Another stride with the same packs, and the other kind.
    let packs = packing().packs().iter().map(|pack| pack.polynomials.clone()).collect();
    let other = crate::Packing::new(protocol(), 5, packs).expect("it obeys the rules");
    assert_eq!(verdict(key_parts(other, "compact")), Err(VerifyError::Equation));
    let length = |error| matches!(error, Err(VerifyError::CompactLength { .. }));
    assert!(length(verdict(key_parts(packed(protocol(), 3), "compact"))));
    let error = sample::key().verify(&bytes(&inputs()), &proof);
    assert!(matches!(error, Err(VerifyError::Length { .. })));
}

fn compact(key: &Key) -> &Compact {
    match &key.kind {
        Kind::Compact(compact) => compact,
        Kind::Fast(_) => panic!("it is compact"),
    }
}

/// Nobody can look for a proof that has them; whoever finds one learns that it is refused, and not by chance.
#[test]
fn degenerate_challenges_are_refused() {
    let key = key();
    let proof = simulate(&key, &inputs(), "one", false, Errors::default());
    let proof = Proof::read(&compact(&key).packs, &proof).expect("it is readable");
    let mut next = numbers("degenerate");
    let words: Vec<_> = (0..4).map(|_| scalar_to_bytes(&next())).collect();
    let verdict = |change: &dyn Fn(&mut Challenges)| {
        let mut challenges = Challenges::new(&[7; 32], &words, &proof.items);
        change(&mut challenges);
        let verdict = claim_at(&key, compact(&key), &inputs(), &proof, &challenges);
        let divisor = divisor(compact(&key), inputs().len(), &challenges);
        assert_eq!(divisor == Scalar::ZERO, verdict.is_err());
        verdict?.check()
    };
    assert_eq!(verdict(&|_| ()), Err(VerifyError::Equation));
    let domain = Domain::new(compact(&key).decider_k);
    let degenerate: [&dyn Fn(&mut Challenges); 7] = [
        &|it| it.decider.x = Scalar::ZERO,
        &|it| it.decider.x = Scalar::ONE,
        &|it| it.decider.x = domain.power(5),
        &|it| it.u = it.x,
        &|it| it.decider.u = it.decider.x,
        &|it| it.decider.x = it.decider.u.pow([10]),
        &|it| it.decider.x = it.decider.u.pow([10]) * domain.power(-1),
    ];
    for (number, change) in degenerate.into_iter().enumerate() {
        assert_eq!(verdict(change), Err(VerifyError::Challenge), "{number}");
    }
    // Where nothing is opened.
    let allowed: [&dyn Fn(&mut Challenges); 2] =
        [&|it| it.decider.x = it.decider.u.pow([10]) * domain.power(1), &|it| {
            it.decider.u = it.decider.x * domain.power(1)
        }];
    for change in allowed {
        assert_eq!(verdict(change), Err(VerifyError::Equation));
    }
}

#[test]
fn batches_are_of_both_formats() {
    let (key, fast) = (key(), sample::key());
    let file = File::read("small");
    let (other, words) = (file.key(), file.words("inputs"));
    let shown = bytes(&inputs());
    let proofs =
        [false, true].map(|long| simulate(&key, &inputs(), "two", long, Errors::default()));
    let quick = simulator::accepted(&fast, &inputs(), "three");
    // The file's SRS is another one.
    let made = file.bytes("proof");
    let mut batch: Vec<BatchItem> = vec![
        (&key, &shown, &proofs[0]),
        (&fast, &shown, &quick),
        (&other, &words, &made),
        (&key, &shown, &proofs[1]),
    ];
    for length in 1..=batch.len() {
        assert_eq!(verify_batch(&batch[..length]), Ok(()));
    }
    let mut wrong = shown.clone();
    wrong.reverse();
    batch[0].1 = &wrong;
    batch[2].1 = &[];
    batch[3].2 = &quick;
    let refused = verify_batch(&batch).expect_err("three are wrong").0;
    let (short, long) = (32 * (13 + 25), 64 * 13 + 32 * 26);
    let all = [
        (0, VerifyError::Equation),
        (2, VerifyError::InputCount { found: 0, expected: 1 }),
        (3, VerifyError::CompactLength { found: quick.len(), short, long }),
    ];
    assert_eq!(refused, all);
}

/// Proofs whose errors are each other's opposite, in one batch of both formats.
#[test]
fn errors_do_not_cancel() {
    let (key, fast) = (key(), sample::key());
    let shown = bytes(&inputs());
    let error = Scalar::from(1_000_003);
    let with = |seed, packs| {
        let errors = Errors { packs, decider: Scalar::ZERO };
        simulate(&key, &inputs(), seed, true, errors)
    };
    let (one, two) = (with("one", error), with("two", -error));
    let tau = Scalar::from(sample::TAU);
    let three = simulator::simulate(&fast, tau, &inputs(), "three", -error);
    let all = vec![(0, VerifyError::Equation), (1, VerifyError::Equation)];
    for second in [(&key, &shown[..], &two[..]), (&fast, &shown, &three)] {
        let refused = verify_batch(&[(&key, &shown, &one), second]);
        assert_eq!(refused.expect_err("both are wrong").0, all);
    }
}
