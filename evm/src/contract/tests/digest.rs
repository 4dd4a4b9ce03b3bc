//! Verifiers of four public inputs: the message is a digest in halves.

use muster_circuits::{Goal, Request, Scheme, Shape};
use muster_params::Srs;
use muster_prover::Keys;

use super::{
    source::prove_sample,
    stage::{address, code, number, Scene},
    *,
};
use crate::contract::{source, Export};

/// What the fixtures of Ed25519 say is the hash of the scene's bytes, which a contract computes.
#[test]
fn bytes_are_public_by_their_hash() {
    let signed = Scene::read().signed_bytes();
    let mut bytes = all();
    bytes.retain(|generated| !generated.key.shape().message.is_public());
    assert!(!bytes.is_empty());
    for generated in bytes {
        let found = generated.statement().message;
        assert_eq!(found, signed, "{}", generated.dir.display());
        // Digests of other bytes, a half at a time.
        for place in [MESSAGE, MESSAGE + 1] {
            let mut other = generated.inputs.clone();
            other[place] += Fr::one();
            let (mut evm, contract) = generated.deployed();
            assert!(!evm.call(contract, &calldata(&other, &generated.proof)).unwrap().accepted());
        }
    }
}

/// With the columns for the least gas: those of the fastest proof make a verifier that is too long.
#[test]
#[ignore = "slow: a proof of 2^16 rows"]
fn a_digest_goes_through_wrapper_and_verifier() {
    let request = Request {
        goal: Goal::Gas,
        degree: Some(16),
        ..Request::new(Scheme::EcdsaSecp256k1, 20, 3)
    };
    let shape = Shape::fit(&request).unwrap();
    let srs = Srs::insecure(shape.degree()).unwrap();
    let keys = Keys::make(&srs, &shape).unwrap();
    let key = keys.verifier();
    let text = source(&contract_key(&key)).unwrap();
    assert!(text.contains("four public inputs") && text.contains("low-s"));
    let Some(solc) = compiler() else { return };
    let (inputs, proof) = prove_sample(&srs, &keys);
    // Fails unless the contract takes the proof.
    let export = Export::new(contract_key(&key), Some(&solc)).unwrap();
    let export = export.with_proof(&statement(&shape, &inputs), &proof).unwrap();
    let names = export.manifest()["public_inputs"].clone();
    assert_eq!(names.as_array().unwrap()[2..], ["message_high", "message_low"]);
    let files: Vec<_> = export.files().into_iter().map(|(name, _)| name).collect();
    assert!(files.contains(&"MusterDigestVerifier.sol".to_owned()), "{files:?}");

    let mut evm = Evm::default();
    let verifier = evm.deploy(&export.bytecode().unwrap().creation).unwrap();
    let cap = number(export.gas().unwrap() * 6 / 5);
    let arguments =
        [address(verifier), key.contract_digest(), number(proof.len() as u64), cap].concat();
    let mut wrapper = |name: &str| evm.deploy(&[code(name), arguments.clone()].concat()).unwrap();
    let (wrapper, other) = (wrapper("MusterDigestVerifier"), wrapper("MusterVerifier"));
    let good = Calldata::of(&inputs, &proof);
    let outcome = evm.call(wrapper, &good.verify()).unwrap();
    assert!(outcome.accepted(), "{outcome:?}");
    let hash = export.verifier_hash().unwrap();
    assert!(evm.call(wrapper, &good.verify_proof(hash)).unwrap().success);
    // The wrapper of three public inputs gives the verifier too little calldata.
    assert!(!evm.call(other, &good.verify()).unwrap().accepted());
    for place in 0..inputs.len() {
        let mut changed = inputs.clone();
        changed[place] += Fr::one();
        let bad = Calldata::of(&changed, &proof);
        let outcome = evm.call(wrapper, &bad.verify()).unwrap();
        assert!(outcome.success && outcome.output == number(0), "{outcome:?}");
        assert!(!evm.call(wrapper, &bad.verify_proof(hash)).unwrap().success);
    }
}
