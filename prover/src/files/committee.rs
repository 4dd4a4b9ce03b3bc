//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`, or where
//! members are named by addresses `{"scheme": "ecdsa-secp256k1", "keys": "address", "members":
//! [{"address": "0x…", "weight": 1}, …]}`. Where weights were shifted down, `"narrowed": {"weight_shift": 40,
//! "total_weight": "…"}` has the bits that they lost, and the sum of the weights before.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use muster_circuits::{Committee, KeyKind, Scheme, Suite, Terms};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{KeySetError, KeySetTree, PublicKey, Quorum, Seats, WeightShift, WEIGHT_BITS},
    signature::SignatureError,
};
use rayon::prelude::*;
use serde::Deserialize;

use super::{
    weight::{self, RawWeight},
    COMMITTEE_LIMIT,
};
use crate::{
    encoding::{from_hex, to_hex},
    input, Error,
};

/// A committee and the scheme of its keys.
#[derive(Clone, Debug)]
pub struct CommitteeFile {
    /// Scheme of the keys.
    pub scheme: Scheme,
    /// How members are named.
    pub keys: KeyKind,
    /// Keys and weights.
    pub committee: Committee,
    /// What the weights were before, if they were shifted down.
    pub narrowed: Option<Narrowed>,
}

/// What the weights of a committee were before they were shifted down.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// The bits that they lost.
    pub shift: WeightShift,
    /// The sum of all weights before, also of the members who were left out.
    pub total: u128,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw<'a> {
    scheme: Scheme,
    #[serde(default)]
    keys: KeyKind,
    narrowed: Option<RawNarrowed>,
    #[serde(borrow)]
    members: Vec<RawMember<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNarrowed {
    weight_shift: u32,
    total_weight: RawWeight,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMember<'a> {
    #[serde(borrow)]
    public_key: Option<Cow<'a, str>>,
    #[serde(borrow)]
    address: Option<Cow<'a, str>>,
    #[serde(default = "one")]
    weight: RawWeight,
}

fn one() -> RawWeight {
    RawWeight(1)
}

