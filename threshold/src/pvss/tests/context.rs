//! A dealing belongs to one session and one dealer; sessions that cannot be are refused.

use std::sync::Arc;

use ff::Field as _;

use super::{
    encodings::signed,
    support::{keys, parameters, rng, srs, Stage, WEIGHTS},
};
use crate::{
    pairing_curve::Fr,
    pvss::{
        deal, verify, verify_all, Dealt, Equation, Error, KeyBundle, KeyKind, Parameters, Session,
        Shape, Srs, Variant,
    },
};

fn session(shape: Shape, bundles: &[KeyBundle], epoch: u64, label: &[u8]) -> Session {
    let parameters = parameters(shape.domain());
    Session::new(shape, bundles, parameters, epoch, label).unwrap()
}

/// A dealing of the stage's session, signed again for another one.
fn moved(stage: &Stage, other: &Session, dealer: usize) -> Result<(), Error> {
    let own = deal(&stage.session, 2, &stage.keys[1], &Fr::from(5), &mut rng(1)).unwrap();
    assert!(verify(&stage.session, &own).is_ok());
    let length = stage.session.layout.length;
    // As it is: its signature is of another session.
    assert!(Dealt::from_bytes(other, dealer, own.as_bytes()).is_err());
    assert_eq!(verify(other, &own), Err(Error::OtherSession));
    // Signed for the other one: the proofs are of another one.
    let there = Stage { session: other.clone(), keys: stage.keys.clone() };
    let bytes = signed(&there, dealer, &own.as_bytes()[..length]);
    let read = Dealt::from_bytes(other, dealer, &bytes)?;
    verify(other, &read).map(|_| ())
}

#[test]
fn every_part_of_the_context_is_bound() {
    let stage = Stage::of(Variant::Compact, 32);
    let bundles = keys(4).1;
    let shape =
        |threshold, weights: &[u32]| Shape::new(Variant::Compact, 32, threshold, weights).unwrap();
    let same = || shape(4, &WEIGHTS);
    let mut swapped = bundles.clone();
    swapped.swap(2, 3);
    let others = [
        session(same(), &bundles, 8, b"test"),
        session(same(), &bundles, 7, b"tesu"),
        session(shape(3, &WEIGHTS), &bundles, 7, b"test"),
        session(shape(4, &[1, 2, 0, 3]), &bundles, 7, b"test"),
        session(same(), &swapped, 7, b"test"),
    ];
    for other in &others {
        let refused = moved(&stage, other, 2).unwrap_err();
        assert!(matches!(refused, Error::Refused { dealer: 2, .. }), "{refused}");
        assert_ne!(other.digest(), stage.session.digest());
    }
    // Another dealer of the same session signs the dealing.
    let own = deal(&stage.session, 2, &stage.keys[1], &Fr::from(5), &mut rng(1)).unwrap();
    let body = &own.as_bytes()[..stage.session.layout.length];
    let stolen = Dealt::from_bytes(&stage.session, 1, &signed(&stage, 1, body)).unwrap();
    assert!(matches!(verify(&stage.session, &stolen), Err(Error::Refused { dealer: 1, .. })));
    let unsigned = Dealt::from_bytes(&stage.session, 1, own.as_bytes());
    assert_eq!(unsigned, Err(Error::Signature { dealer: 1 }));
    // Another reference string.
    let other = Srs::insecure(64, &mut rng(77)).unwrap();
    let other = Parameters::new(&other, same().domain()).unwrap();
    let other = Session::new(same(), &bundles, other, 7, b"test").unwrap();
    assert!(moved(&stage, &other, 2).is_err());
    // Another variant or other chunks: another length.
    for shape in [
        Shape::new(Variant::Chunky, 32, 4, &WEIGHTS).unwrap(),
        Shape::new(Variant::Compact, 16, 4, &WEIGHTS).unwrap(),
    ] {
        let other = session(shape, &bundles, 7, b"test");
        assert!(matches!(moved(&stage, &other, 2), Err(Error::Length { .. })));
    }
}

