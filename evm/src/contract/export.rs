//! The files for those who deploy a verifier.

use alloy_primitives::keccak256;
use halo2_base::halo2_proofs::halo2curves::bn256::Fr;
use muster_circuits::{
    encoding::to_hex, PublicMessage, Shape, Statement, KEY_SET_ROOT, MESSAGE, MESSAGE_FIRST,
    MESSAGE_HIGH, MESSAGE_LOW, MESSAGE_SECOND, MESSAGE_THIRD, THRESHOLD,
};
use serde_json::{json, Value};

use super::{
    evm::{Deployed, Evm, Outcome},
    fixture::{pretty, Fixture},
    key::ContractKey,
    native,
    solc::{settings, Bytecode, Solc},
    Part, Written, CONTRACT,
};
use crate::{bridge::Calldata, Error};

/// Name of the file that says what the others are.
pub const MANIFEST_FILE: &str = "manifest.json";

/// Version of the manifest's format.
const FORMAT: &str = "muster-contract/1";
/// The wrapper and its interface.
pub(super) const WRAPPER: &str = include_str!("../../solidity/MusterVerifier.sol");
pub(super) const INTERFACE: &str = include_str!("../../solidity/interfaces/IMusterVerifier.sol");
/// The wrapper of verifiers whose message is a digest.
const DIGEST_WRAPPER: (&str, &str) =
    ("MusterDigestVerifier", include_str!("../../solidity/MusterDigestVerifier.sol"));
/// The wrapper of verifiers whose message is public itself.
const BYTES_WRAPPER: (&str, &str) =
    ("MusterBytesVerifier", include_str!("../../solidity/MusterBytesVerifier.sol"));
/// The wrapper of verifiers whose message is a point, or that say who signed.
const WORDS_WRAPPER: (&str, &str) =
    ("MusterWordsVerifier", include_str!("../../solidity/MusterWordsVerifier.sol"));
/// Tag hashed into the wrapper's `VERIFIER_HASH`.
const VERIFIER_TAG: &[u8] = b"muster/verifier/v1";

/// A verifier, and what is known about it.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    key: ContractKey<'a>,
    written: Written,
    proof_length: usize,
    compiled: Option<(Bytecode, String)>,
    proof: Option<Accepted>,
}

/// A proof that the contract accepts.
#[derive(Clone, Debug)]
struct Accepted {
    inputs: Vec<Fr>,
    bytes: Vec<u8>,
    /// What the contract is called with.
    calldata: Vec<u8>,
    run: Option<Run>,
}

/// What it took to deploy the contract, with the parts before it, and to call it.
#[derive(Clone, Debug)]
struct Run {
    deployed: Vec<Deployed>,
    outcome: Outcome,
}

/// The public inputs in order, by name.
fn input_names(shape: &Shape) -> Vec<String> {
    let mut names = vec![String::new(); shape.public_inputs()];
    names[KEY_SET_ROOT] = "key_set_root".into();
    names[THRESHOLD] = "threshold".into();
    match shape.public_message() {
        PublicMessage::Element => names[MESSAGE] = "message".into(),
        PublicMessage::Digest => {
            names[MESSAGE_HIGH] = "message_high".into();
            names[MESSAGE_LOW] = "message_low".into();
        }
        PublicMessage::Plain => {
            names[MESSAGE_FIRST] = "message_first".into();
            names[MESSAGE_SECOND] = "message_second".into();
            names[MESSAGE_THIRD] = "message_third".into();
        }
        // A point of G2 of BN254: no contract is written for others.
        PublicMessage::Point(_) => {
            let parts = ["x_real", "x_imaginary", "y_real", "y_imaginary"].into_iter();
            let words = parts.flat_map(|part| ["high", "low"].map(|half| (part, half)));
            for (name, (part, half)) in names[MESSAGE..].iter_mut().zip(words) {
                *name = format!("message_{part}_{half}");
            }
        }
    }
    for (number, name) in names[shape.mask_inputs()].iter_mut().enumerate() {
        *name = format!("mask_{number}");
    }
    names
}

/// The contract that is deployed over a verifier, with its source; `None` means `MusterVerifier`.
fn wrapper(shape: &Shape) -> Option<(&'static str, &'static str)> {
    match shape.public_message() {
        _ if shape.mask => Some(WORDS_WRAPPER),
        PublicMessage::Element => None,
        PublicMessage::Digest => Some(DIGEST_WRAPPER),
        PublicMessage::Plain => Some(BYTES_WRAPPER),
        PublicMessage::Point(_) => Some(WORDS_WRAPPER),
    }
}

