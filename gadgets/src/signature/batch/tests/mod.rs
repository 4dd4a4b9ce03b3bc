//! Batches and keys in circuit, with witnesses that only a prover of bad will would write.

use ff::Field;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;

use super::HASH_WIDTH;
use crate::signature::{
    embedded::{AssignedPoint, EmbeddedScheme, RawPoint},
    instructions::{AssignedClaim, AssignedSigner},
};
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::{
    edwards::{Member, TableSource, Wanted},
    Forged, GateContext,
};
use muster_schemes::hash::poseidon;
use muster_schemes::{
    curve::edwards::{torsion_point, AffinePoint, Point, Scalar},
    signature::{
        eddsa::Eddsa,
        musig::{coefficients, Musig, CHALLENGE_DOMAIN, KEY_DOMAIN, LIST_DOMAIN},
        schnorr::{Schnorr, SecretKey},
        RawSignature, SignatureScheme,
    },
};

mod forged;

fn secret(number: u64) -> SecretKey {
    SecretKey::new(Scalar::from(1_000 + number)).expect("not zero")
}

fn raw(point: impl Into<Point>) -> RawPoint {
    let point = point.into().to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// A signature by the aggregate of the first two keys over `root`.
fn aggregate_signature(root: Fr, message: Fr) -> RawSignature {
    let keys = [0, 1].map(secret);
    let list = coefficients(&root, &keys.each_ref().map(|key| key.public_key().x()));
    let sum: Scalar = keys.iter().zip(list).map(|(key, a)| a * key.scalar()).sum();
    let key = raw(muster_schemes::curve::edwards::mul_generator(&sum));
    let nonce = Scalar::from(77_777);
    let RawPoint { x, y } = raw(muster_schemes::curve::edwards::mul_generator(&nonce));
    let inputs = [x, y, key.x, key.y, message];
    let c = poseidon::hash_with_domain(poseidon::domain(CHALLENGE_DOMAIN), &inputs);
    let s = nonce + Scalar::from_base(&c) * sum;
    RawSignature { x, y, s: s.to_bytes() }
}

/// Two signers of weights 1 and `weight`, whose aggregate signed.
fn musig(weight: Fr, signature: RawSignature) -> TestCircuit {
    musig_under(Fr::from(0xabc), weight, signature)
}

/// The same for a set with another root.
fn musig_under(root: Fr, weight: Fr, signature: RawSignature) -> TestCircuit {
    let message = Fr::from(0xdef);
    TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx| {
        let [key_set_root, message] = [root, message].map(|value| ctx.load_witness(value));
        let claim = AssignedClaim { key_set_root, message };
        let signers: Vec<_> = [Fr::ONE, weight]
            .into_iter()
            .enumerate()
            .map(|(i, weight)| {
                let point = raw(secret(i as u64).public_key());
                let public_key = AssignedPoint::new(ctx, 0, &point);
                AssignedSigner { public_key, weight: ctx.load_witness(weight) }
            })
            .collect();
        Musig::assert_all(ctx, &claim, &signers, &[signature]);
    })
}

/// A slot whose weight is 0 while its key is in the sum: every other cell is that of a run in which the
/// weight was not 0, and the weight occurs nowhere but in the test for zero.
#[test]
fn the_key_of_a_slot_without_weight_is_masked() {
    let signature = aggregate_signature(Fr::from(0xabc), Fr::from(0xdef));
    let weight = Fr::from(0x5eed);
    let mut used = musig(weight, signature);
    assert!(used.is_satisfied());
    assert!(!musig(Fr::ZERO, signature).is_satisfied(), "the key is not in the sum");
    let forged = used.replace(&[(weight, Fr::ZERO)]);
    assert_eq!(forged.len(), 3, "the weight and both of its copies");
    assert!(!used.is_satisfied_with_all(forged));
    // With another weight that is not 0, nothing changes but the inverse.
    let other = weight.double();
    let inverse = |weight: Fr| weight.invert().expect("not zero");
    let changes = [(weight, other), (inverse(weight), inverse(other))];
    let forged = used.replace(&changes);
    assert_eq!(forged.len(), 4);
    assert!(used.is_satisfied_with_all(forged));
}

