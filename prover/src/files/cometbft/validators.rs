//! `/validators`: keys and powers, one page per file.

use std::path::PathBuf;

use muster_circuits::{Committee, KeyKind, Scheme};
use muster_schemes::{
    hash::sha256::sha256,
    membership::{EmptyKind, EmptyPlace, KeySetError, PublicKey as Member},
    signature::{
        cometbft::{validators_hash, Height, KeyType, SimpleValidator},
        ed25519::PublicKey,
        SignatureError,
    },
};
use serde::Deserialize;

use super::{bls, result};
use crate::{
    encoding::to_hex,
    files::{
        base64, listing::in_file, members::with_unknown_secret, weight::RawWeight, CommitteeFile,
        LeftOut,
    },
    Error,
};

/// Bytes of an address: the first of the SHA-256 of a key of Ed25519 or BLS12-381.
const ADDRESS: usize = 20;

/// An answer of `/validators`.
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
#[derive(Clone, Debug)]
pub(super) struct Validator {
    /// As the chain hashes it.
    hashed: SimpleValidator,
    /// The address, in hex as CometBFT writes it.
    pub(super) address: String,
    /// The key or, if no set can hold it, why.
    pub(super) key: Result<Member, String>,
}

/// All validators at a height, in the order of the chain.
#[derive(Debug)]
pub(super) struct Validators {
    /// Of which type the keys are that a set holds.
    kind: KeyType,
    pub(super) list: Vec<Validator>,
    /// File and place of each.
    places: Vec<(PathBuf, String)>,
}

impl Validator {
    pub(super) fn power(&self) -> u64 {
        self.hashed.power
    }

    /// Who is in the committee of a set of these keys: the key, or an empty place with the bytes that the chain hashes.
    fn held(&self, kind: KeyType) -> Option<Member> {
        match &self.key {
            Ok(key) => Some(key.clone()),
            Err(_) if kind == KeyType::Ed25519 => {
                let kind = EmptyKind::Cometbft(self.hashed.key_type);
                EmptyPlace::new(kind, &self.hashed.key).ok().map(Member::from)
            }
            Err(_) => None,
        }
    }

    /// The entry in a committee's file for a validator whose key no set can hold, and who has no place.
    fn left_out(&self, kind: KeyType) -> Option<LeftOut> {
        let reason = self.key.as_ref().err().filter(|_| self.held(kind).is_none())?.clone();
        Some(LeftOut { key: to_hex(&self.hashed.key), weight: self.power().into(), reason })
    }
}

impl RawKey {
    /// The type, and the bytes of a key or of what is said to be one.
    fn bytes(&self) -> Result<(KeyType, Vec<u8>), (&'static str, String)> {
        let Self { kind, value } = self;
        let key_type = KeyType::named(kind).ok_or_else(|| {
            (
                ".pub_key.type",
                format!("{kind:?}: it is not known how a header hashes keys of this type"),
            )
        })?;
        let bytes = match key_type {
            KeyType::Ed25519 => base64::decode::<32>(value).map(Vec::from),
            _ => base64::decode_any(value),
        };
        Ok((key_type, bytes.map_err(|reason| (".pub_key.value", reason))?))
    }

    /// The key, if it is of a kind, or why no set can hold it.
    fn held(&self, kind: KeyType, key_type: KeyType, bytes: &[u8]) -> Result<Member, String> {
        match key_type {
            _ if key_type == kind => {}
            KeyType::Bls12381 => {
                let why = "each signs with a time of its own, and signatures of BLS are added up only on the same bytes";
                return Err(format!("its type is {:?}: {why}", self.kind));
            }
            _ => return Err(format!("its type is {:?}", self.kind)),
        }
        if kind == KeyType::Bls12381 {
            return bls::key(bytes).and_then(with_unknown_secret);
        }
        let key = PublicKey::from_bytes(bytes).map_err(|rule| match rule {
            SignatureError::Ed25519Key(rule) => rule.to_string(),
            other => other.to_string(),
        })?;
        with_unknown_secret(key.into())
    }
}