impl<'a> Export<'a> {
    /// Writes the contract, and compiles it if there is a compiler.
    ///
    /// # Errors
    ///
    /// [`Error::Contract`], [`Error::Compiler`].
    pub fn new(key: ContractKey<'a>, solc: Option<&Solc>) -> Result<Self, Error> {
        let written = super::write(&key)?;
        let compiled = match solc {
            Some(solc) => Some((solc.compile(&written.source)?, solc.version().to_owned())),
            None => None,
        };
        let proof_length = super::proof_length(&key)?;
        Ok(Self { key, written, proof_length, compiled, proof: None })
    }

    /// Adds the bytes of a proof of `statement`, in halo2's format, and measures what the contract, if it is compiled,
    /// spends on it.
    ///
    /// # Errors
    ///
    /// [`Error::Proof`] if it is no proof of the statement, whether or not there is a compiler;
    /// [`Error::Contract`] if the contract refuses it all the same.
    pub fn with_proof(mut self, statement: &Statement, proof: &[u8]) -> Result<Self, Error> {
        let (inputs, bytes) = (statement.public_inputs(), proof.to_vec());
        native::verify(&self.key, &inputs, &bytes, self.proof_length)?;
        let calldata = Calldata::new(statement, proof).verifier();
        let call = |(bytecode, _): &(Bytecode, String)| {
            let mut evm = Evm::default();
            let deployed = evm.deploy_with_parts(&self.parts(), &bytecode.creation)?;
            let contract = deployed[deployed.len() - 1].address;
            let outcome = evm.call(contract, &calldata)?;
            if outcome.accepted() {
                Ok(Run { deployed, outcome })
            } else {
                Err(Error::Contract("it refuses a good proof".into()))
            }
        };
        let run = self.compiled.as_ref().map(call).transpose()?;
        self.proof = Some(Accepted { inputs, bytes, calldata, run });
        Ok(self)
    }

    /// Creation code of the contracts that the verifier calls, in the order in which its constructor takes their
    /// addresses.
    pub(super) fn parts(&self) -> Vec<Vec<u8>> {
        self.written.parts.iter().map(Part::creation).collect()
    }

    /// The compiled contract.
    pub fn bytecode(&self) -> Option<&Bytecode> {
        self.compiled.as_ref().map(|(bytecode, _)| bytecode)
    }

    /// The source, and the contracts that it calls.
    pub fn written(&self) -> &Written {
        &self.written
    }

    /// Length of a proof.
    pub fn proof_length(&self) -> usize {
        self.proof_length
    }

    /// Gas that the contract spends on the proof, without the transaction's.
    pub fn gas(&self) -> Option<u64> {
        Some(self.run()?.outcome.execution_gas)
    }

    fn run(&self) -> Option<&Run> {
        self.proof.as_ref()?.run.as_ref()
    }

    /// The wrapper's `VERIFIER_HASH`.
    pub fn verifier_hash(&self) -> Option<[u8; 32]> {
        let code_hash = keccak256(&self.bytecode()?.runtime);
        let words = [keccak256(VERIFIER_TAG).0, self.key.digest, code_hash.0];
        Some(keccak256(words.concat()).0)
    }

