//! `WormholeClient`: guardian sets that follow each other, and messages that an application acts on.

use alloy_primitives::{keccak256, Address, Bytes, B256, U256};
use alloy_sol_types::{SolCall, SolError, SolValue};

use super::{assert_reverted, chain, changed, Circuits, Signers, DAY, START};
use crate::{
    evm::{Evm, Outcome},
    tests::Solc,
};

const RECEIVER: &str = "test/base/Receiver.sol";
const CLIENT: &str = "src/WormholeClient.sol";
const REGISTRY: &str = "src/KeySetRegistry.sol";
/// Gas that the transaction of a rotation may take.
const ROTATION_GAS: u64 = 550_000;
/// And that of a message, with what an application keeps of it.
const MESSAGE_GAS: u64 = 340_000;

/// Wormhole's numbers for chains, and who sends messages of users and those of governance.
const SOURCE: u16 = 2;
const EMITTER: B256 = B256::repeat_byte(0x3e);
const GOVERNANCE: u16 = 1;
/// Indices of three sets that follow each other. Wormhole's are past zero, from which the first rotation would be dearer.
const FIRST: u32 = 4;
const SECOND: u32 = FIRST + 1;
const THIRD: u32 = SECOND + 1;

mod abi {
    alloy_sol_types::sol! {
        function submitNewGuardianSet(bytes message);
        function submitTranslatedGuardianSet(bytes message, uint256 root, bytes translation);
        function take(bytes message);
        function parseAndVerifyVM(bytes message);
        error Invalid(string reason);
        error InvalidMessage(string reason);
    }
}
use abi::{
    parseAndVerifyVMCall, submitNewGuardianSetCall, submitTranslatedGuardianSetCall, takeCall,
};

/// A body as guardians sign it.
fn body(chain: u16, emitter: B256, sequence: u64, payload: &[u8]) -> Vec<u8> {
    let head = [&START.to_be_bytes()[4..], &[0; 4], &chain.to_be_bytes(), emitter.as_slice()];
    [&head.concat(), &sequence.to_be_bytes()[..], &[1], payload].concat()
}

fn message(sequence: u64) -> Vec<u8> {
    body(SOURCE, EMITTER, sequence, b"release 5 tokens to alice")
}

/// The governance message that puts these guardians in office.
fn upgrade(index: u32, guardians: Signers) -> Vec<u8> {
    let list = guardians.addresses();
    let module = U256::from(0x436f_7265).to_be_bytes::<32>();
    let count = [u8::try_from(list.len()).unwrap()];
    let head = [&module[..], &[2], &[0, 0], &index.to_be_bytes(), &count].concat();
    let emitter = B256::from(U256::from(4));
    body(GOVERNANCE, emitter, index.into(), &[head, list.concat()].concat())
}

/// What is passed: a body with a proof that these guardians signed it.
fn pass(index: u32, body: &[u8], proof: &[u8]) -> Bytes {
    let length = u16::try_from(proof.len()).unwrap();
    [&[0x4d][..], &index.to_be_bytes(), &length.to_be_bytes(), proof, body].concat().into()
}

fn signed(by: Signers, index: u32, body: &[u8]) -> Bytes {
    pass(index, body, &by.sign(keccak256(keccak256(body))))
}

fn translated(message: &Bytes, root: U256, translation: &Bytes) -> Vec<u8> {
    let (message, translation) = (message.clone(), translation.clone());
    submitTranslatedGuardianSetCall { message, root, translation }.abi_encode()
}

/// An application on a chain with the client, whose first guardians are in office.
struct Stage<'a> {
    circuits: &'a Circuits,
    evm: Evm,
    client: Address,
    receiver: Address,
}

impl<'a> Stage<'a> {
    /// `None` without a compiler.
    fn new(circuits: &'a Circuits, first: Signers) -> Option<Self> {
        let compiled = Solc::find()?.compile(RECEIVER);
        let (mut evm, verifier) = chain(circuits);
        let registry = evm.deploy(&compiled.creation_code(REGISTRY)).unwrap();
        let depth = U256::from(circuits.signatures.keys.shape().depth);
        let keys = (circuits.signatures.name(), circuits.translations.name(), depth);
        let arguments = (verifier, registry, keys, FIRST, first.addresses(), first.translate());
        let mut deploy = |file, arguments| {
            evm.deploy(&[compiled.creation_code(file), arguments].concat()).unwrap()
        };
        let client = deploy(CLIENT, arguments.abi_encode_params());
        let receiver = deploy(RECEIVER, (client, SOURCE, EMITTER).abi_encode_params());
        Some(Self { circuits, evm, client, receiver })
    }

    fn send_to_client(&mut self, calldata: &[u8]) -> Outcome {
        self.evm.send(self.client, calldata).unwrap()
    }

    fn take(&mut self, message: &Bytes) -> Outcome {
        let calldata = takeCall { message: message.clone() }.abi_encode();
        self.evm.send(self.receiver, &calldata).unwrap()
    }

    #[track_caller]
    fn expect_invalid(&mut self, message: &Bytes, reason: &str) {
        let expected = abi::Invalid { reason: reason.into() }.abi_encode();
        let outcome = self.take(message);
        assert!(!outcome.success && outcome.output == expected, "{reason}: {outcome:?}");
    }

