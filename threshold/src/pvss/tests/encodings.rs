//! Bytes: nothing but what a dealer of this session wrote is taken, and nothing panics.

use ff::{Field as _, PrimeField};
use group::{Curve, Group};
use muster_testing::sampled;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    slow::failures,
    support::{rng, Stage},
};
use crate::{
    pairing_curve::{Fr, G1Affine, G1Projective, G2Affine, G2Projective, PointFault},
    pvss::{
        deal, field::Kind, transcript::signed_message, verify, Dealt, Error, Session,
        Subtranscript, Variant,
    },
};

fn dealt(stage: &Stage) -> Dealt {
    deal(&stage.session, 2, &stage.keys[1], &Fr::from(5), &mut rng(21)).unwrap()
}

/// The dealer's signature of a changed transcript.
pub(super) fn signed(stage: &Stage, dealer: usize, body: &[u8]) -> Vec<u8> {
    let message = signed_message(&stage.session, dealer, body).unwrap();
    [body, &stage.keys[dealer - 1].sign(&message)[..]].concat()
}

/// Reads and verifies.
fn accept(session: &Session, bytes: &[u8]) -> Result<(), Error> {
    verify(session, &Dealt::from_bytes(session, 2, bytes)?).map(|_| ())
}

#[test]
fn sizes_are_exact() {
    // W, w*, Chunky, Chunky2 and compact.
    let cases = [
        (vec![1; 8], 13_136, 13_904, 7_984),
        (vec![1; 16], 22_096, 23_632, 11_824),
        (vec![1; 32], 40_016, 43_088, 19_504),
        (vec![1; 64], 75_856, 82_000, 34_864),
        (vec![1; 128], 147_536, 159_824, 65_584),
        (vec![1; 256], 290_896, 315_472, 127_024),
        (vec![1; 1024], 1_151_056, 1_249_360, 495_664),
        (weights_219(), 255_600, 276_624, 115_408),
    ];
    for (weights, chunky, chunky2, compact) in cases {
        for (variant, expected) in Variant::ALL.into_iter().zip([chunky, chunky2, compact]) {
            let shape = crate::pvss::Shape::new(variant, 32, 5, &weights).unwrap();
            assert_eq!(shape.transcript_bytes(), expected, "{} {variant}", weights.len());
            let (shares, slots) = (shape.shares(), shape.slots());
            assert_eq!(shape.subtranscript_bytes(), 480 * shares + 384 * slots + 96);
            let formula = match variant {
                Variant::Chunky => 1120 * shares + 1024 * slots + 3152,
                Variant::Chunky2 => 1216 * shares + 1024 * slots + 3152,
                Variant::Compact => 480 * shares + 1024 * slots + 3120,
            };
            assert_eq!(expected, formula);
        }
    }
}

/// The weights of the tables' row of 136 players.
fn weights_219() -> Vec<u32> {
    let counts = [(93, 1), (25, 2), (8, 3), (4, 4), (2, 5), (2, 6), (2, 7)];
    counts.into_iter().flat_map(|(count, weight)| vec![weight; count]).collect()
}

#[test]
fn vectors() {
    let pinned = include_str!("vectors.txt");
    let mut lines = vec![];
    for variant in Variant::ALL {
        for bits in [8, 16, 32] {
            let digest = Sha256::digest(dealt(&Stage::of(variant, bits)).as_bytes());
            lines.push(format!("{variant} {bits} {}", hex::encode(digest)));
        }
    }
    assert_eq!(lines.join("\n"), pinned.trim_end());
}

#[test]
fn every_length_but_one_is_refused_before_anything_is_decoded() {
    let stage = Stage::of(Variant::Compact, 32);
    let good = dealt(&stage).as_bytes().to_vec();
    let expected = good.len();
    for found in (0..=300).chain([expected - 32, expected - 1, expected + 1, expected + 96]) {
        let mut bytes = good.clone();
        bytes.resize(found, 0xff);
        let refused = Dealt::from_bytes(&stage.session, 2, &bytes);
        assert_eq!(refused, Err(Error::Length { expected, found }));
    }
    for variant in Variant::ALL {
        let stage = Stage::of(variant, 16);
        let body = stage.session.layout.length;
        let good = dealt(&stage).as_bytes()[..body].to_vec();
        // Every part short or long by one byte, at its end.
        for part in &stage.session.layout.parts {
            let mut short = good.clone();
            short.remove(part.bytes.end.saturating_sub(1).min(body - 1));
            let mut long = good.clone();
            long.insert(part.bytes.end, 0);
            for bytes in [short, long] {
                let refused = accept(&stage.session, &signed(&stage, 2, &bytes));
                assert!(matches!(refused, Err(Error::Length { .. })));
            }
        }
    }
}