impl RawValidator {
    fn checked(&self, kind: KeyType) -> Result<Validator, (&'static str, String)> {
        let (key_type, bytes) = self.pub_key.bytes()?;
        let key = self.pub_key.held(kind, key_type, &bytes);
        let power = u64::try_from(self.voting_power.0)
            .map_err(|_| (".voting_power", format!("{} is not below 2^64", self.voting_power.0)))?;
        let found = upper_case(&self.address);
        let address = match key_type {
            KeyType::Ed25519 | KeyType::Bls12381 => hex::encode_upper(&sha256(&bytes)[..ADDRESS]),
            // Other types have other addresses. Nobody is counted by theirs.
            _ => found.clone(),
        };
        if found != address {
            let found = &self.address;
            return Err((".address", format!("{found:?}, but that of the key is {address}")));
        }
        if !hex::decode(&found).is_ok_and(|bytes| bytes.len() == ADDRESS) {
            return Err((".address", format!("{found:?} is not {ADDRESS} bytes in hex")));
        }
        let hashed = SimpleValidator { key_type, key: bytes, power };
        Ok(Validator { hashed, address, key })
    }
}

impl Validators {
    /// Reads the pages, in their order. A set is to hold the keys of this type.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a field that is not what it should be, for another height, and for missing validators; or
    /// those of reading a file.
    pub(super) fn read(pages: &[PathBuf], height: Height, kind: KeyType) -> Result<Self, Error> {
        let mut all = Self { kind, list: vec![], places: vec![] };
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
                let validator = validator.checked(kind);
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

    /// Their hash, as in a header.
    pub(super) fn hash(&self) -> [u8; 32] {
        let hashed: Vec<_> = self.list.iter().map(|validator| validator.hashed.clone()).collect();
        validators_hash(&hashed)
    }

    /// Where the validator with this address is, if that is on another page than validator `number`.
    pub(super) fn on_another_page(&self, address: &str, number: usize) -> Option<String> {
        let found = self.list.iter().position(|validator| validator.address == address)?;
        let (path, at) = &self.places[found];
        (*path != self.places[number].0).then(|| format!("{at} in {}", path.display()))
    }

    /// Whether this validator is in the committee.
    pub(super) fn has_place(&self, validator: &Validator) -> bool {
        validator.held(self.kind).is_some()
    }

    /// The committee of those whose keys a set can hold, and of empty places; the weights are the powers.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] with the reason why the validators are no set.
    pub(super) fn committee(&self) -> Result<CommitteeFile, Error> {
        let held =
            |(place, one): (usize, &Validator)| Some((place, (one.held(self.kind)?, one.power())));
        // A set of empty places alone is good for nothing.
        let list = if self.list.iter().any(|one| one.key.is_ok()) { &self.list[..] } else { &[] };
        let (places, members): (Vec<_>, Vec<_>) = list.iter().enumerate().filter_map(held).unzip();
        let committee = Committee::new(&members).map_err(|error| self.named(&places, error))?;
        let is_bls = self.kind == KeyType::Bls12381;
        let scheme = if is_bls { Scheme::BlsBls12381 } else { Scheme::Ed25519 };
        let keys = KeyKind::Coordinates;
        let left_out = self.list.iter().filter_map(|one| one.left_out(self.kind)).collect();
        Ok(CommitteeFile { scheme, keys, committee, narrowed: None, left_out })
    }

    /// The error with the place of the validator that it is about; `held` are the places of the members.
    fn named(&self, held: &[usize], error: muster_circuits::Error) -> Error {
        let muster_circuits::Error::KeySet(fault) = error else { return error.into() };
        let fault = in_file(fault, held);
        let (number, field) = match fault {
            KeySetError::DuplicateKey { second, .. } => (second, ".pub_key.value"),
            KeySetError::Weight { member, .. } | KeySetError::TotalWeight { member } => {
                (member, ".voting_power")
            }
            // No validator has a key that a set can hold.
            _ => (0, ""),
        };
        match self.places.get(number) {
            Some((path, at)) => Error::field(path, format!("{at}{field}"), fault),
            None => Error::Circuit(muster_circuits::Error::KeySet(fault)),
        }
    }
}

/// Hex as CometBFT writes it; other tools write small letters, or `0x` before them.
pub(super) fn upper_case(address: &str) -> String {
    address.strip_prefix("0x").unwrap_or(address).to_ascii_uppercase()
}
