//! The first pass over a committee's file: every check that needs no curve point. Bad encodings, lengths and weights
//! (also of those left out), duplicate keys and too many members are refused here, in about the time that reading
//! takes.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use muster_circuits::{KeyKind, Rule, Scheme, Suite, Terms};
use muster_schemes::{
    curve::weierstrass::Address,
    membership::{
        check_distinct, check_weights, Admission, EmptyKind, EmptyPlace, KeySetError, PublicKey,
        Seats, WeightShift, TOTAL_WEIGHT_BITS, WEIGHT_BITS,
    },
};
use serde::Deserialize;

use super::{
    list::List,
    members::{self, field, in_words, LeftOut, RawLeftOut, RawMember},
    COMMITTEE_LIMIT, MAX_MEMBERS,
};
use crate::{encoding::from_hex, input, number::Number, Error};

/// What the weights of a committee were before they were shifted down.
#[derive(Clone, Copy, Debug)]
pub struct Narrowed {
    /// How many bits they lost.
    pub shift: WeightShift,
    /// The sum of all weights before, also of members who were left out.
    pub total: u128,
}

/// A committee's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw<'a> {
    pub(super) scheme: Scheme,
    pub(super) keys: Option<KeyKind>,
    pub(super) narrowed: Option<RawNarrowed>,
    #[serde(borrow, default)]
    pub(super) left_out: List<RawLeftOut<'a>>,
    #[serde(borrow)]
    pub(super) members: List<RawMember<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawNarrowed {
    weight_shift: Number<u32>,
    total_weight: Number<u128>,
}

/// What is to be done to the members in a committee's file. The first pass skips the checks that depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preparation {
    /// The scheme of the keys, which a list does not say.
    pub scheme: Option<Scheme>,
    /// By how much weights of any width are shifted down.
    pub shift: Option<WeightShift>,
    /// Whether to leave out members whom no set under the rule can hold; their weights stay part of the total.
    pub leaves_out_unusable: bool,
    /// The rule, if it is not the scheme's default.
    pub rule: Option<Rule>,
    /// Whether members with the same key become one, who has the sum of their weights.
    pub merges_same_keys: bool,
    /// Which keys members may have.
    pub admission: Admission,
}

/// A committee's file, with no point decoded yet.
#[derive(Debug)]
pub struct Listing {
    pub(super) path: PathBuf,
    pub(super) suite: Suite,
    pub(super) admission: Admission,
    /// By how much the weights in the file are shifted down.
    shift: WeightShift,
    pub(super) narrowed: Option<Narrowed>,
    pub(super) members: Vec<Listed>,
    pub(super) left_out: Vec<LeftOut>,
}

/// A member.
#[derive(Debug)]
pub(super) struct Listed {
    /// The place in the file.
    pub(super) place: usize,
    /// The encoding of the key, or the address.
    key: Box<[u8]>,
    /// The weight before the shift.
    pub(super) weight: u128,
    /// Whose place it is, if it is empty.
    empty: Option<EmptyKind>,
}

impl Listing {
    /// Reads a committee; `admission` says which keys members may have.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] or [`Error::UnusableKey`] naming the member, [`Error::SameKey`], [`Error::NoScheme`], or those of
    /// reading a file.
    pub fn read(path: &Path, admission: impl Into<Admission>) -> Result<Self, Error> {
        Self::parse(path, &input::read(path, COMMITTEE_LIMIT)?, admission.into(), None)
    }

    /// Reads a committee for sets of these terms, whose scheme a list need not say.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and [`Error::Field`] for a set of another scheme or without room for all members.
    pub fn read_for(
        path: &Path,
        admission: impl Into<Admission>,
        terms: &Terms,
    ) -> Result<Self, Error> {
        let scheme = Some(terms.suite().scheme());
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let listing = Self::parse(path, &bytes, admission.into(), scheme)?;
        listing.fits(terms)?;
        Ok(listing)
    }

    /// A committee from the bytes of a file, which errors call `path`.
    pub(super) fn parse(
        path: &Path,
        bytes: &[u8],
        admission: Admission,
        scheme: Option<Scheme>,
    ) -> Result<Self, Error> {
        let raw = Raw::parse(path, bytes, scheme)?;
        Self::of(path, &raw, &Preparation { admission, ..Preparation::default() })
    }

