//! The wrapper round a generated verifier.

use revm::primitives::keccak256;

use super::*;
use crate::contract::{
    export::{INTERFACE, WRAPPER},
    solc::{Solc, VERSION},
    Export,
};

/// A number as a word of the ABI.
fn word(number: usize) -> [u8; WORD] {
    let mut word = [0; WORD];
    word[WORD - 8..].copy_from_slice(&(number as u64).to_be_bytes());
    word
}

/// The call of a function.
fn call(signature: &str, words: &[u8]) -> Vec<u8> {
    [&keccak256(signature)[..4], words].concat()
}

/// `verify(bytes,uint256[])`
fn verify_call(inputs: &[Fr], proof: &[u8]) -> Vec<u8> {
    let padded = proof.len().next_multiple_of(WORD);
    let mut words = [word(2 * WORD), word(3 * WORD + padded), word(proof.len())].concat();
    words.extend(proof);
    words.resize(3 * WORD + padded, 0);
    words.extend(word(inputs.len()));
    words.extend(calldata(inputs, &[]));
    call("verify(bytes,uint256[])", &words)
}

#[test]
fn the_wrapper_takes_generated_verifiers() {
    let Some(solc) = Solc::find() else {
        eprintln!("skipped: no solc {VERSION} here; run `npm ci` in contracts");
        return;
    };
    let file = "MusterVerifier.sol";
    let sources = [(file, WRAPPER), ("interfaces/IMusterVerifier.sol", INTERFACE)];
    let (wrapper, _) = solc.build(&sources, file, "MusterVerifier").unwrap();
    for generated in all() {
        let (mut evm, verifier) = generated.deployed();
        let mut creation = wrapper.creation.clone();
        creation.extend([0; 12]);
        creation.extend(verifier);
        creation.extend(generated.key.digest());
        creation.extend(word(generated.proof.len()));
        creation.extend(word(600_000));
        let contract = evm.deploy(&creation).unwrap();
        let good = verify_call(&generated.inputs, &generated.proof);
        let outcome = evm.call(contract, &good).unwrap();
        assert!(outcome.accepted(), "{outcome:?}");
        let mut proof = generated.proof.clone();
        proof[generated.proof.len() - 1] ^= 1;
        let outcome = evm.call(contract, &verify_call(&generated.inputs, &proof)).unwrap();
        assert!(outcome.success && outcome.output == word(0), "{outcome:?}");
        let hash = evm.call(contract, &call("VERIFIER_HASH()", &[])).unwrap().output;
        let export = Export::new(&generated.key, Some(&solc)).unwrap();
        assert_eq!(hash, export.verifier_hash().unwrap());
    }
}
