//! Verifiers of five public inputs: the message is public itself.

use muster_circuits::{Goal, MessageForm, PlainBytes, Request, Scheme, Shape, SignedBytes};
use muster_params::Srs;
use muster_prover::Keys;

use super::{
    source::prove_sample_of,
    stage::{address, code, number},
    *,
};
use crate::contract::{source, Export};

/// Bytes of a message, as of an approval of NEAR.
const BYTES: usize = 41;

/// A verifier and its wrapper, and public inputs of a proof that it takes.
struct Deployed {
    evm: Evm,
    wrapper: Address,
    inputs: Vec<Fr>,
    proof: Vec<u8>,
    hash: [u8; WORD],
}

impl Deployed {
    /// Calldata for the same statement about other bytes.
    fn about(&self, message: &[u8]) -> Calldata {
        let plain = PlainBytes::new(&SignedBytes::new(message)).unwrap();
        let inputs = [&self.inputs[..MESSAGE], &plain.public_inputs()].concat();
        Calldata::of(&inputs, &self.proof)
    }

    fn call(&mut self, calldata: &[u8]) -> Outcome {
        self.evm.call(self.wrapper, calldata).unwrap()
    }

    /// All ways to bring the proof, and whether it is good. Those that tell return a word.
    #[track_caller]
    fn assert_verdict(&mut self, calldata: &Calldata, is_good: bool) {
        let calls = [calldata.verify(), calldata.verify_message().unwrap()];
        for call in calls {
            let outcome = self.call(&call);
            assert!(outcome.success && outcome.output == number(is_good.into()), "{outcome:?}");
        }
        let reverting = calldata.verify_proof(self.hash);
        assert_eq!(self.call(&reverting).success, is_good);
    }
}

/// The message of the statement.
fn message(inputs: &[Fr]) -> Vec<u8> {
    Message::from_public_inputs(&inputs[MESSAGE..]).unwrap().to_bytes()
}

/// With the columns for the least gas: those of the fastest proof make a verifier that is too long.
fn deployed(solc: &Solc) -> Deployed {
    let request = Request {
        goal: Goal::Gas,
        message: Some(MessageForm::Bytes { most: BYTES }),
        ..Request::new(Scheme::Ed25519, 3, 1)
    };
    let shape = Shape::fit(&request).unwrap();
    let srs = Srs::insecure(shape.degree()).unwrap();
    let keys = Keys::make(&srs, &shape).unwrap();
    let key = keys.verifier();
    let text = source(&contract_key(&key)).unwrap();
    assert!(text.contains("five public inputs") && text.contains("bytes:41"));
    let (inputs, proof) = prove_sample_of(&srs, &keys, (1, 3));
    assert_eq!((inputs.len(), message(&inputs).len()), (5, BYTES));
    // Fails unless the contract takes the proof.
    let export = Export::new(contract_key(&key), Some(solc)).unwrap();
    let export = export.with_proof(&statement(&shape, &inputs), &proof).unwrap();
    let names = export.manifest()["public_inputs"].clone();
    let expected = ["message_first", "message_second", "message_third"];
    assert_eq!(names.as_array().unwrap()[MESSAGE..], expected);
    let files: Vec<_> = export.files().into_iter().map(|(name, _)| name).collect();
    assert!(files.contains(&"MusterBytesVerifier.sol".to_owned()), "{files:?}");
    assert!(!files.contains(&"MusterDigestVerifier.sol".to_owned()), "{files:?}");

    let mut evm = Evm::default();
    let verifier = evm.deploy(&export.bytecode().unwrap().creation).unwrap();
    let gas = export.gas().unwrap();
    eprintln!("{}: {gas} gas, a proof of {} B", shape.degree(), proof.len());
    let cap = number(gas * 6 / 5);
    let arguments =
        [address(verifier), key.contract_digest(), number(proof.len() as u64), cap].concat();
    let creation = [code("MusterBytesVerifier"), arguments].concat();
    let wrapper = evm.deploy(&creation).unwrap();
    Deployed { evm, wrapper, inputs, proof, hash: export.verifier_hash().unwrap() }
}

#[test]
#[ignore = "slow: a proof of Ed25519"]
fn bytes_go_through_wrapper_and_verifier() {
    let Some(solc) = compiler() else { return };
    let mut deployed = deployed(&solc);
    let (inputs, proof) = (deployed.inputs.clone(), deployed.proof.clone());
    let bytes = message(&inputs);
    deployed.assert_verdict(&Calldata::of(&inputs, &proof), true);
    deployed.assert_verdict(&deployed.about(&bytes), true);
    // A zero more, a byte less, other bytes, and nothing.
    let mut last = bytes.clone();
    last[BYTES - 1] ^= 1;
    let mut first = bytes.clone();
    first[0] ^= 0x80;
    let longer = [&bytes[..], &[0]].concat();
    for other in [&longer[..], &bytes[..BYTES - 1], &last, &first, &[]] {
        deployed.assert_verdict(&deployed.about(other), false);
    }
    for place in [KEY_SET_ROOT, THRESHOLD] {
        let mut other = inputs.clone();
        other[place] += Fr::one();
        deployed.assert_verdict(&Calldata::of(&other, &proof), false);
    }
    let mut bad = proof.clone();
    *bad.last_mut().unwrap() ^= 1;
    deployed.assert_verdict(&Calldata::of(&inputs, &bad), false);
    // Words that are no message are no question: bits above them, and a byte behind the end.
    for (place, bits) in [(2, 192), (3, 192), (4, 136), (3, 0), (4, 8)] {
        let mut other = inputs.clone();
        other[place] += Fr::from(2).pow_vartime([bits]);
        let outcome = deployed.call(&Calldata::of(&other, &proof).verify());
        assert!(!outcome.success, "{place}: {outcome:?}");
    }
    let mut other = inputs.clone();
    other[4] += Fr::from(24);
    assert!(!deployed.call(&Calldata::of(&other, &proof).verify()).success);
}
