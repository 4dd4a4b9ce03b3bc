//! Keys: written, read, and read from nonsense.

use halo2_base::halo2_proofs::SerdeFormat;
use muster_circuits::{Columns, Request, Scheme, Shape};
use muster_gadgets::gate::foreign::ForeignLayout;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::fixture;
use crate::{
    keys::{read_verifying_key, Keys, VerifierKey},
    prove, verify, TranscriptKind,
};

#[test]
fn keys_are_read_as_they_were_written() {
    let fixture = fixture();
    let keys = &fixture.keys;
    let dir = tempfile::tempdir().unwrap();
    keys.save(dir.path(), false).unwrap();
    assert!(keys.save(dir.path(), false).is_err(), "they are there already");
    let loaded = Keys::load(dir.path()).unwrap();
    assert_eq!(loaded.shape(), keys.shape());
    assert_eq!(loaded.placement(), keys.placement());
    assert_eq!(loaded.vk_digest(), keys.vk_digest());
    assert_eq!(loaded.srs(), keys.srs());
    let format = SerdeFormat::RawBytes;
    assert!(loaded.proving_key().to_bytes(format) == keys.proving_key().to_bytes(format));

    let (sample, kind) = (&fixture.sample, TranscriptKind::Poseidon);
    let (committee, signatures) = (&sample.committee, &sample.signatures);
    let proof =
        prove(&fixture.srs, &loaded, &fixture.statement, committee, signatures, kind).unwrap();
    let verifier = VerifierKey::load(dir.path()).unwrap();
    assert_eq!(verifier.digest(), keys.vk_digest());
    assert_eq!(verify(&verifier, &fixture.statement.public_inputs(), &proof, kind), Ok(()));
}

#[test]
fn keys_of_a_shape_are_always_the_same() {
    let again = Keys::make(&fixture().srs, fixture().keys.shape()).unwrap();
    assert_eq!(again.vk_digest(), fixture().keys.vk_digest());
}

#[test]
fn any_bytes_give_a_verifying_key_or_a_reason() {
    let keys = &fixture().keys;
    let shape = keys.shape();
    let good = keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    assert!(read_verifying_key(shape, &good).is_ok());
    for len in 0..good.len() {
        assert!(read_verifying_key(shape, &good[..len]).is_err(), "{len} bytes");
    }
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for _ in 0..500 {
        let mut bytes = good.clone();
        let at = rng.gen_range(0..bytes.len());
        bytes[at] = rng.gen();
        // Some changes give another point: the digest of the key tells those.
        let _ = read_verifying_key(shape, &bytes);
        let random: Vec<u8> = (0..rng.gen_range(0..200)).map(|_| rng.gen()).collect();
        assert!(read_verifying_key(shape, &random).is_err());
    }
}

#[test]
fn a_layout_that_nobody_makes_is_refused() {
    let keys = &fixture().keys;
    let bytes = keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    let edits: [fn(&mut muster_circuits::Shape); 9] = [
        |shape| shape.layout.k = 63,
        |shape| shape.layout.k = 0,
        |shape| shape.layout.range_bits = 64,
        |shape| shape.layout.vertical_columns = usize::MAX,
        |shape| shape.layout.vertical_columns = 0,
        |shape| shape.layout.constant_rows = usize::MAX,
        |shape| shape.layout.constant_rows = 1 << shape.layout.k,
        |shape| shape.layout.edwards_lanes = usize::MAX,
        |shape| shape.layout.poseidon[0].width = 1,
    ];
    for edit in edits {
        let mut shape = keys.shape().clone();
        edit(&mut shape);
        assert!(read_verifying_key(&shape, &bytes).is_err(), "{shape:?}");
    }
    let edits: [fn(&mut muster_circuits::Shape); 5] = [
        |shape| (shape.layout.k, shape.layout.range_bits) = (28, 17),
        |shape| shape.slots = 1 << 15,
        |shape| shape.slots = 0,
        |shape| shape.layout.keccak_lanes = usize::MAX,
        |shape| shape.layout.sha256_lanes = usize::MAX,
    ];
    for edit in edits {
        let mut shape = keys.shape().clone();
        edit(&mut shape);
        assert!(read_verifying_key(&shape, &bytes).is_err(), "{shape:?}");
    }
    // What leaves no row for anything else may be read; its digest tells it from the true one.
    let mut shape = keys.shape().clone();
    shape.layout.constant_rows = (1 << shape.layout.k) - 1;
    let _ = read_verifying_key(&shape, &bytes);
}

/// Each number of the gate of relations, none of which may make a reader panic or take much memory.
#[test]
fn relations_that_nobody_makes_are_refused() {
    let request = Request::new(Scheme::EcdsaSecp256k1, 2, 1);
    let shape = Shape::fit(&request).unwrap();
    let mut bytes = fixture().keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    // Not of this shape's columns, but read until that shows.
    bytes[1..5].copy_from_slice(&shape.degree().to_le_bytes());
    assert!(read_verifying_key(&shape, &bytes).is_err());
    assert!(shape.layout.foreign.unwrap().is_sound(shape.layout.range_bits));
    let edits: [fn(&mut ForeignLayout, usize); 7] = [
        |gate, number| gate.columns = number,
        |gate, number| gate.element_bits = number,
        |gate, number| gate.limb_bits = number,
        |gate, number| gate.group = number,
        |gate, number| gate.quotient_bits = number,
        |gate, number| gate.carry_bits = number,
        |gate, number| gate.carries = number,
    ];
    for (field, edit) in edits.into_iter().enumerate() {
        for number in [0, 1, 2, 3, 13, 64, 255, 1 << 10, 1 << 20, usize::MAX / 2, usize::MAX] {
            let mut shape = shape.clone();
            edit(shape.layout.foreign.as_mut().unwrap(), number);
            // Whatever is taken for a layout has columns, and few of them.
            let sound = shape.layout.foreign.unwrap().is_sound(shape.layout.range_bits);
            assert!(!sound || (number > 0 && number <= 1 << 10), "field {field}: {number}");
            if sound {
                assert!(Columns::of(&shape.layout).advice < 1 << 12);
            }
            assert!(read_verifying_key(&shape, &bytes).is_err());
        }
    }
    for bits in [0, 1, 3, 7, 64, usize::MAX] {
        let mut shape = shape.clone();
        shape.layout.range_bits = bits;
        assert!(read_verifying_key(&shape, &bytes).is_err());
    }
}
