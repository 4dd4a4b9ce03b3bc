//! Bytes and packs of nobody: nothing panics on them, and deciders show what the equation says of any circuit.

use proptest::{collection::vec, prelude::*, sample::Index};

use super::{
    fill::{check, shown},
    sample::{key, key_parts, rounds, values},
    simulator::accepted,
};
use crate::{
    scalar_to_bytes,
    tests::{
        circuit::{circuit, Draws},
        equation::challenges,
    },
    Decider, Key, Packing, Protocol, Scalar,
};

/// Packs of a protocol with the polynomials of each round in any order.
fn packs(protocol: &Protocol, stride: usize, draws: &mut Draws) -> Vec<Vec<usize>> {
    let mut packs = vec![];
    for mut round in rounds(protocol) {
        let mut pack = vec![];
        while !round.is_empty() {
            pack.push(round.swap_remove(draws.below(round.len())));
            if pack.len() == stride || draws.below(4) == 0 {
                packs.push(std::mem::take(&mut pack));
            }
        }
        packs.extend((!pack.is_empty()).then_some(pack));
    }
    packs
}

/// A packing that obeys the rules, with inputs of its circuit.
fn packing(draws: &mut Draws) -> (Packing, Vec<Scalar>) {
    let protocol = Protocol::new(circuit(draws)).expect("it obeys the rules");
    let inputs = (0..protocol.inputs()).map(|_| Scalar::from(draws.below(1000) as u64)).collect();
    let stride = 1 + draws.below(11);
    let packs = packs(&protocol, stride, draws);
    (Packing::new(protocol, stride as u32, packs).expect("it obeys the rules"), inputs)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn deciders_show_what_the_equation_says(seed in any::<u64>()) {
        let (packing, inputs) = packing(&mut Draws(seed));
        let decider = Decider::new(&packing).expect("it is small");
        let (text, values) = (seed.to_string(), values(&packing, &seed.to_string()));
        let mut shown = shown(&packing, &decider, &inputs, &values, &challenges(&text));
        check(&decider, &shown);
        let remainder = shown.public.last_mut().expect("R is public");
        *remainder += Scalar::from(1);
        let filled = decider.fill(&shown.public, &shown.values);
        prop_assert!(filled.is_ok_and(|filled| filled.unequal.is_some()));
    }

    #[test]
    fn random_packings_have_keys(seed in any::<u64>()) {
        let (packing, inputs) = packing(&mut Draws(seed));
        let decider = Decider::new(&packing).expect("it is small");
        let key = Key::compact(key_parts(packing, "random")).expect("points are good");
        let read = Key::read(&key.to_bytes()).expect("it was written");
        prop_assert_eq!(read.digest(), key.digest());
        prop_assert_eq!(key.as_compact().expect("it is").decider_k(), decider.k());
        let words: Vec<_> = inputs.iter().map(scalar_to_bytes).collect();
        let proof = accepted(&key, &inputs, "random");
        prop_assert_eq!(read.verify(&words, &proof), Ok(()));
    }

    #[test]
    fn random_bytes_are_no_key(bytes in vec(any::<u8>(), 0..600), cut in any::<Index>()) {
        let head = key().to_bytes();
        let bytes = [&head[..cut.index(head.len())], &bytes].concat();
        if let Ok(read) = Key::read(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn what_is_read_is_what_was_written(changes in vec((any::<Index>(), any::<u8>()), 1..4)) {
        let mut bytes = key().to_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(read) = Key::read(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
        }
    }

    #[test]
    fn random_bytes_are_no_proof(bytes in vec(any::<u8>(), 0..3000), inputs in vec(any::<[u8; 32]>(), 0..4)) {
        let key = key();
        prop_assert!(key.verify(&inputs, &bytes).is_err());
        for length in [32 * (13 + 25), 64 * 13 + 32 * 25] {
            let mut bytes = bytes.clone();
            bytes.resize(length, 0);
            prop_assert!(key.verify(&[[0; 32]; 2], &bytes).is_err());
        }
    }
}
