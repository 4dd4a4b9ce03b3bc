//! Steps from a validator's key to its name and to what is hashed of it.

use halo2_base::QuantumCell;
use muster_schemes::{hash::sha256::native::INITIAL, signature::ed25519::SecretKey};

use super::{
    super::cometbft::{hashed, is_small_order, Key, SMALL_ORDER},
    *,
};
use crate::hash::padding::big_endian;

/// 32 bytes, one behind them, whether it is one of secp256k1 and one of BLS12-381, and of the latter a hash value, and five bytes.
type Hint = [u8; 72];

/// Bytes of which each is another, of a key of Ed25519, of one of secp256k1 and of one of BLS12-381.
fn hints() -> [Hint; 3] {
    [0, 1, 2].map(|key_type: u8| {
        let mut hint = [0; 72];
        for (byte, number) in hint[..33].iter_mut().zip(50..) {
            *byte = number + 50 * key_type;
        }
        hint[32] *= u8::from(key_type == 1);
        hint[33..35].copy_from_slice(&[1, 2].map(|other| u8::from(key_type == other)));
        if key_type == 2 {
            hint[35..].copy_from_slice(&std::array::from_fn::<u8, 37, _>(|i| 3 * i as u8 + 7));
        }
        hint
    })
}

/// Keys of these bytes, with what is said of the last byte and of the type.
fn keys(hints: [Hint; 2]) -> TestCircuit {
    TestCircuit::new(layout(11, &[]), |ctx| {
        for hint in hints {
            let key = Key::new(ctx, &hint);
            let number = u64::from(hint[33]) + 2 * u64::from(hint[34]);
            assert_is(ctx, &key.last, Fr::from(u64::from(hint[32])));
            assert_is(ctx, &key.is_longer.cell(), Fr::from(u64::from(hint[33])));
            assert_is(ctx, &key.number, Fr::from(number));
            let Existing(bits) = key.start.bits else { unreachable!("a sum") };
            assert_is(ctx, &bits, Fr::from(512 * u64::from(hint[34])));
        }
    })
}

#[test]
fn bytes_of_keys_are_bytes() {
    let [short, long, _] = hints();
    for [first, second] in [[short, long], [long, short]] {
        let mut test = keys([first, second]);
        test.assert_satisfied();
        for byte in first[..32].iter().chain(&second[..32]).map(|byte| u64::from(*byte)) {
            let forged = test.replace(&[(Fr::from(byte), Fr::from(byte + 256))]);
            assert_eq!(test.failing(forged), ["range: limb is below 2^b"], "{byte}");
        }
    }
}

/// Types are bits, of which one at the most is 1, and there is nothing behind a key but of secp256k1: in the first of two keys, and in the second.
#[test]
fn the_type_is_a_bit_and_says_how_long_a_key_is() {
    let [short, long, bls] = hints();
    let with = |own: Hint, last: u8, types: [u8; 2]| {
        let mut hint = own;
        hint[32..35].copy_from_slice(&[last, types[0], types[1]]);
        hint
    };
    // With any number but 1 the beginning of a leaf is the known one.
    let mut twice = with(short, 0, [0, 2]);
    let initial = INITIAL.map(u32::to_be_bytes);
    twice[35..].copy_from_slice(&[initial.as_flattened(), &[0, 0x0a, 34, 0x0a, 32]].concat());
    for lie in [
        with(short, 0, [2, 0]),
        twice,
        with(short, 5, [0, 0]),
        with(bls, 5, [0, 1]),
        with(bls, 0, [1, 1]),
    ] {
        for hints in [[lie, long], [long, lie]] {
            keys(hints).walk([]);
        }
    }
}