impl CommitteeFile {
    /// Reads a committee of whose members so many may have the same key. Every key is checked by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the member, [`Error::SameKey`], or those of reading a file.
    pub fn read(path: &Path, seats: Seats) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let narrowed = raw.narrowed.as_ref().map(|narrowed| narrowed.decode(path)).transpose()?;
        let (file, _) = Self::decode(path, &raw, (WeightShift::default(), narrowed), seats)?;
        if let Some(Narrowed { shift, total }) = narrowed {
            if u128::from(file.total_weight()) > shift.weight(total) {
                let reason = "less than what the members have after the shift";
                return Err(Error::field(path, "narrowed.total_weight", reason));
            }
        }
        Ok(file)
    }

    /// Reads a committee with weights of any width and shifts them down. Gives also the members that are
    /// left out, since nothing is left of their weights.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and for a committee whose weights were shifted before.
    pub fn read_narrowed(
        path: &Path,
        shift: WeightShift,
        seats: Seats,
    ) -> Result<(Self, Vec<usize>), Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        if raw.narrowed.is_some() {
            return Err(Error::field(path, "narrowed", "the weights were shifted already"));
        }
        let mut total = 0u128;
        for (i, member) in raw.members.iter().enumerate() {
            let sum = total.checked_add(member.weight.0).ok_or_else(|| {
                let reason = "the weights up to here add up to 2^128 or more";
                Error::field(path, format!("members[{i}].weight"), reason)
            });
            total = sum?;
        }
        Self::decode(path, &raw, (shift, Some(Narrowed { shift, total })), seats)
    }

    fn decode(
        path: &Path,
        raw: &Raw,
        (shift, narrowed): (WeightShift, Option<Narrowed>),
        seats: Seats,
    ) -> Result<(Self, Vec<usize>), Error> {
        let (scheme, keys) = (raw.scheme, raw.keys);
        let suite = Suite::new(scheme, keys, None, None)
            .map_err(|_| Error::field(path, "keys", format!("{scheme} has no sets by {keys}")))?;
        let decode = |(i, member): (usize, &RawMember)| {
            let (text, at) = key_text(keys, member)
                .map_err(|reason| Error::field(path, format!("members[{i}]"), reason))?;
            let key = decode_key(suite, text);
            let key =
                key.map_err(|reason| Error::field(path, format!("members[{i}].{at}"), reason))?;
            let weight = narrow(member.weight.0, shift);
            let weight = weight
                .map_err(|reason| Error::field(path, format!("members[{i}].weight"), reason))?;
            Ok((key, weight))
        };
        // The first bad member, whichever thread finds one first.
        let decoded: Vec<_> = raw.members.par_iter().enumerate().map(decode).collect();
        let members = decoded.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let (kept, left_out): (Vec<_>, Vec<_>) =
            (0..members.len()).partition(|member| members[*member].1.is_some());
        let members = members.into_iter().filter_map(|(key, weight)| Some((key, weight?)));
        let committee = Committee::with_seats(&members.collect::<Vec<_>>(), seats)
            .map_err(|error| set_error(path, (suite, &kept), error))?;
        Ok((Self { scheme, keys, committee, narrowed }, left_out))
    }

    /// The sum of the members' weights.
    pub fn total_weight(&self) -> u64 {
        self.committee.members().iter().map(|member| member.weight).sum()
    }

    /// The threshold that a part of the total weight is. If weights were shifted, it is a part of the total
    /// before: whoever reaches it by the weights after the shift has that part of those before.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn threshold(&self, quorum: Quorum) -> Result<u64, String> {
        let total = self.total_weight().into();
        let own = Narrowed { shift: WeightShift::default(), total };
        let Narrowed { shift, total } = self.narrowed.unwrap_or(own);
        let threshold = quorum.threshold(total).map_err(|error| error.to_string())?;
        let threshold = shift.threshold(threshold);
        threshold.try_into().map_err(|_| format!("{threshold} is out of reach"))
    }

    /// The tree over the committee in the file `path`. The terms are those of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a committee that does not fit the terms.
    pub fn tree(&self, path: &Path, terms: &Terms) -> Result<Arc<KeySetTree>, Error> {
        self.admitted(path, terms.suite(), &[])?;
        let tree = terms.tree(&self.committee);
        tree.map_err(|error| Error::field(path, "members", error))
    }

    /// Checks that a set of this scheme, with the choices made, can hold every member. `left_out` are the places in
    /// the file `path` of those whom a shift left out.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a committee of another scheme, or for the first member whom the set cannot hold, with the
    /// rule that their key breaks.
    pub fn admitted(&self, path: &Path, suite: Suite, left_out: &[usize]) -> Result<(), Error> {
        if self.scheme != suite.scheme() {
            let reason = format!("{}, but the keys are for {}", self.scheme, suite.scheme());
            return Err(Error::field(path, "scheme", reason));
        }
        if self.keys != suite.keys() {
            let reason = format!("{}, but the keys are for sets by {}", self.keys, suite.keys());
            return Err(Error::field(path, "keys", reason));
        }
        self.committee.admitted(suite).map_err(|error| match error {
            muster_circuits::Error::WrongKey { member, suite, rule } => {
                let place = left_out.iter().fold(member, |at, out| at + usize::from(*out <= at));
                let at = format!("members[{place}].{}", field(self.keys));
                Error::field(path, at, format!("no set of {suite} holds it: {}", in_words(rule)))
            }
            other => other.into(),
        })
    }

    /// Writes the file, one member per line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        write!(writer, "{{\n  \"scheme\": \"{}\",", self.scheme)?;
        if !self.keys.is_coordinates() {
            write!(writer, "\n  \"keys\": \"{}\",", self.keys)?;
        }
        if let Some(Narrowed { shift, total }) = self.narrowed {
            let (bits, total) = (shift.bits(), weight::to_json(total));
            let fields = format!("\"weight_shift\": {bits}, \"total_weight\": {total}");
            write!(writer, "\n  \"narrowed\": {{{fields}}},")?;
        }
        writer.write_all(b"\n  \"members\": [")?;
        let field = field(self.keys);
        for (i, member) in self.committee.members().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let key = encode_key(self.scheme, &member.public_key);
            let weight = weight::to_json(member.weight.into());
            write!(writer, "{comma}\n    {{\"{field}\": \"{key}\", \"weight\": {weight}}}")?;
        }
        writer.write_all(b"\n  ]\n}\n")
    }
}