    /// The members of a file, to whom `changes` are to be made.
    pub(super) fn of(path: &Path, raw: &Raw, changes: &Preparation) -> Result<Self, Error> {
        let (suite, admission) = (raw.suite(path)?, changes.admission);
        if admission.seats == Seats::Several && !suite.scheme().adds_keys() {
            return Err(Error::field(path, "scheme", KeySetError::Seats));
        }
        let narrowed = raw.narrowed.as_ref().map(|narrowed| narrowed.decode(path)).transpose()?;
        let left_out = members::left_out(path, raw.keys(), &raw.left_out.0)?;
        let list = |(place, member): (usize, &RawMember)| {
            let empty = empty(path, (suite, place), member)?;
            let key = key_bytes(path, (suite, place), member, empty.is_some())?;
            // A key of a wrong length is one that no set can hold.
            if suite.keys().is_coordinates() && !changes.leaves_out_unusable && empty.is_none() {
                let unusable = |rule| unusable(path, (suite.keys(), place), in_words(rule));
                suite.key_part(&key).map_err(unusable)?;
            }
            Ok(Listed { place, key, weight: member.weight.0, empty })
        };
        let members = raw.members.0.iter().enumerate().map(list).collect::<Result<_, Error>>()?;
        let (path, shift) = (path.to_owned(), changes.shift.unwrap_or_default());
        let mut listing = Self { path, suite, admission, shift, narrowed, members, left_out };
        if let Some(shift) = changes.shift {
            listing.narrowed = Some(Narrowed { shift, total: listing.total()? });
        }
        listing.check(changes)?;
        Ok(listing)
    }

    /// Checks that the members are a set, as far as that shows without their points.
    fn check(&self, changes: &Preparation) -> Result<(), Error> {
        if let Some(none) = self.members.iter().find(|member| member.weight == 0) {
            let fault = KeySetError::Weight { member: none.place, weight: 0 };
            return Err(self.bad_weight(none.place, fault));
        }
        // Who will be in the set is not known yet.
        if changes.leaves_out_unusable {
            return Ok(());
        }
        self.check_widths()?;
        match check_weights(self.kept().map(|(_, weight)| weight)) {
            // Weights too small for a member alone may be enough once merged.
            Err(KeySetError::Empty) if changes.merges_same_keys && !self.members.is_empty() => {}
            checked => checked.map_err(|fault| self.set_error(fault))?,
        }
        if self.admission.seats == Seats::One && !changes.merges_same_keys {
            // A chain has the same bytes for all authorities without an address, who have a place each.
            let place = |one: &Listed| (one.empty == Some(EmptyKind::Beefy)).then_some(one.place);
            let keys = self.kept().map(|(member, _)| (self.key_part(member), place(member)));
            check_distinct(keys).map_err(|fault| self.set_error(fault))?;
        }
        self.check_total()
    }

    /// Checks that every weight fits after the shift.
    pub(super) fn check_widths(&self) -> Result<(), Error> {
        for member in &self.members {
            narrow(member.weight, self.shift)
                .map_err(|reason| self.wide_weights(member.place, reason))?;
        }
        Ok(())
    }

    /// Checks what a file says about the weights before a shift.
    fn check_total(&self) -> Result<(), Error> {
        let Some(Narrowed { shift, total }) = self.narrowed else { return Ok(()) };
        let weight: u128 = self.kept().map(|(_, weight)| u128::from(weight)).sum();
        let others = total.checked_sub(self.weight_left_out());
        if others.is_none_or(|others| weight > shift.weight(others)) {
            let reason =
                "too little for the members' weights after the shift and the weights left out";
            return Err(Error::field(&self.path, "narrowed.total_weight", reason));
        }
        Ok(())
    }

    /// The sum of the weights of those left out, which is below 2^127.
    pub(super) fn weight_left_out(&self) -> u128 {
        self.left_out.iter().map(|member| member.weight).sum()
    }

    /// Adds a member whom no set can hold to those left out.
    pub(super) fn leave_out(
        &mut self,
        raw: &Raw,
        member: &Listed,
        reason: String,
    ) -> Result<(), Error> {
        if self.left_out.len() == MAX_MEMBERS {
            let reason = format!("more than {MAX_MEMBERS} entries");
            return Err(Error::field(&self.path, "left_out", reason));
        }
        let key = raw.members.0[member.place].text(raw.keys());
        let key = key.map_err(Error::at(&self.path, format!("members[{}]", member.place)))?;
        self.left_out.push(LeftOut { key: key.to_owned(), weight: member.weight, reason });
        Ok(())
    }

