//! Steps of translations, each by itself: to a key in the subgroup, to the bytes of a number, to what is counted, and to a root.

use std::collections::HashMap;

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::PrimeField},
    utils::{biguint_to_fe, fe_to_biguint, modulus},
    AssignedValue,
    QuantumCell::{Constant, Existing},
};
use muster_forgery::{
    forger::Place,
    testing::{assert_is, layout, TestCircuit, Walk, SHA256_GATE},
};
use muster_gates::{chain, power_of_two, small::Bit, vertical, Forged, GateContext, Layout};
use muster_schemes::{
    curve::edwards::{Scalar, SubgroupPoint},
    hash::sha256::sha256,
    membership::{commitment::SemaphoreGroup, PublicKey},
};
use num_bigint::BigUint;

use super::{
    assert_counted, assert_distinct, assert_first,
    semaphore::{assert_bytes, key_of_eighth, node as node_of_group},
    tree::{node_of_hints, rfc6962_node, root},
    AssignedPlace, AssignedTranslation, CommitmentInstructions,
};

mod authorities;
mod cometbft;
mod lists;

/// A key of Baby Jubjub, and the bytes that a circuit is filled from.
fn sample() -> (SubgroupPoint, Vec<u8>) {
    let key = SubgroupPoint::mul_generator(&Scalar::from(1_234_567)).expect("not zero");
    (key, SemaphoreGroup::key(&PublicKey::from(key)).expect("a key of EdDSA"))
}

/// The circuit of a key, and the key. Before it stands another one: a circuit comes to each line a first and a second time.
fn key_of(bytes: &[u8]) -> (TestCircuit, [Fr; 2]) {
    keys_of([&sample().1, bytes])
}

/// The circuit of two keys, and the second one.
fn keys_of(keys: [&[u8]; 2]) -> (TestCircuit, [Fr; 2]) {
    let mut found = [Fr::zero(); 2];
    let circuit = TestCircuit::new(layout(9, &[]), |ctx| {
        for bytes in keys {
            let key = key_of_eighth(ctx, bytes);
            found = key.map(|coordinate: AssignedValue<Fr>| *coordinate.value());
        }
    });
    (circuit, found)
}

#[test]
fn an_eighth_shows_its_key() {
    let (key, bytes) = sample();
    let (circuit, found) = key_of(&bytes);
    circuit.assert_satisfied();
    assert_eq!(found, [key.x(), key.y()]);
    // An empty place has the identity.
    let (circuit, found) = key_of(&vec![0; bytes.len()]);
    circuit.assert_satisfied();
    assert_eq!(found, [Fr::zero(), Fr::one()]);
}

/// The square of a coordinate, a product, a double, a constant: whatever is another number, with all that follows.
#[test]
fn every_step_to_a_key_is_bound() {
    let (circuit, _) = key_of(&sample().1);
    let Walk { sums, copies } = circuit.walk_from_everywhere([]);
    assert!(sums >= 30 && copies >= 40, "{sums} sums, {copies} copies");
}

/// Points off the curve, of which the multiples are computed all the same.
#[test]
fn points_off_the_curve_are_refused_by_its_equation_alone() {
    let (_, bytes) = sample();
    for place in [0, 32] {
        let mut other = bytes.clone();
        other[place] ^= 1;
        for keys in [[&bytes[..], &other], [&other, &bytes]] {
            let (circuit, _) = keys_of(keys);
            circuit.walk([]);
        }
    }
}

/// Both children of a node, and that no domain stands before them.
#[test]
fn nodes_of_groups_hash_their_children() {
    let mut circuit = TestCircuit::new(layout(9, &[3]), |ctx| {
        for children in [[7, 20], [50, 4]] {
            let [left, right] = children.map(|child| [ctx.load_witness(Fr::from(child))]);
            node_of_group(ctx, [&left, &right]);
        }
    });
    circuit.assert_satisfied();
    circuit.assert_states_are_bound(0..2, &[0, 1, 2]);
}

/// The circuit of a number and its bytes, in halves.
fn bytes_of(element: Fr, halves: [Fr; 2]) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |ctx| {
        let numbers = ctx.assign_witnesses([element, halves[0], halves[1]]);
        let [element, high, low] = numbers.try_into().expect("three of them");
        assert_bytes(ctx, element, &[high, low]);
    })
}

