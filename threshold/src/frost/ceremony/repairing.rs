//! Lost shares, made again by helpers.

use std::collections::BTreeMap;

use blake2::{digest::consts::U16, Blake2b, Digest};
use rand_core::CryptoRngCore;

use super::{by_participant, identifiers, one, Ceremony, StepError};
use crate::frost::{
    files::{number, FieldError, GroupFile, Hex, Kind, Parcel, Repair, ShareFile},
    identifier,
    keys::repair::{self, Delta, Sigma},
    suite::in_suite,
    FrostError, Identifier, Signer, Suite,
};

/// Bytes that tell the runs of a repair apart.
const RUN_BYTES: usize = 16;

/// The steps of a repair.
impl Ceremony {
    /// A helper's first step: a part for each helper, including itself, for that helper only.
    ///
    /// # Errors
    ///
    /// Those of [`repair::split`], and those of decoding a document.
    pub fn repair_split(
        self,
        share: &ShareFile,
        group: &GroupFile,
        helpers: &[u16],
        lost: u16,
        mut rng: &mut dyn CryptoRngCore,
    ) -> Result<Vec<Parcel>, StepError> {
        let key = share.public_key();
        in_suite!(self.0, C, {
            let share = one("share", share.decode::<C>())?;
            let group = one("group", group.decode::<C>())?;
            let (ids, id) = (identifiers(helpers)?, identifier(lost)?);
            let parts = repair::split(&share, &group, &ids, id, &mut rng)?;
            let mut run = [0; RUN_BYTES];
            rng.fill_bytes(&mut run);
            let mut helpers = helpers.to_vec();
            helpers.sort_unstable();
            let member = number::<C>(share.identifier())?;
            let parcel = |(to, part): (_, &Delta<C>)| {
                let repair = Repair { lost, helpers: helpers.clone(), run: Hex::new(run) };
                Ok(Parcel {
                    public_key: Some(key.clone()),
                    from: Some(member),
                    to: Some(number::<C>(to)?),
                    repair: Some(repair),
                    ..Parcel::new::<C>(Kind::RepairPart, part.serialize())
                })
            };
            Ok(parts.iter().map(parcel).collect::<Result<_, FrostError>>()?)
        })
    }

    /// A helper's second step, from the parts that all helpers made for it: the sum, for the member
    /// whose share is lost.
    ///
    /// # Errors
    ///
    /// Those of decoding a document, naming the part that belongs to another repair or is for
    /// another helper; [`FrostError::Missing`] if a helper's is missing.
    pub fn repair_add(self, parts: &[Parcel]) -> Result<Parcel, StepError> {
        let first = parts.first().ok_or(FrostError::Missing(vec![]))?;
        let helper = first.receiver();
        in_suite!(self.0, C, {
            let read = |parcel: &Parcel| {
                let part = read::<C, _>(
                    parcel,
                    first,
                    Kind::RepairPart,
                    Delta::deserialize,
                    Delta::serialize,
                )?;
                let is_for_helper = parcel.receiver() == helper;
                is_for_helper.then_some(part).ok_or_else(|| FieldError::new("to", "another helper"))
            };
            let parts = by_participant("parts", parts, read)?;
            let repair = one("parts", first.repair())?;
            check_complete(repair, &parts)?;
            let mut hash = Blake2b::<U16>::new_with_prefix(b"muster.frost.repair.v1");
            // In the order of the helpers, which is the same for all sums.
            parts.values().for_each(|(_, run)| hash.update(run));
            let deltas: Vec<_> = parts.values().map(|(part, _)| *part).collect();
            let sum = repair::add::<C>(&deltas).serialize();
            let repair = Repair { run: Hex::new(hash.finalize().to_vec()), ..repair.clone() };
            let helper = helper.ok_or(FieldError::new("to", "missing"));
            let key = first.public_key().ok_or(FieldError::new("public_key", "missing"));
            Ok(Parcel {
                public_key: Some(one("parts", key)?.clone()),
                from: Some(one("parts", helper)?),
                repair: Some(repair),
                ..Parcel::new::<C>(Kind::RepairSum, sum)
            })
        })
    }

    /// The member's step, from the sums of all helpers.
    ///
    /// # Errors
    ///
    /// Those of [`repair::finish`]; those of decoding a document, naming the sum that belongs to
    /// another repair; [`FrostError::Missing`] if a helper's is missing.
    pub fn repair_finish(
        self,
        group: &GroupFile,
        sums: &[Parcel],
        lost: u16,
    ) -> Result<ShareFile, StepError> {
        let key = group.public_key();
        in_suite!(self.0, C, {
            let group = one("group", group.decode::<C>())?;
            let first = sums.first().ok_or(FrostError::Missing(vec![]))?;
            let read = |parcel: &Parcel| {
                parcel.check::<C>(Kind::RepairSum, Some(key))?;
                let sum = read::<C, _>(
                    parcel,
                    first,
                    Kind::RepairSum,
                    Sigma::deserialize,
                    Sigma::serialize,
                )?;
                let repair = parcel.repair()?;
                if repair.lost != lost {
                    let reason = format!("the sum is for member {}'s share", repair.lost);
                    return Err(FieldError::new("repair.lost", reason));
                }
                if repair.run == first.repair()?.run {
                    Ok(sum)
                } else {
                    let reason = "the sums come from different parts: a helper has split twice";
                    Err(FieldError::new("repair.run", reason))
                }
            };
            let sums = by_participant("sums", sums, read)?;
            check_complete(one("sums", first.repair())?, &sums)?;
            let sums: Vec<_> = sums.into_values().map(|(sum, _)| sum).collect();
            Ok(ShareFile::encode(&repair::finish(&sums, identifier(lost)?, &group)?)?)
        })
    }
}

/// A parcel's maker, content and run. It is of the same group and repair as the first one.
type Read<C, T> = (Identifier<C>, (T, Vec<u8>));

fn read<C: Suite, T>(
    parcel: &Parcel,
    first: &Parcel,
    kind: Kind,
    decode: fn(&[u8]) -> Result<T, frost_core::Error<C>>,
    encode: fn(&T) -> Vec<u8>,
) -> Result<Read<C, T>, FieldError> {
    parcel.check::<C>(kind, first.public_key())?;
    let (repair, expected) = (parcel.repair()?, first.repair()?);
    if repair.lost != expected.lost || repair.helpers != expected.helpers {
        let reason = "not the repair of the first file: another member, or other helpers";
        return Err(FieldError::new("repair", reason));
    }
    let from = parcel.from::<C>()?;
    if !repair.helpers.iter().any(|helper| Some(*helper) == parcel.maker()) {
        return Err(FieldError::new("from", "not among the helpers"));
    }
    let content = parcel.content::<C, _>(decode, |content| Ok(encode(content)))?;
    Ok((from, (content, repair.run.bytes().to_vec())))
}

/// Checks that every helper's is there.
fn check_complete<C: Suite, T>(
    repair: &Repair,
    sent: &BTreeMap<Identifier<C>, T>,
) -> Result<(), FrostError> {
    let helpers = identifiers::<C>(&repair.helpers)?;
    let missing = helpers.iter().filter(|helper| !sent.contains_key(helper));
    let missing: Vec<_> = missing.map(Signer::of).collect();
    missing.is_empty().then_some(()).ok_or(FrostError::Missing(missing))
}