/// A point of order 3 on the curve of G1: (0, 2).
pub(super) fn order_three() -> G1Affine {
    // blst decodes no point with the first coordinate zero; sums with others it does.
    G1Affine::from(&crate::pairing_curve::Lane { x: 0.into(), y: 2.into() })
}

fn times_bytes(point: G2Projective, big_endian: &[u8]) -> G2Projective {
    let bits = big_endian.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    bits.fold(G2Projective::identity(), |sum, bit| match bit {
        1 => sum.double() + point,
        _ => sum.double(),
    })
}

/// A point of order 13 on the curve of G2, whose cofactor 13² divides.
pub(super) fn order_thirteen() -> G2Affine {
    const COFACTOR: &str = "5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa\
                            628f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5";
    let mut cofactor = hex::decode(format!("0{}", COFACTOR.replace(' ', ""))).unwrap();
    for _ in 0..2 {
        let mut rest = 0u32;
        for byte in &mut cofactor {
            let value = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((value / 13) as u8, value % 13);
        }
        assert_eq!(rest, 0);
    }
    let mut order = (-Fr::ONE).to_repr();
    order.reverse();
    for seed in 0u8..=255 {
        let mut bytes = [seed; 96];
        bytes[0] = 0x80;
        let Some(point) = G2Affine::from_compressed_unchecked(&bytes).into_option() else {
            continue;
        };
        let point = G2Projective::from(point);
        let point = times_bytes(point, &order) + point;
        let mut found = times_bytes(point, &cofactor);
        // Of order 1, 13 or 169.
        let thirteenth = |point| times_bytes(point, &[13]);
        while !bool::from(thirteenth(found).is_identity()) {
            found = thirteenth(found);
        }
        if !bool::from(found.is_identity()) {
            return found.to_affine();
        }
    }
    unreachable!("half of all bytes are points")
}

#[test]
fn points_of_small_order_are_refused() {
    let stage = Stage::of(Variant::Chunky2, 32);
    let good = dealt(&stage);
    let fault = PointFault::NotInSubgroup;
    let small = order_three();
    let tripled = G1Projective::from(small).double() + small;
    assert!(bool::from(tripled.is_identity() & !G1Projective::from(small).is_identity()));
    for part in &stage.session.layout.parts {
        let (field, mut body) = (part.field, good.as_bytes().to_vec());
        body.truncate(stage.session.layout.length);
        let size = field.kind().bytes();
        let place = part.bytes.start;
        match field.kind() {
            Kind::G1 if !part.elements.is_empty() => {
                let point = (G1Projective::from(good.parts().g1(field)[0]) + small).to_affine();
                body[place..place + size].copy_from_slice(&point.to_compressed());
            }
            Kind::G2 if !part.elements.is_empty() => {
                let point = G2Projective::from(good.parts().g2(field)[0]) + order_thirteen();
                body[place..place + size].copy_from_slice(&point.to_affine().to_compressed());
            }
            _ => continue,
        }
        let refused = accept(&stage.session, &signed(&stage, 2, &body));
        assert_eq!(refused, Err(Error::Point { field, index: 1, fault }));
    }
}

