//! What a sync committee of Ethereum signs, from a header to a contract: the consensus specifications, Altair.

use std::path::Path;

use blst::min_pk::{AggregateSignature, SecretKey};
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    encoding::field_from_hex, Message, Statement, KEY_SET_ROOT, MESSAGE, MESSAGE_HIGH, MESSAGE_LOW,
    THRESHOLD as LEAST,
};
use muster_evm::{
    evm::{Address, Evm, Outcome},
    verifier::{creation_code, register, verify, KeyName},
};
use muster_prover::{files::ProofFile, VerifierKey};
use serde_json::{json, Value};
use sha2::{Digest, Sha256};

use crate::support::{fixture, run_in, write};

/// `SYNC_COMMITTEE_SIZE`.
const MEMBERS: usize = 512;
/// Bits of the `SyncAggregate` that are 0.
const ABSENT: [usize; 2] = [17, 400];
/// The least sum of bits with `sum * 3 >= 512 * 2`.
const THRESHOLD: usize = 342;
const DOMAIN_SYNC_COMMITTEE: [u8; 4] = [7, 0, 0, 0];
/// `DENEB_FORK_VERSION` of mainnet.
const FORK_VERSION: [u8; 4] = [4, 0, 0, 0];
/// Of mainnet.
const GENESIS_VALIDATORS_ROOT: &str =
    "4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95";
/// Bytes of a word.
const WORD: usize = 32;
const TAG: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

type Root = [u8; 32];

struct BeaconBlockHeader {
    slot: u64,
    proposer_index: u64,
    parent_root: Root,
    state_root: Root,
    body_root: Root,
}

impl BeaconBlockHeader {
    fn hash_tree_root(&self) -> Root {
        let number = |number: u64| chunk(&number.to_le_bytes());
        let roots = [self.parent_root, self.state_root, self.body_root];
        merkleize(&[&[number(self.slot), number(self.proposer_index)], &roots[..]].concat())
    }
}