/// Halves that are no 16 bytes, but add up to the number modulo the prime.
#[test]
fn a_number_has_one_pair_of_halves() {
    let half = BigUint::from(1u8) << 128;
    let number = |value: &BigUint| biguint_to_fe::<Fr>(value);
    let element = sample().0.x();
    let value = fe_to_biguint(&element);
    let [high, low] = [number(&(&value / &half)), number(&(&value % &half))];
    let own = bytes_of(element, [high, low]);
    own.assert_satisfied();
    let Walk { sums, copies } = own.walk_from_everywhere([0, 1, 2]);
    assert!(sums >= 1 && copies >= 4, "{sums} sums, {copies} copies");
    // The prime added: the first half is too large.
    let more = &value + modulus::<Fr>();
    // The last half is negative, or has more than 128 bits.
    let shift = power_of_two(128);
    // The first half is negative: so much of the prime is taken away that the last one fits.
    let room = (modulus::<Fr>() - &value) / &half + 1u8;
    for halves in [
        [number(&(&more / &half)), number(&(&more % &half))],
        [high + Fr::one(), low - shift],
        [high - Fr::one(), low + shift],
        [-number(&room), element + number(&room) * shift],
    ] {
        assert_eq!(halves[0] * shift + halves[1], element);
        let failing = bytes_of(element, halves).failing(vec![]);
        assert_eq!(
            failing,
            ["range: limb is below 2^b"],
            "{:?}",
            halves.map(|half| half.to_repr())
        );
    }
    // What is checked is another half, which would do.
    let half_and = |halves: [Fr; 2]| bytes_of(halves[0] * shift + halves[1], halves);
    for (check, lie) in [(0, [-number(&room), low]), (1, [high, low + shift])] {
        let mut circuit = half_and(lie);
        let range = circuit.vertical().start - 1;
        let (own, others) = (circuit.advice()[range].clone(), own.advice()[range].clone());
        // Limbs of a byte.
        let rows = 16;
        let written = (rows * check..rows * (check + 1)).filter(|row| own[*row] != others[*row]);
        let forged = written.map(|row| Forged { column: range, row, value: others[row] });
        let forged: Vec<_> = forged.collect();
        assert_eq!(circuit.failing(forged), ["copy"], "{check}");
    }
    // And halves of another number.
    let one = Fr::one();
    for (element, halves) in
        [(element + one, [high, low]), (element, [high + one, low]), (element, [high, low + one])]
    {
        bytes_of(element, halves).walk([0, 1, 2]);
    }
}

/// Bits, the first of which are 1.
fn bits(ctx: &mut GateContext, count: usize, places: usize) -> Vec<Bit> {
    let bit = |place| {
        let bit = ctx.load_witness(Fr::from(u64::from(place < count)));
        Bit::checked(ctx, bit)
    };
    (0..places).map(bit).collect()
}

/// The number of members and the total, each one more than they are, of as many as the circuits of other tests have.
#[test]
fn members_and_weights_are_counted() {
    const COUNT: usize = 13;
    let weights: [Fr; COUNT] = std::array::from_fn(|place| Fr::from(5 + 7 * place as u64));
    let total: Fr = weights.iter().sum();
    let circuit = |more: [u64; 2]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let [more_members, more_weight] = more.map(Fr::from);
            let claims = [Fr::from(COUNT as u64) + more_members, total + more_weight];
            let claims = claims.map(|number| ctx.load_witness(number));
            let used = bits(ctx, COUNT, COUNT);
            let weights = ctx.assign_witnesses(weights);
            // Weights are what leaves hold.
            for weight in &weights {
                assert_is(ctx, weight, *weight.value());
            }
            let [members, total_weight] = claims;
            let other = members;
            let claim = AssignedTranslation {
                key_set_root: other,
                commitment: [other, other],
                members,
                total_weight,
            };
            assert_counted(ctx, &claim, used.into_iter().zip(weights));
        })
    };
    circuit([0, 0]).assert_satisfied();
    for more in [[1, 0], [0, 1]] {
        let Walk { sums, copies } = circuit(more).walk([0, 1]);
        assert!(sums >= COUNT && copies > COUNT, "{sums} sums, {copies} copies");
    }
}

/// A place that is used behind one that is not, at each step from one to the next.
#[test]
fn used_places_are_the_first_ones() {
    let circuit = |used: [u64; 4]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let bits = used.map(|used| {
                let bit = ctx.load_witness(Fr::from(used));
                assert_is(ctx, &bit, Fr::from(used));
                Bit::checked(ctx, bit)
            });
            assert_first(ctx, &bits);
        })
    };
    for used in [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]] {
        circuit(used).assert_satisfied();
    }
    for used in [[0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 1]] {
        circuit(used).walk([]);
    }
}