#[test]
fn every_part_replaced_by_something_else() {
    for variant in Variant::ALL {
        let stage = Stage::of(variant, 32);
        let good = dealt(&stage);
        let length = stage.session.layout.length;
        let order = {
            // r itself: the encoding of zero, but not the canonical one.
            let mut bytes = (-Fr::ONE).to_repr();
            bytes[0] += 1;
            bytes
        };
        let mut order_and_one = order;
        order_and_one[0] += 1;
        for part in stage.session.layout.parts.iter().filter(|part| !part.elements.is_empty()) {
            let (kind, start) = (part.field.kind(), part.bytes.start);
            let replacements: Vec<Vec<u8>> = match kind {
                Kind::G1 => vec![
                    G1Projective::generator().to_affine().to_compressed().to_vec(),
                    G1Affine::default().to_compressed().to_vec(),
                    off_curve(48),
                    vec![0; 48],
                    vec![0xff; 48],
                    flagged(&good.as_bytes()[start..start + 48], 0x80),
                    flagged(&good.as_bytes()[start..start + 48], 0x40),
                    flagged(&good.as_bytes()[start..start + 48], 0x20),
                ],
                Kind::G2 => vec![
                    G2Projective::generator().to_affine().to_compressed().to_vec(),
                    G2Affine::default().to_compressed().to_vec(),
                    off_curve(96),
                    vec![0; 96],
                    vec![0xff; 96],
                    flagged(&good.as_bytes()[start..start + 96], 0x80),
                    flagged(&good.as_bytes()[start..start + 96], 0x40),
                    flagged(&good.as_bytes()[start..start + 96], 0x20),
                ],
                Kind::Scalar => {
                    vec![vec![0; 32], order.to_vec(), order_and_one.to_vec(), vec![0xff; 32]]
                }
            };
            for (case, replacement) in sampled(replacements.into_iter().enumerate(), 4) {
                let mut body = good.as_bytes()[..length].to_vec();
                body[start..start + kind.bytes()].copy_from_slice(&replacement);
                let bytes = signed(&stage, 2, &body);
                let refused = accept(&stage.session, &bytes);
                assert!(refused.is_err(), "{variant}: {} {case}", part.field);
                if let Err(Error::Refused { equation, .. }) = refused {
                    let dealt = Dealt::from_bytes(&stage.session, 2, &bytes).unwrap();
                    assert!(failures(&stage.session, &dealt).contains(&equation));
                }
                if kind == Kind::Scalar && case > 0 {
                    let expected = Error::Scalar { field: part.field, index: 1 };
                    assert_eq!(refused, Err(expected));
                }
            }
        }
    }
}

/// Compressed bytes whose first coordinate belongs to no point.
fn off_curve(length: usize) -> Vec<u8> {
    for last in 0u8.. {
        let mut bytes = vec![0; length];
        (bytes[0], bytes[length - 1]) = (0x80, last);
        let none = match length {
            48 => {
                let bytes = bytes.clone().try_into().unwrap();
                bool::from(G1Affine::from_compressed_unchecked(&bytes).is_none())
            }
            _ => {
                let bytes = bytes.clone().try_into().unwrap();
                bool::from(G2Affine::from_compressed_unchecked(&bytes).is_none())
            }
        };
        if none {
            return bytes;
        }
    }
    unreachable!("half of all coordinates are of no point")
}

fn flagged(bytes: &[u8], flag: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[0] ^= flag;
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn mutations_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let stage = Stage::of(Variant::Compact, 32);
        let good = dealt(&stage);
        let length = stage.session.layout.length;
        let mut body = good.as_bytes()[..length].to_vec();
        for (at, byte) in changes {
            body[at.index(length)] = byte;
        }
        let bytes = signed(&stage, 2, &body);
        let same = bytes[..length] == good.as_bytes()[..length];
        prop_assert_eq!(accept(&stage.session, &bytes).is_ok(), same);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let stage = Stage::of(Variant::Compact, 32);
        prop_assert!(Dealt::from_bytes(&stage.session, 2, &bytes).is_err());
        prop_assert!(Subtranscript::from_bytes(&stage.session, &bytes).is_err());
        prop_assert!(crate::pvss::Srs::from_bytes(&bytes).is_err());
        prop_assert!(crate::pvss::dlog::Table::from_bytes(&bytes).is_err());
    }
}

#[test]
fn sums_are_read_as_they_were_written() {
    let stage = Stage::of(Variant::Compact, 32);
    let session = &stage.session;
    let first = verify(session, &dealt(&stage)).unwrap();
    let other = deal(session, 4, &stage.keys[3], &Fr::from(7), &mut rng(3)).unwrap();
    let sum = Subtranscript::sum(&[verify(session, &other).unwrap(), first.clone()]).unwrap();
    assert_eq!(sum.dealers(), [2, 4]);
    let bytes = sum.to_bytes(session);
    assert_eq!(Subtranscript::from_bytes(session, &bytes).unwrap(), sum);
    let twice = Subtranscript::sum(&[first.clone(), first]);
    assert_eq!(twice, Err(Error::DuplicateDealer { dealer: 2 }));
    for (place, byte) in [(0, 0), (20, 0), (48, 1), (48, 3), (56, 0), (56, 0x1a), (56, 2)] {
        let mut changed = bytes.clone();
        changed[place] = byte;
        assert!(Subtranscript::from_bytes(session, &changed).is_err(), "{place} {byte}");
    }
    let long = [&bytes[..], &[0]].concat();
    assert!(matches!(Subtranscript::from_bytes(session, &long), Err(Error::Length { .. })));
}
