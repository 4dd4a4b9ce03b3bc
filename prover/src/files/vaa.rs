//! Wormhole: a VAA, and the guardian set that signed it. The format is that of `Messages.sol` in Wormhole's contracts.

use std::path::{Path, PathBuf};

use muster_schemes::{curve::weierstrass::Address, hash::keccak::keccak256};
use serde::Deserialize;
use serde_json::json;

use super::{
    bases::from_base64_any,
    imported::{addresses, of_addresses, Claimed, Imported, Importer, Said},
    reader::Reader,
    weight::to_json,
    CommitteeFile,
};
use crate::{encoding::to_hex, input, Error, Number};

/// Greatest length of a file.
const LIMIT: u64 = 1 << 20;
/// The version of all VAAs.
const VERSION: u8 = 1;
/// What a file is.
const WHAT: &str = "the VAA";
/// Bytes of a signature.
const SIGNATURE: usize = 65;
/// The module of governance that names guardian sets, and the action that installs one.
const CORE: &[u8; 4] = b"Core";
const UPGRADE: u8 = 2;

/// A VAA, and who are its guardians.
#[derive(Clone, Debug)]
pub struct Vaa {
    /// The VAA: an answer of an API, base64, hex or bytes.
    pub vaa: PathBuf,
    /// The guardians.
    pub guardians: Guardians,
}

/// Where the guardians are from.
#[derive(Clone, Debug)]
pub enum Guardians {
    /// An answer of `/v1/guardianset/current`, or a list of addresses.
    List(PathBuf),
    /// The VAA that installs the set.
    Upgrade(PathBuf),
}

/// A VAA in its parts.
struct Parts {
    /// The index of the guardian set.
    set: u32,
    /// Signatures with the indices of their guardians.
    signatures: Vec<(u8, [u8; SIGNATURE])>,
    /// The bytes that are hashed twice and signed.
    body: Vec<u8>,
    timestamp: u32,
    emitter_chain: u16,
    emitter: [u8; 32],
    sequence: u64,
    payload: Vec<u8>,
}

/// Guardians with the index of their set, if the file has one.
struct Set {
    index: Option<u32>,
    committee: CommitteeFile,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "vaaBytes")]
    vaa_bytes: Option<String>,
    data: Option<AnswerData>,
}

#[derive(Deserialize)]
struct AnswerData {
    vaa: String,
}

#[derive(Deserialize)]
struct AnswerSet {
    #[serde(rename = "guardianSet")]
    guardian_set: RawSet,
}

#[derive(Deserialize)]
struct RawSet {
    index: Number<u32>,
    addresses: Vec<String>,
}

impl Importer for Vaa {
    fn import(&self) -> Result<Imported, Error> {
        let path = &self.vaa;
        let vaa = Parts::read(path)?;
        let Set { index, committee } = self.guardians.read()?;
        if let Some(index) = index.filter(|index| *index != vaa.set) {
            let reason = format!("{}, but the guardians are those of set {index}", vaa.set);
            return Err(Error::field(path, "guardian set", reason));
        }
        let digest = keccak256(&keccak256(&vaa.body));
        let claims = vaa.signatures.iter().map(|(guardian, signature)| Claimed {
            who: format!("guardian {guardian}"),
            member: Some((*guardian).into()),
            signature: signature.to_vec(),
        });
        let Parts { set, timestamp, emitter_chain, emitter, sequence, .. } = vaa;
        let (compared, believed) = self.guardians.said(index, set);
        let json = json!({
            "emitter_chain": emitter_chain,
            "emitter": to_hex(&emitter),
            "timestamp": timestamp,
        });
        let threshold = ">2/3".into();
        let mut said = Said { threshold, json, compared, believed, ..Said::default() };
        said.say("guardian set", "guardian_set", set);
        said.rows.push(("emitter", format!("chain {emitter_chain}, {}", to_hex(&emitter))));
        said.say("sequence", "sequence", to_json(sequence.into()));
        Imported::by_addresses(committee, digest, claims.collect(), said)
    }
}

impl Guardians {
    /// What was compared, and what had to be believed, of set `set` and the index in the file.
    fn said(&self, index: Option<u32>, set: u32) -> (Vec<String>, Vec<String>) {
        let mut compared = vec!["each signature with the address of its guardian".to_owned()];
        let believed = match (self, index) {
            (Self::Upgrade(_), _) => {
                compared
                    .push("the index of the guardian set with the one that is installed".into());
                "that the set before signed the upgrade: import that VAA, too".to_owned()
            }
            (Self::List(_), Some(_)) => {
                compared.push("the index of the guardian set with that of the list".into());
                format!("that these are the guardians of set {set}")
            }
            (Self::List(_), None) => {
                format!("that the list has the guardians of set {set}, in order")
            }
        };
        (compared, vec![believed])
    }

