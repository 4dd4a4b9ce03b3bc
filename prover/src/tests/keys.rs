//! Keys: written, read, and read from nonsense.

use halo2_base::{
    halo2_proofs::{
        halo2curves::bn256::{Fr, G1Affine},
        plonk::VerifyingKey,
        SerdeFormat,
    },
    utils::modulus,
};
use muster_circuits::{Request, Scheme, Shape, ThresholdCircuit};
use muster_gates::{
    foreign::{Equation, ForeignLayout, Sums},
    Placement, PoseidonLayout, Sha2Layout,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use super::{fixture, Fixture};
use crate::{
    keys::{read_verifying_key, Keys, VerifierKey},
    prove, Error, ProofKind,
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

    let kind = ProofKind::Halo2;
    let proof = prove(&fixture.srs, &loaded, &fixture.witness, kind).unwrap();
    let verifier = VerifierKey::load(dir.path()).unwrap();
    assert_eq!(verifier.digest(), keys.vk_digest());
    assert_eq!(verifier.verify(&fixture.statement, &proof), Ok(()));
}

#[test]
fn keys_of_a_shape_are_always_the_same() {
    let again = Keys::make(&fixture().srs, fixture().keys.shape()).unwrap();
    assert_eq!(again.vk_digest(), fixture().keys.vk_digest());
}

#[test]
fn keys_are_made_of_checked_shapes() {
    let edits: [fn(&mut Shape); 3] = [
        |shape| shape.slots = 0,
        |shape| shape.layout.vertical_columns = 0,
        |shape| shape.layout.constant_rows = 1 << 30,
    ];
    for edit in edits {
        let mut shape = fixture().keys.shape().clone();
        edit(&mut shape);
        let refused = Keys::make(&fixture().srs, &shape).unwrap_err();
        assert!(matches!(refused, Error::Circuit(_)), "{refused}");
    }
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
        bytes[at] = rng.r#gen();
        // Some changes give another point: the digest of the key tells those.
        let _ = read_verifying_key(shape, &bytes);
        let random: Vec<u8> = (0..rng.gen_range(0..200)).map(|_| rng.r#gen()).collect();
        assert!(read_verifying_key(shape, &random).is_err());
    }
}

/// What the issue of hostile key directories names: each with a header that fits.
#[test]
fn a_layout_that_nobody_makes_is_refused() {
    let keys = &fixture().keys;
    let bytes = keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    let refused = |shape: &Shape| {
        let mut bytes = bytes.clone();
        bytes[1..5].copy_from_slice(&shape.degree().to_le_bytes());
        assert!(shape.check().is_err(), "{shape:?}");
        assert!(read_verifying_key(shape, &bytes).is_err(), "{shape:?}");
    };
    let edit = |edit: &dyn Fn(&mut Shape)| {
        let mut shape = keys.shape().clone();
        edit(&mut shape);
        refused(&shape);
    };
    for k in (0..10).chain(25..64).chain([u32::MAX]) {
        edit(&|shape| shape.layout.k = k);
        edit(&|shape| (shape.layout.k, shape.layout.range_bits) = (k, 16));
    }
    for number in [0, 1 << 11, 1 << 20, usize::MAX / 2, usize::MAX] {
        edit(&|shape| shape.layout.vertical_columns = number);
        edit(&|shape| shape.layout.range_columns = number);
        edit(&|shape| shape.layout.range_bits = number);
        edit(&|shape| shape.layout.edwards_lanes = number);
        edit(&|shape| shape.layout.poseidon[0].width = number);
        edit(&|shape| shape.layout.poseidon[0].columns = number);
        edit(&|shape| shape.layout.poseidon[0].lanes = number);
        edit(&|shape| shape.slots = number);
        edit(&|shape| shape.capacity = number);
        edit(&|shape| shape.arity = number);
        edit(&|shape| shape.depth = number);
    }
    for number in [1, 2, 1 << 20, usize::MAX] {
        edit(&|shape| shape.layout.keccak_lanes = number);
        edit(&|shape| shape.layout.set_elements = number);
        edit(&|shape| shape.layout.sha256 = Some(Sha2Layout { bits: 4, lanes: number }));
        edit(&|shape| shape.layout.sha512 = Some(Sha2Layout { bits: number, lanes: 1 }));
    }
    for rows in [1 << keys.shape().degree(), usize::MAX] {
        edit(&|shape| shape.layout.constant_rows = rows);
    }
    for count in [1, 2, 5, 1 << 12] {
        edit(&|shape| shape.layout.foreign = vec![relations(); count]);
    }
    edit(&|shape| shape.layout.poseidon.clear());
    // A width that is there already, many widths, and many gates that stand for nothing.
    for lanes in [0, 1] {
        edit(&|shape| {
            let again = PoseidonLayout { lanes, ..shape.layout.poseidon[0] };
            shape.layout.poseidon.push(again);
        });
        let every = (2..=17).map(|width| PoseidonLayout { width, columns: 1, lanes });
        edit(&|shape| shape.layout.poseidon = every.clone().collect());
        let many = vec![PoseidonLayout { width: 17, columns: 1, lanes }; 1 << 12];
        edit(&|shape| shape.layout.poseidon = many.clone());
    }
}

/// All widths and columns of a Poseidon gate, most of which no gate can be laid out in.
#[test]
fn poseidon_gates_are_made_only_where_they_can_be() {
    let bytes = fixture().keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    for arity in 0..18 {
        for columns in 0..80 {
            let mut shape = fixture().keys.shape().clone();
            shape.arity = arity;
            for gate in &mut shape.layout.poseidon {
                gate.columns = columns;
            }
            let _ = read_verifying_key(&shape, &bytes);
            shape.layout.poseidon[0].width = arity + 1;
            let _ = read_verifying_key(&shape, &bytes);
        }
    }
}

/// Relations of the smallest circuit over secp256k1.
fn relations() -> ForeignLayout {
    let shape = Shape::fit(&Request::new(Scheme::EcdsaSecp256k1, 2, 1)).unwrap();
    shape.layout.foreign[0].clone()
}

/// What a product alone is made of.
fn other_sums() -> Sums {
    let native = modulus::<Fr>();
    ForeignLayout::new(&native, 8, 1, &[Equation::multiply(&native)]).sums
}

/// Each number of the gate of relations: there is one choice of limbs for each width of a lookup.
#[test]
fn relations_that_nobody_makes_are_refused() {
    let shape = Shape::fit(&Request::new(Scheme::EcdsaSecp256k1, 2, 1)).unwrap();
    assert_eq!(shape.check(), Ok(()));
    let mut bytes = fixture().keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    bytes[1..5].copy_from_slice(&shape.degree().to_le_bytes());
    assert!(read_verifying_key(&shape, &bytes).is_err(), "not of this shape's columns");
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
            let mut changed = shape.clone();
            edit(&mut changed.layout.foreign[0], number);
            let columns_alone = field == 0 && (1..=40).contains(&number);
            let as_before = changed == shape;
            assert_eq!(changed.check().is_ok(), columns_alone || as_before, "{field}: {number}");
            assert!(read_verifying_key(&changed, &bytes).is_err());
        }
    }
    // Sums that no equation has, and gates beside the one.
    let mut other = shape.clone();
    other.layout.foreign[0].sums = other_sums();
    assert!(other.check().is_err() && read_verifying_key(&other, &bytes).is_err());
    for count in [0, 2, 5, 1 << 12] {
        let mut several = shape.clone();
        several.layout.foreign = vec![relations(); count];
        assert!(several.check().is_err() && read_verifying_key(&several, &bytes).is_err());
    }
    for bits in [0, 1, 3, 7, 64, usize::MAX] {
        let mut shape = shape.clone();
        shape.layout.range_bits = bits;
        assert!(read_verifying_key(&shape, &bytes).is_err());
    }
}

