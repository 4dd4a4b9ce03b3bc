//! Axelar: a transaction to a gateway, whose signers say what it does. The format is that of `AxelarAmplifierGateway.sol` and
//! `BaseWeightedMultisig.sol` in axelar-gmp-sdk-solidity.

use std::path::{Path, PathBuf};

use alloy_sol_types::{
    abi::{decode_params, Token},
    SolCall, SolValue,
};
use muster_circuits::{Committee, KeyKind, Scheme};
use muster_schemes::{curve::weierstrass::Address, hash::keccak::keccak256};
use serde_json::{json, Value};

use self::abi::{approveMessagesCall, rotateSignersCall, WeightedSigner, WeightedSigners};
use super::{
    imported::{Claimed, Imported, Importer, Said, NO_QUORUM},
    weight::to_json,
    CommitteeFile,
};
use crate::{
    encoding::{from_hex, to_hex},
    input, Error,
};

/// The functions of a gateway that signers say something for.
#[allow(missing_docs)]
mod abi {
    alloy_sol_types::sol! {
        struct WeightedSigner {
            address signer;
            uint128 weight;
        }

        struct WeightedSigners {
            WeightedSigner[] signers;
            uint128 threshold;
            bytes32 nonce;
        }

        struct Proof {
            WeightedSigners signers;
            bytes[] signatures;
        }

        struct Message {
            string sourceChain;
            string messageId;
            string sourceAddress;
            address contractAddress;
            bytes32 payloadHash;
        }

        function approveMessages(Message[] messages, Proof proof);
        function rotateSigners(WeightedSigners newSigners, Proof proof);
    }
}

/// Greatest length of a file.
const LIMIT: u64 = 1 << 20;
/// What signers put before three words (EIP-191).
const ETH_SIGN: &[u8] = b"\x19Ethereum Signed Message:\n96";
/// The commands, as they are signed: a word each.
const APPROVE_MESSAGES: u16 = 0;
const ROTATE_SIGNERS: u16 = 1;

/// A transaction to a gateway, and which gateway it is.
#[derive(Clone, Debug)]
pub struct Axelar {
    /// The input of the transaction, in hex.
    pub transaction: PathBuf,
    /// `domainSeparator` of the gateway.
    pub domain_separator: [u8; 32],
    /// The hash that the gateway has of its signers, if it is known.
    pub signers_hash: Option<[u8; 32]>,
}

/// What a transaction asks for.
enum Command {
    /// To approve so many messages.
    Approve(usize),
    /// To put these signers in office.
    Rotate(WeightedSigners),
}

/// A transaction in its parts.
struct Call {
    command: Command,
    /// The command in the ABI, which is signed.
    data: Vec<u8>,
    proof: abi::Proof,
}

impl Importer for Axelar {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.transaction;
        let Call { command, data, proof } = Call::read(path)?;
        let hash = keccak256(&proof.signers.abi_encode());
        if let Some(expected) = self.signers_hash.filter(|expected| *expected != hash) {
            let reason = format!("their hash is {}, not {}", to_hex(&hash), to_hex(&expected));
            return Err(Error::field(path, "proof.signers", reason));
        }
        let committee = committee(path, &proof.signers)?;
        let words = [self.domain_separator, hash, keccak256(&data)].concat();
        let digest = keccak256(&[ETH_SIGN, &words].concat());
        let claims = proof.signatures.iter().enumerate().map(|(number, signature)| Claimed {
            who: format!("signature {number}"),
            member: None,
            signature: signature.to_vec(),
        });
        let separator = to_hex(&self.domain_separator);
        let mut believed = vec![format!("that the gateway has the domain separator {separator}")];
        let mut compared = vec!["each signature with the addresses of the signers".to_owned()];
        match self.signers_hash {
            Some(_) => compared.push("the hash of the signers with that of the gateway".into()),
            None => believed.push("that these signers are in office".into()),
        }
        let threshold = proof.signers.threshold.to_string();
        let mut said =
            Said { threshold, believed, compared, json: command.to_json(), ..Said::default() };
        said.json["signers_hash"] = to_hex(&hash).into();
        said.rows = vec![("command", command.to_string()), ("signers", to_hex(&hash))];
        Imported::by_addresses(committee, digest, claims.collect(), said)
    }
}

