//! Members in a committee's file: those of the set, and those whom no set can hold.

use std::{borrow::Cow, fmt::Display, path::Path};

use muster_circuits::{KeyKind, Suite};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{PublicKey, WEIGHT_BITS},
    signature::SignatureError,
};
use serde::Deserialize;
use serde_json::Value;

use super::weight::{to_json, RawWeight};
use crate::{encoding::from_hex, Error};

/// A member whom no set can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The key or the address, as it was given.
    pub key: String,
    /// The weight, before any shift.
    pub weight: u128,
    /// Why no set can hold the key.
    pub reason: String,
}

/// A member as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawMember<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    #[serde(default = "one")]
    pub(super) weight: RawWeight,
    /// Its place in the file.
    #[serde(skip)]
    pub(super) place: usize,
}

/// One who is left out, as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLeftOut<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    weight: RawWeight,
    reason: String,
}

fn one() -> RawWeight {
    RawWeight(1)
}

impl LeftOut {
    /// The entry, in one line; the field is that of members' names.
    pub(super) fn to_json(&self, field: &str) -> String {
        let [key, reason] = [&self.key, &self.reason].map(|text| Value::from(text.as_str()));
        let weight = to_json(self.weight);
        format!("{{\"{field}\": {key}, \"weight\": {weight}, \"reason\": {reason}}}")
    }
}

/// Reads those left out, of whose weights the sum cannot overflow.
pub(super) fn left_out(
    path: &Path,
    keys: KeyKind,
    list: &[RawLeftOut],
) -> Result<Vec<LeftOut>, Error> {
    let mut sum = 0u128;
    let decode = |(i, member): (usize, &RawLeftOut)| {
        let at = |field: &str| format!("left_out[{i}]{field}");
        let key = key_text(keys, (&member.public_key, &member.address))
            .map_err(|reason| Error::field(path, at(""), reason))?;
        let (key, weight) = (key.to_owned(), member.weight.0);
        sum = sum.checked_add(weight).filter(|sum| sum >> 127 == 0).ok_or_else(|| {
            Error::field(path, at(".weight"), "the weights up to here add up to 2^127 or more")
        })?;
        Ok(LeftOut { key, weight, reason: member.reason.clone() })
    };
    list.iter().enumerate().map(decode).collect()
}

impl<'a> RawMember<'a> {
    /// The key, or why it is none that a set could hold under any rule.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for what is not even the text of a key.
    pub(super) fn key(
        &self,
        path: &Path,
        suite: Suite,
    ) -> Result<Result<PublicKey, String>, Error> {
        let (keys, place) = (suite.keys(), self.place);
        let text = key_text(keys, (&self.public_key, &self.address))
            .map_err(|reason| Error::field(path, format!("members[{place}]"), reason))?;
        let bad_text = |reason: Cow<str>| {
            Error::field(path, format!("members[{place}].{}", field(keys)), reason)
        };
        match keys {
            KeyKind::Coordinates => {
                let bytes = from_hex(text).map_err(bad_text)?;
                Ok(suite.decode_key(&bytes).map_err(in_words))
            }
            KeyKind::Address => {
                let address = text.parse::<Address>();
                address
                    .map(|address| Ok(address.into()))
                    .map_err(|error| bad_text(error.to_string().into()))
            }
        }
    }

    /// The member as one who is left out.
    pub(super) fn left_out(self, path: &Path, reason: String) -> Result<RawLeftOut<'a>, Error> {
        self.check_weight(path)?;
        let Self { public_key, address, weight, .. } = self;
        Ok(RawLeftOut { public_key, address, weight, reason })
    }

    /// Checks that there is a weight, which the set does of those in it.
    pub(super) fn check_weight(&self, path: &Path) -> Result<(), Error> {
        let range = || format!("weight 0 is not between 1 and 2^{WEIGHT_BITS} - 1");
        if self.weight.0 == 0 {
            return Err(self.bad_weight(path, range()));
        }
        Ok(())
    }

    /// Something is wrong with the weight.
    pub(super) fn bad_weight(&self, path: &Path, reason: impl Display) -> Error {
        Error::field(path, format!("members[{}].weight", self.place), reason)
    }
}

/// The field of a member that names it.
pub(super) fn field(keys: KeyKind) -> &'static str {
    match keys {
        KeyKind::Coordinates => "public_key",
        KeyKind::Address => "address",
    }
}

/// What names a member, whose key or whose address is given.
fn key_text<'a>(
    keys: KeyKind,
    (public_key, address): (&'a Option<Cow<str>>, &'a Option<Cow<str>>),
) -> Result<&'a str, &'static str> {
    match (keys, public_key, address) {
        (KeyKind::Coordinates, Some(text), None) | (KeyKind::Address, None, Some(text)) => Ok(text),
        (KeyKind::Coordinates, _, None) => Err("missing field `public_key`"),
        (KeyKind::Coordinates, ..) => {
            Err("unknown field `address`: only where the committee has \"keys\": \"address\"")
        }
        (KeyKind::Address, None, _) => Err("missing field `address`"),
        (KeyKind::Address, ..) => {
            Err("unknown field `public_key`: the committee has \"keys\": \"address\"")
        }
    }
}

/// The key, if it is not one with which anyone can sign.
pub(super) fn with_unknown_secret(key: PublicKey) -> Result<PublicKey, String> {
    match key.published_secret() {
        Some(secret) => Err(format!("its secret key is {secret}: anyone can sign with it")),
        None => Ok(key),
    }
}

/// Why no set of this scheme, with the choices made, holds a key.
pub(super) fn not_admitted(suite: Suite, rule: SignatureError) -> String {
    format!("no set of {suite} holds it: {}", in_words(rule))
}

/// What is wrong with a key, after a place that says that it is one.
fn in_words(rule: SignatureError) -> String {
    match rule {
        SignatureError::PublicKey(rule) => rule.to_string(),
        SignatureError::Key(rule) => rule.to_string(),
        SignatureError::Ed25519Key(rule) => rule.to_string(),
        SignatureError::BlsKey(rule) => rule.to_string(),
        other => other.to_string(),
    }
}