/// The coefficients of another root, everywhere but in the hash: each cell that the hash gives an
/// element in is bound to where the element is taken apart.
#[test]
fn coefficients_are_those_that_were_hashed() {
    let message = Fr::from(0xdef);
    let [mut circuit, other] = [0xabc, 0xabd].map(|root| {
        let root = Fr::from(root);
        musig_under(root, Fr::from(3), aggregate_signature(root, message))
    });
    assert!(circuit.is_satisfied() && other.is_satisfied());
    // The Poseidon gate has three columns of inputs and three of fourth powers behind the six
    // of the Edwards gate. Two signers: one element, lane 0 of the hash that stretches the list.
    let poseidon = 6..12;
    let elements: Vec<_> = circuit
        .advice()
        .iter()
        .zip(other.advice())
        .enumerate()
        .filter(|(column, _)| !poseidon.contains(column))
        .flat_map(|(column, (own, others))| {
            let differ = |(row, (a, b)): (usize, (&Fr, Fr))| {
                (*a != b).then_some(Forged { column, row, value: b })
            };
            own.iter().zip(others).enumerate().filter_map(differ).collect::<Vec<_>>()
        })
        .collect();
    let element = stretched(Fr::from(0xabc));
    let advice = circuit.advice();
    let homes: Vec<_> = poseidon
        .flat_map(|column| {
            advice[column].iter().enumerate().map(move |(row, cell)| ((column, row), cell))
        })
        .filter(|(_, cell)| **cell == element)
        .map(|(place, _)| place)
        .collect();
    assert_eq!(homes.len(), 1, "the element is given once");
    assert!(circuit.broken_copies(elements).contains(&homes[0]));
}

/// The element that both coefficients of the first two keys are taken from.
fn stretched(root: Fr) -> Fr {
    let x = [0, 1].map(|i| secret(i).public_key().x());
    let padding = AffinePoint::generator().x();
    let inputs = [root, x[0], x[1], padding, padding];
    let link = poseidon::hash_with_domain(poseidon::domain(LIST_DOMAIN), &inputs);
    poseidon::stretch(poseidon::domain(KEY_DOMAIN), link, HASH_WIDTH, 1)[0]
}

fn table(ctx: &mut GateContext, q: (Fr, Fr)) -> RawPoint {
    let table = ctx.chips.edwards.table(ctx, 0, &TableSource::EighthOf { q });
    RawPoint { x: *table.x.value(), y: *table.y.value() }
}

/// Whether the eighth `q` of a key is accepted, and the key.
fn accepts(q: RawPoint) -> (bool, RawPoint) {
    let mut key = q;
    let circuit = TestCircuit::new(layout(9, &[]), |ctx| {
        key = table(ctx, (q.x, q.y));
    });
    (circuit.is_satisfied(), key)
}

#[test]
fn eighths_of_keys() {
    let key = secret(0).public_key();
    let eighth = key.to_affine().divide_by_cofactor();
    assert_eq!(accepts(raw(eighth)), (true, raw(key)));
    // Torsion in the eighth vanishes from the key: there are eight witnesses for each key.
    let mut torsion = Point::from(torsion_point());
    for _ in 0..3 {
        assert_eq!(accepts(raw(Point::from(eighth) + torsion)), (true, raw(key)));
        // Of a point of small order the key is the identity.
        assert!(!accepts(raw(torsion.to_affine())).0);
        torsion = torsion.double();
    }
    assert!(torsion.is_identity());
    assert!(!accepts(raw(AffinePoint::identity())).0);
    for (x, y) in [
        (Fr::ZERO, Fr::ZERO),
        (Fr::ONE, Fr::ONE),
        (eighth.x() + Fr::ONE, eighth.y()),
        (eighth.x(), eighth.y() + Fr::ONE),
        (eighth.y(), eighth.x()),
    ] {
        assert!(!accepts(RawPoint { x, y }).0);
    }
}