    fn read(&self) -> Result<Set, Error> {
        match self {
            Self::Upgrade(path) => Parts::read(path)?.installed(path),
            Self::List(path) => {
                let bytes = input::read(path, LIMIT)?;
                if !input::text(path, &bytes)?.trim_start().starts_with('{') {
                    return Ok(Set { index: None, committee: addresses(path)? });
                }
                let AnswerSet { guardian_set } = input::parse(path, &bytes)?;
                let RawSet { index: Number(index), addresses } = guardian_set;
                let at = "guardianSet.addresses";
                let read = |(number, text): (usize, &String)| {
                    let address =
                        text.parse().map_err(Error::at(path, format!("{at}[{number}]")))?;
                    Ok((address, 1))
                };
                let list = addresses.iter().enumerate().map(read);
                let list = list.collect::<Result<Vec<_>, Error>>()?;
                let committee = of_addresses(&list).map_err(Error::at(path, at))?;
                Ok(Set { index: Some(index), committee })
            }
        }
    }
}

impl Parts {
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = vaa_bytes(path)?;
        let mut all = Reader::new(path, WHAT, &bytes);
        let [version] = all.take("version")?;
        if version != VERSION {
            return Err(Error::field(path, "version", format!("{version}, not {VERSION}")));
        }
        let set = u32::from_be_bytes(all.take("guardian set")?);
        let [count] = all.take("number of signatures")?;
        let mut signatures: Vec<(u8, _)> = vec![];
        for number in 0..count {
            let at = format!("signatures[{number}]");
            let ([guardian], signature) = (all.take(&at)?, all.take(&at)?);
            if signatures.last().is_some_and(|(before, _)| *before >= guardian) {
                let reason = format!("guardian {guardian} does not follow the one before");
                return Err(Error::field(path, at, reason));
            }
            signatures.push((guardian, signature));
        }
        let body = all.rest().to_vec();
        let timestamp = u32::from_be_bytes(all.take("timestamp")?);
        let _nonce: [u8; 4] = all.take("nonce")?;
        let emitter_chain = u16::from_be_bytes(all.take("emitter chain")?);
        let emitter = all.take("emitter")?;
        let sequence = u64::from_be_bytes(all.take("sequence")?);
        let _consistency: [u8; 1] = all.take("consistency level")?;
        let payload = all.rest().to_vec();
        Ok(Self { set, signatures, body, timestamp, emitter_chain, emitter, sequence, payload })
    }

    /// The guardian set that this VAA installs.
    fn installed(&self, path: &Path) -> Result<Set, Error> {
        let mut payload = Reader::new(path, WHAT, &self.payload);
        let module: [u8; 32] = payload.take("payload: module")?;
        let (zeros, name) = module.split_at(32 - CORE.len());
        let [action] = payload.take("payload: action")?;
        if zeros.iter().any(|byte| *byte != 0) || name != CORE || action != UPGRADE {
            return Err(Error::field(path, "payload", "it does not install a guardian set"));
        }
        let _chain: [u8; 2] = payload.take("payload: chain")?;
        let index = u32::from_be_bytes(payload.take("payload: index")?);
        let [count] = payload.take("payload: number of guardians")?;
        let mut list = vec![];
        for number in 0..count {
            let at = format!("payload: guardians[{number}]");
            let address = Address::from_bytes(payload.take(&at)?);
            list.push((address.map_err(Error::at(path, at))?, 1));
        }
        if !payload.rest().is_empty() {
            let reason = format!("{} bytes behind the guardians", payload.rest().len());
            return Err(Error::field(path, "payload", reason));
        }
        let committee = of_addresses(&list).map_err(Error::at(path, "payload: guardians"))?;
        Ok(Set { index: Some(index), committee })
    }
}

/// The bytes of a VAA, in whichever form the file has them.
fn vaa_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = input::read(path, LIMIT)?;
    // No text begins like that.
    if bytes.first() == Some(&VERSION) {
        return Ok(bytes);
    }
    let text = input::text(path, &bytes)?.trim();
    let mut answered = None;
    if text.starts_with('{') {
        let Answer { vaa_bytes, data } = input::parse(path, text.as_bytes())?;
        answered = vaa_bytes.or(data.map(|data| data.vaa));
        if answered.is_none() {
            return Err(Error::file(path, "neither `vaaBytes` nor `data.vaa` is there"));
        }
    }
    let text = answered.as_deref().unwrap_or(text);
    let digits = text.strip_prefix("0x").unwrap_or(text);
    hex::decode(digits)
        .or_else(|_| from_base64_any(text))
        .map_err(|_| Error::file(path, "it is neither hex nor base64, and no answer of an API"))
}
