//! Steps of lists of Aptos and Sui: which places are used, what is hashed of their members, and what is taken out of the sum of their keys.

use muster_gates::foreign::ForeignLayout;
use muster_schemes::{
    membership::commitment::ConstantKey,
    signature::bls::{member::key::parts, MinPkPopBls12381},
};

use super::{
    super::{
        points::{assert_nobody, elements, equations},
        validator_list::{
            assert_held, assert_parts, constant, cut, halves as halves_of_list, of_count, of_used,
            power, used, Bytes,
        },
    },
    *,
};
use crate::signature::bls::member::assign_entry;

/// Where another number is asked for, each part of the sum refuses alone: all bits are 1, so all of them count.
#[test]
fn a_number_goes_with_how_many_members_there_are() {
    // As many places as the circuits of other tests have.
    const PLACES: usize = 13;
    let numbers: [_; PLACES + 1] =
        std::array::from_fn(|i| Fr::from([7, 20, 50, 4][i % 4] + 100 * i as u64));
    // The same twice, with another number asked for in one of them.
    let circuit = |count: usize, more: [u64; 2]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let used = bits(ctx, count, PLACES);
            for more in more {
                let found = of_count(ctx, &used, &numbers);
                assert_is(ctx, &found, numbers[count] + Fr::from(more));
            }
        })
    };
    for count in 0..=PLACES {
        circuit(count, [0, 0]).assert_satisfied();
    }
    for more in [[1, 0], [0, 1]] {
        let Walk { sums, copies } = circuit(PLACES, more).walk([]);
        assert!(sums >= PLACES && copies > PLACES, "{sums} sums, {copies} copies");
    }
}

/// What says whether a place is used is 0 or 1, even if those behind it are as they may be.
#[test]
fn whether_a_place_is_used_is_a_bit() {
    let circuit = |hints: [u64; 3]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            for (bit, hint) in used(ctx, &hints).iter().zip(hints) {
                assert_is(ctx, &bit.cell(), Fr::from(hint));
            }
        })
    };
    circuit([1, 1, 0]).assert_satisfied();
    for lie in [[2, 0, 0], [1, 2, 0]] {
        circuit(lie).walk([]);
    }
}

/// Halves of a place that is used, and of one that is not.
#[test]
fn nothing_is_hashed_of_places_that_are_not_used() {
    let halves = [7, 20].map(Fr::from);
    let circuit = |places: [(u64, [Fr; 2]); 2]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            for (is_used, said) in places {
                let bit = bits(ctx, is_used as usize, 1)[0];
                assert_is(ctx, &bit.cell(), Fr::from(is_used));
                let halves = ctx.assign_witnesses(halves);
                halves.iter().for_each(|half| assert_is(ctx, half, *half.value()));
                for (half, said) in of_used(ctx, bit, &halves).iter().zip(said) {
                    assert_is(ctx, half, said);
                }
            }
        })
    };
    let (own, empty) = ((1, halves), (0, [Fr::zero(); 2]));
    let one = Fr::one();
    for truth in [[own, empty], [empty, own]] {
        circuit(truth).assert_satisfied();
        for (place, half) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mut lie = truth;
            lie[place].1[half] += one;
            circuit(lie).walk([]);
        }
    }
}

/// Bytes of a power, and what a half is cut into, of which the other makes up for what is too large.
#[test]
fn bytes_and_parts_of_halves_are_in_their_ranges() {
    // No byte or half is another one.
    const UPPER: u64 = 0x4040_4040_4040_4040;
    const LOWER: u64 = 0x8080_8080_8080_8080;
    let hints = [0x2122_2324_2526_2728u64, 0x3132_3334_3536_3738];
    let mut test = TestCircuit::new(layout(9, &[]), |ctx| {
        for hint in hints {
            let weight = ctx.load_witness(Fr::from(hint));
            power(ctx, hint, weight);
            let half = u128::from(hint + UPPER) << 64 | u128::from(hint + LOWER);
            let half = ctx.load_witness(Fr::from_u128(half));
            cut(ctx, half);
        }
    });
    test.assert_satisfied();
    let (forger, range) = (test.forger(), test.vertical().start - 1);
    let cells = test.advice()[range].clone();
    let checked = hints.iter().flat_map(|hint| {
        let bytes = hint.to_be_bytes().map(|byte| (u64::from(byte), 8));
        let halves = [hint + UPPER, hint + LOWER].map(|half| (half, 64));
        bytes.into_iter().chain(halves)
    });
    for (value, bits) in checked {
        let value = Fr::from(value);
        let row = cells.iter().position(|cell| *cell == value).expect("it is checked");
        let bound = forger.bound_to((range, row));
        let large = value + power_of_two(bits);
        let starts: Vec<_> = bound.iter().map(|cell| (*cell, large)).collect();
        let failing = test.failing(forger.rewrite(&starts));
        assert_eq!(failing, ["range: limb is below 2^b"], "{value:?}");
    }
}