fn root(text: &str) -> Root {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn chunk(bytes: &[u8]) -> Root {
    let mut chunk = [0; 32];
    chunk[..bytes.len()].copy_from_slice(bytes);
    chunk
}

/// `merkleize`: zeros fill the leaves up to a power of two.
fn merkleize(chunks: &[Root]) -> Root {
    let mut layer = chunks.to_vec();
    layer.resize(chunks.len().next_power_of_two(), [0; 32]);
    while let [_, _, ..] = layer[..] {
        layer = layer.chunks(2).map(|pair| Sha256::digest(pair.concat()).into()).collect();
    }
    layer[0]
}

/// `compute_fork_data_root`.
fn fork_data_root(version: [u8; 4]) -> Root {
    merkleize(&[chunk(&version), root(GENESIS_VALIDATORS_ROOT)])
}

/// `compute_signing_root`, in the domain of sync committees.
fn signing_root(header: &BeaconBlockHeader) -> Root {
    let fork = fork_data_root(FORK_VERSION);
    let domain = [&DOMAIN_SYNC_COMMITTEE[..], &fork[..28]].concat();
    merkleize(&[header.hash_tree_root(), chunk(&domain)])
}

fn genesis() -> BeaconBlockHeader {
    BeaconBlockHeader {
        slot: 0,
        proposer_index: 0,
        parent_root: [0; 32],
        state_root: root("7e76880eb67bbdc86250aa578958e9d0675e64e714337855204fb5abaaf82c2b"),
        body_root: root("ccb62460692be0ec813b56be97f68a82cf57abc102e27bf49ebf4190ff22eedd"),
    }
}

/// Mainnet's first block, and the digests of its forks that nodes find one another by.
#[test]
fn roots_are_those_of_mainnet() {
    let first = "4d611d5b93fdab69013a7f0a2f961caca0c853f87cfe9595fe50038163079360";
    assert_eq!(genesis().hash_tree_root(), root(first));
    let forks = ["b5303f2a", "afcaaba0", "4a26c58b", "bba4da96", "6a95a1a9"];
    for (version, digest) in (0..).zip(forks) {
        assert_eq!(hex::encode(&fork_data_root([version, 0, 0, 0])[..4]), digest);
    }
}

fn secret_key(member: usize) -> SecretKey {
    SecretKey::key_gen(&Sha256::digest(format!("sync committee, {member}")), &[]).unwrap()
}

/// The committee as a beacon node lists it, without proofs: owners proved possession when they deposited.
fn committee(secrets: &[SecretKey]) -> Value {
    let member = |secret: &SecretKey| {
        let key = hex::encode(secret.sk_to_pk().compress());
        json!({ "public_key": format!("0x{key}") })
    };
    let members: Vec<_> = secrets.iter().map(member).collect();
    json!({ "scheme": "bls-bls12-381", "members": members })
}

/// A `SyncAggregate`.
fn sync_aggregate(secrets: &[SecretKey], signed: &Root) -> Value {
    let members: Vec<_> = (0..MEMBERS).filter(|member| !ABSENT.contains(member)).collect();
    let sign = |member: &usize| secrets[*member].sign(signed, TAG, &[]);
    let signatures: Vec<_> = members.iter().map(sign).collect();
    let all: Vec<_> = signatures.iter().collect();
    let sum = AggregateSignature::aggregate(&all, false).unwrap().to_signature().compress();
    let aggregate = json!({ "members": members, "signature": format!("0x{}", hex::encode(sum)) });
    json!({ "message": format!("0x{}", hex::encode(signed)), "aggregate": aggregate })
}

#[test]
#[ignore = "slow: a proof of 510 of 512 keys"]
fn an_update_is_proven_to_a_contract() {
    let dir = fixture().scratch("sync-committee");
    let run = |line: &str| run_in(&dir, line);
    let secrets: Vec<_> = (0..MEMBERS).map(secret_key).collect();
    let header = BeaconBlockHeader { slot: 9_000_000, proposer_index: 123_456, ..genesis() };
    let signed = signing_root(&header);
    write(&dir, "committee.json", &committee(&secrets));
    write(&dir, "signatures.json", &sync_aggregate(&secrets, &signed));
    let mut others = committee(&secrets);
    others["members"][0] = committee(&[secret_key(MEMBERS)])["members"][0].take();
    write(&dir, "others.json", &others);

    let scheme = "--scheme bls-bls12-381 --rule trusted-keys --signers 512 --slots 512";
    run(&format!("keygen {scheme} --kind compact --insecure-srs --out keys"))
        .expect(0, &["trusted-keys"]);
    let files = "--signatures signatures.json --threshold >=2/3 --out";
    run(&format!("prove --keys keys --committee others.json {files} none.json"))
        .expect(1, &["aggregate signature", "equation"]);
    let proven = run(&format!("prove --keys keys --committee committee.json {files} proof.json"))
        .expect(0, &[]);
    eprintln!("{}", proven.stdout);

    let root = |file: &str| {
        run(&format!("root {file} --keys keys")).expect(0, &[]).stdout.trim().to_owned()
    };
    let (own, other) = (root("committee.json"), root("others.json"));
    let verify = |root: &str, signed: &Root| {
        let expected = format!("--root {root} --message 0x{}", hex::encode(signed));
        run(&format!("verify --keys keys proof.json --threshold {THRESHOLD} {expected}"))
    };
    verify(&own, &signed).expect(0, &["accepted"]);
    verify(&other, &signed).expect(1, &["key-set root"]);
    let next = signing_root(&BeaconBlockHeader { slot: header.slot + 1, ..header });
    verify(&own, &next).expect(1, &["message"]);
    contract_verdicts(&dir, &other, &next);
}

/// The contract, with the key.
struct Deployed {
    evm: Evm,
    contract: Address,
    name: KeyName,
    inputs: Vec<Fr>,
    proof: Vec<u8>,
}

impl Deployed {
    fn new(dir: &Path) -> Self {
        let key = VerifierKey::load(&dir.join("keys")).unwrap();
        let file = ProofFile::read(&dir.join("proof.json")).unwrap();
        let evm_key = key.key().as_compact().unwrap().evm_key();
        let mut evm = Evm::default();
        let contract = evm.deploy(&creation_code()).unwrap();
        assert!(evm.send(contract, &register(evm_key.as_bytes())).unwrap().success);
        let (name, inputs) = (KeyName(evm_key.name()), file.claimed_inputs().to_vec());
        let statement = Statement {
            key_set_root: inputs[KEY_SET_ROOT],
            threshold: THRESHOLD as u64,
            message: Message::from_public_inputs(&inputs[MESSAGE..]).unwrap(),
            signers: None,
        };
        let proof = key.calldata(&statement, &file.proof).unwrap();
        Self { evm, contract, name, inputs, proof }
    }

    /// What the contract says.
    fn call(&mut self, inputs: &[Fr], proof: &[u8]) -> Outcome {
        self.evm.call(self.contract, &verify(self.name, inputs, proof)).unwrap()
    }

    /// With one public input changed.
    fn accepts_about(&mut self, place: usize, word: Fr) -> bool {
        let (mut inputs, proof) = (self.inputs.clone(), self.proof.clone());
        assert_ne!(inputs[place], word);
        inputs[place] = word;
        let outcome = self.call(&inputs, &proof);
        assert!(outcome.success, "a verdict, whatever it is");
        outcome.accepted()
    }
}

/// Another root, another threshold, another message and another proof are refused by the contract, too.
fn contract_verdicts(dir: &Path, other: &str, next: &Root) {
    let mut deployed = Deployed::new(dir);
    let (inputs, proof) = (deployed.inputs.clone(), deployed.proof.clone());
    let outcome = deployed.call(&inputs, &proof);
    assert!(outcome.accepted());
    let Outcome { execution_gas, transaction_gas, .. } = outcome;
    eprintln!("gas: {execution_gas}, of a transaction {transaction_gas}");
    assert!(!deployed.accepts_about(KEY_SET_ROOT, field_from_hex(other).unwrap()));
    assert!(!deployed.accepts_about(LEAST, Fr::zero()));
    let [high, low] = [&next[..16], &next[16..]].map(|half| {
        field_from_hex(&format!("0x{}{}", "00".repeat(16), hex::encode(half))).unwrap()
    });
    assert!(!deployed.accepts_about(MESSAGE_HIGH, high));
    assert!(!deployed.accepts_about(MESSAGE_LOW, low));
    for place in (0..proof.len()).step_by(WORD) {
        let mut bad = proof.clone();
        bad[place + WORD - 1] ^= 1;
        let outcome = deployed.call(&inputs, &bad);
        assert!(outcome.success && !outcome.accepted(), "{place}");
        assert!(outcome.execution_gas <= execution_gas + 1_000, "{place}");
    }
}