/// The key that is put together here is the one that halo2 reads, and the halves of keys agree.
#[test]
fn a_verifying_key_is_that_of_the_library() {
    let keys = &fixture().keys;
    let layout = keys.shape().layout.clone();
    let bytes = keys.proving_key().get_vk().to_bytes(SerdeFormat::Processed);
    let format = SerdeFormat::Processed;
    let theirs = VerifyingKey::<G1Affine>::from_bytes::<ThresholdCircuit>(&bytes, format, layout);
    let (ours, theirs) = (read_verifying_key(keys.shape(), &bytes).unwrap(), theirs.unwrap());
    assert_eq!(ours.transcript_repr(), theirs.transcript_repr());
    assert_eq!(ours.to_bytes(format), bytes);
    let slim = keys.verifier();
    assert_eq!(slim.vk().transcript_repr(), theirs.transcript_repr());
    assert_eq!(slim.vk().to_bytes(format), bytes);
}

/// A shape whose keys could be made, with fewer columns than its circuit fills.
#[test]
fn a_circuit_without_room_is_refused() {
    let Fixture { keys, witness, .. } = fixture();
    let room = |shape: &Shape, rows: usize, placement: &Placement| {
        let circuit = ThresholdCircuit::prover(shape, witness, placement.clone());
        circuit.unwrap().has_room(rows, placement)
    };
    let (shape, rows, placement) = (keys.shape(), keys.usable_rows(), keys.placement());
    assert!(room(shape, rows, placement));
    assert!(!room(shape, rows / 2, placement));
    let edits: [fn(&mut Shape); 4] = [
        |shape| shape.layout.vertical_columns -= 1,
        |shape| shape.layout.constant_rows -= 1,
        |shape| shape.layout.range_columns = 0,
        |shape| shape.slots *= 64,
    ];
    for edit in edits {
        let mut shape = shape.clone();
        edit(&mut shape);
        assert!(!room(&shape, rows, placement), "{shape:?}");
    }
    let edits: [fn(&mut Placement); 3] = [
        |placement| placement.break_points.push(1),
        |placement| placement.break_points = vec![1 << 20],
        |placement| placement.constants.push(Fr::zero()),
    ];
    for edit in edits {
        let mut placement = placement.clone();
        edit(&mut placement);
        assert!(!room(shape, rows, &placement), "{placement:?}");
    }
}
