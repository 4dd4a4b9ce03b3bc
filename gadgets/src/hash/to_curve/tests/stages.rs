//! Whole hashes against their native twins, stage by stage.

use halo2curves::{ff::Field, CurveAffine};

use super::*;
use muster_gates::{foreign::AssignedLimbs, Forged};
use muster_schemes::field::ExtensionField;
use muster_schemes::hash::to_curve::{bn254::find_point, Bls12381G1, Bls12381G2, Bn254G1, Stages};

fn values<const D: usize>(parts: &[AssignedLimbs; D]) -> Vec<BigUint> {
    parts.iter().map(|part| part.value().clone()).collect()
}

fn agrees<S: MapInstructions<D>, const D: usize>(k: u32, texts: &[&str]) {
    let hash = HashToCurve::<S, D>::default();
    let layout = room(k, &hash.all());
    let name = format!("QUUX-V01-CS02-with-{}", S::NAME);
    let tag = tag(&name);
    let is_point = |[x, y]: &AssignedPoint<D>, expected: &S::Point| {
        let expected = expected.coordinates().expect("not the identity");
        assert_eq!(values(x), expected.x().integers());
        assert_eq!(values(y), expected.y().integers());
    };
    for text in texts {
        let stages = Stages::<S>::new(text.as_bytes(), &tag);
        let test = TestCircuit::new(layout.clone(), |ctx| {
            let message = message(ctx, text.as_bytes());
            let found = hash.hash(ctx, &message, &tag);
            for i in 0..2 {
                assert_eq!(values(&found.elements()[i]), stages.elements[i].integers());
                is_point(&found.mapped()[i], &stages.mapped[i]);
            }
            is_point(found.point(), &stages.point);
        });
        test.assert_satisfied();
    }
}

#[test]
fn bls12381_g1() {
    agrees::<Bls12381G1, 1>(14, &["abc", "abcdef0123456789"]);
}

#[test]
fn bls12381_g2() {
    agrees::<Bls12381G2, 2>(15, &["abc", "abcdef0123456789"]);
}

#[test]
fn bn254() {
    agrees::<Bn254G1, 1>(14, &["", "abc", "abcdef0123456789"]);
}

/// The last of so many candidates is found, and one candidate less has no witness.
#[test]
fn points_of_contracts() {
    let candidates = 4;
    let search = PointSearch::new(candidates);
    let layout = room(13, &search.all());
    let mut found = [false; 5];
    for number in 0u8..40 {
        let digest = muster_schemes::hash::sha256::sha256(&[number]);
        let (point, passed) = find_point(&digest);
        if std::mem::replace(&mut found[passed.min(candidates)], true) {
            continue;
        }
        let test = TestCircuit::new(layout.clone(), |ctx| {
            let halves = ctx.assign_witnesses(halves(&digest));
            let found = search.find(ctx, [halves[0], halves[1]]);
            let [x, y] = found.point();
            if passed < candidates {
                assert_eq!(values(x), point.x.integers());
                assert_eq!(values(y), point.y.integers());
            }
        });
        assert_eq!(test.is_satisfied(), passed < candidates, "{passed} are passed over");
    }
    assert_eq!(found, [true; 5]);
}

/// A digest whose first half is `3 + more·2^128`, and the row of that half.
fn searched(more: u64, low: u64) -> (TestCircuit, usize) {
    let search = PointSearch::new(4);
    let high = Fr::from(1 << 32).pow_vartime([4]) * Fr::from(more) + Fr::from(3);
    let mut row = 0;
    let test = TestCircuit::new(room(13, &search.all()), |ctx| {
        row = ctx.advice.len();
        let halves = [high, Fr::from(low)].map(|half| ctx.load_witness(half));
        search.find(ctx, halves);
    });
    (test, row)
}

/// A first half that is too long is refused by its range alone: the number would be reduced like any other.
#[test]
fn digests_are_short() {
    let holds = |low: &u64| searched(0, *low).0.is_satisfied();
    let low = (0..9).find(holds).expect("half of all numbers have a point");
    for more in 1..5 {
        let is_range = |low: u64| searched(more, low).0.fails_range_checks_alone(vec![]);
        assert!((0..9).any(is_range), "{more}");
    }
    // Another one in its place, of which no point is made.
    let (mut test, row) = searched(0, low);
    let column = test.vertical().start;
    assert_eq!(test.failing(vec![Forged { column, row, value: Fr::from(4) }]), ["copy"]);
}
