//! Keys: written, read, and read from nonsense.

use std::{fs, path::PathBuf};

use halo2_base::{halo2_proofs::halo2curves::bn256::Fr, utils::modulus};
use muster_circuits::{CircuitShape, Request, Scheme, Shape};
use muster_gates::{
    foreign::{Equation, ForeignLayout, Sums},
    Placement, PoseidonLayout, Sha2Layout,
};
use muster_params::{import, Srs};
use muster_verifier::Key;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use serde_json::{json, Value};
use tempfile::TempDir;

use super::{
    fixture,
    parts::{other_keys, recommitted},
    Fixture,
};
use crate::{
    encoding::to_hex,
    keys::{
        KeyFiles, Keys, SrsReference, VerifierKey, PROVING_KEY_FILE, SHAPE_FILE, VERIFYING_KEY_FILE,
    },
    prove, Error,
};

/// The keys of the fixture in a directory, whose files are then changed.
struct Saved {
    dir: TempDir,
    manifest: Value,
}

impl Saved {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fixture().keys.save(dir.path(), false).unwrap();
        let manifest = fs::read(dir.path().join(SHAPE_FILE)).unwrap();
        Self { manifest: serde_json::from_slice(&manifest).unwrap(), dir }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes the manifest with a change, which later ones do not build on.
    fn edit(&self, edit: impl FnOnce(&mut Value)) {
        let mut manifest = self.manifest.clone();
        edit(&mut manifest);
        fs::write(self.file(SHAPE_FILE), manifest.to_string()).unwrap();
    }

    fn write_shape(&self, shape: &Shape) {
        self.edit(|manifest| manifest["shape"] = serde_json::to_value(shape).unwrap());
    }

    /// Writes another verifying key and its digest.
    fn write_key(&self, key: &Key) {
        fs::write(self.file(VERIFYING_KEY_FILE), key.to_bytes()).unwrap();
        self.edit(|manifest| manifest["vk_digest"] = to_hex(&key.digest()).into());
    }

    fn load(&self) -> Result<VerifierKey, Error> {
        VerifierKey::load(self.dir.path())
    }

    /// Why the verifier's half is refused, and with it the whole.
    fn refusal(&self) -> String {
        let reason = self.load().map(|_| "nobody's keys").unwrap_err().to_string();
        assert_eq!(Keys::load(self.dir.path()).unwrap_err().to_string(), reason);
        reason
    }
}

