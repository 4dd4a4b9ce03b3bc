//! The light client in an EVM: proofs of real committees, from a message to the end of a term.

use std::sync::OnceLock;

use alloy_primitives::{keccak256, Address, U256};
use muster_circuits::{KeyKind, PointHash, Request, Scheme, Shape, Statement};
use muster_params::Srs;
use muster_prover::{
    prove,
    sample::{Plan, Sample, Source},
    Keys,
};

use crate::{
    bridge::{
        accept, propose, submit, submit_batch, submit_from_batch, Batch, ChainId, Client,
        Committee, Digest, Epoch, Form, Handover, Message, Scope, Sequence, ValidUntil,
    },
    evm::{Evm, Outcome},
    tests::Solc,
    verifier::{creation_code, register, KeyName},
    words::{number, word},
};

const CONTRACT: &str = "src/MultisigLightClient.sol";
const MEMBERS: usize = 4;
const SIGNING: usize = 2;
const CHAIN: u64 = 10;
const SOURCE_CHAIN: u64 = 1;
const START: u64 = 1_700_000_000;
const DAY: u64 = 86_400;
const OVERLAP: u64 = DAY;
const WINDOW: u64 = 2 * DAY;
/// Gas that the transaction of a message may take.
const SUBMIT_GAS: u64 = 324_000;

/// Keys for the committees.
struct Circuit {
    srs: Srs,
    shape: Shape,
    keys: Keys,
}

fn circuit() -> &'static Circuit {
    static CIRCUIT: OnceLock<Circuit> = OnceLock::new();
    CIRCUIT.get_or_init(|| {
        let shape = Shape::fit(&Request::new(Scheme::Schnorr, MEMBERS, SIGNING)).unwrap();
        let plan = Keys::plan(&shape, None).unwrap();
        let srs = Srs::insecure(plan.srs_degree()).unwrap();
        let keys = Keys::make_compact(&srs, &shape, &plan).unwrap();
        Circuit { srs, shape, keys }
    })
}