/// What stands before a key and the hash value that a leaf goes on from, of keys of each type.
fn beginnings(hints: [Hint; 2], lie: Option<(usize, usize)>) -> TestCircuit {
    TestCircuit::new(layout(11, &[]), |ctx| {
        for (number, hint) in hints.iter().enumerate() {
            let key = Key::new(ctx, hint);
            let bits = [hint[33], hint[34]].map(u64::from);
            assert_is(ctx, &key.is_longer.cell(), Fr::from(bits[0]));
            assert_is(ctx, &key.last, Fr::from(u64::from(hint[32])));
            let cell = |cell: QuantumCell<Fr>| match cell {
                Existing(cell) => cell,
                _ => unreachable!("all are cells"),
            };
            let state = key.start.state.iter().map(|word| cell(word.cell()));
            let more = [key.before, cell(key.start.bits), key.number, key.rest];
            let all: Vec<_> = state.chain(more).collect();
            let known = if hint[34] == 1 {
                let words = hint[35..67].chunks(4).chain([&hint[67..]]);
                words.map(big_endian).chain([Fr::from(512)]).collect::<Vec<_>>()
            } else {
                let before =
                    if hint[33] == 1 { [0, 0x0a, 35, 0x12, 33] } else { [0, 0x0a, 34, 0x0a, 32] };
                let words = INITIAL.map(|word| Fr::from(u64::from(word)));
                [&words[..], &[big_endian(&before), Fr::zero()]].concat()
            };
            let words = hint[35..59].chunks(4).rev();
            let first: Vec<_> = words.flatten().chain(&hint[67..]).copied().collect();
            let rest = if hint[34] == 1 { &first } else { &hint[32..33] };
            let rest = big_endian(rest);
            let known = known.into_iter().chain([Fr::from(bits[0] + 2 * bits[1]), rest]);
            for (part, (cell, known)) in all.iter().zip(known).enumerate() {
                let more = u64::from(lie == Some((number, part)));
                assert_is(ctx, cell, known + Fr::from(more));
            }
        }
    })
}

/// What a leaf begins with is known, but of a key of BLS12-381, where it is what the prover says.
#[test]
fn leaves_begin_as_their_types_say() {
    let [short, long, bls] = hints();
    for hints in [[short, bls], [bls, short], [long, bls], [bls, long]] {
        beginnings(hints, None).assert_satisfied();
        // How much is hashed before, the number of the type, and what is in the name besides.
        for (number, part) in
            [0, 1].into_iter().flat_map(|number| [9, 10, 11].map(|part| (number, part)))
        {
            let Walk { sums, copies } = beginnings(hints, Some((number, part))).walk([]);
            assert!(sums > 0 && copies > 0, "{number}, {part}: {sums} sums, {copies} copies");
        }
    }
    for hints in [[short, long], [long, short]] {
        let Walk { sums, copies } = keys(hints).walk_from_everywhere([]);
        assert!(sums > 18 && copies > 18, "{sums} sums, {copies} copies");
    }
}

/// Words of 32 bits, and five bytes: with more the rest of what is hashed could make up for it.
#[test]
fn what_the_prover_says_is_in_its_range() {
    let [short, _, bls] = hints();
    for hints in [[short, bls], [bls, short]] {
        let mut test = TestCircuit::new(layout(11, &[]), |ctx| {
            for hint in hints {
                Key::new(ctx, &hint);
            }
        });
        test.assert_satisfied();
        let words = bls[35..67].chunks(4).map(|word| (big_endian(word), 32));
        for (value, bits) in words.chain([(big_endian(&bls[67..]), 40)]) {
            let (forger, range) = (test.forger(), test.vertical().start - 1);
            let row = test.advice()[range].iter().position(|cell| *cell == value);
            let bound = forger.bound_to((range, row.expect("it is checked")));
            let large = value + power_of_two(bits);
            let starts: Vec<_> = bound.iter().map(|cell| (*cell, large)).collect();
            let failing = test.failing(forger.rewrite(&starts));
            assert_eq!(failing, ["range: limb is below 2^b"], "{value:?}");
            // What is checked is another number.
            let elsewhere = starts.into_iter().filter(|(cell, _)| cell.0 != range);
            let failing = test.failing(forger.rewrite(&elsewhere.collect::<Vec<_>>()));
            assert_eq!(failing, ["copy"], "{value:?}");
        }
    }
}

