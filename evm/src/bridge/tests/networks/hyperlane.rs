//! `MusterIsm`: messages that validators of Hyperlane signed.

use alloy_primitives::{keccak256, Address, Bytes, B256, U256};
use alloy_sol_types::{SolCall, SolValue};

use super::{assert_reverted, chain, changed, Circuits};
use crate::tests::Solc;

const MODULE: &str = "src/MusterIsm.sol";
/// Gas of a transaction that asks about one message.
const GAS: u64 = 320_000;

const ORIGIN: u32 = 137;
const HOOK: B256 = B256::repeat_byte(0x73);
const INDEX: u32 = 7;
/// Levels of the tree of messages, and what stands beside each node on the way up.
const LEVELS: u32 = 32;
const SIBLING: B256 = B256::repeat_byte(0x52);

mod abi {
    alloy_sol_types::sol! {
        struct Checkpoint {
            uint32 origin;
            bytes32 hook;
            bytes32 root;
            uint32 index;
            bytes32 messageId;
        }
        function verify(bytes metadata, bytes message);
        function prepare(bytes metadata, bytes message);
        function submit(Checkpoint checkpoint, bytes proof);
    }
}

/// A message as the mailbox of the origin writes it.
fn message(text: &[u8]) -> Vec<u8> {
    let address = Address::repeat_byte(0xa1).into_word();
    let head = [&[3][..], &INDEX.to_be_bytes(), &ORIGIN.to_be_bytes(), address.as_slice()];
    let destination = 10_u32.to_be_bytes();
    [&head.concat(), &destination[..], address.as_slice(), text].concat()
}

/// The root of the tree that has this message.
fn root(message: &[u8]) -> B256 {
    (0..LEVELS).fold(keccak256(message), |node, level| {
        let pair = if INDEX >> level & 1 == 1 { [SIBLING, node] } else { [node, SIBLING] };
        keccak256(pair.concat())
    })
}

/// What validators sign of a message: the checkpoint that names it.
fn digest(message: &[u8]) -> B256 {
    let domain = keccak256([&ORIGIN.to_be_bytes()[..], HOOK.as_slice(), b"HYPERLANE"].concat());
    let id = keccak256(message);
    let index = INDEX.to_be_bytes();
    let checkpoint = [domain, root(message)].concat();
    let checkpoint = [&checkpoint[..], &index, id.as_slice()].concat();
    let prefix = b"\x19Ethereum Signed Message:\n32";
    keccak256([&prefix[..], keccak256(checkpoint).as_slice()].concat())
}

fn metadata(message: &[u8], proof: &[u8]) -> Vec<u8> {
    let tree = [HOOK, root(message)].concat();
    [&[5][..], &tree, &INDEX.to_be_bytes(), proof].concat()
}

/// That the message is in the tree of a checkpoint that was submitted: here the one that names it.
fn metadata_by_path(message: &[u8]) -> Vec<u8> {
    let (id, index) = (keccak256(message), INDEX.to_be_bytes());
    let path = SIBLING.repeat(LEVELS as usize);
    [&[4][..], HOOK.as_slice(), &index, id.as_slice(), &path, &index].concat()
}

fn verify(metadata: &[u8], message: &[u8]) -> Vec<u8> {
    let (metadata, message) = (Bytes::copy_from_slice(metadata), Bytes::copy_from_slice(message));
    abi::verifyCall { metadata, message }.abi_encode()
}

fn life(circuits: &Circuits) {
    let Some(solc) = Solc::find() else { return };
    let code = solc.compile(MODULE).creation_code(MODULE);
    let (mut evm, verifier) = chain(circuits);
    let validators = circuits.committee("validators");
    let (key, threshold) = (circuits.signatures.name(), U256::from(circuits.signing));
    let origins = vec![(U256::from(ORIGIN), HOOK, key, validators.root(), threshold)];
    let arguments = (verifier, origins).abi_encode_params();
    let module = evm.deploy(&[code, arguments].concat()).unwrap();

    let message = message(b"release 5 tokens to alice");
    let proof = validators.sign(digest(&message));
    let signed = metadata(&message, &proof);
    let rejected = "ProofRejected()";
    for place in [33, 69 + 31, signed.len() - 1] {
        let outcome = evm.call(module, &verify(&changed(&signed, place), &message)).unwrap();
        assert_reverted(&outcome, rejected, &[]);
    }
    let other = changed(&message, message.len() - 1);
    assert_reverted(&evm.call(module, &verify(&signed, &other)).unwrap(), rejected, &[]);

    let outcome = evm.call(module, &verify(&signed, &message)).unwrap();
    let (all, alone) = (outcome.transaction_gas, outcome.execution_gas);
    println!("{} of {} validators", circuits.signing, circuits.members);
    println!("verify: {all} gas as a transaction, of which the execution {alone}");
    assert!(outcome.accepted() && all < GAS, "{outcome:?}");

    let by_path = verify(&metadata_by_path(&message), &message);
    assert_reverted(&evm.call(module, &by_path).unwrap(), rejected, &[]);
    let (id, root) = (keccak256(&message), root(&message));
    let checkpoint =
        abi::Checkpoint { origin: ORIGIN, hook: HOOK, root, index: INDEX, messageId: id };
    let submission = abi::submitCall { checkpoint, proof: proof.into() }.abi_encode();
    let submitted = evm.send(module, &submission).unwrap();
    let outcome = evm.call(module, &by_path).unwrap();
    assert!(submitted.success && outcome.accepted(), "{outcome:?}");
    println!("submit: {} gas", submitted.transaction_gas);
    println!(
        "verify without a proof: {} gas, {} alone",
        outcome.transaction_gas, outcome.execution_gas
    );

    let unprepared = evm.call(module, &verify(&[], &message)).unwrap();
    assert!(unprepared.success && !unprepared.accepted(), "nobody prepared it");
    let calldata =
        abi::prepareCall { metadata: signed.into(), message: message.clone().into() }.abi_encode();
    let prepared = evm.send(module, &calldata).unwrap();
    println!("prepare: {} gas", prepared.transaction_gas);
    assert!(prepared.success && evm.call(module, &verify(&[], &message)).unwrap().accepted());
}

#[test]
#[ignore = "slow: bases of a key"]
fn validators_are_believed_about_what_they_signed() {
    life(Circuits::small());
}

#[test]
#[ignore = "slow: keys and proofs of 13 of 19"]
fn thirteen_of_nineteen_validators_are_believed() {
    life(&Circuits::make(19, 13));
}
