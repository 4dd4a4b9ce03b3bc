//! An aggregate key that is the identity, and a list of keys that is another one.

use super::*;
use muster_forgery::testing::{layout, TestCircuit};
use muster_gates::poseidon::rows_each;
use muster_schemes::curve::edwards::{mul_generator, Scalar};

fn times_generator(scalar: u64) -> RawPoint {
    let point = mul_generator(&Scalar::from(scalar)).to_affine();
    RawPoint { x: point.x(), y: point.y() }
}

/// Two signers of these keys and weights, and one signature.
fn circuit(keys: [RawPoint; 2], weight: u64, signature: RawSignature) -> TestCircuit {
    TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx| {
        let [key_set_root, message] = [5, 6].map(|value| ctx.load_witness(Fr::from(value)));
        let claim = AssignedClaim { key_set_root, message };
        let signers = keys.map(|key| AssignedSigner {
            public_key: AssignedPoint::new(ctx, LANE, &key),
            weight: ctx.load_witness(Fr::from(weight)),
        });
        Musig::assert_all(ctx, &claim, &signers, &[signature]);
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
    // A coordinate that has an inverse, where it is inverted alone.
    let cells = nobody.advice().pop().expect("the vertical column");
    let [zero, one] = [Fr::zero(), Fr::one()];
    let row = cells.windows(4).position(|gate| gate == [zero, zero, zero, one]);
    let row = row.expect("0 + 0·0 is to be 1");
    let inverted = [row + 1, row + 2].map(|row| nobody.in_row(row, one));
    assert_eq!(nobody.failing(inverted.to_vec()), ["copy"]);
}

/// Any scalar of the generator, for a bit of the surplus that is none: everything that sums the surplus up is bound.
#[test]
fn the_surplus_of_unused_slots_is_bound() {
    const SIGNERS: u64 = 14;
    let test = TestCircuit::new(layout(10, &[]), |ctx| {
        let unused = ctx.assign_witnesses((0..SIGNERS).map(|_| Fr::one()));
        let coefficients = ctx.assign_witnesses((0..SIGNERS).map(|i| Fr::from(1_001 + 2 * i)));
        let generator = AssignedPoint::generator(ctx, LANE);
        let table = &generator.table;
        let term = LongTerm { table, scalar: LongScalar::new(&BigInt::from(77)) };
        let short = [3, 5].map(|v| ShortTerm { table, scalar: ShortScalar::new(v) });
        let product = ctx.chips.edwards.multiply(LANE, &[term], &short);
        assert_surplus(ctx, &unused, &coefficients, &product.long[0]);
    });
    let walk = test.walk(0..2 * SIGNERS as usize);
    assert!(walk.sums >= 17 && walk.copies >= 2 * SIGNERS as usize, "{walk:?}");
}

/// Signers with these secrets and weights, and the rows of the weights.
fn signers(ctx: &mut GateContext, members: &[(u64, u64)]) -> (Vec<AssignedSigner>, Vec<usize>) {
    let signer = |(secret, weight): &(u64, u64)| {
        let key = times_generator(*secret);
        let public_key = AssignedPoint::new(ctx, LANE, &key);
        let row = ctx.advice.len();
        (AssignedSigner { public_key, weight: ctx.load_witness(Fr::from(*weight)) }, row)
    };
    members.iter().map(signer).unzip()
}

/// Every lane of the hash of the list: its tag, the root, the keys, and what fills the block up; and the link that
/// follows from a block, in the next one.
#[test]
fn every_lane_of_the_list_is_bound() {
    // Blocks of four.
    for count in [6, 8, 10] {
        let members: Vec<_> = (0..count).map(|i| (11 + 2 * i, 3)).collect();
        let mut test = TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx| {
            let root = ctx.load_witness(Fr::from(77));
            let (signers, _) = signers(ctx, &members);
            let unused = unused_slots(ctx, &signers);
            list(ctx, root, &signers, &unused);
        });
        test.assert_satisfied();
        let forger = test.forger();
        let rows = rows_each(HASH_WIDTH, 3).expect("it can be laid out");
        let blocks = members.len().div_ceil(LIST_RATE);
        // Three columns of inputs stand behind the six of the Edwards gate.
        let place = |block: usize, lane: usize| (6 + lane % 3, block * rows + lane / 3);
        for (block, lane) in
            (0..blocks).flat_map(|block| (0..HASH_WIDTH).map(move |lane| (block, lane)))
        {
            let value = forger.value(place(block, lane)) + Fr::one();
            let what = format!("{count} signers, block {block}, lane {lane}");
            test.assert_only_copies_refuse(&forger, &what, &[(place(block, lane), value)]);
        }
        for block in 1..blocks {
            let link = place(block, 1);
            let value = forger.value(link) + Fr::one();
            let starts: Vec<_> =
                forger.bound_to(link).into_iter().map(|place| (place, value)).collect();
            let refused_by = test.failing(forger.rewrite(&starts));
            assert_eq!(refused_by, ["1 column a + b * c = out"], "{count} signers, block {block}");
        }
    }
}

