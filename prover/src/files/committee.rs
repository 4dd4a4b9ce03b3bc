//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`, or where
//! members are named by addresses `{"scheme": "ecdsa-secp256k1", "keys": "address", "members":
//! [{"address": "0x…", "weight": 1}, …]}`. Where weights were shifted down, `"narrowed": {"weight_shift": 40,
//! "total_weight": "…"}` has the bits that they lost, and the sum of the weights before. Members whom no set can hold are in
//! `"left_out": [{"public_key": "0x…", "weight": 1, "reason": "…"}, …]`: the root does not depend on them, but a threshold
//! that is a part of the total weight does, as `total_weight` has their weights, too.

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use muster_circuits::{Committee, KeyKind, Scheme, Suite, Terms};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{KeySetError, KeySetTree, PublicKey, Quorum, Seats, WeightShift, WEIGHT_BITS},
};
use rayon::prelude::*;
use serde::Deserialize;

use super::{
    members::{self, field, not_admitted, LeftOut, RawLeftOut, RawMember},
    weight::{self, RawWeight},
    COMMITTEE_LIMIT,
};
use crate::{encoding::to_hex, input, Error};

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
    /// Whom no set can hold. Nobody can be counted for them, but their weights are part of the total.
    pub left_out: Vec<LeftOut>,
}

/// What the weights of a committee were before they were shifted down.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// The bits that they lost.
    pub shift: WeightShift,
    /// The sum of all weights before, also of members who were left out.
    pub total: u128,
}

/// A committee's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw<'a> {
    scheme: Scheme,
    #[serde(default)]
    keys: KeyKind,
    pub(super) narrowed: Option<RawNarrowed>,
    #[serde(borrow, default)]
    left_out: Vec<RawLeftOut<'a>>,
    #[serde(borrow)]
    pub(super) members: Vec<RawMember<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNarrowed {
    weight_shift: u32,
    total_weight: RawWeight,
}

impl CommitteeFile {
    /// Reads a committee of whose members so many may have the same key. Every key is checked by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] or [`Error::UnusableKey`] naming the member, [`Error::SameKey`], or those of reading a file.
    pub fn read(path: &Path, seats: Seats) -> Result<Self, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let raw = Raw::parse(path, &bytes)?;
        let narrowed = raw.narrowed.as_ref().map(|narrowed| narrowed.decode(path)).transpose()?;
        let (file, _) = Self::decode(path, &raw, (WeightShift::default(), narrowed), seats)?;
        if let Some(Narrowed { shift, total }) = narrowed {
            let weight = u128::from(file.total_weight());
            let others = total.checked_sub(file.weight_left_out());
            if others.is_none_or(|others| weight > shift.weight(others)) {
                let reason = "less than what the members have after the shift and those left out";
                return Err(Error::field(path, "narrowed.total_weight", reason));
            }
        }
        Ok(file)
    }

    /// The committee of these members, and the places of those of whose weights a shift leaves something.
    pub(super) fn decode(
        path: &Path,
        raw: &Raw,
        (shift, narrowed): (WeightShift, Option<Narrowed>),
        seats: Seats,
    ) -> Result<(Self, Vec<usize>), Error> {
        let (scheme, keys, suite) = (raw.scheme, raw.keys, raw.suite(path)?);
        let decode = |member: &RawMember| {
            let key = member.key(path, suite)?.map_err(|reason| {
                let at = format!("members[{}].{}", member.place, field(keys));
                Error::UnusableKey { path: path.to_path_buf(), at, reason }
            })?;
            let weight = narrow(member.weight.0, shift);
            let weight = weight.map_err(|reason| member.bad_weight(path, reason))?;
            Ok((key, weight))
        };
        // The first bad member, whichever thread finds one first.
        let decoded: Vec<_> = raw.members.par_iter().map(decode).collect();
        let members = decoded.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let kept = raw.members.iter().zip(&members).filter(|(_, (_, weight))| weight.is_some());
        let kept: Vec<_> = kept.map(|(member, _)| member.place).collect();
        let members = members.into_iter().filter_map(|(key, weight)| Some((key, weight?)));
        let committee = Committee::with_seats(&members.collect::<Vec<_>>(), seats)
            .map_err(|error| set_error(path, (suite, &kept), error))?;
        let left_out = raw.left_out(path)?;
        Ok((Self { scheme, keys, committee, narrowed, left_out }, kept))
    }

    /// The sum of the members' weights.
    pub fn total_weight(&self) -> u64 {
        self.committee.members().iter().map(|member| member.weight).sum()
    }

    /// The sum of the weights of those left out.
    pub fn weight_left_out(&self) -> u128 {
        self.left_out.iter().fold(0, |sum, member| sum.saturating_add(member.weight))
    }

    /// The total weight that thresholds are parts of: also of those left out, and before any shift.
    pub fn weight_of_all(&self) -> u128 {
        match self.narrowed {
            Some(Narrowed { total, .. }) => total,
            None => self.weight_left_out().saturating_add(self.total_weight().into()),
        }
    }

    /// The threshold that a part of the total weight is, [`Self::weight_of_all`]. If weights were shifted, it is a part
    /// of the total before: whoever reaches it by the weights after the shift has that part of those before.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn threshold(&self, quorum: Quorum) -> Result<u64, String> {
        let shift = self.narrowed.map(|narrowed| narrowed.shift).unwrap_or_default();
        let threshold =
            quorum.threshold(self.weight_of_all()).map_err(|error| error.to_string())?;
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

    /// Checks that a set of this scheme, with the choices made, can hold every member. `places` are those of the members
    /// in the file `path`, if others are left out of it.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a committee of another scheme, [`Error::UnusableKey`] for the first member whom the set cannot
    /// hold, with the rule that their key breaks.
    pub fn admitted(&self, path: &Path, suite: Suite, places: &[usize]) -> Result<(), Error> {
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
                let place = places.get(member).copied().unwrap_or(member);
                let at = format!("members[{place}].{}", field(self.keys));
                let reason = not_admitted(suite, rule);
                Error::UnusableKey { path: path.to_path_buf(), at, reason }
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
        let field = field(self.keys);
        if !self.left_out.is_empty() {
            let list: Vec<_> = self.left_out.iter().map(|member| member.to_json(field)).collect();
            let list = list.join(",\n    ");
            write!(writer, "\n  \"left_out\": [\n    {list}\n  ],")?;
        }
        writer.write_all(b"\n  \"members\": [")?;
        for (i, member) in self.committee.members().iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let key = encode_key(self.scheme, &member.public_key);
            let weight = weight::to_json(member.weight.into());
            write!(writer, "{comma}\n    {{\"{field}\": \"{key}\", \"weight\": {weight}}}")?;
        }
        writer.write_all(b"\n  ]\n}\n")
    }
}

