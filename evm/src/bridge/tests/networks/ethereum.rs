//! `EthereumClient`: a sync committee's signatures and the translation of the next committee, through the verifier itself.

use alloy_primitives::{Address, Bytes, FixedBytes, B256, U256};
use alloy_sol_types::{SolCall, SolValue};
use muster_circuits::{
    translation::{CommitmentKind, TranslationRequest, TranslationShape},
    Request, Rule, Scheme, Shape, Statement,
};
use muster_prover::{
    muster_schemes::hash::ssz::{chunk, merkleize},
    sample::{Plan, Sample, Source},
};

use super::{assert_reverted, both, changed, Made, CHAIN, START};
use crate::{
    evm::{Evm, Outcome},
    tests::Solc,
    verifier::{creation_code, register},
    words::word,
};

const CLIENT: &str = "src/EthereumClient.sol";
/// Seats of a committee, all of which sign.
const SEATS: usize = 4;
/// Slots of an epoch and of a period, and seconds of a slot.
const EPOCH: u64 = 4;
const PERIOD: u64 = 8;
const SLOT_TIME: u64 = 12;
const VERSION: [u8; 4] = [6, 0, 0, 0];
const GENESIS: B256 = B256::repeat_byte(0x6e);
/// Leaves of a state's tree from Electra on, and what a client reads of it: two committees, and the finalized checkpoint.
const LEAVES: usize = 64;
const CHECKPOINT: usize = 20;
const CURRENT: usize = 22;
const NEXT: usize = 23;
/// Gas that the transaction of a rotation may take, with a later block.
const ROTATION_GAS: u64 = 570_000;

mod abi {
    alloy_sol_types::sol! {
        struct Fork {
            uint64 epoch;
            bytes4 version;
            uint16 finalizedRoot;
            uint16 currentCommittee;
            uint16 nextCommittee;
        }

        struct Network {
            bytes32 genesisValidatorsRoot;
            uint64 genesisTime;
            uint64 secondsPerSlot;
            uint64 slotsPerEpoch;
            uint64 epochsPerPeriod;
            uint64 committeeSize;
            uint64 maximumAge;
            uint64 forcedAfter;
            Fork[] forks;
        }

        struct Committee {
            bytes32 hashTreeRoot;
            bytes32[] branch;
            uint256 root;
            bytes proof;
        }

        struct Header {
            uint64 slot;
            uint64 proposerIndex;
            bytes32 parentRoot;
            bytes32 stateRoot;
            bytes32 bodyRoot;
        }

        struct Update {
            Header attested;
            uint64 signatureSlot;
            uint64 participants;
            Header finalized;
            bytes32[] finalityBranch;
            bytes proof;
        }

        function follow(Update update);
        function rotate(Update update, Committee next);
        function latestSlot() returns (uint64);
        function committeeRoot(uint64 period) returns (uint256);
    }
}

/// The committee of a period.
struct SyncCommittee {
    hash: B256,
    root: U256,
    proof: Bytes,
}

/// Keys of both kinds.
struct Keys {
    signatures: Made<Shape>,
    translations: Made<TranslationShape>,
}

impl Keys {
    fn make() -> Self {
        let request = Request::new(Scheme::BlsBls12381, SEATS, SEATS);
        let request = Request { rule: Some(Rule::TrustedKeys), ..request };
        let shape = Shape::fit(&request).unwrap();
        let request = TranslationRequest {
            arity: shape.arity,
            depth: Some(shape.depth),
            ..TranslationRequest::new(CommitmentKind::SyncCommittee, SEATS)
        };
        let translation = TranslationShape::fit(&request).unwrap();
        let (signatures, translations) = both(&shape, &translation);
        Self { signatures, translations }
    }

    fn sample(&self, period: u64, signed: Option<B256>) -> Sample {
        let shape = self.signatures.keys.shape();
        let plan = Plan {
            scheme: Scheme::BlsBls12381,
            keys: shape.keys,
            form: None,
            hash: shape.hash,
            signers: SEATS,
            signing: SEATS,
            message: signed.map(|signed| signed.0.into()),
            tree: (shape.arity, shape.depth),
        };
        Sample::new(&plan, Source::from_text(&format!("sync committee {period}"))).unwrap()
    }

    /// A committee, and that its root holds the keys of its hash.
    fn committee(&self, period: u64) -> SyncCommittee {
        let shape = self.translations.keys.shape();
        let witness = shape.witness(&self.sample(period, None).committee).unwrap();
        let statement = witness.statement();
        let (hash, root) = (statement.commitment.into(), word(&statement.key_set_root));
        let proof = self.translations.prove(&witness).into();
        SyncCommittee { hash, root: U256::from_be_bytes(root.0), proof }
    }