/// Slots in use behind one that is not, and slots that are not in use with a key of their own.
#[test]
fn unused_slots_come_last_and_have_the_generator() {
    let lies: [&[(u64, u64)]; 4] =
        [&[(1, 0), (13, 3)], &[(11, 3), (1, 0), (13, 3)], &[(11, 0), (1, 0)], &[(11, 3), (13, 0)]];
    for members in lies {
        let mut weights = vec![];
        let test = TestCircuit::new(layout(10, &[HASH_WIDTH]), |ctx| {
            let (signers, rows) = signers(ctx, members);
            weights = rows;
            unused_slots(ctx, &signers);
        });
        let walk = test.walk(weights);
        assert!(walk.sums >= 1 && walk.copies >= 3, "{members:?}: {walk:?}");
    }
}

/// A slot that passes for one that is not in use though it has a weight, by an inverse that is none.
#[test]
fn a_slot_with_a_weight_is_in_use() {
    for count in [2, 3] {
        // The last key is the generator's.
        let members: Vec<_> = (1..=count).rev().map(|secret| (secret, 3)).collect();
        let (mut first, mut weights) = (0, vec![]);
        let mut test = TestCircuit::new(layout(10, &[HASH_WIDTH]), |ctx| {
            let (signers, rows) = signers(ctx, &members);
            (first, weights) = (ctx.advice.len(), rows);
            unused_slots(ctx, &signers);
        });
        test.assert_satisfied();
        let column = test.advice().len() - 1;
        let weights: Vec<_> = weights.into_iter().map(|row| (column, row)).collect();
        let forger = test.forger().keep(&weights);
        // `[is zero, w, inverse, 1, 0, w, is zero, 0]` of each slot.
        let place = |cell: usize| (column, first + 8 * (members.len() - 1) + cell);
        let [zero, three] = [0, 3].map(Fr::from);
        let inverse = (place(2), zero);
        assert_eq!(forger.value(place(2)) * three, Fr::one());
        for (starts, refused_by) in [
            (vec![inverse], "1 column a + b * c = out"),
            (vec![inverse, (place(4), -three)], "copy"),
            (vec![inverse, (place(7), three)], "copy"),
        ] {
            assert_eq!(test.failing(forger.rewrite(&starts)), [refused_by], "{count}");
        }
    }
}

/// Every lane of what is stretched to coefficients: its tag, the link, the number of the block, and zeros.
#[test]
fn every_lane_of_the_coefficients_is_bound() {
    let mut test = TestCircuit::new(layout(9, &[HASH_WIDTH]), |ctx| {
        let link = ctx.load_witness(Fr::from(77));
        stretch(ctx.chips, Existing(link), 11);
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
    let test = TestCircuit::new(layout(11, &[HASH_WIDTH]), |ctx| {
        let root = ctx.load_witness(Fr::from(77));
        let weight = ctx.load_witness(Fr::from(3));
        let signers = [11, 13, 17].map(|secret| {
            let key = times_generator(secret);
            let public_key = AssignedPoint::new(ctx, LANE, &key);
            AssignedSigner { public_key, weight }
        });
        let unused = unused_slots(ctx, &signers);
        let link = list(ctx, root, &signers, &unused);
        stretch(ctx.chips, link, 11);
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
        let test = TestCircuit::new(layout(12, &[HASH_WIDTH]), |ctx| {
            inputs.push(ctx.advice.len());
            let root = ctx.load_witness(Fr::from(77));
            let signers: Vec<_> = (0..10)
                .map(|slot| {
                    let (secret, weight) = if slot < used { (11 + 2 * slot, 3) } else { (1, 0) };
                    let key = times_generator(secret);
                    let public_key = AssignedPoint::new(ctx, LANE, &key);
                    inputs.push(ctx.advice.len());
                    AssignedSigner { public_key, weight: ctx.load_witness(Fr::from(weight)) }
                })
                .collect();
            let unused = unused_slots(ctx, &signers);
            list(ctx, root, &signers, &unused);
        });
        test.assert_satisfied();
        // Inverses of 0.
        let inverses = vec![Fr::one(); 10 - used as usize];
        let open = (test.open_values_given(inputs.clone()), test.open_classes_given(inputs));
        let [cells, classes] = passed_on;
        assert_eq!(open, ((inverses, cells), (vec![], classes)), "{used}");
    }
}
