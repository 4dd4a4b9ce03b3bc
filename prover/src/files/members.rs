//! Members in a committee's file: those of the set, and those whom no set can hold.

use std::{borrow::Cow, fmt, path::Path};

use muster_circuits::{KeyKind, Suite};
use muster_schemes::{membership::PublicKey, signature::SignatureError};
use serde::{
    de::{self, value::MapAccessDeserializer, MapAccess, Visitor},
    Deserialize, Deserializer,
};
use serde_json::Value;

use crate::{
    number::{to_json, Number},
    Error,
};

/// Characters of an address: `0x` and 40 digits.
const ADDRESS_TEXT: usize = 42;

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
pub(super) struct RawMember<'a> {
    name: RawName<'a>,
    pub(super) weight: Number<u128>,
    /// Whose place it is, if it is empty: [`EmptyKind::field`](muster_schemes::membership::EmptyKind::field).
    pub(super) empty: Option<Cow<'a, str>>,
}

/// What names a member.
enum RawName<'a> {
    /// The key or the address alone.
    Bare(Cow<'a, str>),
    /// Fields.
    Fields { public_key: Option<Cow<'a, str>>, address: Option<Cow<'a, str>> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFields<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    #[serde(default = "one")]
    weight: Number<u128>,
    #[serde(borrow)]
    empty: Option<Cow<'a, str>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for RawMember<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BareOrFields)
    }
}

struct BareOrFields;

impl<'de> Visitor<'de> for BareOrFields {
    type Value = RawMember<'de>;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("an object, or a key or an address in hex")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(RawMember::bare(text.into(), None))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(RawMember::bare(text.to_owned().into(), None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let RawFields { public_key, address, weight, empty } =
            Deserialize::deserialize(MapAccessDeserializer::new(map))?;
        Ok(RawMember { name: RawName::Fields { public_key, address }, weight, empty })
    }
}

/// A member who is left out, as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLeftOut<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    weight: Number<u128>,
    reason: String,
}

fn one() -> Number<u128> {
    Number(1)
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
        let (key, weight, reason) = (key.to_owned(), member.weight.0, member.reason.clone());
        sum = add_left_out(sum, weight)
            .map_err(|reason| Error::field(path, at(".weight"), reason))?;
        Ok(LeftOut { key, weight, reason })
    };
    list.iter().enumerate().map(decode).collect()
}

/// Adds a weight to the sum of those left out, if that is not too great.
pub(super) fn add_left_out(sum: u128, weight: u128) -> Result<u128, &'static str> {
    let sum = sum.checked_add(weight).filter(|sum| sum >> 127 == 0);
    sum.ok_or("the weights up to here add up to 2^127 or more")
}

impl<'a> RawMember<'a> {
    /// A member of whom there is no more than the key or the address, and perhaps a weight.
    pub(super) fn bare(name: Cow<'a, str>, weight: Option<Number<u128>>) -> Self {
        Self { name: RawName::Bare(name), weight: weight.unwrap_or(one()), empty: None }
    }

    /// Whether it is named by an address, as far as that shows.
    pub(super) fn kind(&self) -> KeyKind {
        match &self.name {
            RawName::Bare(text) if text.len() == ADDRESS_TEXT => KeyKind::Address,
            RawName::Bare(_) | RawName::Fields { .. } => KeyKind::Coordinates,
        }
    }

    /// The text of the key or of the address.
    pub(super) fn text(&self, keys: KeyKind) -> Result<&str, &'static str> {
        match &self.name {
            RawName::Bare(text) => Ok(text),
            RawName::Fields { public_key, address } => key_text(keys, (public_key, address)),
        }
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
