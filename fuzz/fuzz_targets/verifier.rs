//! Keys and proofs of the format `fast`, of any bytes and tampered with.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use muster_circuits::{Request, Scheme, Shape};
use muster_params::Srs;
use muster_prover::Keys;
use muster_verifier::Key;

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

/// Edits of a good key, each a place and what stands there instead, or none for a key of any bytes; those bytes.
type KeyInput<'a> = (Option<Vec<(u16, u8)>>, &'a [u8]);
/// Inputs and a proof.
type Shown<'a> = (Vec<[u8; 32]>, &'a [u8]);

fuzz_target!(|input: (KeyInput, Shown)| {
    let ((edits, bytes), (inputs, proof)) = input;
    let key = match edits {
        None => Key::read(bytes),
        Some(edits) => {
            let mut bytes = good().to_vec();
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