    /// All files, by name.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files = vec![
            (format!("{CONTRACT}.sol"), self.written.source.clone()),
            // All files lie in one folder.
            ("MusterVerifier.sol".into(), WRAPPER.replace("./interfaces/", "./")),
            ("IMusterVerifier.sol".into(), INTERFACE.into()),
        ];
        let wrapper = wrapper(self.key.shape);
        files.extend(wrapper.map(|(name, source)| (format!("{name}.sol"), source.into())));
        for (number, part) in self.written.parts.iter().enumerate() {
            files.push((part_file(number, "yul"), part.listing.clone()));
            files.push((part_file(number, "bin"), hex::encode(part.creation()) + "\n"));
        }
        if let Some(bytecode) = self.bytecode() {
            files.push((format!("{CONTRACT}.bin"), hex::encode(&bytecode.creation) + "\n"));
            files.push((format!("{CONTRACT}.runtime.bin"), hex::encode(&bytecode.runtime) + "\n"));
        }
        if let Some(proof) = &self.proof {
            files.extend(self.fixture(proof).files());
        }
        files.push((MANIFEST_FILE.into(), pretty(&self.manifest())));
        files
    }

    /// What the files are.
    pub fn manifest(&self) -> Value {
        let shape = self.key.shape;
        let bytecode = self.bytecode().map(|bytecode| {
            json!({
                "creation_hash": to_hex(&keccak256(&bytecode.creation).0),
                "runtime_hash": to_hex(&keccak256(&bytecode.runtime).0),
                "runtime_bytes": bytecode.runtime.len(),
            })
        });
        let gas = self.run().map(|Run { outcome, .. }| {
            json!({ "execution": outcome.execution_gas, "transaction": outcome.transaction_gas })
        });
        let mut manifest = json!({
            "format": FORMAT,
            "name": name(shape),
            "shape": shape,
            "vk_digest": to_hex(&self.key.digest),
            "srs": {
                "insecure": self.key.srs.insecure,
                "digest": to_hex(&self.key.srs.digest),
            },
            "public_inputs": input_names(shape),
            "proof_bytes": self.proof_length,
            "source_hash": to_hex(&keccak256(&self.written.source).0),
            "compiler": {
                "version": self.compiled.as_ref().map(|(_, version)| version),
                "settings": settings(),
            },
            "bytecode": bytecode,
            "verifier_hash": self.verifier_hash().map(|hash| to_hex(&hash)),
            "gas": gas,
        });
        // Without parts only one contract is deployed, and its constructor takes nothing.
        if !self.written.parts.is_empty() {
            manifest["deployment"] = self.deployment();
        }
        // What this wrapper's constructor takes in addition to what all of them do.
        if let Some((name, _)) = wrapper(shape).filter(|found| *found == WORDS_WRAPPER) {
            manifest["wrapper"] = json!({
                "contract": name,
                "message_inputs": shape.public_message().inputs(),
                "members": if shape.mask { shape.capacity } else { 0 },
            });
        }
        manifest
    }

    /// What is deployed, in order: the parts, and the contract that takes their addresses.
    fn deployment(&self) -> Value {
        let gas = |number: usize| self.run().map(|run| run.deployed[number].transaction_gas);
        let parts = self.written.parts.iter().enumerate();
        let mut all: Vec<_> = parts
            .map(|(number, part)| {
                json!({
                    "file": part_file(number, "bin"),
                    "arguments": [],
                    "creation_hash": to_hex(&keccak256(part.creation()).0),
                    "runtime_hash": to_hex(&part.hash()),
                    "runtime_bytes": part.code.len(),
                    "gas": gas(number),
                })
            })
            .collect();
        let files: Vec<_> = all.iter().map(|part| part["file"].clone()).collect();
        let bytecode = self.bytecode();
        all.push(json!({
            "file": format!("{CONTRACT}.bin"),
            "arguments": files,
            "creation_hash": bytecode.map(|code| to_hex(&keccak256(&code.creation).0)),
            "runtime_hash": bytecode.map(|code| to_hex(&keccak256(&code.runtime).0)),
            "runtime_bytes": bytecode.map(|code| code.runtime.len()),
            "gas": gas(files.len()),
        }));
        all.into()
    }

    fn fixture<'b>(&'b self, proof: &'b Accepted) -> Fixture<'b> {
        let creation = self.bytecode().map(|bytecode| &bytecode.creation[..]);
        let Accepted { inputs, bytes, calldata, .. } = proof;
        let names = input_names(self.key.shape);
        Fixture { digest: self.key.digest, creation, names, inputs, proof: bytes, calldata }
    }
}

/// Name of a file of a part.
fn part_file(number: usize, extension: &str) -> String {
    format!("{CONTRACT}.part{}.{extension}", number + 1)
}

/// A short name: the scheme, choices other than its defaults, and the size.
fn name(shape: &Shape) -> String {
    let Shape { scheme, keys, rule, message, hash, slots, capacity, mode, mask, .. } = shape;
    let keys = if keys.is_coordinates() { String::new() } else { format!("-{keys}") };
    let rule = rule.filter(|rule| Some(*rule) != scheme.default_rule());
    let rule = rule.map(|rule| format!("-{}", rule.name())).unwrap_or_default();
    let form = Some(*message).filter(|form| *form != scheme.suite().form());
    let form = form.map(|form| format!("-{form}").replace(':', "-")).unwrap_or_default();
    let hash = Some(hash).filter(|hash| !hash.is_default());
    let hash = hash.map(|hash| format!("-{hash}").replace(':', "-")).unwrap_or_default();
    let absent = if mode.holds_absent() { "-absent" } else { "" };
    let mask = if *mask { "-mask" } else { "" };
    format!("{scheme}{keys}{rule}{form}{hash}{absent}{mask}-{slots}-{capacity}-k{}", shape.degree())
}