    /// The sum of all weights, including those left out.
    fn total(&self) -> Result<u128, Error> {
        self.members.iter().try_fold(self.weight_left_out(), |sum, member| {
            sum.checked_add(member.weight).ok_or_else(|| {
                let reason = "the weights up to here add up to 2^128 or more";
                self.bad_weight(member.place, reason)
            })
        })
    }

    /// What the shift leaves of each weight: `None` if nothing, or if the weight is too great.
    pub(super) fn weights(&self) -> impl Iterator<Item = Option<u64>> + '_ {
        self.members.iter().map(|member| narrow(member.weight, self.shift).ok()?)
    }

    /// The members whose weights the shift does not reduce to nothing, with their shifted weights.
    pub(super) fn kept(&self) -> impl Iterator<Item = (&Listed, u64)> {
        self.members.iter().zip(self.weights()).filter_map(|(one, weight)| Some((one, weight?)))
    }

    /// How many members are left after the shift.
    pub fn members(&self) -> usize {
        self.kept().count()
    }

    /// Checks that a set of these terms is of this scheme, and has room for all members.
    pub(super) fn fits(&self, terms: &Terms) -> Result<(), Error> {
        self.is_for(terms)?;
        terms.check_room(self.members()).map_err(Error::at(&self.path, "members"))
    }

    /// Checks that a set of these terms is of this scheme.
    pub(super) fn is_for(&self, terms: &Terms) -> Result<(), Error> {
        check_kind(&self.path, (self.suite.scheme(), self.suite.keys()), terms.suite())
    }

    /// The part of a member's encoding that is the key itself.
    fn key_part<'a>(&self, member: &'a Listed) -> &'a [u8] {
        match self.suite.keys() {
            KeyKind::Coordinates => self.suite.key_part(&member.key).unwrap_or(&member.key),
            KeyKind::Address => &member.key,
        }
    }

    /// The keys of members, checked by the rules of the scheme; for a bad one, what is wrong in words.
    pub(super) fn keys(&self, members: &[Listed]) -> Vec<Result<PublicKey, String>> {
        let bytes: Vec<_> = members.iter().map(|member| &member.key[..]).collect();
        let keys: Vec<_> = match self.suite.keys() {
            KeyKind::Coordinates => {
                let keys = self.suite.decode_keys(&bytes);
                keys.into_iter().map(|key| key.map_err(in_words)).collect()
            }
            KeyKind::Address => bytes.into_iter().map(address).collect(),
        };
        let key = |(key, member): (Result<_, _>, &Listed)| match member.empty {
            Some(kind) => {
                let place = EmptyPlace::new(kind, &member.key);
                place.map(PublicKey::from).map_err(|reason| reason.to_string())
            }
            None => key,
        };
        keys.into_iter().zip(members).map(key).collect()
    }

    /// The error that no set can hold a member's key.
    pub(super) fn unusable(&self, member: &Listed, reason: String) -> Error {
        let keys = self.suite.keys();
        match member.empty {
            // It is no key that could be left out.
            Some(_) => Error::field(&self.path, key_place(keys, member.place), reason),
            None => unusable(&self.path, (keys, member.place), reason),
        }
    }

    /// The error for the weight of the member in this place.
    pub(super) fn bad_weight(&self, place: usize, reason: impl Display) -> Error {
        Error::field(&self.path, format!("members[{place}].weight"), reason)
    }

    /// The error for weights that are too great, from the one of the member in this place on.
    fn wide_weights(&self, place: usize, reason: impl Display) -> Error {
        let weights = || self.members.iter().map(|member| member.weight);
        let sum = weights().try_fold(0, u128::checked_add);
        let shift =
            sum.map(|sum| (u128::BITS - sum.leading_zeros()).saturating_sub(TOTAL_WEIGHT_BITS));
        Error::WideWeights {
            path: self.path.clone(),
            at: format!("members[{place}].weight"),
            reason: reason.to_string(),
            shift,
        }
    }

    /// The error for members that are no set, with the place in the file.
    pub(super) fn set_error(&self, fault: KeySetError) -> Error {
        let kept: Vec<_> = self.kept().map(|(member, _)| member.place).collect();
        let (fault, keys) = (in_file(fault, &kept), self.suite.keys());
        match fault {
            KeySetError::DuplicateKey { second, .. } => {
                let (path, at) = (self.path.clone(), key_place(keys, second));
                Error::SameKey { path, at, fault, adds_up: self.suite.scheme().adds_keys() }
            }
            KeySetError::TotalWeight { member } => self.wide_weights(member, fault),
            KeySetError::Weight { member, .. } => self.bad_weight(member, fault),
            KeySetError::PublishedKey { member, .. } => {
                unusable(&self.path, (keys, member), fault.to_string())
            }
            KeySetError::Seats => Error::field(&self.path, "scheme", fault),
            _ => Error::field(&self.path, "members", fault),
        }
    }
}