/// Each of what a name is the hash of, and that it begins with the domain of names.
#[test]
fn names_are_those_of_the_key() {
    let mut circuit = TestCircuit::new(layout(11, &[6]), |ctx| {
        for hint in hints() {
            let key = Key::new(ctx, &hint);
            key.name(ctx);
        }
    });
    circuit.assert_satisfied();
    circuit.assert_states_are_bound(0..3, &[0, 1, 2, 3, 4, 5]);
}

/// Halves of 32 bytes, as little-endian integers.
fn halves_of(bytes: &[u8; 32]) -> [u128; 2] {
    let (low, high) = bytes.split_at(16);
    [high, low].map(|half| u128::from_le_bytes(half.try_into().expect("16 bytes")))
}

/// Whether keys of these halves are of small order, with what is said of it.
fn orders(keys: [([u128; 2], u64); 2]) -> TestCircuit {
    TestCircuit::new(layout(11, &[]), |ctx| {
        for (halves, said) in keys {
            let [high, low] = halves.map(|half| {
                let cell = ctx.load_witness(Fr::from_u128(half));
                assert_is(ctx, &cell, *cell.value());
                cell
            });
            let found = is_small_order(ctx, high, low);
            assert_is(ctx, &found, Fr::from(said));
        }
    })
}

/// A point of each of the upper halves, with each sign, that is said to be none of small order, and others that are said to be one.
#[test]
fn points_of_small_order_are_told_from_others() {
    let own = SecretKey::from_seed(&[7; 32]).public_key();
    let own = halves_of(&own.to_bytes());
    let truth = (own, 0);
    let lies = SMALL_ORDER.iter().flat_map(|(upper, lowers)| {
        let signs = [*upper, upper | 1 << 127];
        let mut lies: Vec<_> = signs.iter().map(|upper| ([*upper, lowers[0]], 0)).collect();
        lies.push(([*upper, own[1]], 1));
        lies.push(([own[0], lowers[0]], 1));
        lies
    });
    for lie in lies.chain([(own, 1)]) {
        let other = (lie.0, 1 - lie.1);
        orders([other, truth]).assert_satisfied();
        for keys in [[lie, truth], [truth, lie]] {
            let Walk { sums, copies } = orders(keys).walk([]);
            assert!(sums > 3 && copies > 1, "{lie:?}: {sums} sums, {copies} copies");
        }
    }
}

/// What is hashed of a key of each type: every half, and how many bytes they are.
#[test]
fn what_is_hashed_is_of_the_key_and_the_power() {
    let [short, long, bls] = hints();
    let circuit = |hints: [Hint; 2], lie: Option<(usize, usize)>| {
        TestCircuit::new(layout(11, &[]), |ctx| {
            for (number, hint) in hints.iter().enumerate() {
                let key = Key::new(ctx, hint);
                let is_longer = key.is_longer.cell();
                let bytes = key.bytes.iter().chain([&key.last, &is_longer]);
                for (cell, byte) in bytes.zip(hint) {
                    assert_is(ctx, cell, Fr::from(u64::from(*byte)));
                }
                assert_is(ctx, &key.before, *key.before.value());
                let power = [0x1005, 2].map(|number| {
                    let cell = ctx.load_witness(Fr::from(number));
                    assert_is(ctx, &cell, Fr::from(number));
                    cell
                });
                let (halves, length) = hashed(ctx, &key, power);
                for (part, cell) in halves.iter().chain([&length]).enumerate() {
                    let more = u64::from(lie == Some((number, part)));
                    assert_is(ctx, cell, cell.value() + Fr::from(more));
                }
            }
        })
    };
    for hints in [[short, long], [long, bls], [bls, short]] {
        circuit(hints, None).assert_satisfied();
        for (number, part) in (0..2).flat_map(|number| (0..4).map(move |part| (number, part))) {
            let Walk { sums, copies } = circuit(hints, Some((number, part))).walk([]);
            assert!(sums > 1 && copies > 2, "{number}, {part}: {sums} sums, {copies} copies");
        }
    }
}
