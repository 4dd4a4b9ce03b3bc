//! Steps from a validator's key to its name and to what is hashed of it.

use muster_schemes::signature::ed25519::SecretKey;

use super::{
    super::cometbft::{hashed, is_small_order, Key, SMALL_ORDER},
    *,
};

/// 32 bytes, one behind them, and whether it is one of secp256k1.
type Hint = [u8; 34];

/// Bytes of which each is another, of a key of Ed25519 and of one of secp256k1.
fn hints() -> [Hint; 2] {
    [false, true].map(|is_longer| {
        let mut hint: Hint = std::array::from_fn(|i| 100 + 50 * u8::from(is_longer) + i as u8);
        hint[32] *= u8::from(is_longer);
        hint[33] = is_longer.into();
        hint
    })
}

/// Keys of these bytes, with what is said of the last byte and of the type.
fn keys(hints: [Hint; 2]) -> TestCircuit {
    TestCircuit::new(layout(9, &[]), |ctx, chips| {
        for hint in hints {
            let key = Key::new(ctx, chips, &hint);
            assert_is(ctx, &key.last, Fr::from(u64::from(hint[32])));
            assert_is(ctx, &key.is_longer.cell(), Fr::from(u64::from(hint[33])));
        }
    })
}

#[test]
fn bytes_of_keys_are_bytes() {
    let hints = hints();
    let [short, long] = hints;
    for [first, second] in [[short, long], [long, short]] {
        let mut test = keys([first, second]);
        test.assert_satisfied();
        for byte in first[..32].iter().chain(&second[..32]).map(|byte| u64::from(*byte)) {
            let forged = test.replace(&[(Fr::from(byte), Fr::from(byte + 256))]);
            assert_eq!(test.failing(forged), ["range: limb is below 2^b"], "{byte}");
        }
    }
}

/// The type is a bit, and there is nothing behind a key of Ed25519: in the first of two keys, and in the second.
#[test]
fn the_type_is_a_bit_and_says_how_long_a_key_is() {
    let [short, long] = hints();
    let with = |last: u8, is_longer: u8| {
        let mut hint = short;
        hint[32..].copy_from_slice(&[last, is_longer]);
        hint
    };
    for lie in [with(0, 2), with(5, 0)] {
        for hints in [[lie, long], [long, lie]] {
            keys(hints).walk([]);
        }
    }
}

/// Each of what a name is the hash of, and that it begins with the domain of names.
#[test]
fn names_are_those_of_the_key() {
    let mut circuit = TestCircuit::new(layout(11, &[6]), |ctx, chips| {
        for hint in hints() {
            let key = Key::new(ctx, chips, &hint);
            key.name(ctx, chips);
        }
    });
    circuit.assert_satisfied();
    circuit.assert_states_are_bound(0..2, &[0, 1, 2, 3, 4, 5]);
}

/// Halves of 32 bytes, as little-endian integers.
fn halves_of(bytes: &[u8; 32]) -> [u128; 2] {
    let (low, high) = bytes.split_at(16);
    [high, low].map(|half| u128::from_le_bytes(half.try_into().expect("16 bytes")))
}

/// Whether keys of these halves are of small order, with what is said of it.
fn orders(keys: [([u128; 2], u64); 2]) -> TestCircuit {
    TestCircuit::new(layout(11, &[]), |ctx, chips| {
        for (halves, said) in keys {
            let [high, low] = halves.map(|half| {
                let cell = ctx.load_witness(Fr::from_u128(half));
                assert_is(ctx, &cell, *cell.value());
                cell
            });
            let found = is_small_order(ctx, chips, high, low);
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
    let [short, long] = hints();
    let circuit = |hints: [Hint; 2], lie: Option<(usize, usize)>| {
        TestCircuit::new(layout(11, &[]), |ctx, chips| {
            for (number, hint) in hints.iter().enumerate() {
                let key = Key::new(ctx, chips, hint);
                for (cell, byte) in
                    key.bytes.iter().chain([&key.last, &key.is_longer.cell()]).zip(hint)
                {
                    assert_is(ctx, cell, Fr::from(u64::from(*byte)));
                }
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
    for hints in [[short, long], [long, short]] {
        circuit(hints, None).assert_satisfied();
        for (number, part) in (0..2).flat_map(|number| (0..4).map(move |part| (number, part))) {
            let Walk { sums, copies } = circuit(hints, Some((number, part))).walk([]);
            assert!(sums > 1 && copies > 2, "{number}, {part}: {sums} sums, {copies} copies");
        }
    }
}