/// A name twice, in each pair of places, and in a place that is not used what stands for it.
#[test]
fn names_in_used_places_are_distinct() {
    let circuit = |names: [Fr; 4]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let place = |name: Fr| {
                let cell = ctx.load_witness(name);
                assert_is(ctx, &cell, name);
                let used = Bit::is_not_zero(ctx, cell);
                AssignedPlace { name: cell, weight: used.cell(), used }
            };
            let places = names.map(place);
            assert_distinct(ctx, &places);
        })
    };
    let names = [7, 20, 50, 4].map(Fr::from);
    let [_, _, _, last] = names;
    circuit(names).assert_satisfied();
    circuit([names[0], names[1], Fr::zero(), Fr::zero()]).assert_satisfied();
    for first in 0..names.len() {
        for second in first + 1..names.len() {
            let mut twice = names;
            twice[second] = names[first];
            circuit(twice).walk([]);
        }
    }
    // The fourth place, if nobody is there.
    circuit([names[0], -Fr::from(4), last, Fr::zero()]).walk([]);
}

/// `3·left + right`, in place of a hash: walks go through it.
fn node(
    ctx: &mut GateContext,
    [[left], [right]]: [&[AssignedValue<Fr>; 1]; 2],
) -> [AssignedValue<Fr>; 1] {
    let three = (Constant(Fr::from(3)), Existing(*left));
    [chain::sum(ctx, Existing(*right), &[three])]
}

/// The same over leaves, split at the greatest power of two below their number, as RFC 6962 has it.
fn root_of(leaves: &[u64]) -> u64 {
    if let [leaf] = leaves {
        return *leaf;
    }
    let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
    3 * root_of(left) + root_of(right)
}

const LEAVES: [u64; 5] = [100, 1_001, 10_007, 100_003, 1_000_009];

/// Trees over one to five leaves of two to five, and another root of each. A walk goes no further down than the last step before a root, since
/// the children of a node are read more than once: that step is another one in each of these trees.
#[test]
fn a_root_is_that_of_the_leaves_that_are_there() {
    let sizes =
        (2..=LEAVES.len()).flat_map(|places| (1..=places).map(move |count| (places, count)));
    for (places, count) in sizes {
        let circuit = |more: u64| {
            TestCircuit::new(layout(9, &[]), |ctx| {
                let leaves = ctx.assign_witnesses(LEAVES[..places].iter().copied().map(Fr::from));
                let used = bits(ctx, count, places);
                for (place, bit) in used.iter().enumerate() {
                    assert_is(ctx, &bit.cell(), Fr::from(u64::from(place < count)));
                }
                let leaves = leaves.into_iter().map(|leaf| [leaf]).collect();
                let [found] = root(ctx, leaves, &used, node);
                assert_is(ctx, &found, Fr::from(root_of(&LEAVES[..count]) + more));
            })
        };
        circuit(0).assert_satisfied();
        let Walk { sums, copies } = circuit(1).walk(0..places);
        assert!(sums >= 1 && copies >= 3, "{count} of {places}: {sums} sums, {copies} copies");
    }
}

fn node_layout() -> Layout {
    Layout { sha256: Some(SHA256_GATE), constant_rows: 400, ..layout(12, &[]) }
}

/// A node over two hashes, in halves, which is said to be that over others. Before it stand so many that are over these others.
fn node_over(halves: [u128; 4], others: [u128; 4], before: usize) -> TestCircuit {
    let bytes = others.iter().flat_map(|half| half.to_be_bytes());
    let digest = sha256(&[1].into_iter().chain(bytes).collect::<Vec<_>>());
    TestCircuit::new(node_layout(), |ctx| {
        let mut nodes = vec![others; before];
        nodes.push(halves);
        let nodes: Vec<_> =
            nodes.iter().map(|halves| ctx.assign_witnesses(halves.map(Fr::from_u128))).collect();
        for halves in nodes {
            let (left, right) = halves.split_at(2);
            let children = [left, right].map(|child| child.try_into().expect("two halves"));
            let found = rfc6962_node(ctx, children);
            for (found, half) in found.iter().zip(digest.chunks(16)) {
                let half = u128::from_be_bytes(half.try_into().expect("16 bytes"));
                assert_is(ctx, found, Fr::from_u128(half));
            }
        }
    })
}