    /// A proof that all seats signed the header.
    fn sign(&self, period: u64, attested: &abi::Header) -> Bytes {
        let signed = signing_root(attested);
        let (shape, sample) = (self.signatures.keys.shape(), self.sample(period, Some(signed)));
        let statement = Statement {
            key_set_root: shape.tree(&sample.committee).unwrap().root(),
            threshold: SEATS as u64,
            message: signed.0.into(),
            signers: None,
        };
        let terms = shape.terms().unwrap();
        let witness = terms.verify(&statement, &sample.committee, &sample.signatures).unwrap();
        self.signatures.prove(&witness).into()
    }
}

fn number(number: u64) -> [u8; 32] {
    chunk(&number.to_le_bytes())
}

/// `hash_tree_root` of a header.
fn root_of(header: &abi::Header) -> B256 {
    let numbers = [number(header.slot), number(header.proposerIndex)];
    let roots = [header.parentRoot.0, header.stateRoot.0, header.bodyRoot.0];
    merkleize(&[&numbers[..], &roots].concat()).into()
}

/// `compute_signing_root` in the domain of sync committees.
fn signing_root(header: &abi::Header) -> B256 {
    let fork = merkleize(&[chunk(&VERSION), GENESIS.0]);
    let domain = [&[7, 0, 0, 0][..], &fork[..28]].concat();
    merkleize(&[root_of(header).0, chunk(&domain)]).into()
}

fn header(slot: u64, state: B256) -> abi::Header {
    let odd = |byte| B256::repeat_byte(byte);
    abi::Header {
        slot,
        proposerIndex: 7 * slot,
        parentRoot: odd(0x70),
        stateRoot: state,
        bodyRoot: odd(0xb0),
    }
}

/// A state: a tree of hashes with a checkpoint and two committees in their places.
struct State {
    nodes: Vec<[u8; 32]>,
    epoch: [u8; 32],
}

impl State {
    fn new(slot: u64, finalized: B256, current: B256, next: B256) -> Self {
        let mut nodes = vec![[0; 32]; 2 * LEAVES];
        let epoch = number(slot / EPOCH);
        for (place, leaf) in nodes[LEAVES..].iter_mut().enumerate() {
            *leaf = number(slot + place as u64);
        }
        nodes[LEAVES + CHECKPOINT] = merkleize(&[epoch, finalized.0]);
        (nodes[LEAVES + CURRENT], nodes[LEAVES + NEXT]) = (current.0, next.0);
        for place in (1..LEAVES).rev() {
            nodes[place] = merkleize(&nodes[2 * place..2 * place + 2]);
        }
        Self { nodes, epoch }
    }

    fn root(&self) -> B256 {
        self.nodes[1].into()
    }

    fn branch(&self, leaf: usize) -> Vec<B256> {
        let mut places = std::iter::successors(Some(LEAVES + leaf), |place| Some(place / 2));
        let up = places.by_ref().take_while(|place| *place > 1);
        up.map(|place| self.nodes[place ^ 1].into()).collect()
    }

    /// From the finalized block to the root.
    fn finality(&self) -> Vec<B256> {
        [vec![self.epoch.into()], self.branch(CHECKPOINT)].concat()
    }
}

fn in_state(committee: &SyncCommittee, branch: Vec<B256>) -> abi::Committee {
    abi::Committee {
        hashTreeRoot: committee.hash,
        branch,
        root: committee.root,
        proof: committee.proof.clone(),
    }
}

/// An update of these slots whose signatures are still missing, and the state that it is from.
fn update(slot: u64, finalized: u64, [current, next]: [B256; 2]) -> (abi::Update, State) {
    let finalized = header(finalized, B256::repeat_byte(0x50));
    let state = State::new(slot, root_of(&finalized), current, next);
    let update = abi::Update {
        attested: header(slot, state.root()),
        signatureSlot: slot + 1,
        participants: SEATS as u64,
        finalized,
        finalityBranch: state.finality(),
        proof: Bytes::new(),
    };
    (update, state)
}

fn network() -> abi::Network {
    let fork = abi::Fork {
        epoch: 0,
        version: FixedBytes(VERSION),
        finalizedRoot: 169,
        currentCommittee: 86,
        nextCommittee: 87,
    };
    abi::Network {
        genesisValidatorsRoot: GENESIS,
        genesisTime: START,
        secondsPerSlot: SLOT_TIME,
        slotsPerEpoch: EPOCH,
        epochsPerPeriod: PERIOD / EPOCH,
        committeeSize: SEATS as u64,
        maximumAge: 0,
        forcedAfter: 0,
        forks: vec![fork],
    }
}