/// A dealing of another secret with the same commitment and somebody's signature of the first one.
#[test]
fn the_signature_is_of_the_whole_transcript() {
    let stage = Stage::of(Variant::Compact, 32);
    let make =
        |seed| deal(&stage.session, 2, &stage.keys[1], &Fr::from(5), &mut rng(seed)).unwrap();
    let (first, second) = (make(1), make(2));
    assert_eq!(first.public_key(), second.public_key());
    let length = stage.session.layout.length;
    let mixed = [&first.as_bytes()[..length], &second.as_bytes()[length..]].concat();
    let refused = Dealt::from_bytes(&stage.session, 2, &mixed);
    assert_eq!(refused, Err(Error::Signature { dealer: 2 }));
}

/// −z + r: everything of somebody's dealing negated, plus a dealing of one's own.
#[test]
fn a_mauled_dealing() {
    use crate::{
        pairing_curve::{G1Affine, G2Affine},
        pvss::{field::Kind, transcript::Parts},
    };
    let stage = Stage::of(Variant::Compact, 32);
    let session = &stage.session;
    let theirs = deal(session, 2, &stage.keys[1], &Fr::from(5), &mut rng(1)).unwrap();
    let mine = deal(session, 1, &stage.keys[0], &Fr::from(6), &mut rng(2)).unwrap();
    let mut writer = Parts::blank(&session.layout);
    let negated_g1 = |a: &G1Affine, b: &G1Affine| G1Affine::from(blstrs::G1Projective::from(b) - a);
    let negated_g2 = |a: &G2Affine, b: &G2Affine| G2Affine::from(blstrs::G2Projective::from(b) - a);
    for part in &session.layout.parts {
        let (field, theirs, mine) = (part.field, theirs.parts(), mine.parts());
        match field.kind() {
            Kind::G1 => {
                let terms = theirs.g1(field).iter().zip(mine.g1(field));
                writer.put_g1(field, &terms.map(|(a, b)| negated_g1(a, b)).collect::<Vec<_>>());
            }
            Kind::G2 => {
                let terms = theirs.g2(field).iter().zip(mine.g2(field));
                writer.put_g2(field, &terms.map(|(a, b)| negated_g2(a, b)).collect::<Vec<_>>());
            }
            Kind::Scalar => {
                let terms = theirs.scalars(field).iter().zip(mine.scalars(field));
                writer.put_scalars(field, &terms.map(|(a, b)| *b - a).collect::<Vec<_>>());
            }
        }
    }
    assert!(!writer.bytes_of(crate::pvss::Field::Secret).is_empty());
    let mauled = writer.sign(session, 1, &stage.keys[0]).unwrap();
    let refused = verify(session, &mauled).unwrap_err();
    assert!(matches!(refused, Error::Refused { equation: Equation::Range, .. }), "{refused}");
}

