//! JSON files that somebody has tampered with.

use serde_json::Value;

/// What is changed: how, where, and into what.
pub(crate) type Edit = (u8, u32, u64);

/// Ways to change JSON.
pub(crate) const WAYS: u8 = 8;

/// Numbers at which something might go wrong.
const NUMBERS: [u64; 20] =
    [0, 1, 2, 3, 8, 9, 10, 11, 12, 16, 17, 24, 25, 26, 28, 64, 1 << 14, 1 << 20, 1 << 32, u64::MAX];
/// Words at which something might go wrong.
const WORDS: [&str; 20] = [
    "",
    "0x",
    "0x0",
    "0xzz",
    "path",
    "whole-set",
    "complement",
    "address",
    "low-s",
    "schnorr-babyjubjub",
    "musig-babyjubjub",
    "ecdsa-secp256k1",
    "schnorr-secp256k1",
    "poseidon",
    "ed25519",
    "strict",
    "sha256:47",
    "sha256:16385",
    "cometbft-precommit",
    "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
];

/// Changes one place of `value`.
pub(crate) fn change(value: &mut Value, (way, place, to): Edit) {
    let count = count(value);
    let at = &mut (place as usize % count);
    let Some(found) = find(value, at) else { return };
    match way % WAYS {
        0 => *found = NUMBERS[to as usize % NUMBERS.len()].into(),
        1 => *found = to.into(),
        2 => *found = found.as_u64().unwrap_or_default().wrapping_add(to % 5).into(),
        3 => *found = found.as_u64().unwrap_or_default().wrapping_sub(to % 5).into(),
        4 => *found = WORDS[to as usize % WORDS.len()].into(),
        5 => *found = Value::Null,
        6 => repeat(found, to as usize % 3000),
        _ => flip(found, to as usize),
    }
}

/// Repeats the first element of a list, or nests a value.
fn repeat(value: &mut Value, times: usize) {
    match value {
        Value::Array(list) if !list.is_empty() => *list = vec![list[0].clone(); times],
        other => *other = Value::Array(vec![other.clone()]),
    }
}

/// Flips a digit of a text.
fn flip(value: &mut Value, at: usize) {
    if let Value::String(text) = value {
        let digits = text.chars().enumerate();
        let place = at % text.len().max(1);
        let flipped = digits.map(|(i, c)| {
            if i == place {
                if c == '1' {
                    '2'
                } else {
                    '1'
                }
            } else {
                c
            }
        });
        *value = flipped.collect::<String>().into();
    }
}

/// Values in `value`, itself among them.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        _ => 0,
    }
}

/// The value number `at`, counted in depth.
fn find<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|child| find(child, at)),
        Value::Object(map) => map.values_mut().find_map(|child| find(child, at)),
        _ => None,
    }
}
