mod backend;
mod elements;
mod measure;
mod polynomial;

use std::{io::Write, sync::Once};

use halo2curves::bn256::{Fq, Fr};
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::{field::Field, Backend};

/// All back ends of this machine. Says so, once, if that is not both.
pub(crate) fn backends() -> Vec<Backend> {
    static SAID: Once = Once::new();
    let ifma = Backend::ifma();
    if ifma.is_none() {
        SAID.call_once(|| {
            // Past the test harness, which would swallow it. No program brings another processor, so this is no failure anywhere.
            let line =
                "skipped: this processor has no AVX-512 IFMA, only the portable back end is tested";
            let _ = writeln!(std::io::stderr(), "{line}");
        });
    }
    ifma.into_iter().chain([Backend::portable()]).collect()
}

/// The integer that the library keeps for an element, `x·2^256 mod p`, as the element of that integer.
pub(crate) fn of_words<F: Field>(words: [u64; 4]) -> F {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    F::from_raw_bytes(&bytes).expect("the integer is below the prime")
}

fn prime<F: Field>() -> BigUint {
    F::WORDS.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << 64) + word)
}

/// An integer below the prime in memory, close to where limbs, words and the prime end.
pub(crate) fn edge<F: Field>() -> impl Strategy<Value = F> {
    let integer = prop_oneof![
        (0u64..3).prop_map(BigUint::from),
        (1u64..3).prop_map(|less| prime::<F>() - less),
        (1u64..84, 0u64..3).prop_map(|(part, less)| prime::<F>() / part - less),
        // Runs of ones from bit to bit: full limbs, and carries that go all the way.
        (0u32..255, 0u32..255, 0u64..3).prop_map(|(from, to, more)| {
            let ones = |bits| (BigUint::from(1u8) << bits) - 1u8;
            ones(from.max(to)) - ones(from.min(to)) + more
        }),
        prop::array::uniform4(prop_oneof![Just(0), Just(u64::MAX), any::<u64>()])
            .prop_map(|words| words.iter().fold(BigUint::ZERO, |sum, word| (sum << 64) + word)),
    ];
    integer.prop_map(|integer| {
        let mut words = (integer % prime::<F>()).to_u64_digits();
        words.resize(4, 0);
        of_words(words.try_into().expect("four words"))
    })
}

/// Elements of any kind, the numbers 0, 1 and −1 among them.
pub(crate) fn element<F: Field>() -> impl Strategy<Value = F> {
    prop_oneof![
        3 => edge(),
        1 => prop_oneof![Just(F::ZERO), Just(F::ONE), Just(-F::ONE), Just(F::from(16))],
        2 => any::<[u64; 4]>().prop_map(|words| {
            words.iter().fold(F::ZERO, |sum, word| sum * F::from(1 << 32).square() + F::from(*word))
        }),
    ]
}

#[test]
fn the_primes_are_those_of_the_library() {
    fn check<F: Field>() {
        let text = F::MODULUS.trim_start_matches("0x");
        assert_eq!(
            prime::<F>(),
            BigUint::parse_bytes(text.as_bytes(), 16).expect("it is hexadecimal")
        );
    }
    check::<Fr>();
    check::<Fq>();
}