impl<'a> Raw<'a> {
    /// Parses a file, and notes the members' places.
    pub(super) fn parse(path: &Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let mut raw: Self = input::parse(path, bytes)?;
        for (place, member) in raw.members.iter_mut().enumerate() {
            member.place = place;
        }
        Ok(raw)
    }

    /// What the keys are read by: any rule that the scheme has.
    pub(super) fn suite(&self, path: &Path) -> Result<Suite, Error> {
        let Self { scheme, keys, .. } = self;
        Suite::new(*scheme, *keys, None, None)
            .map_err(|_| Error::field(path, "keys", format!("{scheme} has no sets by {keys}")))
    }

    /// Moves a member whom no set can hold to those left out.
    pub(super) fn leave_out(
        &mut self,
        path: &Path,
        member: RawMember<'a>,
        reason: String,
    ) -> Result<(), Error> {
        self.left_out.push(member.left_out(path, reason)?);
        Ok(())
    }

    /// The sum of all weights, of those left out as well.
    pub(super) fn total(&self, path: &Path) -> Result<u128, Error> {
        let left_out: u128 = self.left_out(path)?.iter().map(|member| member.weight).sum();
        self.members.iter().try_fold(left_out, |sum, member| {
            sum.checked_add(member.weight.0).ok_or_else(|| {
                member.bad_weight(path, "the weights up to here add up to 2^128 or more")
            })
        })
    }

    /// Those left out, of whose weights the sum cannot overflow.
    fn left_out(&self, path: &Path) -> Result<Vec<LeftOut>, Error> {
        members::left_out(path, self.keys, &self.left_out)
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
            let (path, at) = (path.to_path_buf(), format!("members[{second}].{field}"));
            return Error::SameKey { path, at, fault, adds_up: suite.scheme().adds_keys() };
        }
        KeySetError::Weight { member, .. } | KeySetError::TotalWeight { member } => {
            format!("members[{member}].weight")
        }
        KeySetError::PublishedKey { member, .. } => {
            let (path, at) = (path.to_path_buf(), format!("members[{member}].{field}"));
            return Error::UnusableKey { path, at, reason: fault.to_string() };
        }
        KeySetError::Seats => "scheme".to_owned(),
        _ => "members".to_owned(),
    };
    Error::field(path, at, fault)
}

/// The same fault of members by their places in the file.
pub(super) fn in_file(fault: KeySetError, kept: &[usize]) -> KeySetError {
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