/// A chain with the client, which trusts a block of slot 9 and knows the committee of period 1. `None` without a compiler.
fn deploy(keys: &Keys, current: &SyncCommittee, next: B256) -> Option<(Evm, Address)> {
    let code = Solc::find()?.compile(CLIENT).creation_code(CLIENT);
    let mut evm = Evm::new(CHAIN);
    evm.set_time(START + 100 * SLOT_TIME);
    let verifier = evm.deploy(&creation_code()).unwrap();
    for key in [keys.signatures.evm_key(), keys.translations.evm_key()] {
        assert!(evm.send(verifier, &register(&key)).unwrap().success);
    }
    let state = State::new(9, B256::repeat_byte(0x50), current.hash, next);
    let names = (keys.signatures.name(), keys.translations.name());
    let trusted = (network(), header(9, state.root()), in_state(current, state.branch(CURRENT)));
    let arguments = (verifier, names.0, names.1, trusted.0, trusted.1, trusted.2);
    let client = evm.deploy(&[code, arguments.abi_encode_params()].concat()).unwrap();
    Some((evm, client))
}

/// The committee of period 1 names that of period 2, which signs the next update. Nothing else is taken on the way.
#[test]
#[ignore = "slow: bases of two keys and seven proofs of BLS12-381, 150 s of the processor"]
fn a_sync_committee_hands_over_and_the_next_one_signs() {
    let keys = Keys::make();
    let [first, second, third] = [1, 2, 3].map(|period| keys.committee(period));
    let Some((mut evm, client)) = deploy(&keys, &first, second.hash) else { return };
    let (mut handover, state) = update(12, 10, [first.hash, second.hash]);
    handover.proof = keys.sign(1, &handover.attested);
    let next = in_state(&second, state.branch(NEXT));
    let mut send = |calldata: Vec<u8>| evm.send(client, &calldata).unwrap();
    let rotate = |update: &abi::Update, next: &abi::Committee| {
        abi::rotateCall { update: update.clone(), next: next.clone() }.abi_encode()
    };

    // Strangers' signatures, and one bit of a proof.
    let by_others = keys.sign(3, &handover.attested);
    for proof in [by_others, changed(&handover.proof, 31).into()] {
        let bad = abi::Update { proof, ..handover.clone() };
        assert_reverted(&send(rotate(&bad, &next)), "SignatureRejected(bytes32)", &[]);
    }
    // A committee that is not in the state; and its root for the one that is.
    let other = abi::Committee { hashTreeRoot: third.hash, ..next.clone() };
    assert_reverted(&send(rotate(&handover, &other)), "NotInState(bytes32)", &third.hash.0);
    for (root, proof) in
        [(third.root, &third.proof), (third.root, &second.proof), (second.root, &third.proof)]
    {
        let other = abi::Committee { root, proof: proof.clone(), ..next.clone() };
        let rejected = "TranslationRejected(bytes32,uint256)";
        assert_reverted(&send(rotate(&handover, &other)), rejected, &second.hash.0);
    }

    let Outcome { success, transaction_gas, execution_gas, .. } = send(rotate(&handover, &next));
    println!("rotate: {transaction_gas} gas, of which the execution {execution_gas}");
    println!("  proofs of {} and {} bytes", handover.proof.len(), next.proof.len());
    assert!(success && transaction_gas < ROTATION_GAS, "{transaction_gas}");
    assert_reverted(&send(rotate(&handover, &next)), "CommitteeKnown(uint64)", &[]);

    // In period 2 the second committee signs, and the first one does not.
    let (mut later, _) = update(18, 16, [second.hash, third.hash]);
    later.proof = keys.sign(1, &later.attested);
    let follow = |update: &abi::Update| abi::followCall { update: update.clone() }.abi_encode();
    assert_reverted(&send(follow(&later)), "SignatureRejected(bytes32)", &[]);
    later.proof = keys.sign(2, &later.attested);
    let Outcome { success, transaction_gas, execution_gas, .. } = send(follow(&later));
    println!("follow: {transaction_gas} gas, of which the execution {execution_gas}");
    assert!(success);
    assert_reverted(&send(follow(&later)), "NothingNew(uint64,uint64)", &[]);
    let slot = send(abi::latestSlotCall {}.abi_encode()).output;
    assert_eq!(U256::from_be_slice(&slot), U256::from(16));
    let root = send(abi::committeeRootCall { period: 2 }.abi_encode()).output;
    assert_eq!(U256::from_be_slice(&root), second.root);
}