/// A point that is no eighfold multiple, written over the key with all rows of its table: what the rows
/// from the eighth to the key say is then broken, and nothing else.
#[test]
fn a_table_of_a_point_outside_the_subgroup() {
    let key = Point::from(secret(0).public_key());
    for torsion in [Point::from(torsion_point()), Point::from(torsion_point()).double().double()] {
        let bad = raw(key + torsion);
        let build = |q: RawPoint, known: bool| {
            TestCircuit::new(layout(9, &[]), move |ctx| {
                if known {
                    // The rows of the eighth are left out; two tables stand in for them.
                    let x = ctx.load_witness(q.x);
                    let y = ctx.load_witness(q.y);
                    let [x, y] = [x, y].map(halo2_base::QuantumCell::Existing);
                    ctx.chips.edwards.table_perhaps_identity(0, &TableSource::Unchecked { x, y });
                } else {
                    ctx.chips
                        .edwards
                        .table_perhaps_identity(0, &TableSource::EighthOf { q: (q.x, q.y) });
                }
            })
        };
        let eighth = raw(key.to_affine().divide_by_cofactor());
        let mut honest = build(eighth, false);
        let table = build(bad, true);
        assert!(honest.is_satisfied() && table.is_satisfied());
        let (to, from) = (honest.advice(), table.advice());
        let forged: Vec<_> = (0..6)
            .flat_map(|column| (3..12).map(move |row| (column, row)))
            .filter(|&(column, row)| to[column][row] != from[column][row - 3])
            .map(|(column, row)| Forged { column, row, value: from[column][row - 3] })
            .collect();
        assert!(forged.len() > 16);
        assert!(!honest.is_satisfied_with_all(forged));
    }
}

/// Without a bound on its offset a member's row can look into the table of a point; [`EdwardsChip::look_up`]
/// has the bound.
///
/// [`EdwardsChip::look_up`]: muster_gates::edwards::EdwardsChip::look_up
#[test]
fn an_offset_that_points_at_a_table() {
    let member_base = Fr::from(1 << 32);
    let build = |offset: Fr, bounded: bool| {
        TestCircuit::new(layout(10, &[]), |ctx| {
            let point = AssignedPoint::new(ctx, 0, &raw(secret(0).public_key()));
            let entry = [point.x(), point.y()].map(halo2_base::QuantumCell::Existing);
            ctx.chips.edwards.set(0, &[entry.into()]);
            let (x, weight) = (point.x(), *point.y().value());
            if bounded {
                let wanted = Wanted { index: offset, x, weight };
                ctx.chips.edwards.look_up(ctx, 16, &[vec![wanted]]);
            } else {
                ctx.chips.edwards.look_up_unbounded(0, &[Member { slot: 0, offset, x, weight }]);
            }
        })
        .is_satisfied()
    };
    assert!(build(Fr::ZERO, true));
    // The table of the point has the key 1, and its first entry is the point.
    let key = Fr::ONE - member_base;
    assert!(build(key, false), "declared: the rows alone do not bound the offset");
    assert!(!build(key, true));
}

/// The names of the schemes' challenges keep them apart.
#[test]
fn a_challenge_of_another_scheme_is_refused() {
    let message = Fr::from(3);
    let verify = |signature: RawSignature| {
        TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx| {
            let weight = ctx.load_constant(Fr::ONE);
            let claim = AssignedClaim { key_set_root: weight, message: ctx.load_witness(message) };
            let signers: Vec<_> = (0..2)
                .map(|_| {
                    let generator = RawPoint::generator();
                    let public_key = AssignedPoint::new(ctx, 0, &generator);
                    AssignedSigner { public_key, weight }
                })
                .collect();
            let good = Schnorr::padding_signature(&message);
            Schnorr::assert_all(ctx, &claim, &signers, &[good, signature]);
        })
        .is_satisfied()
    };
    assert!(verify(Schnorr::padding_signature(&message)));
    assert!(!verify(Eddsa::padding_signature(&message)));
    assert!(!verify(Musig::padding_signature(&message)));
    let other = Schnorr::public_key(&secret(1));
    let RawPoint { x, y } = raw(other);
    assert!(!verify(RawSignature { x, y, ..Schnorr::padding_signature(&message) }));
}
