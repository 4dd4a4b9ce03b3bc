//! `/validators`: keys and powers, one page per file.

use std::path::PathBuf;

use muster_circuits::{Committee, KeyKind, MessageForm, PointHash, Scheme, Suite};
use muster_schemes::{
    hash::sha256::sha256,
    membership::{EmptyKind, EmptyPlace, KeySetError, PublicKey as Member},
    signature::{
        bls::{member::OwnedKey, MinPkPopBls12381},
        cometbft::{validators_hash, Height, KeyType, SimpleValidator},
        ed25519::PublicKey,
    },
};
use serde::Deserialize;

use super::entry::{result, RawSignature, ABSENT};
use crate::{
    encoding::to_hex,
    files::{
        bases::{from_base64, from_base64_any},
        imported::trusting,
        listing::in_file,
        members::{in_words, with_unknown_secret},
        CommitteeFile, LeftOut,
    },
    Error, Number,
};

/// Bytes of an address: the first of the SHA-256 of a key of Ed25519 or BLS12-381.
const ADDRESS: usize = 20;
/// Bytes of a coordinate of a key of BLS12-381.
const COORDINATE: usize = 48;

/// An answer of `/validators`.
#[derive(Deserialize)]
struct Page {
    block_height: Number<u128>,
    total: Number<u128>,
    validators: Vec<RawValidator>,
}

#[derive(Deserialize)]
struct RawValidator {
    address: String,
    pub_key: RawKey,
    voting_power: Number<u128>,
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
    pub(super) hashed: SimpleValidator,
    /// The address, in hex as CometBFT writes it.
    pub(super) address: String,
    /// The key or, if no set can hold it, why.
    pub(super) key: Result<Member, String>,
}

/// All validators at a height, in the order of the chain.
#[derive(Debug)]
pub(super) struct Validators {
    /// Of which type the keys are that a set holds.
    pub(super) kind: KeyType,
    pub(super) list: Vec<Validator>,
    /// File and place of each.
    places: Vec<(PathBuf, String)>,
}

impl Validator {
    /// Who is in the committee of a set of these keys: the key, or an empty place with the bytes that the chain hashes.
    pub(super) fn held(&self, kind: KeyType) -> Option<Member> {
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
        Some(LeftOut { key: to_hex(&self.hashed.key), weight: self.hashed.power.into(), reason })
    }
}

impl RawKey {
    /// The type, and the bytes of a key or of what is said to be one.
    fn bytes(&self) -> Result<(KeyType, Vec<u8>), (&'static str, String)> {
        let Self { kind, value } = self;
        let key_type = KeyType::named(kind).ok_or_else(|| {
            let reason = format!("{kind:?}: it is not known how a header hashes keys of this type");
            (".pub_key.type", reason)
        })?;
        let bytes = match key_type {
            KeyType::Ed25519 => from_base64::<32>(value).map(Vec::from),
            _ => from_base64_any(value),
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
            return bls_key(bytes).and_then(with_unknown_secret);
        }
        with_unknown_secret(PublicKey::from_bytes(bytes).map_err(in_words)?.into())
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
    /// Reads the pages, in their order, which have to be of this height, with no validator missing. A set is to hold the keys of this
    /// type.
    pub(super) fn read(pages: &[PathBuf], height: Height, kind: KeyType) -> Result<Self, Error> {
        let mut all = Self { kind, list: vec![], places: vec![] };
        let (mut last, height) = (None, height.get());
        for path in pages {
            let page: Page = result(path)?;
            if page.block_height.0 != height.into() {
                let reason = format!("{}, but the commit is for {height}", page.block_height.0);
                return Err(Error::field(path, "result.block_height", reason));
            }
            for (number, validator) in page.validators.iter().enumerate() {
                let at = format!("result.validators[{number}]");
                let validator = validator
                    .checked(kind)
                    .map_err(|(field, reason)| Error::field(path, format!("{at}{field}"), reason));
                all.list.push(validator?);
                all.places.push((path.clone(), at));
            }
            last = Some((path, page.total.0));
        }
        let found = all.list.len();
        match last {
            Some((path, total)) if total != found as u128 => {
                let reason =
                    format!("{total}, but the files have {found} validators: each page is a file");
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

    /// Checks whose an entry of a commit is; absent validators do not say.
    pub(super) fn check_address(&self, number: usize, entry: &RawSignature) -> Result<(), String> {
        let (found, address) = (&upper_case(&entry.validator_address), &self.list[number].address);
        if entry.block_id_flag == ABSENT || found == address {
            return Ok(());
        }
        let reason = format!("{found:?}, but the validator is {address}");
        let other = self.list.iter().position(|validator| validator.address == *found);
        let other = other.map(|other| &self.places[other]);
        Err(match other.filter(|(path, _)| *path != self.places[number].0) {
            Some((path, at)) => format!(
                "{reason}; {found} is {at} in {}: the pages are out of order",
                path.display()
            ),
            None => reason,
        })
    }

    /// The committee of those whose keys a set can hold, and of empty places; the weights are the powers.
    pub(super) fn committee(&self) -> Result<CommitteeFile, Error> {
        let held = |(place, one): (usize, &Validator)| {
            Some((place, (one.held(self.kind)?, one.hashed.power)))
        };
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
fn upper_case(address: &str) -> String {
    address.strip_prefix("0x").unwrap_or(address).to_ascii_uppercase()
}

/// The scheme under which validators with keys of BLS12-381 sign these bytes together.
pub(super) fn bls_suite(most: usize) -> Result<Suite, Error> {
    trusting(Scheme::BlsBls12381, Some(MessageForm::Sha256 { most }), Some(PointHash::Basic))
}

/// The key of BLS12-381 of both coordinates in 96 bytes, as CometBFT has it.
fn bls_key(bytes: &[u8]) -> Result<Member, String> {
    let (x, y) = bytes
        .split_at_checked(COORDINATE)
        .filter(|_| bytes.len() == 2 * COORDINATE)
        .ok_or_else(|| format!("{} bytes, not {}", bytes.len(), 2 * COORDINATE))?;
    if x[0] >> 5 != 0 {
        return Err("not the encoding of a point without compression".into());
    }
    let suite = bls_suite(1).map_err(|error| error.to_string())?;
    // Compressed, the sign tells which of two points it is.
    for sign in [0x80, 0xa0] {
        let compressed = [&[x[0] | sign][..], &x[1..]].concat();
        let key = suite.decode_key(&compressed).map_err(in_words)?;
        let owned = key.of::<OwnedKey<MinPkPopBls12381>>();
        let found = owned.map(|owned| owned.coordinates()[1].to_bytes_be()).unwrap_or_default();
        if y[..y.len() - found.len()].iter().all(|byte| *byte == 0) && y.ends_with(&found) {
            return Ok(key);
        }
    }
    Err("not a point of the curve".into())
}