impl Call {
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = input::read(path, LIMIT)?;
        let bytes = from_hex(input::text(path, &bytes)?.trim());
        let bytes = bytes.map_err(|reason| Error::file(path, reason))?;
        let bad = |reason| Error::file(path, reason);
        match bytes.get(..4).and_then(|selector| selector.try_into().ok()) {
            Some(approveMessagesCall::SELECTOR) => {
                let call = decode::<approveMessagesCall>(&bytes).map_err(bad)?;
                let command = Command::Approve(call.messages.len());
                let data = (APPROVE_MESSAGES, call.messages).abi_encode_params();
                Ok(Self { command, data, proof: call.proof })
            }
            Some(rotateSignersCall::SELECTOR) => {
                let call = decode::<rotateSignersCall>(&bytes).map_err(bad)?;
                let data = (ROTATE_SIGNERS, call.newSigners.clone()).abi_encode_params();
                Ok(Self { command: Command::Rotate(call.newSigners), data, proof: call.proof })
            }
            _ => {
                let reason =
                    "no transaction to a gateway: neither approveMessages nor rotateSigners";
                Err(Error::file(path, reason))
            }
        }
    }
}

/// The arguments of a function. Offsets may name a part many times, which would take more memory than the file has bytes: then it is
/// refused before anything is copied.
fn decode<C: SolCall>(bytes: &[u8]) -> Result<C, String> {
    let body = &bytes[C::SELECTOR.len()..];
    let tokens = decode_params::<C::Token<'_>>(body).map_err(|reason| reason.to_string())?;
    // A word for where all of it would stand.
    if tokens.total_words() > body.len() / 32 + 1 {
        return Err("parts of it are there several times by their offsets".into());
    }
    C::abi_decode_validate(bytes).map_err(|reason| reason.to_string())
}

/// The signers with their weights, in the order of the list, with a threshold that they can reach.
fn committee(path: &Path, signers: &WeightedSigners) -> Result<CommitteeFile, Error> {
    let member = |(number, one): (usize, &WeightedSigner)| {
        let at = |field: &str| format!("proof.signers.signers[{number}].{field}");
        let address = Address::from_bytes(one.signer.into_array());
        let address = address.map_err(|reason| Error::field(path, at("signer"), reason))?;
        let weight = u64::try_from(one.weight);
        Ok((address, weight.map_err(|reason| Error::field(path, at("weight"), reason))?))
    };
    let members = signers.signers.iter().enumerate().map(member);
    let members = members.collect::<Result<Vec<_>, Error>>()?;
    let committee = Committee::new(&members);
    let committee = committee.map_err(|reason| Error::field(path, "proof.signers", reason))?;
    let (scheme, keys) = (Scheme::EcdsaSecp256k1, KeyKind::Address);
    let committee = CommitteeFile { scheme, keys, committee, narrowed: None, left_out: vec![] };
    let total = committee.total_weight();
    let wrong = match signers.threshold {
        0 => Some(NO_QUORUM.to_owned()),
        threshold if threshold > total.into() => {
            Some(format!("{threshold}, but all signers weigh {total}"))
        }
        _ => None,
    };
    match wrong {
        Some(reason) => Err(Error::field(path, "proof.signers.threshold", reason)),
        None => Ok(committee),
    }
}

impl Command {
    /// For programs: the next signers as a committee's file has them.
    fn to_json(&self) -> Value {
        let signers = match self {
            Self::Approve(messages) => {
                return json!({ "command": "approve-messages", "messages": messages })
            }
            Self::Rotate(signers) => signers,
        };
        let member = |one: &WeightedSigner| json!({ "address": one.signer.to_string(), "weight": to_json(one.weight) });
        json!({
            "command": "rotate-signers",
            "next_signers_hash": to_hex(&keccak256(&signers.abi_encode())),
            "next_threshold": to_json(signers.threshold),
            "next_committee": {
                "scheme": Scheme::EcdsaSecp256k1,
                "keys": KeyKind::Address,
                "members": signers.signers.iter().map(member).collect::<Vec<_>>(),
            },
        })
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Approve(messages) => write!(f, "approve {messages} messages"),
            Self::Rotate(next) => write!(
                f,
                "rotate to {} signers, of whom {} are enough",
                next.signers.len(),
                next.threshold
            ),
        }
    }
}
