//! What verifiers accept, and what they take for it.

use super::*;
use crate::contract::{
    proof_length,
    solc::{MAX_CREATION_SIZE, MAX_SIZE, MIN_SIZE},
};

#[test]
fn good_proofs_are_accepted() {
    for generated in all() {
        let calldata = generated.calldata();
        assert!(generated.natively(&calldata));
        let (mut evm, contract) = generated.deployed();
        let outcome = evm.call(contract, &calldata).unwrap();
        assert!(outcome.accepted(), "{}: {outcome:?}", generated.dir.display());
        let gas = generated.gas();
        // Nothing in the code depends on the values of a proof but its jumps on failure.
        assert_eq!(outcome.execution_gas, gas);
        // 21,000, and at most 16 for a byte of calldata.
        let transaction = outcome.transaction_gas - outcome.execution_gas;
        assert!(transaction <= 21_000 + 16 * calldata.len() as u64);
    }
}

#[test]
fn the_code_fits_a_contract() {
    for generated in all() {
        let runtime = generated.code("runtime.bin");
        assert!((MIN_SIZE..=MAX_SIZE).contains(&runtime.len()));
        // Creation leaves the runtime code.
        let creation = generated.code("bin");
        assert!(creation.windows(runtime.len()).any(|window| window == runtime));
        assert!(creation.len() <= MAX_CREATION_SIZE);
        assert_eq!(generated.manifest()["bytecode"]["runtime_bytes"], runtime.len());
        assert_eq!(proof_length(&generated.contract_key()).unwrap(), generated.proof.len());
    }
}
