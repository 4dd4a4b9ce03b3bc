//! Mistakes that others made, each with a dealer that makes use of it.

use ff::Field as _;
use group::{Curve, Group};

use super::{
    encodings::signed,
    support::{rng, search, Stage},
};
use crate::{
    pairing_curve::{multiply_g1, Fr, G1Projective},
    pvss::{
        deal,
        deal::prove,
        equations::{hold, Factors, Prepared},
        field::Field,
        range::{quotient_holds, AtPoint},
        rounds::Challenges,
        verify,
        verify::prepare,
        witness::{Statement, Witness},
        Dealt, Equation, Error, Session, Subtranscript, Variant,
    },
};

fn refused(session: &Session, bytes: &[u8]) -> Equation {
    let dealt = Dealt::from_bytes(session, 2, bytes).unwrap();
    match verify(session, &dealt).unwrap_err() {
        Error::Refused { equation, .. } => equation,
        error => panic!("{error}"),
    }
}

fn put(body: &mut [u8], session: &Session, field: Field, place: usize, bytes: &[u8]) {
    let start = session.layout.part(field).bytes.start + place * bytes.len();
    body[start..start + bytes.len()].copy_from_slice(bytes);
}

/// The published order of steps draws μ before ζ and the evaluations. A dealer that knows μ fits v and v_h
/// to both final equations, whatever its chunks are (aptos-core #19135).
#[test]
fn evaluations_fitted_to_known_factors() {
    for variant in Variant::ALL {
        let stage = Stage::of(variant, 16);
        let session = &stage.session;
        let mut witness = Witness::draw(session, &Fr::from(3), &mut rng(1));
        witness.chunks[0] += 1 << 16;
        let statement = Statement::new(session, &witness);
        let bad = prove(session, 2, &stage.keys[1], &statement, &witness, &mut rng(2)).unwrap();
        let drawn = Challenges::replay(session, bad.dealer(), bad.parts());
        let at = AtPoint::new(&session.parameters().transform, &drawn.zeta).unwrap();
        let holds =
            |values: &[Fr]| quotient_holds(&at, &drawn.zeta, &drawn.beta, &drawn.betas, values);
        let mut values = bad.parts().scalars(Field::Evaluations).to_vec();
        assert!(!holds(&values));
        // μv + μ_h v_h stays what it is, and v_h (ζ^M − 1) = (βv + c)(ζ − 1): two unknowns.
        let (mu, mu_h) = (drawn.mus[0], drawn.mus[1]);
        let opened = mu * values[0] + mu_h * values[1];
        let factor = drawn.zeta - Fr::ONE;
        let residue = |value: Fr, quotient: Fr| {
            // The identity is linear in (v, v_h): its value by three evaluations of it.
            let bits = &values[2..];
            let sum = bits.iter().rev().fold(Fr::ZERO, |sum, bit| sum.double() + bit);
            let products = bits.iter().zip(&drawn.betas).map(|(v, b)| *b * v * (*v - Fr::ONE));
            let right = drawn.beta * (value - sum) + products.sum::<Fr>();
            quotient * at.vanishing - right * factor
        };
        // Along (v + s, v_h − s μ/μ_h) the opening does not change.
        let slope = -(mu * mu_h.invert().unwrap());
        let here = residue(values[0], values[1]);
        let next = residue(values[0] + Fr::ONE, values[1] + slope);
        let step = -here * (next - here).invert().unwrap();
        values[0] += step;
        values[1] += step * slope;
        assert!(holds(&values));
        assert_eq!(mu * values[0] + mu_h * values[1], opened);
        // Both equations hold for the factors that were known before. Here the evaluations are absorbed
        // first, and the factors are others.
        let body = session.layout.length;
        let mut bytes = bad.as_bytes()[..body].to_vec();
        for (place, value) in values.iter().enumerate() {
            let value = crate::pairing_curve::scalar_bytes(value);
            put(&mut bytes, session, Field::Evaluations, place, &value);
        }
        let forged = Dealt::from_bytes(session, 2, &signed(&stage, 2, &bytes)).unwrap();
        assert_ne!(Challenges::replay(session, forged.dealer(), forged.parts()).mus, drawn.mus);
        let equation = refused(session, forged.as_bytes());
        let failed = super::slow::failures(session, &forged);
        assert!(failed.contains(&equation) && failed.contains(&Equation::Opening));
    }
}

