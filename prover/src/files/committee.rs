//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`, or if members are named by
//! addresses `{"scheme": "ecdsa-secp256k1", "keys": "address", "members": [{"address": "0x…", "weight": 1}, …]}`. If
//! weights were shifted down, `"narrowed": {"weight_shift": 40, "total_weight": "…"}` has the number of bits lost, and
//! the sum of the weights before. Members whom no set can hold are in `"left_out": [{"public_key": "0x…", "weight": 1,
//! "reason": "…"}, …]`: the root does not depend on them, but a threshold that is a part of the total weight does,
//! since `total_weight` includes their weights. A validator of CometBFT whose key no set can hold is a member all the same,
//! for the sake of the chain's own hash: with `"empty": "ed25519"` or another type of the key. So is an authority of BEEFY without an
//! address, with `"empty": "beefy"`. Nobody can sign for them.
//!
//! A member may be no more than a key or an address in hex, and the file a list of those: see `forms.rs`.

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use muster_circuits::{Committee, KeyKind, Scheme, Suite, Terms};
use muster_schemes::{
    curve::weierstrass::Address,
    membership::{Admission, EmptyPlace, KeySetTree, PublicKey, Quorum},
};

use super::{
    list::each,
    listing::{check_kind, unusable, Listing, Narrowed},
    members::{field, not_admitted, LeftOut},
    weight,
};
use crate::{encoding::to_hex, Error};

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
    /// Members whom no set can hold. Nobody can be counted for them, but their weights are part of the total.
    pub left_out: Vec<LeftOut>,
}

impl CommitteeFile {
    /// Reads a committee; `admission` says which keys members may have, beside the rules of their scheme, by which
    /// every key is checked.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] or [`Error::UnusableKey`] naming the member, [`Error::SameKey`], or those of reading a file.
    pub fn read(path: &Path, admission: impl Into<Admission>) -> Result<Self, Error> {
        Self::of(&Listing::read(path, admission)?)
    }

