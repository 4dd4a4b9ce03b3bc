use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
};

use alloy_primitives::{hex, U256};
use halo2_base::halo2_proofs::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use muster_circuits::{
    encoding::{field_from_hex, message_to_hex},
    KeyKind, Message, PointHash, Request, Scheme, Shape, Statement, KEY_SET_ROOT, MESSAGE,
};
use muster_params::{import, Srs};
use muster_prover::{
    prove,
    sample::{Plan, Sample, Source},
    Keys, VerifierKey,
};
use muster_verifier::{verify_batch, Key};
use proptest::{
    collection::vec,
    option,
    prelude::{any, Just},
    prop_assert, prop_assert_eq, prop_oneof,
    sample::Index,
    strategy::Strategy,
    test_runner::{Config, TestRunner},
};
use serde::Deserialize;

use super::*;
use crate::{tests::Solc, words::word};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_code_is_that_of_the_source() {
    let Some(solc) = Solc::find() else { return };
    const VERIFIER: &str = "src/MusterVerifier.sol";
    let code = solc.compile(VERIFIER).creation_code(VERIFIER);
    if std::env::var_os("MUSTER_UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(root().join("bytecode/MusterVerifier.hex"), hex::encode(code) + "\n").unwrap();
    } else {
        assert!(code == creation_code(), "MUSTER_UPDATE_GOLDEN=1 writes it anew");
    }
}

/// What `MusterStatement` is compared with.
#[test]
fn inputs_of_statements_are_those_of_the_library() {
    #[derive(Deserialize)]
    struct Statements {
        statements: Vec<Vector>,
    }
    #[derive(Deserialize)]
    struct Vector {
        message: String,
        public_inputs: Vec<String>,
    }

    let path = root().join("../contracts/test/vectors/statements.json");
    let vectors = fs::read_to_string(path).unwrap();
    let Statements { statements } = serde_json::from_str(&vectors).unwrap();
    assert_eq!(statements.len(), 6);
    for Vector { message: expected, public_inputs } in statements {
        let inputs: Vec<Fr> =
            public_inputs.iter().map(|input| field_from_hex(input).unwrap()).collect();
        let message = Message::from_public_inputs(&inputs[MESSAGE..]).unwrap();
        assert_eq!(message_to_hex(&message), expected);
        let key_set_root = inputs[KEY_SET_ROOT];
        let statement = Statement { key_set_root, threshold: 8, message, signers: None };
        assert_eq!(statement.public_inputs(), inputs);
    }
}

/// The key of a real circuit, a statement, and a proof of it as contracts take it.
fn proven(srs: impl FnOnce(u32) -> Srs) -> (VerifierKey, Statement, Vec<u8>) {
    let shape = Shape::fit(&Request::new(Scheme::Schnorr, 3, 2)).expect("a shape");
    let plan = Keys::plan(&shape, None).expect("packs");
    let srs = srs(plan.srs_degree());
    let keys = Keys::make_compact(&srs, &shape, &plan).expect("keys");
    let tree = (shape.arity, shape.depth);
    let sample = Plan {
        keys: KeyKind::Coordinates,
        scheme: Scheme::Schnorr,
        form: None,
        hash: PointHash::default(),
        signers: 3,
        signing: 2,
        message: None,
        tree,
    };
    let sample = Sample::new(&sample, Source::from_text("contract")).expect("a sample");
    let key_set_root = shape.tree(&sample.committee).expect("a tree").root();
    let message = sample.message.clone();
    let statement = Statement { key_set_root, threshold: 2, message, signers: None };
    let terms = shape.terms().expect("terms");
    let witness = terms.verify(&statement, &sample.committee, &sample.signatures);
    let made = prove(&srs, &keys, &witness.expect("signatures")).expect("a proof");

    let key = keys.verifier();
    let proof = key.calldata(&statement, &made).expect("calldata");
    (key, statement, proof)
}

/// The SRS of a ceremony, where a checkout has one: `MUSTER_REAL_SRS` names its folder, by default it is beside the workspace.
#[test]
#[ignore = "slow: Lagrange points of 16,384 powers"]
fn proofs_from_a_ceremony_are_verified() {
    let beside = || root().join("../../shared/srs");
    let dir = std::env::var_os("MUSTER_REAL_SRS").map_or_else(beside, PathBuf::from);
    let g1 = dir.join("ppot-bn254-g1-65536.point");
    let g2 = dir.join("ppot-bn254-g2-powers-of-2.point");
    if !g1.is_file() || !g2.is_file() {
        println!("real SRS absent, skipped");
        return;
    }
    let (key, statement, proof) = proven(|degree| import::point(&g1, &g2, Some(degree)).unwrap());
    assert!(key.key().is_ceremony());
    let mut verifier = Verifier::new().unwrap();
    let evm_key = key.key().as_compact().unwrap().evm_key();
    let (name, inputs) =
        (verifier.register(evm_key.as_bytes()).unwrap(), statement.public_inputs());
    assert!(verifier.verify(name, &inputs, &proof).unwrap().accepted());
    // The same circuit, but another τ: neither is good for the other.
    let (other, _, theirs) = proven(|degree| Srs::insecure(degree).unwrap());
    let evm_key = other.key().as_compact().unwrap().evm_key();
    let others = verifier.register(evm_key.as_bytes()).unwrap();
    for (name, proof) in [(name, &theirs), (others, &proof)] {
        let outcome = verifier.verify(name, &inputs, proof).unwrap();
        assert!(outcome.success && !outcome.accepted());
    }
}