/// Moves the second part of the opening and the answer for Δ so that their errors cancel: `ratio` is the
/// masks' factor over the opening's.
fn cancelling(stage: &Stage, good: &Dealt, ratio: Fr) -> Dealt {
    let session = &stage.session;
    let mut body = good.as_bytes()[..session.layout.length].to_vec();
    let answer = good.parts().scalars(Field::MasksResponses)[1] - Fr::ONE;
    let answer = crate::pairing_curve::scalar_bytes(&answer);
    put(&mut body, session, Field::MasksResponses, 1, &answer);
    let moved = multiply_g1(&G1Projective::generator(), &ratio);
    let opening = (moved + good.parts().g1(Field::Opening)[1]).to_affine();
    put(&mut body, session, Field::Opening, 1, &opening.to_compressed());
    Dealt::from_bytes(session, 2, &signed(stage, 2, &body)).unwrap()
}

fn holds_with(session: &Session, prepared: &Prepared<'_>, factors: &Factors) -> bool {
    hold(session, &[(prepared, factors.clone())])
}

/// Products of pairings of several checks multiplied without factors (#19296).
#[test]
fn errors_of_two_equations_that_cancel() {
    let stage = Stage::of(Variant::Compact, 32);
    let session = &stage.session;
    let good = deal(session, 2, &stage.keys[1], &Fr::from(5), &mut rng(9)).unwrap();
    let forged = cancelling(&stage, &good, Fr::ONE);
    let prepared = prepare(session, &forged).unwrap();
    assert!(holds_with(session, &prepared, &prepared.factors.ones()));
    assert_eq!(refused(session, forged.as_bytes()), Equation::Masks);
}

/// Factors that do not depend on the answers (#19711, of the same team's other proof).
#[test]
fn errors_fitted_to_factors() {
    let stage = Stage::of(Variant::Compact, 32);
    let session = &stage.session;
    let good = deal(session, 2, &stage.keys[1], &Fr::from(5), &mut rng(9)).unwrap();
    let known = prepare(session, &good).unwrap().factors;
    let ratio = known.of(Equation::Masks)[0] * known.of(Equation::Opening)[0].invert().unwrap();
    let forged = cancelling(&stage, &good, ratio);
    let prepared = prepare(session, &forged).unwrap();
    assert!(holds_with(session, &prepared, &known));
    assert_eq!(refused(session, forged.as_bytes()), Equation::Masks);
}

/// A proof has no room for a challenge (#18755), nor for answers of another number (#19587): every byte
/// belongs to one part, whose number of elements follows from the session.
#[test]
fn every_byte_belongs_to_a_part() {
    for variant in Variant::ALL {
        let stage = Stage::of(variant, 32);
        let layout = &stage.session.layout;
        let mut end = 0;
        for part in &layout.parts {
            assert_eq!(part.bytes.start, end);
            assert_eq!(part.bytes.len(), part.elements.len() * part.field.kind().bytes());
            end = part.bytes.end;
        }
        assert_eq!(end, layout.length);
        let shape = stage.session.shape();
        let count = |field| layout.part(field).elements.len();
        let published = variant != Variant::Compact;
        assert_eq!(count(Field::ChunkResponses), if published { shape.total_chunks() } else { 0 });
        assert_eq!(count(Field::RandomnessResponses), 8 * 3);
        assert_eq!(count(Field::Evaluations), 34);
        // Nothing before the challenges depends on a part that comes after.
        let dealt = deal(&stage.session, 2, &stage.keys[1], &Fr::from(5), &mut rng(4)).unwrap();
        assert_eq!(dealt.parts().bytes_of(Field::Bits).len(), 32 * 48);
    }
}