/// Children of which one half is not what is hashed: each step between the two refuses alone.
#[test]
fn a_node_hashes_the_halves_of_its_children() {
    let own = [0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10u128, 1 << 127, 0, u128::MAX];
    let last = own.len() - 1;
    // A circuit comes to what ends a message once for each node.
    for (half, before) in (0..=last).map(|half| (half, 0)).chain([(last, 1)]) {
        // In the first bytes, in the last one, and in both.
        for change in [1 << 64, 1, (1 << 64) + 1] {
            let mut other = own;
            other[half] ^= change;
            let (lie, truth) = (node_over(own, other, before), node_over(other, other, before));
            truth.assert_satisfied();
            let rows = rows_of(&lie, &truth);
            let claims = 0..own.len() * (before + 1);
            let Walk { sums, copies } =
                lie.walk_across(&truth, claims, |place| rows.get(&place).copied());
            assert!(sums >= 2 && copies >= 2, "{half}: {sums} sums, {copies} copies");
        }
    }
}

/// A last byte above 255, for which the next rest makes up: halves other than those that are hashed lead to the same digest, and only the range of that
/// byte refuses them.
#[test]
fn last_bytes_of_halves_are_bytes() {
    let number = |value: &[u8]| biguint_to_fe::<Fr>(&BigUint::from_bytes_be(value));
    let hashed = [0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10u128, 5, 1 << 127, u128::MAX];
    // What SHA-256 takes: the prefix and the bytes, 16 in each.
    let bytes = [1].into_iter().chain(hashed.iter().flat_map(|half| half.to_be_bytes()));
    let bytes: Vec<u8> = bytes.collect();
    for (place, lie, refused) in [(0, 15, false), (0, 300, true), (1, 300, true), (2, 300, true)] {
        let mut lasts = [0x10, 5, 0, 0xff].map(Fr::from);
        lasts[place] = Fr::from(lie);
        let mut before = Fr::one();
        let cuts = bytes.chunks(16).zip(lasts).map(|(taken, last)| {
            let rest = number(taken) - before * power_of_two(120);
            before = last;
            (rest * Fr::from(256) + last, [rest, last])
        });
        let cuts: Vec<_> = cuts.collect();
        let mut circuit = TestCircuit::new(node_layout(), |ctx| {
            let cuts: Vec<_> =
                cuts.iter().map(|(half, hint)| (ctx.load_witness(*half), *hint)).collect();
            let found = node_of_hints(ctx, [[cuts[0], cuts[1]], [cuts[2], cuts[3]]]);
            for (found, half) in found.iter().zip(sha256(&bytes).chunks(16)) {
                assert_is(ctx, found, number(half));
            }
        });
        let expected: &[&str] = if refused { &["range: limb is below 2^b"] } else { &[] };
        assert_eq!(circuit.failing(vec![]), expected, "{place}: {lie}");
    }
}

/// With which row of the vertical column a cell goes that is bound to none: limbs with what is checked, which stands above them, and all of
/// the hash with the first that it reads and that the two do not share.
fn rows_of(lie: &TestCircuit, truth: &TestCircuit) -> HashMap<Place, usize> {
    let (forger, vertical) = (lie.forger(), lie.vertical().start);
    let (own, others) = (lie.advice(), truth.advice());
    let mut rows = HashMap::new();
    let bound = |place: Place| {
        let bound = forger.bound_to(place).into_iter();
        bound.filter(|one| one.0 == vertical).map(|one| one.1).min()
    };
    let range = vertical - 1;
    let mut checked = None;
    for place in (0..own[range].len()).map(|row| (range, row)) {
        checked = bound(place).or(checked);
        rows.extend(checked.map(|row| (place, row)));
    }
    let columns = 0..SHA256_GATE.columns();
    let places = columns.flat_map(|column| (0..own[column].len()).map(move |row| (column, row)));
    let places: Vec<_> = places.collect();
    let read = |place: &Place| {
        let limb = forger.bound_to(*place).into_iter().filter_map(|one| rows.get(&one).copied());
        bound(*place).or(limb.min())
    };
    let differ = |place: &&Place| own[place.0][place.1] != others[place.0][place.1];
    let first = places.iter().filter(differ).filter_map(read).min();
    let of_hash: Vec<_> =
        places.iter().filter_map(|place| Some((*place, read(place).or(first)?))).collect();
    rows.extend(of_hash);
    rows
}