/// A real key and proof of a real circuit, made here, verified on a chain.
#[test]
fn proofs_of_a_circuit_are_verified() {
    let (key, statement, proof) = proven(|degree| Srs::insecure(degree).unwrap());
    let evm_key = key.key().as_compact().unwrap().evm_key();
    let (name, inputs) = (KeyName(evm_key.name()), statement.public_inputs());
    let mut verifier = Verifier::new().unwrap();
    let unknown = verifier.verify(name, &inputs, &proof).unwrap();
    assert!(!unknown.success, "nobody has registered the key");
    assert_eq!(verifier.register(evm_key.as_bytes()).unwrap(), name);
    assert!(verifier.register(&evm_key.as_bytes()[1..]).is_err());

    let accepted = verifier.verify(name, &inputs, &proof).unwrap();
    assert!(accepted.accepted());
    assert!(accepted.execution_gas < 236_000, "{}", accepted.execution_gas);
    println!("{} B, {} gas", proof.len(), accepted.execution_gas);
    let mut refused = |inputs: &[Fr], proof: &[u8], what: &str| {
        let outcome = verifier.verify(name, inputs, proof).unwrap();
        assert!(outcome.success && outcome.output == [0; 32], "{what}");
    };
    for place in 0..inputs.len() {
        let mut other = inputs.clone();
        other[place] += Fr::ONE;
        refused(&other, &proof, &format!("input {place}"));
    }
    for word in 0..proof.len() / 32 {
        let mut other = proof.clone();
        other[32 * word + 31] ^= 1;
        refused(&inputs, &other, &format!("word {word}"));
    }
    verdicts_are_the_same(&mut verifier, key.key(), &inputs, &proof);
}

/// What becomes of a word of a proof.
#[derive(Clone, Debug)]
enum Change {
    /// Its bytes are replaced.
    By([u8; 32]),
    /// It and another word change places.
    Swap(Index),
    /// It becomes like another word.
    Copy(Index),
    /// The order is added, if there is room.
    AddOrder,
}

/// Whatever is done to a proof and its inputs, the contract says what the library says.
fn verdicts_are_the_same(verifier: &mut Verifier, key: &Key, inputs: &[Fr], proof: &[u8]) {
    let change = prop_oneof![
        any::<[u8; 32]>().prop_map(Change::By),
        any::<Index>().prop_map(Change::Swap),
        any::<Index>().prop_map(Change::Copy),
        Just(Change::AddOrder),
    ];
    let changes = (vec((any::<Index>(), change), 0..3), option::of((any::<Index>(), any::<u64>())));
    let order = U256::from_str_radix(&Fr::MODULUS[2..], 16).expect("hexadecimal");
    let name = KeyName(key.as_compact().expect("a key of compact").evm_key().name());
    let verifier = RefCell::new(verifier);
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&changes, |(changes, shift)| {
        let mut words: Vec<[u8; 32]> =
            proof.chunks_exact(32).map(|word| word.try_into().expect("32 bytes")).collect();
        for (place, change) in changes {
            let place = place.index(words.len());
            match change {
                Change::By(bytes) => words[place] = bytes,
                Change::Swap(other) => {
                    let other = other.index(words.len());
                    words.swap(place, other);
                }
                Change::Copy(other) => words[place] = words[other.index(words.len())],
                Change::AddOrder => {
                    let sum = U256::from_be_bytes(words[place]).checked_add(order);
                    words[place] = sum.map_or(words[place], |sum| sum.to_be_bytes());
                }
            }
        }
        let honest = inputs;
        let mut inputs = inputs.to_vec();
        if let Some((place, by)) = shift {
            let place = place.index(inputs.len());
            inputs[place] += Fr::from(by);
        }
        let outcome =
            verifier.borrow_mut().verify(name, &inputs, &words.concat()).expect("a transaction");
        prop_assert!(outcome.success, "a verdict, whatever it is");
        let changed = words.concat();
        let claims = [(name, honest, proof), (name, &inputs[..], &changed[..])];
        let both = verifier.borrow_mut().verify_all(&claims).expect("a transaction");
        let bytes =
            |inputs: &[Fr]| -> Vec<_> { inputs.iter().map(|input| word(input).0).collect() };
        let (inputs, honest) = (bytes(&inputs), bytes(honest));
        let accepted = key.verify(&inputs, &changed).is_ok();
        prop_assert_eq!(outcome.accepted(), accepted);
        prop_assert!(both.success, "a verdict of both");
        prop_assert_eq!(both.accepted(), accepted);
        let batch = [(key, &honest[..], proof), (key, &inputs[..], &changed[..])];
        prop_assert_eq!(both.accepted(), verify_batch(&batch).is_ok());
        Ok(())
    });
    outcome.expect("the same verdicts");
}
