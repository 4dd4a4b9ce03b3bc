//! `muster frost repair`.

use std::path::PathBuf;

use clap::Subcommand;
use muster_threshold::frost::{
    identifier,
    keys::repair::{self, Delta, Sigma},
    unique, FrostError, Suite,
};
use rand::rngs::OsRng;
use serde_json::json;
use zeroize::Zeroizing;

use super::{run_in, Report, Step};
use crate::{
    files::frost::{number, suite_of, write_secret, GroupFile, Kind, Parcel, ShareFile},
    output::{Output, Secret},
    Error,
};

/// Make a lost share again: as many helpers as sign do it, and none of them learns it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Member 2 has lost its share; helpers 1 and 3 make it again:
  muster frost repair split --share share-1.json --helpers 1 3 --lost 2 --out .     (each helper)
  muster frost repair add --parts repair-*-to-1.json --out repair-sum-1.json        (each helper)
  muster frost repair finish --group group.json --sums repair-sum-*.json --lost 2 --out share-2.json

Remove the parts and the sums: all sums together are the share.")]
pub(super) struct RepairArgs {
    #[command(subcommand)]
    command: RepairCommand,
}

#[derive(Debug, Subcommand)]
enum RepairCommand {
    Split(SplitArgs),
    Add(AddArgs),
    Finish(FinishArgs),
}

/// A helper's first step: a part for each helper, itself among them.
#[derive(Debug, clap::Args)]
struct SplitArgs {
    /// The helper's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// All helpers.
    #[arg(long, value_name = "I", required = true, num_args = 1..)]
    helpers: Vec<u16>,
    /// Whose share is lost.
    #[arg(long, value_name = "I")]
    lost: u16,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// A helper's second step: add up the parts that all helpers made for it.
#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The parts for this helper.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    parts: Vec<PathBuf>,
    /// File for the sum, which is for the member alone.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
}

/// The member's step: add up the sums of all helpers, and check the share.
#[derive(Debug, clap::Args)]
struct FinishArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// The sums of all helpers.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    sums: Vec<PathBuf>,
    /// Whose share was lost.
    #[arg(long, value_name = "I")]
    lost: u16,
    /// File for the share.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &RepairArgs) -> Result<Report, Error> {
    match &args.command {
        RepairCommand::Split(args) => run_in(suite_of(&args.share)?, args),
        RepairCommand::Add(args) => match args.parts.first() {
            Some(part) => run_in(suite_of(part)?, args),
            None => Err(Error::Usage("--parts: none".into())),
        },
        RepairCommand::Finish(args) => run_in(suite_of(&args.group)?, args),
    }
}

impl Step for SplitArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let share = ShareFile::read::<C>(&self.share)?;
        let helpers = self.helpers.iter().map(|helper| identifier::<C>(*helper));
        let helpers = helpers.collect::<Result<Vec<_>, FrostError>>()?;
        let lost = identifier::<C>(self.lost)?;
        let parts = repair::split(&share, &helpers, lost, &mut OsRng)?;
        let member = number::<C>(share.identifier())?;
        let file = |to: &u16| format!("repair-{member}-to-{to}.json");
        let names: Vec<_> = self.helpers.iter().map(file).collect();
        let mut output = Output::new(&self.out, &[], self.force)?
            .secrets(Secret::Parcel(Kind::RepairPart), &names)?;
        for (to, part) in &parts {
            let to = number::<C>(to)?;
            let part = Zeroizing::new(part.serialize());
            let parcel =
                Parcel::new::<C>(Kind::RepairPart, Some(member), Some(to), part.as_slice());
            write_secret(&mut output, &file(&to), &parcel)?;
        }
        output.commit()?;
        let text = format!(
            "{}/repair-{member}-to-…: for each of {} helpers alone",
            self.out.display(),
            names.len()
        );
        let json =
            json!({ "suite": C::NAME, "member": member, "lost": self.lost, "out": self.out });
        Ok(Report { text, json })
    }
}

impl Step for AddArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let mut helper = None;
        let mut parts = vec![];
        for path in &self.parts {
            let parcel = Parcel::read::<C>(path, Kind::RepairPart)?;
            let to = parcel.to::<C>(path)?;
            if *helper.get_or_insert(to) != to {
                return Err(Error::field(path, "to", "another helper"));
            }
            let part = parcel.content::<C, _>(path, Delta::deserialize)?;
            parts.push((parcel.from::<C>(path)?, part));
        }
        let parts: Vec<_> = unique::<C, _>(parts)?.into_values().collect();
        let helper = helper.map(|id| number::<C>(&id)).transpose()?;
        let secret = Secret::Parcel(Kind::RepairSum);
        let (mut output, name) = Output::single_secret(&self.out, secret, self.force)?;
        let sum = Zeroizing::new(repair::add::<C>(&parts).serialize());
        let parcel = Parcel::new::<C>(Kind::RepairSum, helper, None, sum.as_slice());
        write_secret(&mut output, &name, &parcel)?;
        output.commit()?;
        let text = format!("{}: the sum of {} parts", self.out.display(), parts.len());
        let json = json!({ "suite": C::NAME, "member": helper, "out": self.out });
        Ok(Report { text, json })
    }
}

impl Step for FinishArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let group = GroupFile::read::<C>(&self.group)?;
        let lost = identifier::<C>(self.lost)?;
        let read = |path: &PathBuf| {
            let parcel = Parcel::read::<C>(path, Kind::RepairSum)?;
            Ok((parcel.from::<C>(path)?, parcel.content::<C, _>(path, Sigma::deserialize)?))
        };
        let sums = self.sums.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let sums: Vec<_> = unique::<C, _>(sums)?.into_values().collect();
        let (mut output, name) = Output::single_secret(&self.out, Secret::FrostShare, self.force)?;
        let share = repair::finish(&sums, lost, &group)?;
        write_secret(&mut output, &name, &ShareFile::new(&share)?)?;
        output.commit()?;
        let text = format!("{}: member {}'s share again", self.out.display(), self.lost);
        let json = json!({ "suite": C::NAME, "member": self.lost, "out": self.out });
        Ok(Report { text, json })
    }
}