#[test]
fn sessions_that_can_not_be() {
    let make = |threshold, weights: &[u32]| Shape::new(Variant::Compact, 32, threshold, weights);
    let most = crate::pvss::MOST_SHARES;
    assert_eq!(make(1, &[]), Err(Error::Players { players: 0, most: crate::pvss::MOST_PLAYERS }));
    assert_eq!(make(1, &[0, 0]), Err(Error::Shares { shares: 0, most }));
    assert!(make(1, &[u32::MAX; 9]).is_err());
    assert!(make(1, &[1 << 16, 1]).is_err());
    assert_eq!(make(0, &[2, 1]), Err(Error::Threshold { threshold: 0, shares: 3 }));
    assert_eq!(make(4, &[2, 1]), Err(Error::Threshold { threshold: 4, shares: 3 }));
    assert!(make(3, &[2, 1]).is_ok() && make(1, &[1]).is_ok() && make(1, &[0, 1]).is_ok());
    for bits in [0, 1, 4, 12, 33, 64] {
        let refused = Shape::new(Variant::Compact, bits, 1, &[1]);
        assert_eq!(refused, Err(Error::ChunkBits { bits }));
    }
    let shape = make(2, &[1, 1]).unwrap();
    let points = parameters(shape.domain());
    let bundles = keys(3).1;
    let new = |bundles: &[KeyBundle], points: &Arc<Parameters>| {
        Session::new(shape.clone(), bundles, points.clone(), 0, b"").map(|_| ())
    };
    assert!(new(&bundles[..2], &points).is_ok());
    assert_eq!(new(&bundles, &points), Err(Error::Weights { weights: 2, players: 3 }));
    let small = Parameters::new(srs(), 11).unwrap();
    assert!(matches!(new(&bundles[..2], &small), Err(Error::SrsSize { found: 11, .. })));
    assert!(matches!(Parameters::new(srs(), 1 << 10), Err(Error::SrsSize { .. })));
    let twice = [bundles[0].clone(), bundles[0].clone()];
    let kind = KeyKind::Encryption;
    assert_eq!(new(&twice, &points), Err(Error::SameKey { first: 1, second: 2, kind }));
    // One of the two keys of somebody else: its proof binds both.
    let mut stolen = [bundles[0].clone(), bundles[1].clone()];
    stolen[1].encryption_key = stolen[0].encryption_key;
    stolen[1].encryption_proof = stolen[0].encryption_proof;
    assert_eq!(new(&stolen, &points), Err(Error::Possession { player: 2, kind }));
    let mut stolen = [bundles[0].clone(), bundles[1].clone()];
    stolen[1].signing_key = stolen[0].signing_key;
    stolen[1].signing_proof = stolen[0].signing_proof;
    assert_eq!(new(&stolen, &points), Err(Error::Possession { player: 2, kind }));
    // The same signing key under another encryption key, with good proofs of both.
    let mut rng = rng(3);
    let (a, b) = (&keys(2).0[0], &keys(2).0[1]);
    let both = crate::pvss::SecretKeys::from_bytes(*b.to_bytes().0, *a.to_bytes().1).unwrap();
    let same = [a.publish(&mut rng), both.publish(&mut rng)];
    let kind = KeyKind::Signing;
    assert_eq!(new(&same, &points), Err(Error::SameKey { first: 1, second: 2, kind }));
    let mut unproved = [bundles[0].clone(), bundles[1].clone()];
    unproved[0].signing_proof = bundles[1].signing_proof;
    assert_eq!(new(&unproved, &points), Err(Error::Possession { player: 1, kind }));
    let mut broken = [bundles[0].clone(), bundles[1].clone()];
    broken[0].encryption_key = [0xff; 48];
    assert!(matches!(new(&broken, &points), Err(Error::Key { player: 1, .. })));
}

#[test]
fn many_at_once_name_the_bad_ones() {
    let stage = Stage::of(Variant::Compact, 32);
    let session = &stage.session;
    let mut dealings: Vec<Dealt> = (1..=4)
        .map(|dealer| {
            deal(session, dealer, &stage.keys[dealer - 1], &Fr::from(9), &mut rng(1)).unwrap()
        })
        .collect();
    assert!(verify_all(session, &dealings).iter().all(Result::is_ok));
    assert!(verify_all(session, &[]).is_empty());
    // One whose answer is wrong, and one whose scalars do not fit.
    let length = session.layout.length;
    let mut change = |dealer: usize, field| {
        let mut body = dealings[dealer - 1].as_bytes()[..length].to_vec();
        body[session.layout.part(field).bytes.start] ^= 1;
        dealings[dealer - 1] =
            Dealt::from_bytes(session, dealer, &signed(&stage, dealer, &body)).unwrap();
    };
    change(3, crate::pvss::Field::RandomnessResponses);
    change(4, crate::pvss::Field::Evaluations);
    let verdicts = verify_all(session, &dealings);
    assert!(verdicts[0].is_ok() && verdicts[1].is_ok());
    let equation = |verdict: &Result<_, Error>| match verdict {
        Err(Error::Refused { equation, .. }) => Some(*equation),
        _ => None,
    };
    assert_eq!(equation(&verdicts[2]), Some(Equation::Correlation));
    assert_eq!(equation(&verdicts[3]), Some(Equation::Range));
    assert_eq!(verdicts[2].clone().unwrap_err(), verify(session, &dealings[2]).unwrap_err());
    assert_ne!(Fr::ONE, Fr::ZERO);
}