type Suite = MinPkPopBls12381;

fn layout_of_points() -> Layout {
    let native = modulus::<Fr>();
    Layout {
        foreign: vec![ForeignLayout::new(&native, 8, 2, &equations::<Suite>())],
        range_columns: 2,
        ..layout(12, &[])
    }
}

/// The generator with a bit of a coordinate changed, so that one part of what a leaf would hold is another: each part in its turn.
fn others() -> Vec<ConstantKey<Suite>> {
    let own = ConstantKey::<Suite>::generator();
    let with = |number: usize, bit: u64| {
        let mut other = own.clone();
        let is_set = other.coordinates[number].bit(bit);
        other.coordinates[number].set_bit(bit, !is_set);
        other.parts = parts::<Suite>(&other.coordinates);
        other
    };
    let all = (0..2).flat_map(|number| (0..380).map(move |bit| (number, bit)));
    let all: Vec<_> = all.map(|(number, bit)| with(number, bit)).collect();
    let one_differs = |at: usize| {
        let found = all.iter().find(|other| {
            (0..own.parts.len()).all(|i| (other.parts[i] != own.parts[i]) == (i == at))
        });
        found.expect("a bit of this part").clone()
    };
    (0..own.parts.len()).map(one_differs).collect()
}

/// A point that is no constant, of which one part is another.
#[test]
fn each_part_of_a_point_that_is_known_is_a_constant() {
    let own = ConstantKey::<Suite>::generator();
    let mut test = TestCircuit::new(layout_of_points(), |ctx| {
        constant::<Suite>(ctx, &own);
    });
    test.assert_satisfied();
    for (part, other) in others().iter().enumerate() {
        let forged = test.written_by(|ctx| {
            constant::<Suite>(ctx, other);
        });
        assert_eq!(test.failing(forged), ["copy"], "{part}");
    }
}

/// A point of which one part is not as expected.
#[test]
fn each_part_of_a_point_is_what_is_expected() {
    let own = ConstantKey::<Suite>::generator();
    let circuit = |lie: Option<usize>| {
        TestCircuit::new(layout_of_points(), |ctx| {
            let point = elements::<Suite>(ctx.chips, &own.coordinates);
            let mut parts = ctx.assign_witnesses(own.parts.iter().copied());
            if let Some(part) = lie {
                parts[part] = ctx.load_witness(own.parts[part] + Fr::one());
            }
            assert_parts::<Suite>(ctx, &point, &parts);
        })
    };
    circuit(None).assert_satisfied();
    for part in 0..own.parts.len() {
        assert_eq!(circuit(Some(part)).failing(vec![]), ["copy"], "{part}");
    }
}

/// What a leaf holds, and what a member's entry has: another element in either, where a place is used and where not.
#[test]
fn elements_are_those_of_the_leaf() {
    let unused = Fr::from(77);
    let circuit = |places: [(u64, Fr, Fr); 2]| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let claims = places.map(|(_, element, held)| ctx.assign_witnesses([element, held]));
            for ((used, ..), claims) in places.iter().zip(&claims) {
                let bit = bits(ctx, *used as usize, 1)[0];
                assert_is(ctx, &bit.cell(), Fr::from(*used));
                assert_held(ctx, bit, [&claims[0], &claims[1]], &unused);
            }
        })
    };
    let (one, own) = (Fr::one(), Fr::from(5));
    let (used, empty) = ((1, own, own), (0, unused, -one));
    for truth in [[used, empty], [empty, used]] {
        circuit(truth).assert_satisfied();
    }
    for (truth, lies) in [
        (used, vec![(1, own, own + one), (1, own, -one)]),
        (empty, vec![(0, unused, own), (0, unused, unused), (0, own, -one)]),
    ] {
        for lie in lies {
            for places in [[lie, truth], [truth, lie]] {
                circuit(places).walk(0..4);
            }
        }
    }
}

