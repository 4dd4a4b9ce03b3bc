//! Members in a committee's file: those of the set, and those whom no set can hold.

use std::{borrow::Cow, path::Path};

use muster_circuits::{KeyKind, Suite};
use muster_schemes::{membership::PublicKey, signature::SignatureError};
use serde::Deserialize;
use serde_json::Value;

use super::weight::{to_json, RawWeight};
use crate::Error;

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
}

/// A member who is left out, as the file has it.
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
    /// The entry, in one line; `field` is the one that names members.
    pub(super) fn to_json(&self, field: &str) -> String {
        let [key, reason] = [&self.key, &self.reason].map(|text| Value::from(text.as_str()));
        let weight = to_json(self.weight);
        format!("{{\"{field}\": {key}, \"weight\": {weight}, \"reason\": {reason}}}")
    }
}

/// Reads those left out; the sum of their weights cannot overflow.
pub(super) fn left_out(
    path: &Path,
    keys: KeyKind,
    list: &[RawLeftOut],
) -> Result<Vec<LeftOut>, Error> {
    let mut sum = 0;
    let decode = |(i, member): (usize, &RawLeftOut)| {
        let at = |field: &str| format!("left_out[{i}]{field}");
        let key = key_text(keys, (&member.public_key, &member.address))
            .map_err(|reason| Error::field(path, at(""), reason))?;
        let (key, weight) = (key.to_owned(), member.weight.0);
        sum = add_left_out(sum, weight)
            .map_err(|reason| Error::field(path, at(".weight"), reason))?;
        Ok(LeftOut { key, weight, reason: member.reason.clone() })
    };
    list.iter().enumerate().map(decode).collect()
}

/// Adds a weight to the sum of those left out, if that is not too great.
pub(super) fn add_left_out(sum: u128, weight: u128) -> Result<u128, &'static str> {
    let sum = sum.checked_add(weight).filter(|sum| sum >> 127 == 0);
    sum.ok_or("the weights up to here add up to 2^127 or more")
}

impl RawMember<'_> {
    /// The text of the key or of the address.
    pub(super) fn text(&self, keys: KeyKind) -> Result<&str, &'static str> {
        key_text(keys, (&self.public_key, &self.address))
    }
}

/// The field of a member that names it.
pub(super) fn field(keys: KeyKind) -> &'static str {
    match keys {
        KeyKind::Coordinates => "public_key",
        KeyKind::Address => "address",
    }
}

/// The text that names a member: the key or the address, as `keys` says.
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

/// The key, unless its secret is published, so that anyone can sign with it.
pub(super) fn with_unknown_secret(key: PublicKey) -> Result<PublicKey, String> {
    match key.published_secret() {
        Some(secret) => Err(format!("its secret key is {secret}: anyone can sign with it")),
        None => Ok(key),
    }
}

/// Why no set of `suite` holds a key.
pub(super) fn not_admitted(suite: Suite, rule: SignatureError) -> String {
    format!("no set of {suite} holds it: {}", in_words(rule))
}

/// What is wrong with a key, worded to follow a place that already names it as one.
pub(super) fn in_words(rule: SignatureError) -> String {
    match rule {
        SignatureError::PublicKey(rule) => rule.to_string(),
        SignatureError::Key(rule) => rule.to_string(),
        SignatureError::Ed25519Key(rule) => rule.to_string(),
        SignatureError::BlsKey(rule) => rule.to_string(),
        other => other.to_string(),
    }
}