impl Raw<'_> {
    /// How members are named: if the file does not say it, as the first of them.
    pub(super) fn keys(&self) -> KeyKind {
        let first = || self.members.0.first().map(RawMember::kind).unwrap_or_default();
        self.keys.unwrap_or_else(first)
    }

    /// What the keys are read by: any rule that the scheme has.
    fn suite(&self, path: &Path) -> Result<Suite, Error> {
        let (scheme, keys) = (self.scheme, self.keys());
        Suite::new(scheme, keys, None, None).map_err(|_| {
            Error::field(path, "keys", format!("{scheme} has no sets that name members by {keys}"))
        })
    }
}

impl RawNarrowed {
    fn decode(&self, path: &Path) -> Result<Narrowed, Error> {
        let (bits, most) = (self.weight_shift.0, WeightShift::MOST);
        let shift = WeightShift::new(bits).ok_or(format!("{bits}, not from 0 to {most}"));
        let shift = shift.map_err(Error::at(path, "narrowed.weight_shift"))?;
        Ok(Narrowed { shift, total: self.total_weight.0 })
    }
}

/// Checks that a committee is of a suite's scheme, and names its members as sets of the suite do.
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
        let reason =
            format!("{keys}, but the keys are for sets that name members by {}", suite.keys());
        return Err(Error::field(path, "keys", reason));
    }
    Ok(())
}

/// The weight that stands for `weight` in a set; `None` if the shift leaves nothing.
fn narrow(weight: u128, shift: WeightShift) -> Result<Option<u64>, String> {
    let narrow = shift.weight(weight);
    match u64::try_from(narrow) {
        Ok(0) => Ok(None),
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

/// Whose place it is, if the file says that it is empty: of validators of CometBFT, which have keys of Ed25519, by the type of the key,
/// and of authorities of BEEFY, which have addresses.
fn empty(
    path: &Path,
    (suite, place): (Suite, usize),
    member: &RawMember,
) -> Result<Option<EmptyKind>, Error> {
    let Some(name) = &member.empty else { return Ok(None) };
    let bad = |reason: String| Error::field(path, format!("members[{place}].empty"), reason);
    let (scheme, keys) = (suite.scheme(), suite.keys());
    // Addresses are those of one scheme.
    if scheme != Scheme::Ed25519 && keys.is_coordinates() {
        return Err(bad(format!("a committee of {scheme} by {keys} has no empty places")));
    }
    let expected =
        if keys.is_coordinates() { "the type of the key, as \"ed25519\"" } else { "\"beefy\"" };
    let found = EmptyKind::of_field(name).filter(|found| found.keys() == keys);
    found.map(Some).ok_or_else(|| bad(format!("not {name:?}, but {expected}")))
}

/// The place of a member's key in the file.
fn key_place(keys: KeyKind, place: usize) -> String {
    format!("members[{place}].{}", field(keys))
}

/// The error that no set can hold the key in this place.
pub(super) fn unusable(path: &Path, (keys, place): (KeyKind, usize), reason: String) -> Error {
    Error::UnusableKey { path: path.to_owned(), at: key_place(keys, place), reason }
}

fn address(bytes: &[u8]) -> Result<PublicKey, String> {
    let bytes = bytes.try_into().map_err(|_| "not as long as an address")?;
    Address::from_bytes(bytes).map(Address::into).map_err(|error| error.to_string())
}

/// The bytes of a key, or those of an address. In an empty place they may be any.
fn key_bytes(
    path: &Path,
    (suite, place): (Suite, usize),
    member: &RawMember,
    is_empty: bool,
) -> Result<Box<[u8]>, Error> {
    let keys = suite.keys();
    let text = member
        .text(keys)
        .map_err(|reason| Error::field(path, format!("members[{place}]"), reason))?;
    let bad = |reason: String| Error::field(path, key_place(keys, place), reason);
    if keys == KeyKind::Address && !is_empty {
        let address = text.parse::<Address>().map_err(|error| bad(error.to_string()))?;
        return Ok(address.to_bytes().into());
    }
    from_hex(text).map(Vec::into).map_err(|reason| bad(reason.to_string()))
}

/// The same fault, with members named by their places in the file.
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