/// A weight whose bytes are all others, and what is hashed of it.
#[test]
fn powers_are_the_bytes_of_weights() {
    let hint = 0x0102_0304_0506_0708u64;
    // The lie is in the first of two visits, or in the second.
    let circuit = |more: [u64; 2], first: bool| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            for is_first in [true, false] {
                let more = if is_first == first { more } else { [0, 0] }.map(Fr::from);
                let weight = ctx.load_witness(Fr::from(hint) + more[0]);
                let bytes = ctx.load_witness(Fr::from(hint.swap_bytes()) + more[1]);
                assert_is(ctx, &weight, *weight.value());
                assert_is(ctx, &bytes, *bytes.value());
                let found = power(ctx, hint, weight);
                vertical::assert_equal(ctx, &found, &bytes);
            }
        })
    };
    for first in [true, false] {
        circuit([0, 0], first).assert_satisfied();
        for more in [[1, 0], [0, 1], [1 << 16, 0], [0, 1 << 56]] {
            circuit(more, first).walk([]);
        }
    }
}

/// Five members, of whom each first one of two ends amid a half: each half of what is hashed, and each of what it is made of.
#[test]
fn lists_are_hashed_in_halves() {
    const KEY: usize = 3;
    let members: Vec<(Vec<u128>, u64)> = (0..5u64)
        .map(|member| {
            let half = |half: usize| u128::from(1_000 * member + 7) << (8 * half) | 1 << 127;
            ((0..KEY).map(half).collect(), 0x0102_0304_0506_0708 + member)
        })
        .collect();
    let bytes = members.iter().flat_map(|(key, power)| {
        key.iter()
            .flat_map(|half| half.to_be_bytes())
            .chain(power.to_be_bytes())
            .collect::<Vec<_>>()
    });
    let mut bytes: Vec<u8> = bytes.collect();
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    let expected: Vec<Fr> = bytes
        .chunks(16)
        .map(|half| Fr::from_u128(u128::from_be_bytes(half.try_into().expect("16 bytes"))))
        .collect();
    let circuit = |lie: Option<usize>| {
        TestCircuit::new(layout(9, &[]), |ctx| {
            let list: Vec<_> = (members.iter())
                .map(|(key, power)| Bytes {
                    key: ctx.assign_witnesses(key.iter().copied().map(Fr::from_u128)),
                    power: ctx.load_witness(Fr::from(*power)),
                })
                .collect();
            for cell in list.iter().flat_map(|one| one.key.iter().chain([&one.power])) {
                assert_is(ctx, cell, *cell.value());
            }
            let found = halves_of_list(ctx, &list);
            assert_eq!(found.len(), expected.len());
            for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let more = Fr::from(u64::from(lie == Some(place)));
                assert_is(ctx, found, *expected + more);
            }
        })
    };
    circuit(None).assert_satisfied();
    for half in 0..expected.len() {
        circuit(Some(half)).walk([]);
    }
}

/// Elements that nobody has, all of which are another number.
#[test]
fn nobody_is_a_constant() {
    let other = Fr::from(5);
    let mut test = TestCircuit::new(layout(9, &[]), |ctx| {
        let elements = ctx.assign_witnesses([-Fr::one(); 4]);
        assert_nobody(ctx, &[elements]);
    });
    test.assert_satisfied();
    let forged = test.replace(&[(-Fr::one(), other)]);
    assert_eq!(test.failing(forged), ["loaded"]);
}

/// Two points, of which the first or the second has a weight that is too large.
#[test]
fn weights_of_keys_pass_as_amounts() {
    let circuit = |weights: [u64; 2]| {
        TestCircuit::new(layout_of_points(), |ctx| {
            for weight in weights {
                let own = ConstantKey::<Suite>::generator();
                let point = elements::<Suite>(ctx.chips, &own.coordinates);
                assign_entry::<Suite>(ctx, &point, weight);
            }
        })
    };
    circuit([7, 20]).assert_satisfied();
    for weights in [[1 << 62, 20], [7, 1 << 62]] {
        assert_eq!(circuit(weights).failing(vec![]), ["range: limb is below 2^b"], "{weights:?}");
    }
}