impl RawNarrowed {
    fn decode(&self, path: &Path) -> Result<Narrowed, Error> {
        let most = WeightShift::MOST;
        let reason = || format!("{}, not from 0 to {most}", self.weight_shift);
        let shift = WeightShift::new(self.weight_shift)
            .ok_or_else(|| Error::field(path, "narrowed.weight_shift", reason()))?;
        Ok(Narrowed { shift, total: self.total_weight.0 })
    }
}

/// What stands for a weight in a set; nothing if nothing is left of it.
fn narrow(weight: u128, shift: WeightShift) -> Result<Option<u64>, String> {
    let narrow = shift.weight(weight);
    match u64::try_from(narrow) {
        // The set itself refuses a member without weight.
        Ok(0) if weight > 0 => Ok(None),
        Ok(narrow) if narrow >> WEIGHT_BITS == 0 => Ok(Some(narrow)),
        _ if shift.bits() == 0 => {
            Err(format!("weight {weight} is not between 1 and 2^{WEIGHT_BITS} - 1"))
        }
        _ => Err(format!(
            "weight {weight} is 2^{WEIGHT_BITS} or more after a shift by {} bits",
            shift.bits()
        )),
    }
}

/// The field of a member that names it.
fn field(keys: KeyKind) -> &'static str {
    match keys {
        KeyKind::Coordinates => "public_key",
        KeyKind::Address => "address",
    }
}

/// What names a member, and in which field.
fn key_text<'a>(
    keys: KeyKind,
    member: &'a RawMember,
) -> Result<(&'a str, &'static str), &'static str> {
    match (keys, &member.public_key, &member.address) {
        (KeyKind::Coordinates, Some(text), None) => Ok((text, field(keys))),
        (KeyKind::Address, None, Some(text)) => Ok((text, field(keys))),
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

fn decode_key(suite: Suite, text: &str) -> Result<PublicKey, String> {
    match suite.keys() {
        KeyKind::Coordinates => {}
        KeyKind::Address => {
            return text.parse().map(Address::into).map_err(|error| error.to_string());
        }
    }
    suite.decode_key(&from_hex(text)?).map_err(in_words)
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

/// A key as the scheme writes it; one of another scheme, which a library may have put there, is left out
/// and refused by whoever reads the file.
fn encode_key(scheme: Scheme, key: &PublicKey) -> String {
    match key.of::<Address>() {
        Some(address) => address.to_string(),
        None => to_hex(&scheme.suite().encode_key(key).unwrap_or_default()),
    }
}

/// Names the place of what keeps members from being a set. `kept` are their places in the file.
fn set_error(
    path: &Path,
    (suite, kept): (Suite, &[usize]),
    error: muster_circuits::Error,
) -> Error {
    let muster_circuits::Error::KeySet(fault) = error else { return error.into() };
    let (fault, field) = (in_file(fault, kept), field(suite.keys()));
    let at = match fault {
        KeySetError::DuplicateKey { second, .. } => {
            let at = format!("members[{second}].{field}");
            if suite.scheme().adds_keys() {
                return Error::SameKey { path: path.to_path_buf(), at, fault };
            }
            at
        }
        KeySetError::Weight { member, .. } | KeySetError::TotalWeight { member } => {
            format!("members[{member}].weight")
        }
        KeySetError::PublishedKey { member, .. } => format!("members[{member}].{field}"),
        KeySetError::Seats => "scheme".to_owned(),
        _ => "members".to_owned(),
    };
    Error::field(path, at, fault)
}

/// The same fault of members by their places in the file.
fn in_file(fault: KeySetError, kept: &[usize]) -> KeySetError {
    match fault {
        KeySetError::DuplicateKey { first, second } => {
            KeySetError::DuplicateKey { first: kept[first], second: kept[second] }
        }
        KeySetError::Weight { member, weight } => {
            KeySetError::Weight { member: kept[member], weight }
        }
        KeySetError::TotalWeight { member } => KeySetError::TotalWeight { member: kept[member] },
        KeySetError::PublishedKey { member, secret } => {
            KeySetError::PublishedKey { member: kept[member], secret }
        }
        other => other,
    }
}
