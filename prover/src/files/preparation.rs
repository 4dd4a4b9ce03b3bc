//! Makes a set of a list of members that is none: weights are shifted down, members whom no set can hold are left out,
//! and members with the same key become one.

use std::{
    collections::{hash_map::Entry, HashMap},
    mem,
    path::Path,
};

use muster_circuits::{Suite, Terms};
use muster_schemes::membership::{PublicKey, PublishedKeys, WEIGHT_BITS};

use super::{
    committee::CommitteeFile,
    list::each,
    listing::{Listed, Listing, Preparation, Raw},
    members::{add_left_out, not_admitted, with_unknown_secret},
    COMMITTEE_LIMIT,
};
use crate::{input, Error};

/// The committee that was made, and what became of the members in the file. Places are places in the file.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The committee.
    pub file: CommitteeFile,
    /// Places of its members.
    pub places: Vec<usize>,
    /// Places of the last members in `file.left_out`: those just left out because no set can hold them.
    pub unusable: Vec<usize>,
    /// Places of the members whose weights a shift reduced to nothing.
    pub vanished: Vec<usize>,
    /// Who was merged, and with whom.
    pub merged: Vec<Merged>,
}

/// A member merged into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Place of the member.
    pub member: usize,
    /// Place of the first one with the same key.
    pub into: usize,
}

/// What became of members whose keys were checked.
#[derive(Default)]
struct Sorted {
    /// The keys of those still in the listing.
    keys: Vec<PublicKey>,
    unusable: Vec<usize>,
    merged: Vec<Merged>,
}

impl From<CommitteeFile> for Prepared {
    /// A committee to which nothing was done.
    fn from(file: CommitteeFile) -> Self {
        let places = (0..file.committee.members().len()).collect();
        Self { file, places, unusable: vec![], vanished: vec![], merged: vec![] }
    }
}

impl Preparation {
    /// Makes a committee of the file.
    ///
    /// # Errors
    ///
    /// Those of [`CommitteeFile::read`], except for what is to be mended, and [`Error::Field`] for a committee whose
    /// weights have been shifted already, for a rule that its scheme does not have, and for weights whose sum is too
    /// great.
    pub fn read(&self, path: &Path) -> Result<Prepared, Error> {
        self.prepare(path, None)
    }

    /// Makes a committee for sets of these terms. Whether it fits is checked as soon as the number of members is known:
    /// before any key is decoded, if none are left out or merged.
    ///
    /// # Errors
    ///
    /// As [`Self::read`] and [`Listing::read_for`].
    pub fn read_for(&self, path: &Path, terms: &Terms) -> Result<Prepared, Error> {
        self.prepare(path, Some(terms))
    }

    fn prepare(&self, path: &Path, terms: Option<&Terms>) -> Result<Prepared, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let scheme = self.scheme.or(terms.map(|terms| terms.suite().scheme()));
        let raw = Raw::parse(path, &bytes, scheme)?;
        if raw.narrowed.is_some() {
            return Err(Error::field(path, "narrowed", "the weights are already shifted"));
        }
        let mut listing = Listing::of(path, &raw, self)?;
        let fits = |listing: &Listing| terms.map_or(Ok(()), |terms| listing.fits(terms));
        let mut sorted = Sorted::default();
        let file = if self.leaves_out_unusable || self.merges_same_keys {
            terms.map_or(Ok(()), |terms| listing.is_for(terms))?;
            sorted = self.sort_out(&raw, &mut listing)?;
            listing.check_widths()?;
            fits(&listing)?;
            CommitteeFile::with_keys(&listing, mem::take(&mut sorted.keys))?
        } else {
            fits(&listing)?;
            CommitteeFile::of(&listing)?
        };
        let Sorted { unusable, merged, .. } = sorted;
        let places: Vec<_> = listing.kept().map(|(member, _)| member.place).collect();
        let vanished = listing.members.iter().map(|member| member.place);
        let vanished = vanished.filter(|place| places.binary_search(place).is_err()).collect();
        Ok(Prepared { file, places, unusable, vanished, merged })
    }

    /// Takes out of the listing the members whom no set can hold, and those merged with others.
    fn sort_out(&self, raw: &Raw, listing: &mut Listing) -> Result<Sorted, Error> {
        let verdicts = self.verdicts(listing)?;
        let (mut sorted, mut firsts) = (Sorted::default(), HashMap::new());
        let mut weight_left_out = listing.weight_left_out();
        for (member, verdict) in mem::take(&mut listing.members).into_iter().zip(verdicts) {
            let key = match verdict {
                Ok(key) => key,
                Err(reason) => {
                    weight_left_out = add_left_out(weight_left_out, member.weight)
                        .map_err(|reason| listing.bad_weight(member.place, reason))?;
                    listing.leave_out(raw, &member, reason)?;
                    sorted.unusable.push(member.place);
                    continue;
                }
            };
            if self.merges_same_keys {
                match firsts.entry(key.clone()) {
                    Entry::Occupied(first) => {
                        let first: usize = *first.get();
                        let into = listing.members[first].place;
                        sorted.merged.push(Merged { member: member.place, into });
                        listing.members[first].weight = self.sum(listing, first, &member)?;
                        continue;
                    }
                    Entry::Vacant(first) => first.insert(sorted.keys.len()),
                };
            }
            listing.members.push(member);
            sorted.keys.push(key);
        }
        Ok(sorted)
    }

    /// The key of each member or, if such members are left out, why no set can hold it. Otherwise those who make the
    /// committee say so.
    fn verdicts(&self, listing: &Listing) -> Result<Vec<Result<PublicKey, String>>, Error> {
        let suite = self.suite(listing)?;
        each(listing.members.len(), |range| {
            let members = &listing.members[range];
            let verdict = |(key, member): (Result<PublicKey, _>, _)| match key {
                key if self.leaves_out_unusable => Ok(key.and_then(|key| self.held(suite, key))),
                Ok(key) => Ok(Ok(key)),
                Err(reason) => Err(listing.unusable(member, reason)),
            };
            listing.keys(members).into_iter().zip(members).map(verdict).collect()
        })
    }

    /// A key or, if no set can hold it, why.
    fn held(&self, suite: Suite, key: PublicKey) -> Result<PublicKey, String> {
        suite.admits(&key).map_err(|rule| not_admitted(suite, rule))?;
        match self.admission.published {
            PublishedKeys::Accepted => Ok(key),
            PublishedKeys::Refused => with_unknown_secret(key),
        }
    }

    /// The scheme under the rule.
    fn suite(&self, listing: &Listing) -> Result<Suite, Error> {
        let suite = listing.suite;
        let Some(rule) = self.rule else { return Ok(suite) };
        Suite::new(suite.scheme(), suite.keys(), Some(rule), None).map_err(|_| {
            let reason = format!("{} has no rule {}", suite.scheme(), rule.name());
            Error::field(&listing.path, "scheme", reason)
        })
    }

    /// The sum of the weights of a member and of the first one with the same key.
    fn sum(&self, listing: &Listing, first: usize, member: &Listed) -> Result<u128, Error> {
        let first = &listing.members[first];
        let sum = first.weight.checked_add(member.weight);
        let bits = if self.shift.is_some() { u128::BITS } else { WEIGHT_BITS };
        let fits = |sum: &u128| sum.checked_shr(bits).unwrap_or(0) == 0;
        sum.filter(fits).ok_or_else(|| {
            let (first, added) = (first.place, member.weight);
            let reason = format!(
                "{added} more for the key of members[{first}], whose weight would then be 2^{bits} or more"
            );
            listing.bad_weight(member.place, reason)
        })
    }
}
