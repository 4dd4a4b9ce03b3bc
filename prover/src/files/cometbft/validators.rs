//! `/validators`: keys and powers, a page a file.

use std::path::PathBuf;

use muster_circuits::{Committee, KeyKind, Scheme};
use muster_gadgets::{
    hash::sha256::sha256,
    membership::KeySetError,
    signature::{cometbft::Height, ed25519::PublicKey, SignatureError},
};
use serde::Deserialize;

use super::{base64, result};
use crate::{
    files::{weight::RawWeight, CommitteeFile},
    Error,
};

/// Bytes of an address: the first ones of the SHA-256 of the key.
const ADDRESS: usize = 20;
/// What CometBFT calls a key of Ed25519.
const KEY_TYPE: &str = "tendermint/PubKeyEd25519";

/// Answers of `/validators`.
#[derive(Deserialize)]
struct Page {
    block_height: RawWeight,
    total: RawWeight,
    validators: Vec<RawValidator>,
}

#[derive(Deserialize)]
struct RawValidator {
    address: String,
    pub_key: RawKey,
    voting_power: RawWeight,
}

#[derive(Deserialize)]
struct RawKey {
    #[serde(rename = "type")]
    kind: String,
    value: String,
}

/// A validator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Validator {
    pub(super) key: PublicKey,
    power: u64,
}

/// All validators at a height, in the order of the chain.
#[derive(Debug)]
pub(super) struct Validators {
    pub(super) list: Vec<Validator>,
    /// File and place of each.
    places: Vec<(PathBuf, String)>,
}

impl Validator {
    /// The address, in hex as CometBFT writes it.
    pub(super) fn address(&self) -> String {
        hex::encode_upper(&sha256(&self.key.to_bytes())[..ADDRESS])
    }
}

impl RawValidator {
    fn checked(&self) -> Result<Validator, (&'static str, String)> {
        let RawKey { kind, value } = &self.pub_key;
        if kind != KEY_TYPE {
            return Err((".pub_key.type", format!("{kind:?}, not {KEY_TYPE:?}")));
        }
        let bytes: [u8; 32] = base64::decode(value).map_err(|reason| (".pub_key.value", reason))?;
        let key = PublicKey::from_bytes(&bytes).map_err(|rule| match rule {
            SignatureError::Ed25519Key(rule) => (".pub_key.value", rule.to_string()),
            other => (".pub_key.value", other.to_string()),
        })?;
        let power = u64::try_from(self.voting_power.0)
            .map_err(|_| (".voting_power", format!("{} is not below 2^64", self.voting_power.0)))?;
        let validator = Validator { key, power };
        let (address, found) = (validator.address(), &self.address);
        if *found != address {
            return Err((".address", format!("{found:?}, but that of the key is {address}")));
        }
        Ok(validator)
    }
}

impl Validators {
    /// Reads the pages, in their order.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, for another height, and for validators missing; or
    /// those of reading a file.
    pub(super) fn read(pages: &[PathBuf], height: Height) -> Result<Self, Error> {
        let mut all = Self { list: vec![], places: vec![] };
        let mut last = None;
        for path in pages {
            let page: Page = result(path)?;
            if page.block_height.0 != height.get().into() {
                let reason =
                    format!("{}, but the commit is for {}", page.block_height.0, height.get());
                return Err(Error::field(path, "result.block_height", reason));
            }
            for (number, validator) in page.validators.iter().enumerate() {
                let at = format!("result.validators[{number}]");
                let validator = validator.checked();
                let validator = validator.map_err(|(field, reason)| {
                    Error::field(path, format!("{at}{field}"), reason)
                })?;
                all.list.push(validator);
                all.places.push((path.clone(), at));
            }
            last = Some((path, page.total.0));
        }
        match last {
            Some((path, total)) if total != all.list.len() as u128 => {
                let reason = format!(
                    "{total}, but the files have {} validators: each page is a file",
                    all.list.len()
                );
                Err(Error::field(path, "result.total", reason))
            }
            _ => Ok(all),
        }
    }

    /// The committee: the weights are the powers.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] with what keeps the validators from being a set.
    pub(super) fn committee(&self) -> Result<CommitteeFile, Error> {
        let members: Vec<_> = self.list.iter().map(|one| (one.key, one.power)).collect();
        let committee = Committee::new(&members).map_err(|error| self.named(error))?;
        let (scheme, keys) = (Scheme::Ed25519, KeyKind::Coordinates);
        Ok(CommitteeFile { scheme, keys, committee, narrowed: None })
    }

    /// With the place of the validator that an error is about.
    fn named(&self, error: muster_circuits::Error) -> Error {
        let muster_circuits::Error::KeySet(fault) = error else { return error.into() };
        let (member, field) = match fault {
            KeySetError::DuplicateKey { second, .. } => (second, ".pub_key.value"),
            KeySetError::PublishedKey { member, .. } => (member, ".pub_key.value"),
            KeySetError::Weight { member, .. } | KeySetError::TotalWeight { member } => {
                (member, ".voting_power")
            }
            _ => (0, ""),
        };
        match self.places.get(member) {
            Some((path, at)) => Error::field(path, format!("{at}{field}"), fault),
            None => Error::Circuit(muster_circuits::Error::KeySet(fault)),
        }
    }
}