    /// The same from the bytes of a file, which errors call `path`.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn parse(
        path: &Path,
        bytes: &[u8],
        admission: impl Into<Admission>,
    ) -> Result<Self, Error> {
        Self::of(&Listing::parse(path, bytes, admission.into(), None)?)
    }

    /// Reads a committee for sets of these terms. Whether it fits is checked before any key is decoded.
    ///
    /// # Errors
    ///
    /// As [`Self::read`] and [`Listing::read_for`].
    pub fn read_for(
        path: &Path,
        admission: impl Into<Admission>,
        terms: &Terms,
    ) -> Result<Self, Error> {
        Self::of(&Listing::read_for(path, admission, terms)?)
    }

    /// Checks the key of every member of a listing by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn of(listing: &Listing) -> Result<Self, Error> {
        let keys = each(listing.members.len(), |range| {
            let members = &listing.members[range];
            let named = |(key, member): (Result<_, _>, _)| {
                key.map_err(|reason| listing.unusable(member, reason))
            };
            listing.keys(members).into_iter().zip(members).map(named).collect()
        })?;
        Self::with_keys(listing, keys)
    }

    /// The committee of a listing's members, whose keys were checked by the rules of the scheme.
    pub(super) fn with_keys(listing: &Listing, keys: Vec<PublicKey>) -> Result<Self, Error> {
        let kept = keys.into_iter().zip(listing.weights());
        let kept = kept.filter_map(|(key, weight)| Some((key, weight?))).enumerate();
        let members = kept.map(|(number, (key, weight))| (in_place(key, number), weight));
        let committee = Committee::admitting(&members.collect::<Vec<_>>(), listing.admission);
        let committee = committee.map_err(|error| match error {
            muster_circuits::Error::KeySet(fault) => listing.set_error(fault),
            other => other.into(),
        })?;
        let (scheme, keys) = (listing.suite.scheme(), listing.suite.keys());
        let (narrowed, left_out) = (listing.narrowed, listing.left_out.clone());
        Ok(Self { scheme, keys, committee, narrowed, left_out })
    }

    /// A committee for sets of `suite`, with its weights as they are, and nobody left out.
    pub(super) fn whole(suite: Suite, committee: Committee) -> Self {
        let (scheme, keys) = (suite.scheme(), suite.keys());
        Self { scheme, keys, committee, narrowed: None, left_out: vec![] }
    }

    /// The scheme before any choice except how members are named.
    pub(super) fn suite(&self) -> Result<Suite, Error> {
        let &Self { scheme, keys, .. } = self;
        let suite = Suite::new(scheme, keys, None, None);
        Ok(suite.map_err(|_| muster_circuits::Error::Keys { scheme, keys })?)
    }

    /// Members whose places are empty: nobody can sign for them.
    pub fn empty_places(&self) -> impl Iterator<Item = (usize, &EmptyPlace)> {
        let members = self.committee.members().iter().enumerate();
        members.filter_map(|(number, one)| Some((number, one.public_key.of::<EmptyPlace>()?)))
    }

    /// The sum of the members' weights.
    pub fn total_weight(&self) -> u64 {
        self.committee.members().iter().map(|member| member.weight).sum()
    }

    /// The sum of the weights of those left out.
    pub fn weight_left_out(&self) -> u128 {
        self.left_out.iter().fold(0, |sum, member| sum.saturating_add(member.weight))
    }

    /// The total weight that a quorum is a part of: with those left out, and before any shift.
    pub fn weight_of_all(&self) -> u128 {
        match self.narrowed {
            Some(Narrowed { total, .. }) => total,
            None => self.weight_left_out().saturating_add(self.total_weight().into()),
        }
    }

    /// The threshold for a quorum of the total weight, [`Self::weight_of_all`]. If weights were shifted, it is a part
    /// of the total before: whoever reaches it with the shifted weights has that part of the original ones.
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
        terms.tree(&self.committee).map_err(Error::at(path, "members"))
    }

    /// Checks that a set of `suite` can hold every member. `places` are the members' places in the file `path`, if
    /// others are left out of it.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] for a committee of another scheme, [`Error::UnusableKey`] for the first member whom the set cannot
    /// hold, with the rule that their key breaks.
    pub fn admitted(&self, path: &Path, suite: Suite, places: &[usize]) -> Result<(), Error> {
        check_kind(path, (self.scheme, self.keys), suite)?;
        self.committee.admitted(suite).map_err(|error| match error {
            muster_circuits::Error::WrongKey { member, suite, rule } => {
                let place = places.get(member).copied().unwrap_or(member);
                unusable(path, (self.keys, place), not_admitted(*suite, rule))
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
            let empty = member.public_key.of::<EmptyPlace>().map(|empty| empty.kind().field());
            let empty = empty.map_or(String::new(), |of| format!(", \"empty\": \"{of}\""));
            write!(writer, "{comma}\n    {{\"{field}\": \"{key}\", \"weight\": {weight}{empty}}}")?;
        }
        writer.write_all(b"\n  ]\n}\n")
    }
}

/// The key of the member with this number in a set, which is a part of the name where a place is empty.
fn in_place(key: PublicKey, number: usize) -> PublicKey {
    match key.of::<EmptyPlace>() {
        Some(place) => place.clone().at(number).into(),
        None => key,
    }
}

/// A key as the scheme writes it. A key of another scheme, which a library may have put there, is written
/// empty, and refused by whoever reads the file.
fn encode_key(scheme: Scheme, key: &PublicKey) -> String {
    if let Some(empty) = key.of::<EmptyPlace>() {
        return to_hex(empty.key());
    }
    match key.of::<Address>() {
        Some(address) => address.to_string(),
        None => to_hex(&scheme.suite().encode_key(key).unwrap_or_default()),
    }
}
