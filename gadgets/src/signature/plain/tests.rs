//! Public inputs of short messages: native, in circuit, and what a prover may say of them that is not so.

use halo2_base::{
    halo2_proofs::halo2curves::{bn256::Fr, ff::Field},
    utils::{biguint_to_fe, fe_to_biguint, modulus},
};
use num_bigint::BigUint;
use num_traits::One;

use super::{AssignedPlain, PlainHint};
use crate::hash::sha512;
use muster_forgery::testing::{layout, TestCircuit, Walk};
use muster_gates::{Layout, Sha2Layout};
use muster_schemes::signature::{Message, MessageForm, SignedBytes};
use muster_schemes::signature::{PlainBytes, MAX_PLAIN_BYTES, PLAIN_INPUTS};

const COPY: [&str; 1] = ["copy"];
const RANGE: [&str; 1] = ["range: limb is below 2^b"];
const SUM: [&str; 1] = ["1 column a + b * c = out"];

/// Lengths around the borders of halves and of public inputs.
const LENGTHS: [usize; 16] = [0, 1, 15, 16, 17, 23, 24, 25, 31, 32, 33, 41, 47, 48, 49, 64];

/// A message without zeros.
fn bytes(length: usize) -> Vec<u8> {
    (0..length as u8).map(|i| 0xff - i).collect()
}

fn plain(bytes: &[u8]) -> PlainBytes {
    PlainBytes::new(&SignedBytes::new(bytes)).expect("at most 64 bytes")
}

fn power(bits: u64) -> Fr {
    Fr::from(2).pow_vartime([bits])
}

/// That these public inputs, the first cells, are of a message of at most `most` bytes that is taken apart as the hint
/// says. It is hashed; a hash of nothing goes before, since the mock prover cannot tell of a failure whose gate reaches
/// above the first row.
fn claimed(public: [Fr; PLAIN_INPUTS], hint: &PlainHint, most: usize) -> TestCircuit {
    claimed_with(12, public, hint, most)
}

fn claimed_with(
    range_bits: usize,
    public: [Fr; PLAIN_INPUTS],
    hint: &PlainHint,
    most: usize,
) -> TestCircuit {
    let sha512 = Some(Sha2Layout { lanes: 1, bits: 16 });
    let layout = Layout { sha512, range_columns: 2, range_bits, ..layout(13, &[]) };
    TestCircuit::new(layout, |ctx| {
        let public = public.map(|input| ctx.load_witness(input));
        sha512::digest(ctx, &[]);
        let plain = AssignedPlain::of_hint(ctx, &public, (hint, most));
        sha512::digest_up_to(ctx, plain.message());
    })
}

/// What refuses that.
fn refusing(public: [Fr; PLAIN_INPUTS], hint: &PlainHint, most: usize) -> Vec<String> {
    claimed(public, hint, most).failing(vec![])
}

/// The public inputs that the sums make of a hint, whatever it is.
fn sums(hint: &PlainHint) -> [Fr; PLAIN_INPUTS] {
    let [first, _, third, fourth] = hint.halves;
    let [upper, lower] = hint.words;
    let second = lower * power(128) + third;
    [first * power(64) + upper, second, fourth * power(8) + hint.length]
}

#[test]
fn a_message_has_its_own_public_inputs() {
    let mut seen = vec![];
    for length in 0..=MAX_PLAIN_BYTES {
        for message in [bytes(length), vec![0; length]] {
            let message = plain(&message);
            let inputs = message.public_inputs();
            assert_eq!(PlainBytes::from_public_inputs(&inputs).as_ref(), Some(&message));
            assert!(!seen.contains(&inputs) || length == 0, "{length}");
            seen.push(inputs);
        }
    }
    // In chunks of 24 bytes, with the length behind the last one.
    let message = bytes(64);
    let number = |bytes: &[u8]| biguint_to_fe::<Fr>(&BigUint::from_bytes_be(bytes));
    let last = [&message[48..], &[64]].concat();
    let expected = [number(&message[..24]), number(&message[24..48]), number(&last)];
    assert_eq!(plain(&message).public_inputs(), expected);
    assert_eq!(PlainBytes::new(&SignedBytes::new(&[0; 65])), None);
}

#[test]
fn other_public_inputs_are_no_message() {
    let read = |inputs: [Fr; PLAIN_INPUTS]| PlainBytes::from_public_inputs(&inputs);
    let honest = plain(&bytes(41)).public_inputs();
    for (place, bits) in [(0, 192), (1, 192), (2, 136)] {
        let mut large = honest;
        large[place] += power(bits);
        assert_eq!(read(large), None, "{place}");
        large[place] = -Fr::ONE;
        assert_eq!(read(large), None, "{place}");
    }
    // A length that is none, that leaves bytes behind the message, and bytes behind it.
    for length in [65, 255, 40, 0] {
        let mut other = honest;
        other[2] = honest[2] - Fr::from(41) + Fr::from(length);
        assert_eq!(read(other), None, "{length}");
    }
    for (place, value) in [(1, Fr::ONE), (2, power(8)), (2, power(135))] {
        let mut behind = honest;
        behind[place] += value;
        assert_eq!(read(behind), None, "{place}");
    }
}