/// One too many in the degree of the dual polynomial refuses every honest sharing.
#[test]
fn the_dual_polynomial_of_one_degree_more() {
    let stage = Stage::of(Variant::Compact, 32);
    let shape = stage.session.shape();
    let witness = Witness::draw(&stage.session, &Fr::from(5), &mut rng(4));
    let values: Vec<Fr> =
        std::iter::once(*witness.secret).chain(witness.shares.iter().copied()).collect();
    let passes = |coefficients: usize| {
        let mut rng = rng(8);
        let q: Vec<Fr> = (0..coefficients).map(|_| Fr::random(&mut rng)).collect();
        let weights =
            crate::pvss::low_degree::weights(&stage.session.points, &stage.session.dual, &q);
        weights.iter().zip(&values).map(|(w, v)| *w * v).sum::<Fr>() == Fr::ZERO
    };
    // t = threshold − 1, and W − t coefficients have the degree W − t − 1.
    let right = crate::pvss::low_degree::coefficients(shape);
    assert_eq!(right, shape.shares() - (shape.threshold() - 1));
    assert!(passes(right) && passes(right - 1));
    assert!(!passes(right + 1));
}

/// Every (W, t) up to 16: honest sharings pass, and one degree more never does.
#[test]
fn low_degree_tests_of_every_size() {
    use crate::pvss::{low_degree, Shape};
    let keys = super::support::keys(1).1;
    for shares in 1..=16u32 {
        for threshold in 1..=shares as usize {
            let shape = Shape::new(Variant::Compact, 32, threshold, &[shares]).unwrap();
            let parameters = super::support::parameters(shape.domain());
            let session = Session::new(shape, &keys, parameters, 0, b"").unwrap();
            let mut rng = rng(u64::from(shares) * 100 + threshold as u64);
            for degree in [threshold - 1, threshold] {
                let f: Vec<Fr> = (0..=degree).map(|_| Fr::random(&mut rng)).collect();
                let at = |x: Fr| f.iter().rev().fold(Fr::ZERO, |sum, c| sum * x + c);
                let roots = &session.points.roots()[..shares as usize];
                let values = std::iter::once(Fr::ZERO).chain(roots.iter().copied()).map(at);
                let count = low_degree::coefficients(session.shape());
                let q: Vec<Fr> = (0..count).map(|_| Fr::random(&mut rng)).collect();
                let weights = low_degree::weights(&session.points, &session.dual, &q);
                let sum: Fr = weights.iter().zip(values).map(|(w, v)| *w * v).sum();
                assert_eq!(sum == Fr::ZERO, degree < threshold, "{shares} {threshold} {degree}");
            }
        }
    }
}

/// Bounds forgot the number of dealings (#18299, #18611), or were 32 bits wide (#18077).
#[test]
fn bounds_of_sums() {
    use crate::pvss::dlog::Range;
    let radix = 1u64 << 32;
    for (dealings, bound) in [(1, 1 << 32), (2, 1 << 33), (166, 166 << 32)] {
        assert_eq!(Range::new(radix, radix, dealings).bound(), bound);
    }
    // And two dealings whose chunks carry into each other decrypt.
    let stage = Stage::of(Variant::Compact, 8);
    let session = &stage.session;
    let secrets = [-Fr::ONE, -Fr::from(2)];
    let dealings: Vec<_> = (1..=2)
        .map(|dealer| {
            let keys = &stage.keys[dealer - 1];
            let dealt = deal(session, dealer, keys, &secrets[dealer - 1], &mut rng(4)).unwrap();
            verify(session, &dealt).unwrap()
        })
        .collect();
    let sum = Subtranscript::sum(&dealings).unwrap();
    assert_eq!(sum.dealings(), 2);
    let mut shares = vec![];
    for player in [1, 4] {
        let keys = &stage.keys[player - 1];
        shares.extend(crate::pvss::decrypt(session, &sum, player, keys, search()).unwrap());
    }
    let found = crate::pvss::reconstruct(session, &sum, &shares).unwrap();
    assert_eq!(*found, secrets[0] + secrets[1]);
}
