//! The first pass over a committee's file: everything about all members that takes no look at a point. Encodings, lengths,
//! weights, keys that are there twice and too many members are refused here, in about the time that reading takes.

use std::{borrow::Cow, path::Path, path::PathBuf};

use muster_circuits::{KeyKind, Scheme, Suite, Terms};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{
        check_distinct, check_weights, KeySetError, PublicKey, Seats, WeightShift, WEIGHT_BITS,
    },
    signature::SignatureError,
};
use serde::Deserialize;

use super::{list::List, weight::RawWeight, COMMITTEE_LIMIT};
use crate::{encoding::from_hex, input, Error};

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
    members: List<RawMember<'a>>,
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

/// A committee's file of which no point was looked at yet.
#[derive(Debug)]
pub struct Listing {
    pub(super) path: PathBuf,
    pub(super) suite: Suite,
    pub(super) seats: Seats,
    pub(super) narrowed: Option<Narrowed>,
    pub(super) members: Vec<Listed>,
}

/// A member: the encoding of the key, or the address, and the weight after the shift, if anything is left of it.
#[derive(Debug)]
pub(super) struct Listed {
    key: Box<[u8]>,
    pub(super) weight: Option<u64>,
}

impl Listing {
    /// Reads a committee of whose members so many may have the same key.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the member, [`Error::SameKey`], or those of reading a file.
    pub fn read(path: &Path, seats: Seats) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        let narrowed = raw.narrowed.as_ref().map(|narrowed| narrowed.decode(path)).transpose()?;
        let listing = Self::of(path, &raw, (WeightShift::default(), narrowed), seats)?;
        if let Some(Narrowed { shift, total }) = narrowed {
            let weights = listing.members.iter().filter_map(|member| member.weight);
            if weights.map(u128::from).sum::<u128>() > shift.weight(total) {
                let reason = "less than what the members have after the shift";
                return Err(Error::field(path, "narrowed.total_weight", reason));
            }
        }
        Ok(listing)
    }

    /// Reads a committee with weights of any width and shifts them down.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and for a committee whose weights were shifted before.
    pub fn read_narrowed(path: &Path, shift: WeightShift, seats: Seats) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw: Raw = input::parse(path, &bytes)?;
        if raw.narrowed.is_some() {
            return Err(Error::field(path, "narrowed", "the weights were shifted already"));
        }
        let mut total = 0u128;
        for (i, member) in raw.members.0.iter().enumerate() {
            let sum = total.checked_add(member.weight.0).ok_or_else(|| {
                let reason = "the weights up to here add up to 2^128 or more";
                Error::field(path, format!("members[{i}].weight"), reason)
            });
            total = sum?;
        }
        Self::of(path, &raw, (shift, Some(Narrowed { shift, total })), seats)
    }

    fn of(
        path: &Path,
        raw: &Raw,
        (shift, narrowed): (WeightShift, Option<Narrowed>),
        seats: Seats,
    ) -> Result<Self, Error> {
        let (scheme, keys) = (raw.scheme, raw.keys);
        let suite = Suite::new(scheme, keys, None, None)
            .map_err(|_| Error::field(path, "keys", format!("{scheme} has no sets by {keys}")))?;
        if seats == Seats::Several && !scheme.adds_keys() {
            return Err(Error::field(path, "scheme", KeySetError::Seats));
        }
        let list = |(i, member): (usize, &RawMember)| {
            let (text, at) = key_text(keys, member)
                .map_err(|reason| Error::field(path, format!("members[{i}]"), reason))?;
            let key = key_bytes(suite, text)
                .map_err(|reason| Error::field(path, format!("members[{i}].{at}"), reason))?;
            let weight = narrow(member.weight.0, shift)
                .map_err(|reason| Error::field(path, format!("members[{i}].weight"), reason))?;
            Ok(Listed { key, weight })
        };
        let members = raw.members.0.iter().enumerate().map(list).collect::<Result<_, Error>>()?;
        let listing = Self { path: path.to_owned(), suite, seats, narrowed, members };
        listing.check().map_err(|fault| listing.set_error(fault))?;
        Ok(listing)
    }

    /// What keeps members from being a set, as far as it shows without their points.
    fn check(&self) -> Result<(), KeySetError> {
        let kept = || self.members.iter().filter_map(|one| Some((&*one.key, one.weight?)));
        check_weights(kept().map(|(_, weight)| weight))?;
        if self.seats == Seats::One {
            check_distinct(kept().map(|(key, _)| match self.suite.keys() {
                KeyKind::Coordinates => self.suite.key_part(key).unwrap_or(key),
                KeyKind::Address => key,
            }))?;
        }
        Ok(())
    }

    /// How many members are left after the shift.
    pub fn members(&self) -> usize {
        self.members.iter().filter(|member| member.weight.is_some()).count()
    }

    /// Checks that a set of these terms is of this scheme, and has room for all members.
    ///
    /// # Errors
    ///
    /// [`Error::Field`].
    pub fn fits(&self, terms: &Terms) -> Result<(), Error> {
        check_kind(&self.path, (self.suite.scheme(), self.suite.keys()), terms.suite())?;
        let fits = terms.check_room(self.members());
        fits.map_err(|error| Error::field(&self.path, "members", error))
    }

    /// The places in the file of the members of whose weights nothing is left.
    pub fn left_out(&self) -> Vec<usize> {
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| member.weight.is_none()).map(|(place, _)| place).collect()
    }

    /// The key of a member, which is checked by the rules of its scheme: this takes long.
    pub(super) fn key(&self, place: usize) -> Result<PublicKey, Error> {
        let key = decode_key(self.suite, &self.members[place].key);
        key.map_err(|reason| {
            Error::field(
                &self.path,
                format!("members[{place}].{}", field(self.suite.keys())),
                reason,
            )
        })
    }

    /// Names the place of what keeps members from being a set.
    pub(super) fn set_error(&self, fault: KeySetError) -> Error {
        let members = self.members.iter().enumerate();
        let kept = members.filter(|(_, member)| member.weight.is_some()).map(|(place, _)| place);
        let (fault, field) = (in_file(fault, &kept.collect::<Vec<_>>()), field(self.suite.keys()));
        let at = match fault {
            KeySetError::DuplicateKey { second, .. } => {
                let at = format!("members[{second}].{field}");
                if self.suite.scheme().adds_keys() {
                    return Error::SameKey { path: self.path.clone(), at, fault };
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
        Error::field(&self.path, at, fault)
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

/// Checks that a committee's members are named as sets of a suite name theirs.
pub(super) fn check_kind(
    path: &Path,
    (scheme, keys): (Scheme, KeyKind),
    suite: Suite,
) -> Result<(), Error> {
    if scheme != suite.scheme() {
        let reason = format!("{scheme}, but the keys are for {}", suite.scheme());
        return Err(Error::field(path, "scheme", reason));
    }
    if keys != suite.keys() {
        let reason = format!("{keys}, but the keys are for sets by {}", suite.keys());
        return Err(Error::field(path, "keys", reason));
    }
    Ok(())
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
pub(super) fn field(keys: KeyKind) -> &'static str {
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

/// The bytes of a key of a length that keys have, or those of an address.
fn key_bytes(suite: Suite, text: &str) -> Result<Box<[u8]>, String> {
    match suite.keys() {
        KeyKind::Coordinates => {
            let bytes = from_hex(text)?;
            suite.key_part(&bytes).map_err(in_words)?;
            Ok(bytes.into())
        }
        KeyKind::Address => {
            let address = text.parse::<Address>().map_err(|error| error.to_string())?;
            Ok(address.to_bytes().into())
        }
    }
}

fn decode_key(suite: Suite, bytes: &[u8]) -> Result<PublicKey, String> {
    match suite.keys() {
        KeyKind::Coordinates => suite.decode_key(bytes).map_err(in_words),
        KeyKind::Address => {
            let bytes = bytes.try_into().map_err(|_| "not of the length of an address")?;
            Address::from_bytes(bytes).map(Address::into).map_err(|error| error.to_string())
        }
    }
}

/// What is wrong with a key, after a place that says that it is one.
pub(super) fn in_words(rule: SignatureError) -> String {
    match rule {
        SignatureError::PublicKey(rule) => rule.to_string(),
        SignatureError::Key(rule) => rule.to_string(),
        SignatureError::Ed25519Key(rule) => rule.to_string(),
        SignatureError::BlsKey(rule) => rule.to_string(),
        other => other.to_string(),
    }
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