/// A committee of its own name, which signs anything.
#[derive(Clone, Copy)]
struct Signers(&'static str);

impl Signers {
    fn sample(self, message: Option<muster_circuits::Message>) -> Sample {
        let Circuit { shape, .. } = circuit();
        let plan = Plan {
            keys: KeyKind::Coordinates,
            scheme: Scheme::Schnorr,
            form: None,
            hash: PointHash::default(),
            signers: MEMBERS,
            signing: SIGNING,
            message,
            tree: (shape.arity, shape.depth),
        };
        Sample::new(&plan, Source::from_text(self.0)).unwrap()
    }

    fn committee(self) -> Committee {
        let root = circuit().shape.tree(&self.sample(None).committee).unwrap().root();
        Committee::new(key_name(), root, SIGNING as u64, Form::Element).unwrap()
    }

    /// A proof that they signed, as contracts take it.
    fn prove(self, digest: &Digest) -> Vec<u8> {
        let Circuit { srs, shape, keys } = circuit();
        let (message, committee) = (digest.message(Form::Element), self.committee());
        let Sample { committee: members, signatures, .. } = self.sample(Some(message.clone()));
        let (key_set_root, threshold) = (*committee.root(), committee.threshold());
        let statement = Statement { key_set_root, threshold, message, signers: None };
        let witness = shape.terms().unwrap().verify(&statement, &members, &signatures).unwrap();
        let proof = prove(srs, keys, &witness).unwrap();
        keys.verifier().calldata(&statement, &proof).unwrap()
    }
}

fn key_name() -> KeyName {
    KeyName(circuit().keys.verifier().key().as_compact().unwrap().evm_key().name())
}

/// A chain with the verifier, and a client of it.
struct Stage {
    evm: Evm,
    client: Address,
}

impl Stage {
    /// With these signers in office in epoch 1; `None` without a compiler.
    fn new(first: Signers) -> Option<Self> {
        let code = Solc::find()?.compile(CONTRACT).creation_code(CONTRACT);
        let mut evm = Evm::new(CHAIN);
        evm.set_time(START);
        let verifier = evm.deploy(&creation_code()).unwrap();
        let key = circuit().keys.verifier();
        let key = key.key().as_compact().unwrap().evm_key();
        assert!(evm.send(verifier, &register(key.as_bytes())).unwrap().success);
        let first = first.committee();
        let committee = [
            first.key().word(),
            word(first.root()),
            number(first.threshold()),
            number(first.form().number().into()),
        ];
        let terms = [WINDOW, OVERLAP, DAY, 0].map(number);
        let arguments = [verifier.into_word(), number(SOURCE_CHAIN), number(1)];
        let arguments = [&arguments[..], &committee, &terms].concat().concat();
        let client = evm.deploy(&[code, arguments].concat()).unwrap();
        Some(Self { evm, client })
    }

    /// What signers sign in in this epoch.
    fn scope(&self, signers: Signers, epoch: u64) -> Scope {
        let committee = signers.committee();
        Scope {
            source_chain: ChainId::from(SOURCE_CHAIN),
            destination_chain: ChainId::from(CHAIN),
            client: Client::new(self.client.into()),
            epoch: Epoch::new(epoch).unwrap(),
            key: committee.key(),
            root: *committee.root(),
        }
    }

    /// The calldata of a message that they signed.
    fn submission(&self, by: Signers, epoch: u64, message: &Message, until: u64) -> Vec<u8> {
        let (scope, until) = (self.scope(by, epoch), ValidUntil::from_seconds(until));
        let proof = by.prove(&scope.message_digest(message, until));
        submit(message, scope.epoch, until, &proof)
    }

    fn take(&mut self, calldata: &[u8]) -> Outcome {
        let outcome = self.evm.send(self.client, calldata).unwrap();
        assert!(outcome.success, "{outcome:?}");
        outcome
    }

    #[track_caller]
    fn refuse(&mut self, calldata: &[u8], error: &str) {
        let outcome = self.evm.call(self.client, calldata).unwrap();
        let expected = &keccak256(error)[..4];
        assert!(!outcome.success && outcome.output.starts_with(expected), "{error}: {outcome:?}");
    }

    fn epoch(&mut self) -> U256 {
        let outcome = self.evm.call(self.client, &keccak256("epoch()")[..4]).unwrap();
        U256::from_be_slice(&outcome.output)
    }
}

fn message(nonce: u64) -> Message {
    Message { nonce, payload: b"example/release 5 tokens to alice".to_vec() }
}

/// What the contract's own tests do over a mock of the verifier, with proofs of signatures, and with what this crate makes.
#[test]
fn committees_sign_and_hand_over() {
    let (a, b, lost) = (Signers("a"), Signers("b"), Signers("lost"));
    let Some(mut stage) = Stage::new(a) else { return };
    let scope = stage.scope(a, 1);

    let calldata = stage.submission(a, 1, &message(0), START + DAY);
    let Outcome { execution_gas, transaction_gas, .. } = stage.take(&calldata);
    println!("submit: {transaction_gas} gas, of which the execution {execution_gas}");
    assert!(transaction_gas < SUBMIT_GAS, "{transaction_gas}");
    stage.refuse(&calldata, "AlreadyProcessed(bytes32)");
    let other = stage.submission(b, 1, &message(1), 0);
    stage.refuse(&other, "ProofRejected()");
    let [early, late] = [1, 2].map(|nonce| stage.submission(a, 1, &message(nonce), 0));

    let messages = [3, 4, 5].map(message);
    let ids = messages.each_ref().map(|message| scope.message_id(message));
    let batch = Batch::new(&ids).unwrap();
    let proof = a.prove(&scope.batch_digest(&batch.root(), ValidUntil::FOREVER));
    stage.take(&submit_batch(&batch.root(), scope.epoch, ValidUntil::FOREVER, &proof));
    for (place, message) in messages.iter().enumerate() {
        let path = batch.path(place).unwrap();
        stage.take(&submit_from_batch(message, &batch.root(), &path));
    }

    // The wrong committee is proposed, and the proposal superseded: only the last can be accepted.
    let handover = |next: Signers, sequence| {
        let (committee, sequence) = (next.committee(), Sequence::new(sequence).unwrap());
        let handover = Handover::new(&scope, &committee, sequence).unwrap();
        let proof = a.prove(&handover.digest(ValidUntil::FOREVER));
        let acceptance = next.prove(&handover.acceptance_digest(ValidUntil::FOREVER));
        let calldata = propose(&committee, sequence, ValidUntil::FOREVER, &proof);
        (calldata, accept(ValidUntil::FOREVER, &acceptance))
    };
    let [(wrong, its_acceptance), (right, acceptance)] = [handover(lost, 1), handover(b, 2)];
    stage.take(&wrong);
    stage.take(&right);
    stage.refuse(&its_acceptance, "ProofRejected()");
    stage.take(&acceptance);
    assert_eq!(stage.epoch(), U256::from(2));

    // What the old committee signed is good in the overlap; what it signs now changes no office.
    stage.take(&early);
    stage.refuse(&handover(lost, 3).0, "ProofRejected()");
    stage.evm.set_time(START + OVERLAP + 1);
    stage.refuse(&late, "NotInOffice(uint64)");
    let calldata = stage.submission(b, 2, &message(2), 0);
    stage.take(&calldata);
}