#[test]
fn keys_are_read_as_they_were_written() {
    let fixture = fixture();
    let keys = &fixture.keys;
    let saved = Saved::new();
    assert!(keys.save(saved.dir.path(), false).is_err(), "they are there already");
    let length = fs::metadata(saved.file(PROVING_KEY_FILE)).unwrap().len();
    assert_eq!(Keys::proving_key_bytes(keys.shape()).unwrap(), length);
    let loaded = Keys::load(saved.dir.path()).unwrap();
    assert_eq!(loaded.shape(), keys.shape());
    assert_eq!(loaded.placement(), keys.placement());
    assert_eq!(loaded.vk_digest(), keys.vk_digest());
    assert_eq!(loaded.srs(), keys.srs());
    assert!(loaded.circuit.own() == keys.circuit.own());

    let verifier = saved.load().unwrap();
    assert_eq!(verifier.digest(), keys.vk_digest());
    let proof = prove(&fixture.srs, &loaded, &fixture.witness).unwrap();
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

/// The digest beside the key tells any other bytes. With their own digest there, they are still no key of the shape.
#[test]
fn any_bytes_give_a_verifying_key_or_a_reason() {
    let saved = Saved::new();
    let good = fs::read(saved.file(VERIFYING_KEY_FILE)).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(saved.file(VERIFYING_KEY_FILE), bytes).unwrap();
        let reason = saved.load().unwrap_err().to_string();
        assert!(reason.contains(VERIFYING_KEY_FILE), "{reason}");
    };
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for _ in 0..100 {
        refused(&good[..rng.gen_range(0..good.len())]);
        let random: Vec<u8> = (0..rng.gen_range(0..200)).map(|_| rng.r#gen()).collect();
        refused(&random);
        refused(&[&good, &random[..], &[0]].concat());
        let mut bytes = good.clone();
        let at = rng.gen_range(0..bytes.len());
        bytes[at] ^= rng.gen_range(1..=u8::MAX);
        refused(&bytes);
        if let Ok(key) = Key::read(&bytes) {
            saved.write_key(&key);
            assert!(saved.load().is_err(), "byte {at}");
            saved.edit(|_| ());
        }
    }
}

/// Each with the digest of what it is.
#[test]
fn a_key_of_something_else_is_refused() {
    let saved = Saved::new();
    let honest = fixture().keys.verifier();
    for (name, key) in other_keys(honest.key()) {
        saved.write_key(&key);
        let reason = saved.refusal();
        assert!(reason.contains("not a key of the shape and the SRS"), "{name}: {reason}");
    }
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../verifier/vectors/compact/small.json");
    let vector: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let compact = hex::decode(&vector["key"].as_str().unwrap()[2..]).unwrap();
    saved.write_key(&Key::read(&compact).unwrap());
    assert!(
        saved.refusal().contains("not a key of the shape and the SRS"),
        "a compact one of another circuit"
    );
    saved.write_key(honest.key());
    assert!(saved.load().is_ok());
    // Another shape, whose constraints are the same, and another SRS, beside the honest key.
    let mut shape = honest.shape().clone();
    shape.capacity += 1;
    assert_eq!(shape.check(), Ok(()));
    saved.write_shape(&shape);
    assert!(saved.refusal().contains("not a key of the shape and the SRS"));
    let mut raw = tempfile::NamedTempFile::new().unwrap();
    fixture().srs.write_raw(&mut raw).unwrap();
    for srs in [import::raw(raw.path(), None).unwrap(), Srs::insecure(4).unwrap()] {
        let srs = serde_json::to_value(SrsReference::new(&srs)).unwrap();
        saved.edit(|manifest| manifest["srs"] = srs);
        assert!(saved.refusal().contains("not a key of the shape and the SRS"));
    }
    let edits: [fn(&mut Value); 2] =
        [|srs| srs["insecure"] = false.into(), |srs| srs["tau_g2"] = srs["g2"].clone()];
    for edit in edits {
        saved.edit(|manifest| edit(&mut manifest["srs"]));
        assert!(saved.refusal().contains("origin, mark and points do not agree"));
    }
    // Commitments to something else: only the SRS tells.
    saved.write_key(&recommitted(honest.key(), 0));
    assert!(!saved.load().unwrap().is_made_from(&fixture().srs).unwrap());
    let loaded = Keys::load(saved.dir.path()).unwrap();
    assert!(!loaded.is_made_from(&fixture().srs).unwrap());
    assert!(prove(&fixture().srs, &loaded, &fixture().witness).is_err());
}

/// Whatever else they have.
#[test]
fn keys_of_other_formats_are_refused() {
    let saved = Saved::new();
    for older in ["muster-keys/1", "muster-keys/2", "muster-keys/4", ""] {
        let bare = json!({ "format": older, "something": [1, 2] });
        for all in [false, true] {
            let edit = |manifest: &mut Value| {
                if all {
                    manifest["format"] = older.into();
                } else {
                    *manifest = bare.clone();
                }
            };
            saved.edit(edit);
            let reason = saved.refusal();
            for part in [SHAPE_FILE, "format", older, "muster keygen"] {
                assert!(reason.contains(part), "{reason}");
            }
        }
    }
    saved.edit(|manifest| drop(manifest.as_object_mut().unwrap().remove("format")));
    assert!(saved.refusal().contains("format"));
}

/// Nothing of the columns is read before their length is right, and none is taken that the digest is not of.
#[test]
fn a_changed_proving_key_is_refused() {
    const NUMBER: usize = 32;
    let saved = Saved::new();
    let path = saved.file(PROVING_KEY_FILE);
    let good = fs::read(&path).unwrap();
    let opened = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        KeyFiles::open(saved.dir.path())
    };
    let refused = |bytes: &[u8]| match opened(bytes).unwrap().read() {
        Ok(_) => panic!("other columns"),
        Err(error) => error.to_string(),
    };
    assert!(opened(&good).unwrap().read().is_ok());
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    for _ in 0..20 {
        let mut bytes = good.clone();
        let at = rng.gen_range(0..bytes.len());
        bytes[at] ^= rng.gen_range(1..=u8::MAX);
        // Of the last byte of a number, most changes go beyond the modulus.
        let reason = refused(&bytes);
        let known = ["not the file whose digest", "beyond the modulus"];
        assert!(known.iter().any(|known| reason.contains(known)), "{at}: {reason}");
    }
    let rows = 1 << fixture().srs.k();
    let columns = good.len() / NUMBER / rows;
    for column in [0, 1, columns - 1] {
        for row in [0, rows - 1] {
            let mut bytes = good.clone();
            let at = NUMBER * (column * rows + row);
            bytes[at..at + NUMBER].fill(u8::MAX);
            let reason = refused(&bytes);
            assert!(reason.contains(&format!("column {column} has a number beyond")), "{reason}");
        }
    }
    for bytes in [&good[..good.len() - 1], &[&good, &[0][..]].concat(), &[]] {
        assert!(opened(bytes).is_err(), "{} bytes", bytes.len());
    }
    // What is sealed with them.
    fs::write(&path, &good).unwrap();
    let edits: [fn(&mut Value); 3] = [
        |manifest| manifest["break_points"] = json!([1]),
        |manifest| manifest["constants"].as_array_mut().unwrap().truncate(1),
        |manifest| manifest["constants"][0] = to_hex(&[7; 32]).into(),
    ];
    for edit in edits {
        saved.edit(edit);
        assert!(Keys::load(saved.dir.path()).is_err() && saved.load().is_ok());
    }
}

