//! A light client over the wrapper over a generated verifier, all of it code that is checked in.

use std::collections::HashMap;

use muster_circuits::{PublicMessage, Scheme};

use super::*;
use crate::{
    bridge::{ChainId, Client, Epoch, KeySet, Message, Scope},
    contract::solc::settings,
};

/// Where the contracts are, and what the committees of the fixtures signed: `scene.json`.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scene {
    pub(super) sender: String,
    pub(super) client: String,
    pub(super) chain: u64,
    pub(super) source_chain: u64,
    pub(super) epoch: u64,
    pub(super) nonce: u64,
    pub(super) payload: String,
    pub(super) signed_bytes: String,
}

impl Scene {
    pub(super) fn read() -> Self {
        serde_json::from_slice(&fs::read(root().join("scene.json")).unwrap()).unwrap()
    }

    /// The message that was signed.
    pub(super) fn message(&self) -> Message {
        Message { nonce: self.nonce, payload: from_hex(&self.payload).unwrap() }
    }

    /// What committees signed that sign bytes, as it is public: the SHA-256.
    pub(super) fn signed_bytes(&self) -> super::Message {
        let bytes = from_hex(&self.signed_bytes).unwrap();
        Scheme::Ed25519.message_from_bytes(&bytes).unwrap().public()
    }

    /// The committee of a fixture; every weight is 1.
    pub(super) fn committee(&self, generated: &Generated) -> KeySet {
        let threshold = u64::from_le_bytes(generated.inputs[1].to_bytes()[..8].try_into().unwrap());
        let members = generated.key.shape().capacity as u64;
        let epoch = Epoch::new(self.epoch).unwrap();
        KeySet::new(generated.inputs[0], threshold, members, epoch).unwrap()
    }

    /// What the committee signs for.
    pub(super) fn scope(&self, committee: &KeySet) -> Scope {
        Scope {
            source_chain: ChainId::from(self.source_chain),
            destination_chain: ChainId::from(self.chain),
            client: self.client.parse::<Client>().unwrap(),
            epoch: committee.epoch(),
            key_set_root: *committee.root(),
        }
    }
}

/// The contracts, deployed.
pub(super) struct Stage {
    pub(super) evm: Evm,
    pub(super) wrapper: Address,
    pub(super) client: Address,
    /// Gas that a bad proof may waste in the verifier: a fifth more than a good one takes.
    pub(super) cap: u64,
}

impl Stage {
    /// The verifier, the wrapper, and a light client whose committee is that of the fixture.
    pub(super) fn new(generated: &Generated, scene: &Scene) -> Self {
        Self::with(generated, scene, &scene.committee(generated))
    }

    /// The same with another committee in office.
    pub(super) fn with(generated: &Generated, scene: &Scene, committee: &KeySet) -> Self {
        let mut evm = Evm::new(scene.chain);
        let verifier = generated.deploy(&mut evm);
        let cap = generated.manifest()["gas"]["execution"].as_u64().unwrap() * 6 / 5;
        let arguments = [
            address(verifier),
            generated.key.contract_digest(),
            number(generated.proof.len() as u64),
            number(cap),
        ];
        let wrapper = wrapper(generated.key.shape(), arguments.concat());
        let wrapper = evm.deploy(&wrapper).unwrap();
        let mut stage = Self { evm, wrapper, client: Address::ZERO, cap };
        stage.client = stage.deploy_client(scene, committee);
        stage
    }

    /// One more light client.
    pub(super) fn deploy_client(&mut self, scene: &Scene, committee: &KeySet) -> Address {
        let root: [u8; WORD] = {
            let mut bytes = committee.root().to_bytes();
            bytes.reverse();
            bytes
        };
        let arguments = [
            address(self.wrapper),
            number(scene.source_chain),
            root,
            number(committee.threshold()),
            number(committee.total_weight()),
            number(committee.epoch().number()),
        ];
        let creation = [code("MultisigLightClient"), arguments.concat()].concat();
        self.evm.deploy(&creation).unwrap()
    }
}

/// The creation code of the wrapper for a shape, with what the constructors of all wrappers take.
pub(super) fn wrapper(shape: &Shape, arguments: Vec<u8>) -> Vec<u8> {
    let of = |contract: &str| [code(contract), arguments.clone()].concat();
    let of_words = |members: usize| {
        let message = number(shape.public_message().inputs() as u64);
        [of("MusterWordsVerifier"), message.to_vec(), number(members as u64).to_vec()].concat()
    };
    match shape.public_message() {
        _ if shape.mask => of_words(shape.capacity),
        PublicMessage::Element => of("MusterVerifier"),
        PublicMessage::Digest => of("MusterDigestVerifier"),
        PublicMessage::Plain => of("MusterBytesVerifier"),
        PublicMessage::Point(_) => of_words(0),
    }
}

/// The creation code of a contract of `contracts/src`.
pub(super) fn code(contract: &str) -> Vec<u8> {
    let path = root().join(format!("{contract}.bin"));
    hex::decode(fs::read_to_string(path).unwrap().trim()).unwrap()
}

pub(super) fn number(number: u64) -> [u8; WORD] {
    let mut word = [0; WORD];
    word[WORD - 8..].copy_from_slice(&number.to_be_bytes());
    word
}

pub(super) fn address(address: Address) -> [u8; WORD] {
    address.into_word().0
}

#[test]
fn the_code_of_the_contracts_is_that_of_their_source() {
    let Some(solc) = compiler() else { return };
    let source = |file: &str| {
        let path = root().join("../src").join(file);
        fs::read_to_string(path).unwrap()
    };
    let files = [
        "MusterVerifier.sol",
        "MusterDigestVerifier.sol",
        "MusterBytesVerifier.sol",
        "MusterWordsVerifier.sol",
        "MultisigLightClient.sol",
        "MusterDigest.sol",
        "interfaces/IMusterVerifier.sol",
    ];
    let texts: HashMap<_, _> = files.iter().map(|file| (*file, source(file))).collect();
    let sources: Vec<_> = texts.iter().map(|(file, text)| (*file, text.as_str())).collect();
    for contract in [
        "MusterVerifier",
        "MusterDigestVerifier",
        "MusterBytesVerifier",
        "MusterWordsVerifier",
        "MultisigLightClient",
    ] {
        let file = format!("{contract}.sol");
        let (built, _) = solc.build(&sources, (&file, contract), settings()).unwrap();
        if updates_golden() {
            let text = hex::encode(&built.creation) + "\n";
            fs::write(root().join(format!("{contract}.bin")), text).unwrap();
        }
        assert!(built.creation == code(contract), "{contract}: `make generated`");
    }
}