    #[track_caller]
    fn expect_no_rotation(&mut self, calldata: &[u8], reason: &str) {
        let expected = abi::InvalidMessage { reason: reason.into() }.abi_encode();
        let outcome = self.send_to_client(calldata);
        assert!(!outcome.success && outcome.output == expected, "{reason}: {outcome:?}");
    }

    /// The second guardians take office by a translation, and nothing else puts them or others there.
    fn rotate(&mut self, first: Signers, second: Signers, others: Signers) {
        let (vaa, root) = (signed(first, FIRST, &upgrade(SECOND, second)), second.root());
        let (translation, of_others) = (second.translate(), others.translate());
        let rejected = "TranslationRejected(uint256)";
        for place in [31, translation.len() / 64 * 32 + 31, translation.len() - 1] {
            let bad = changed(&translation, place).into();
            let outcome = self.send_to_client(&translated(&vaa, root, &bad));
            assert_reverted(&outcome, rejected, &root.to_be_bytes::<32>());
        }
        // A translation that holds, of a list that nobody signed; and that list in the message.
        for root in [root, others.root()] {
            let outcome = self.send_to_client(&translated(&vaa, root, &of_others));
            assert_reverted(&outcome, rejected, &root.to_be_bytes::<32>());
        }
        let outcome = self.send_to_client(&translated(&vaa, others.root(), &translation));
        assert_reverted(&outcome, rejected, &[]);
        let proof = &vaa[7..vaa.len() - upgrade(SECOND, second).len()];
        let unsigned = pass(FIRST, &upgrade(SECOND, others), proof);
        let calldata = translated(&unsigned, others.root(), &of_others);
        self.expect_no_rotation(&calldata, "proof rejected");
        let bad = changed(&vaa, 7 + 31).into();
        self.expect_no_rotation(&translated(&bad, root, &translation), "proof rejected");

        let calldata = translated(&vaa, root, &translation);
        let Outcome { success, transaction_gas, execution_gas, .. } =
            self.send_to_client(&calldata);
        println!("rotation: {transaction_gas} gas, of which the execution {execution_gas}");
        println!("  proofs of {} and {} bytes", proof.len(), translation.len());
        assert!(success && transaction_gas < ROTATION_GAS, "{transaction_gas}");
        assert_reverted(&self.send_to_client(&calldata), "NotInOffice(uint32)", &[0; 28]);
    }

    /// Each message once, as long as the set that signed it is good.
    fn deliver(&mut self, first: Signers, second: Signers) {
        let vaa = signed(second, SECOND, &message(1));
        let calldata = parseAndVerifyVMCall { message: vaa.clone() }.abi_encode();
        let read = self.evm.call(self.client, &calldata).unwrap();
        println!("parseAndVerifyVM: {} gas", read.execution_gas);
        for place in [7 + 31, vaa.len() - 1] {
            self.expect_invalid(&changed(&vaa, place).into(), "proof rejected");
        }
        let Outcome { success, transaction_gas, execution_gas, .. } = self.take(&vaa);
        println!("message: {transaction_gas} gas, of which the execution {execution_gas}");
        assert!(success && transaction_gas < MESSAGE_GAS, "{transaction_gas}");
        assert_reverted(&self.take(&vaa), "DoneBefore(bytes32)", &[]);

        let (early, late) = (signed(first, FIRST, &message(2)), signed(first, FIRST, &message(3)));
        self.evm.set_time(START + DAY);
        assert!(self.take(&early).success, "the set before is good for a day");
        self.evm.set_time(START + DAY + 1);
        self.expect_invalid(&late, "guardian set has expired");
        let of_another = [&late[..1], &SECOND.to_be_bytes(), &late[5..]].concat().into();
        self.expect_invalid(&of_another, "proof rejected");
    }

    /// The registry puts the next ones there, from the message alone.
    fn rotate_by_registry(&mut self, second: Signers, third: Signers) {
        let vaa = signed(second, SECOND, &upgrade(THIRD, third));
        let calldata = submitNewGuardianSetCall { message: vaa }.abi_encode();
        let Outcome { success, transaction_gas, .. } = self.send_to_client(&calldata);
        println!("rotation by the registry: {transaction_gas} gas");
        assert!(success);
        let vaa = signed(third, THIRD, &message(4));
        assert!(self.take(&vaa).success, "the root is theirs");
    }
}

fn life(circuits: &Circuits) {
    let [a, b, c] = ["a", "b", "c"].map(|name| circuits.committee(name));
    let Some(mut stage) = Stage::new(circuits, a) else { return };
    println!("{} of {} guardians", stage.circuits.signing, stage.circuits.members);
    stage.rotate(a, b, c);
    stage.deliver(a, b);
    stage.rotate_by_registry(b, c);
}

#[test]
#[ignore = "slow: bases of two keys, and a dozen proofs"]
fn guardians_hand_over_and_their_messages_are_taken() {
    life(Circuits::small());
}

#[test]
#[ignore = "slow: keys and proofs of 13 of 19"]
fn wormholes_guardians_are_nineteen() {
    life(&Circuits::make(19, 13));
}