/// What the issue of hostile key directories names.
#[test]
fn a_layout_that_nobody_makes_is_refused() {
    let (keys, saved) = (&fixture().keys, Saved::new());
    let refused = |shape: &Shape| {
        assert!(shape.check().is_err(), "{shape:?}");
        saved.write_shape(shape);
        assert!(saved.load().is_err(), "{shape:?}");
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
    for arity in 0..18 {
        for columns in 0..80 {
            let mut shape = fixture().keys.shape().clone();
            shape.arity = arity;
            for gate in &mut shape.layout.poseidon {
                gate.columns = columns;
            }
            let _ = Keys::proving_key_bytes(&shape);
            shape.layout.poseidon[0].width = arity + 1;
            let _ = Keys::proving_key_bytes(&shape);
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
    let saved = Saved::new();
    let refused = |shape: &Shape| {
        saved.write_shape(shape);
        saved.load().is_err()
    };
    assert!(refused(&shape), "another shape's key");
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
            assert!(refused(&changed));
        }
    }
    // Sums that no equation has, and gates beside the one.
    let mut other = shape.clone();
    other.layout.foreign[0].sums = other_sums();
    assert!(other.check().is_err() && refused(&other));
    for count in [0, 2, 5, 1 << 12] {
        let mut several = shape.clone();
        several.layout.foreign = vec![relations(); count];
        assert!(several.check().is_err() && refused(&several));
    }
    for bits in [0, 1, 3, 7, 64, usize::MAX] {
        let mut shape = shape.clone();
        shape.layout.range_bits = bits;
        assert!(refused(&shape));
    }
}

/// A shape whose keys could be made, with fewer columns than its circuit fills.
#[test]
fn a_circuit_without_room_is_refused() {
    let Fixture { keys, witness, .. } = fixture();
    let room = |shape: &Shape, rows: usize, placement: &Placement| {
        let circuit = shape.prover_circuit(witness, placement.clone());
        circuit.unwrap().has_room(rows, placement)
    };
    let (shape, rows, placement) =
        (keys.shape(), keys.verifier.key().protocol().usable(), keys.placement());
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
