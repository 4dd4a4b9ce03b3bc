//! `committee.json`: `{"scheme": "…", "members": [{"public_key": "0x…", "weight": 1}, …]}`, or where
//! members are named by addresses `{"scheme": "ecdsa-secp256k1", "keys": "address", "members":
//! [{"address": "0x…", "weight": 1}, …]}`. Where weights were shifted down, `"narrowed": {"weight_shift": 40,
//! "total_weight": "…"}` has the bits that they lost, and the sum of the weights before.

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use muster_circuits::{Committee, KeyKind, Scheme, Suite, Terms};
use muster_gadgets::{
    curve::weierstrass::Address,
    membership::{KeySetTree, PublicKey, Quorum, Seats, WeightShift},
};

use super::{
    list::each,
    listing::{check_kind, field, in_words, Listing, Narrowed},
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
}

impl CommitteeFile {
    /// Reads a committee of whose members so many may have the same key. Every key is checked by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// [`Error::Field`] naming the member, [`Error::SameKey`], or those of reading a file.
    pub fn read(path: &Path, seats: Seats) -> Result<Self, Error> {
        Self::of(&Listing::read(path, seats)?)
    }

    /// Reads a committee for sets of these terms: whether they have room for it is asked before any key is looked at.
    ///
    /// # Errors
    ///
    /// As [`Self::read`] and [`Listing::fits`].
    pub fn read_for(path: &Path, seats: Seats, terms: &Terms) -> Result<Self, Error> {
        let listing = Listing::read(path, seats)?;
        listing.fits(terms)?;
        Self::of(&listing)
    }

    /// Checks the key of every member of a listing by the rules of its scheme.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn of(listing: &Listing) -> Result<Self, Error> {
        let keys = each(listing.members.len(), |place| listing.key(place))?;
        let weights = listing.members.iter().map(|member| member.weight);
        let members =
            keys.into_iter().zip(weights).filter_map(|(key, weight)| Some((key, weight?)));
        let committee = Committee::with_seats(&members.collect::<Vec<_>>(), listing.seats);
        let committee = committee.map_err(|error| match error {
            muster_circuits::Error::KeySet(fault) => listing.set_error(fault),
            other => other.into(),
        })?;
        let (scheme, keys, narrowed) =
            (listing.suite.scheme(), listing.suite.keys(), listing.narrowed);
        Ok(Self { scheme, keys, committee, narrowed })
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
        check_kind(path, (self.scheme, self.keys), suite)?;
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

/// A key as the scheme writes it; one of another scheme, which a library may have put there, is left out
/// and refused by whoever reads the file.
fn encode_key(scheme: Scheme, key: &PublicKey) -> String {
    match key.of::<Address>() {
        Some(address) => address.to_string(),
        None => to_hex(&scheme.suite().encode_key(key).unwrap_or_default()),
    }
}
