//! Keys and proofs of both formats, of any bytes and tampered with.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use muster_circuits::{Request, Scheme, Shape};
use muster_params::Srs;
use muster_prover::Keys;
use muster_verifier::{CompactKeyParts, Key, Packing, Round};

/// The bytes of a key of 2 of 4.
fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| {
        let shape = Shape::fit(&Request::new(Scheme::Schnorr, 4, 2)).expect("a legal shape");
        let srs = Srs::insecure(shape.degree()).expect("a legal degree");
        let keys = Keys::make(&srs, &shape).expect("the SRS is of the shape's degree");
        keys.verifier().key().to_bytes()
    })
}

/// The bytes of a key of kind `compact` for the same circuit, which commits to nothing.
fn compact() -> &'static [u8] {
    static COMPACT: OnceLock<Vec<u8>> = OnceLock::new();
    COMPACT.get_or_init(|| {
        let fast = Key::read(good()).expect("it was written");
        let polynomials = fast.protocol().arrangement().polynomials();
        let round = |number: &usize| Round::of(polynomials[*number].polynomial);
        let mut numbers: Vec<usize> = (0..polynomials.len() - 1).collect();
        numbers.sort_by_key(round);
        let rounds = numbers.chunk_by(|one, other| round(one) == round(other));
        let packs = rounds.flat_map(|round| round.chunks(8).map(<[usize]>::to_vec)).collect();
        let packing = Packing::new(fast.protocol().clone(), 8, packs).expect("it obeys the rules");
        let parts = CompactKeyParts {
            packs: vec![[0; 64]; packing.count(Round::Key)],
            packing,
            description: fast.description().to_vec(),
            is_ceremony: false,
            tau_g2: fast.tau_g2(),
            decider: [0; 64],
        };
        Key::compact(parts).expect("the identity is allowed").to_bytes()
    })
}

/// Edits of a good key, each a place and what stands there instead, or none for a key of any bytes; whether the good one
/// is of kind `compact`; those bytes.
type KeyInput<'a> = (Option<Vec<(u16, u8)>>, bool, &'a [u8]);
/// Inputs and a proof.
type Shown<'a> = (Vec<[u8; 32]>, &'a [u8]);

fuzz_target!(|input: (KeyInput, Shown)| {
    let ((edits, short, bytes), (inputs, proof)) = input;
    let key = match edits {
        None => Key::read(bytes),
        Some(edits) => {
            let mut bytes = if short { compact() } else { good() }.to_vec();
            for (place, to) in edits {
                let length = bytes.len();
                bytes[usize::from(place) % length] = to;
            }
            Key::read(&bytes)
        }
    };
    if let Ok(key) = key {
        assert!(Key::read(&key.to_bytes()).is_ok_and(|again| again.digest() == key.digest()));
        let _ = key.verify(&inputs, proof);
    }
});