#[test]
fn forms_decide_what_is_public() {
    let message = Message::from(SignedBytes::new(&bytes(41)));
    let plain = message.in_form(MessageForm::Bytes { most: 41 }).unwrap();
    assert_eq!(plain.public_inputs().len(), PLAIN_INPUTS);
    assert_eq!(Message::from_public_inputs(&plain.public_inputs()), Some(plain.clone()));
    assert_eq!((plain.public(), plain.to_bytes()), (plain.clone(), bytes(41)));
    assert_eq!((plain.digest(), plain.field()), (None, None));
    assert_eq!(plain.signed_bytes(), message.signed_bytes());
    let digest = MessageForm::Sha256 { most: 41 };
    assert_eq!(plain.in_form(digest), Some(message.clone()));
    assert_eq!(message.in_form(digest), Some(message));
    let long = Message::from(SignedBytes::new(&bytes(65)));
    assert_eq!(long.in_form(MessageForm::Bytes { most: 64 }), None);
    let element = Message::from(Fr::ONE);
    assert_eq!(element.in_form(MessageForm::Public), Some(element));
}

#[test]
fn the_circuit_takes_what_the_native_twin_gives() {
    for length in LENGTHS {
        for most in [length.max(1), MAX_PLAIN_BYTES] {
            let message = bytes(length);
            let (public, hint) = (plain(&message).public_inputs(), PlainHint::new(&message));
            assert_eq!(public, sums(&hint), "{length} of {most}");
            assert!(refusing(public, &hint, most).is_empty(), "{length} of {most}");
        }
    }
    let message = bytes(41);
    for range_bits in [8, 9] {
        let public = plain(&message).public_inputs();
        claimed_with(range_bits, public, &PlainHint::new(&message), 41).assert_satisfied();
    }
}

/// Each public input is bound by one sum alone: of a message of other bytes, and of one that is longer or shorter.
#[test]
fn public_inputs_are_those_of_the_bytes() {
    let message = bytes(41);
    let hint = PlainHint::new(&message);
    let honest = plain(&message).public_inputs();
    for most in [41, 64] {
        for place in 0..PLAIN_INPUTS {
            let mut other = honest;
            other[place] += Fr::ONE;
            assert_eq!(refusing(other, &hint, most), SUM, "{place} of {most}");
        }
        let longer = plain(&[&message[..], &[0]].concat()).public_inputs();
        assert_eq!(refusing(longer, &hint, most), SUM, "{most}");
        // The last byte and the length.
        let shorter = plain(&message[..40]).public_inputs();
        assert_eq!(refusing(shorter, &hint, most), SUM, "{most}");
    }
}

/// A message with zeros behind it is another message: the circuit takes it under its own length alone.
#[test]
fn a_length_is_part_of_a_message() {
    let message = [&bytes(40)[..], &[0]].concat();
    let public = |length: usize| plain(&message[..length]).public_inputs();
    let [short, long] = [40, 41].map(|length| PlainHint::new(&message[..length]));
    assert!(refusing(public(41), &long, 64).is_empty());
    assert!(refusing(public(40), &short, 64).is_empty());
    assert_eq!(refusing(public(41), &short, 64), SUM);
    assert_eq!(refusing(public(40), &long, 64), SUM);
}

/// Bytes behind the end of a message, in each of its parts: the sums hold.
#[test]
fn bytes_behind_the_message_are_0() {
    let of = |length: u64, message: &[u8]| PlainHint {
        length: Fr::from(length),
        ..PlainHint::new(message)
    };
    for (length, message, most) in [
        (40, bytes(41), 41),
        (40, bytes(41), 64),
        (0, bytes(1), 64),
        (15, bytes(16), 16),
        (16, bytes(17), 64),
        (20, bytes(64), 64),
        (63, bytes(64), 64),
        // More than there may be, within the last half.
        (42, bytes(42), 41),
        (20, bytes(20), 17),
    ] {
        let hint = of(length, &message);
        let refused = refusing(sums(&hint), &hint, most);
        assert!(refused.contains(&COPY[0].into()), "{length} of {most}: {refused:?}");
        assert_eq!(refused.len(), 1, "{length} of {most}: {refused:?}");
    }
    // A length of 256 more, which a byte of the last half makes up for.
    let mut hint = PlainHint::new(&bytes(64));
    hint.length += Fr::from(256);
    hint.halves[3] -= Fr::ONE;
    assert_eq!(sums(&hint), plain(&bytes(64)).public_inputs());
    assert!(!claimed(sums(&hint), &hint, 64).is_satisfied());
}

