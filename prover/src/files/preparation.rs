//! What makes a set of a list of members that is none: weights are shifted down, members whom no set can hold are left out,
//! and members with the same key become one.

use std::{
    collections::{hash_map::Entry, HashMap},
    mem,
    path::Path,
};

use muster_circuits::{Rule, Suite};
use muster_gadgets::membership::{PublicKey, Seats, WeightShift, WEIGHT_BITS};
use rayon::prelude::*;

use super::{
    committee::{CommitteeFile, Narrowed, Raw},
    members::{not_admitted, with_unknown_secret, RawMember},
    COMMITTEE_LIMIT,
};
use crate::{input, Error};

/// What is to be done to the members in a committee's file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Preparation {
    /// By how much weights of any width are shifted down.
    pub shift: Option<WeightShift>,
    /// Whether to leave out members whom no set under the rule can hold; their weights stay part of the total.
    pub leaves_out_unusable: bool,
    /// The rule, if it is not the scheme's default.
    pub rule: Option<Rule>,
    /// Whether members with the same key become one, who has the sum of their weights.
    pub merges_same_keys: bool,
    /// How many members may have the same key.
    pub seats: Seats,
}

/// A committee that was made, and what became of those in the file. Places are those in the file.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The committee.
    pub file: CommitteeFile,
    /// Places of its members.
    pub places: Vec<usize>,
    /// Places of the last ones in `file.left_out`, whom no set can hold.
    pub unusable: Vec<usize>,
    /// Places of those of whose weights a shift left nothing.
    pub vanished: Vec<usize>,
    /// Who was merged, and with whom.
    pub merged: Vec<Merged>,
}

/// A member who became one with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Place of the member.
    pub member: usize,
    /// Place of the first one with the same key.
    pub into: usize,
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
    /// Those of [`CommitteeFile::read`], but for what was asked to be mended, and [`Error::Field`] for a committee whose
    /// weights were shifted before, for a rule that its scheme does not have, and for weights whose sum is too great.
    pub fn read(&self, path: &Path) -> Result<Prepared, Error> {
        let bytes = input::read(path, COMMITTEE_LIMIT)?;
        let mut raw = Raw::parse(path, &bytes)?;
        if raw.narrowed.is_some() {
            return Err(Error::field(path, "narrowed", "the weights were shifted already"));
        }
        let (unusable, merged) = self.sort_out(path, &mut raw)?;
        let narrowed = |shift| raw.total(path).map(|total| Narrowed { shift, total });
        let narrowed = self.shift.map(narrowed).transpose()?;
        let how = (self.shift.unwrap_or_default(), narrowed);
        let (file, places) = CommitteeFile::decode(path, &raw, how, self.seats)?;
        let vanished = raw.members.iter().map(|member| member.place);
        let vanished = vanished.filter(|place| places.binary_search(place).is_err()).collect();
        Ok(Prepared { file, places, unusable, vanished, merged })
    }

    /// Takes those out of the members whom no set can hold, and those who are merged with others.
    fn sort_out(&self, path: &Path, raw: &mut Raw) -> Result<(Vec<usize>, Vec<Merged>), Error> {
        let (mut unusable, mut merged) = (vec![], vec![]);
        if !self.leaves_out_unusable && !self.merges_same_keys {
            return Ok((unusable, merged));
        }
        let suite = self.suite(path, raw)?;
        let keys = raw.members.par_iter().map(|member| held(path, suite, member));
        // The first bad member, whichever thread finds one first.
        let keys = keys.collect::<Vec<_>>().into_iter().collect::<Result<Vec<_>, Error>>()?;
        let mut firsts: HashMap<PublicKey, usize> = HashMap::new();
        for (member, key) in mem::take(&mut raw.members).into_iter().zip(keys) {
            match key {
                Err(reason) if self.leaves_out_unusable => {
                    unusable.push(member.place);
                    raw.leave_out(path, member, reason)?;
                }
                Ok(key) if self.merges_same_keys => match firsts.entry(key) {
                    Entry::Occupied(first) => {
                        let first = &mut raw.members[*first.get()];
                        merged.push(Merged { member: member.place, into: first.place });
                        self.add(path, first, &member)?;
                    }
                    Entry::Vacant(first) => {
                        first.insert(raw.members.len());
                        raw.members.push(member);
                    }
                },
                // If it is bad, those who read the committee say so.
                _ => raw.members.push(member),
            }
        }
        Ok((unusable, merged))
    }

    /// The scheme under the rule.
    fn suite(&self, path: &Path, raw: &Raw) -> Result<Suite, Error> {
        let suite = raw.suite(path)?;
        let Some(rule) = self.rule else { return Ok(suite) };
        Suite::new(suite.scheme(), suite.keys(), Some(rule), None).map_err(|_| {
            let reason = format!("{} has no rule {}", suite.scheme(), rule.name());
            Error::field(path, "scheme", reason)
        })
    }

    /// Adds the weight of a member to that of the first one with the same key.
    fn add(&self, path: &Path, first: &mut RawMember, member: &RawMember) -> Result<(), Error> {
        member.check_weight(path)?;
        let sum = first.weight.0.checked_add(member.weight.0);
        let bits = if self.shift.is_some() { u128::BITS } else { WEIGHT_BITS };
        let fits = |sum: &u128| sum.checked_shr(bits).unwrap_or(0) == 0;
        first.weight.0 = sum.filter(fits).ok_or_else(|| {
            let (first, added) = (first.place, member.weight.0);
            let reason = format!(
                "{added} more for the key of members[{first}], whose weight is 2^{bits} or more then"
            );
            member.bad_weight(path, reason)
        })?;
        Ok(())
    }
}

/// The key of a member or, if no set can hold it, why.
fn held(path: &Path, suite: Suite, member: &RawMember) -> Result<Result<PublicKey, String>, Error> {
    let key = member.key(path, suite)?;
    Ok(key.and_then(|key| {
        suite.admits(&key).map_err(|rule| not_admitted(suite, rule))?;
        with_unknown_secret(key)
    }))
}
