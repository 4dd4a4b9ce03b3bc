//! An aggregate key that is the identity, and a list of keys that is another one.

use super::*;
use crate::{
    curve::edwards::{mul_generator, Scalar},
    gate::{
        poseidon::rows_each,
        testing::{layout, TestCircuit},
    },
};

fn times_generator(scalar: u64) -> RawPoint {
    let point = mul_generator(&Scalar::from(scalar)).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// Two signers of these keys and weights, and one signature.
fn circuit(keys: [RawPoint; 2], weight: u64, signature: RawSignature) -> TestCircuit {
    TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx, chips| {
        let [key_set_root, message] = [5, 6].map(|value| ctx.load_witness(Fr::from(value)));
        let claim = AssignedClaim { key_set_root, message };
        let signers = keys.map(|key| AssignedSigner {
            public_key: AssignedPoint::new(ctx, chips, LANE, &key),
            weight: ctx.load_witness(Fr::from(weight)),
        });
        Musig::assert_all(ctx, chips, &claim, &signers, &[signature]);
    })
}

/// Where nobody signs, every term of the aggregate key is taken out again, and `s·B = R + c·0` is anybody's
/// signature of anything. The inverse of the first coordinate alone refuses it.
#[test]
fn an_aggregate_of_nobody_is_refused() {
    let nonce = Scalar::from(4_321);
    let RawPoint { x, y } = times_generator(4_321);
    let signature = RawSignature { x, y, s: nonce.to_bytes() };
    let generator = RawPoint::generator();
    let mut nobody = circuit([generator; 2], 0, signature);
    assert_eq!(nobody.failing(vec![]), ["1 column a + b * c = out"]);
    assert_eq!(nobody.count_failures(), 1);
    // Neither does anything else than what binds the coordinate to its inverse.
    let walk = nobody.walk([]);
    assert_eq!((walk.sums, walk.copies), (1, 2));
}

/// Any scalar of the generator, for a bit of the surplus that is none: everything that sums the surplus up is bound.
#[test]
fn the_surplus_of_unused_slots_is_bound() {
    const SIGNERS: u64 = 14;
    let test = TestCircuit::new(layout(10, &[]), |ctx, chips| {
        let unused = ctx.assign_witnesses((0..SIGNERS).map(|_| Fr::one()));
        let coefficients = ctx.assign_witnesses((0..SIGNERS).map(|i| Fr::from(1_001 + 2 * i)));
        let generator = AssignedPoint::generator(ctx, chips, LANE);
        let table = &generator.table;
        let term = LongTerm { table, scalar: LongScalar::new(&BigInt::from(77)) };
        let short = [3, 5].map(|v| ShortTerm { table, scalar: ShortScalar::new(v) });
        let product = chips.edwards.multiply(LANE, &[term], &short);
        assert_surplus(ctx, chips, &unused, &coefficients, &product.long[0]);
    });
    let walk = test.walk(0..2 * SIGNERS as usize);
    assert!(walk.sums >= 17 && walk.copies >= 2 * SIGNERS as usize, "{walk:?}");
}

/// Every lane of the hash of the list: its tag, the root, the keys, and what fills the block up.
#[test]
fn every_lane_of_the_list_is_bound() {
    let mut test = TestCircuit::new(layout(10, &[HASH_WIDTH]), |ctx, chips| {
        let root = ctx.load_witness(Fr::from(77));
        let weight = ctx.load_witness(Fr::from(3));
        // A block of four, and one of two.
        let signers = [11, 13, 15, 17, 19, 21].map(|secret| {
            let key = times_generator(secret);
            let public_key = AssignedPoint::new(ctx, chips, LANE, &key);
            AssignedSigner { public_key, weight }
        });
        let unused = unused_slots(ctx, chips, &signers);
        list(ctx, chips, root, &signers, &unused);
    });
    test.assert_satisfied();
    let forger = test.forger();
    let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
    // Three columns of inputs stand behind the six of the Edwards gate.
    for (block, lane) in (0..2).flat_map(|block| (0..HASH_WIDTH).map(move |lane| (block, lane))) {
        let place = (6 + lane % 3, block * rows + lane / 3);
        let value = forger.value(place) + Fr::one();
        let what = format!("block {block}, lane {lane}");
        test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
    }
}

/// Every lane of what is stretched to coefficients: its tag, the link, the number of the block, and zeros.
#[test]
fn every_lane_of_the_coefficients_is_bound() {
    let mut test = TestCircuit::new(layout(9, &[HASH_WIDTH]), |ctx, chips| {
        let link = ctx.load_witness(Fr::from(77));
        stretch(chips, Existing(link), 11);
    });
    test.assert_satisfied();
    let forger = test.forger();
    let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
    for (block, lane) in (0..3).flat_map(|block| (0..HASH_WIDTH).map(move |lane| (block, lane))) {
        let place = (6 + lane % 3, block * rows + lane / 3);
        let value = forger.value(place) + Fr::from(5);
        let what = format!("block {block}, lane {lane}");
        test.assert_only_copies_refuse(&forger, &what, &[(place, value)]);
    }
}

/// Each cell of the vertical gate is rewritten, with all that follows from it.
#[test]
fn a_list_is_determined() {
    let test = TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx, chips| {
        let root = ctx.load_witness(Fr::from(77));
        let weight = ctx.load_witness(Fr::from(3));
        let signers = [11, 13, 17].map(|secret| {
            let key = times_generator(secret);
            let public_key = AssignedPoint::new(ctx, chips, LANE, &key);
            AssignedSigner { public_key, weight }
        });
        let unused = unused_slots(ctx, chips, &signers);
        let link = list(ctx, chips, root, &signers, &unused);
        stretch(chips, link, 11);
    });
    test.assert_satisfied();
    // Inverses of weights, which nothing binds here: another one is that of another weight. The keys of the list are
    // bound by the Edwards gate.
    let inverse = Fr::from(3).invert().expect("not zero");
    assert_eq!(test.open_values(), (vec![inverse; 3], 3));
}

/// The same of three blocks, with slots that are not in use.
#[test]
fn a_list_of_several_blocks_is_determined() {
    // Besides: keys and links, which the gates of Baby Jubjub and of Poseidon bind.
    for (used, passed_on) in [(10, [11, 18]), (7, [7, 15])] {
        let mut inputs = vec![];
        let test = TestCircuit::new(layout(12, &[HASH_WIDTH]), |ctx, chips| {
            inputs.push(ctx.advice.len());
            let root = ctx.load_witness(Fr::from(77));
            let signers: Vec<_> = (0..10)
                .map(|slot| {
                    let (secret, weight) = if slot < used { (11 + 2 * slot, 3) } else { (1, 0) };
                    let key = times_generator(secret);
                    let public_key = AssignedPoint::new(ctx, chips, LANE, &key);
                    inputs.push(ctx.advice.len());
                    AssignedSigner { public_key, weight: ctx.load_witness(Fr::from(weight)) }
                })
                .collect();
            let unused = unused_slots(ctx, chips, &signers);
            list(ctx, chips, root, &signers, &unused);
        });
        test.assert_satisfied();
        // Inverses of 0.
        let inverses = vec![Fr::one(); 10 - used as usize];
        let open = (test.open_values_given(inputs.clone()), test.open_classes_given(inputs));
        let [cells, classes] = passed_on;
        assert_eq!(open, ((inverses, cells), (vec![], classes)), "{used}");
    }
}