/// A bit that moves from one piece to the next: the sums hold, and the public inputs may be the same.
#[test]
fn pieces_have_their_lengths() {
    let message = bytes(64);
    let honest = PlainHint::new(&message);
    let public = sums(&honest);
    let edited = |edit: &dyn Fn(&mut PlainHint)| {
        let mut hint = honest.clone();
        edit(&mut hint);
        hint
    };
    // In the lower word: the second half is the same, and so is what is hashed, but not the public inputs.
    let lower = edited(&|hint| {
        hint.words[0] -= Fr::ONE;
        hint.words[1] += power(64);
    });
    assert_ne!(sums(&lower), public);
    for range_bits in [8, 9, 12] {
        let mut test = claimed_with(range_bits, sums(&lower), &lower, 64);
        assert_eq!(test.failing(vec![]), RANGE, "{range_bits}");
    }
    // In the halves, of the same public inputs. What takes halves apart for a hash refuses them.
    let second = edited(&|hint| {
        hint.halves[0] -= Fr::ONE;
        hint.words[0] += power(64);
        hint.halves[1] += power(128);
    });
    let third = edited(&|hint| {
        hint.halves[2] += power(128);
        hint.words[1] -= Fr::ONE;
        hint.halves[1] -= Fr::ONE;
    });
    for hint in [second, third] {
        assert_eq!(sums(&hint), public);
        assert_eq!(refusing(public, &hint, 64), COPY);
    }
}

/// The first two halves of another message with the same public inputs: an upper word of many bits makes both sums hold
/// modulo the native prime. Its range alone refuses it.
#[test]
fn an_upper_word_does_not_wrap() {
    let message = bytes(64);
    let honest = PlainHint::new(&message);
    let public = sums(&honest);
    let (half, lower) = (BigUint::one() << 128u32, fe_to_biguint(&honest.words[1]));
    let mut found = 0;
    for times in 0..6u8 {
        let start = ((fe_to_biguint(&public[0]) << 64u32) + &lower) % modulus::<Fr>();
        let both = start + modulus::<Fr>() * times;
        if both.bits() > 256 {
            continue;
        }
        let mut hint = honest.clone();
        hint.halves[0] = biguint_to_fe(&(&both / &half));
        hint.halves[1] = biguint_to_fe(&(&both % &half));
        hint.words[0] = public[0] - hint.halves[0] * power(64);
        assert_eq!(hint.words[0] * power(64) + hint.words[1], hint.halves[1]);
        assert_eq!(sums(&hint), public);
        if hint.halves != honest.halves {
            found += 1;
            assert_eq!(refusing(public, &hint, 64), RANGE, "{times}");
        }
    }
    assert!(found >= 4, "{found}");
}

/// A circuit for short messages has no halves for long ones, and no bytes there.
#[test]
fn halves_beyond_the_bound_are_0() {
    for (most, length) in [(16, 24), (16, 32), (24, 48), (32, 41), (41, 64), (48, 49)] {
        let hint = PlainHint { length: Fr::from(most as u64), ..PlainHint::new(&bytes(length)) };
        let refused = claimed(sums(&hint), &hint, most).failing(vec![]);
        assert!(!refused.is_empty(), "{length} of {most}");
    }
    let mut hint = PlainHint::new(&bytes(16));
    hint.words = [Fr::ONE, -power(64)];
    assert!(!claimed(sums(&hint), &hint, 16).is_satisfied());
    for place in 0..2 {
        let mut hint = PlainHint::new(&bytes(16));
        hint.words[place] = Fr::ONE;
        assert_eq!(refusing(sums(&hint), &hint, 16), SUM, "{place}");
    }
}

/// Whatever makes up for a public input or a second half that are not those of the message, whose halves and length are
/// given: each sum, copy and constant is once the only one that refuses.
#[test]
fn everything_that_binds_public_inputs_is_needed() {
    for most in [41, 64] {
        let message = bytes(most);
        let (honest, hint) = (plain(&message).public_inputs(), PlainHint::new(&message));
        let walk = |public: [Fr; PLAIN_INPUTS], hint: &PlainHint| {
            let test = TestCircuit::new(layout(12, &[]), |ctx| {
                let public = public.map(|input| ctx.load_witness(input));
                AssignedPlain::of_hint(ctx, &public, (hint, most));
            });
            // Public inputs, the halves that the circuit has, and the length; not the constant 0.
            let Walk { sums, copies } = test.walk((0..3 + most.div_ceil(16)).chain([7]));
            assert!(sums >= 1 && copies >= 2, "{sums}, {copies}");
        };
        for place in 0..PLAIN_INPUTS {
            for change in [Fr::ONE, power(8), power(64)] {
                let mut other = honest;
                other[place] += change;
                walk(other, &hint);
            }
        }
        for change in [Fr::ONE, power(64)] {
            let mut other = hint.clone();
            other.halves[1] += change;
            walk(honest, &other);
        }
    }
}

/// No cell of the vertical gate is free once the public inputs are given.
#[test]
fn a_message_is_determined() {
    let lengths = [(41, 41), (64, 64), (24, 41), (5, 16)];
    let passed_on = lengths.map(|(length, most)| {
        let message = bytes(length);
        let public = plain(&message).public_inputs();
        let test = claimed(public, &PlainHint::new(&message), most);
        let (cells, single) = test.open_values_given(0..PLAIN_INPUTS);
        let (classes, together) = test.open_classes_given(0..PLAIN_INPUTS);
        assert_eq!((cells, classes), (vec![], vec![]), "{length} of {most}");
        [single, together]
    });
    assert_eq!(passed_on, [[8, 16]; 4]);
}
