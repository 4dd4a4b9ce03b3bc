//! `muster frost refresh`.

use std::{fs, path::PathBuf};

use clap::Subcommand;
use muster_threshold::frost::{
    identifier,
    keys::{refresh, DealtShare},
    FrostError, Suite,
};
use rand::rngs::OsRng;
use serde_json::json;
use zeroize::Zeroizing;

use super::{keygen::GROUP_FILE, run_in, Report, Step};
use crate::{
    files::frost::{number, suite_of, write, write_secret, GroupFile, Kind, Parcel, ShareFile},
    output::{Output, Secret},
    Error,
};

/// New shares of the same key: old ones are worth nothing beside them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster frost refresh deal --group group.json --out new          (anybody; learns nothing)
  muster frost refresh accept --share share-1.json --dealt new/refresh-1.json \\
      --group new/group.json --out new/share-1.json

A member that is left out of --members has no share any more. All must have the same new group.json:
compare it before you remove the old shares, and then do remove them.")]
pub(super) struct RefreshArgs {
    #[command(subcommand)]
    command: RefreshCommand,
}

#[derive(Debug, Subcommand)]
enum RefreshCommand {
    Deal(DealArgs),
    Accept(AcceptArgs),
}

/// Make what each member is to add to its share, and the group's file as it is then.
#[derive(Debug, clap::Args)]
struct DealArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// Who stays a member; without it everybody.
    #[arg(long, value_name = "I", num_args = 1..)]
    members: Vec<u16>,
    /// Directory for the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace files that are there already.
    #[arg(long)]
    force: bool,
}

/// Add what was dealt to the member's share.
#[derive(Debug, clap::Args)]
struct AcceptArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// What was dealt to the member; it is removed.
    #[arg(long, value_name = "FILE")]
    dealt: PathBuf,
    /// The group as it is then.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// File for the new share.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &RefreshArgs) -> Result<Report, Error> {
    match &args.command {
        RefreshCommand::Deal(args) => run_in(suite_of(&args.group)?, args),
        RefreshCommand::Accept(args) => run_in(suite_of(&args.share)?, args),
    }
}

impl Step for DealArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let group = GroupFile::read::<C>(&self.group)?;
        let members = match self.members.is_empty() {
            true => group.verifying_shares().keys().copied().collect(),
            false => {
                let ids = self.members.iter().map(|member| identifier::<C>(*member));
                ids.collect::<Result<Vec<_>, FrostError>>()?
            }
        };
        let (dealt, group) = refresh::deal(&group, &members, &mut OsRng)?;
        let file = |member: u16| format!("refresh-{member}.json");
        let numbers = dealt.keys().map(number::<C>).collect::<Result<Vec<_>, Error>>()?;
        let names: Vec<_> = numbers.iter().copied().map(file).collect();
        let mut output = Output::new(&self.out, &[GROUP_FILE], self.force)?
            .secrets(Secret::Parcel(Kind::Refresh), &names)?;
        write(&mut output, GROUP_FILE, &GroupFile::new(&group)?)?;
        for (member, share) in numbers.iter().zip(dealt.values()) {
            let content = Zeroizing::new(share.serialize().map_err(FrostError::from)?);
            let parcel = Parcel::new::<C>(Kind::Refresh, None, Some(*member), content.as_slice());
            write_secret(&mut output, &file(*member), &parcel)?;
        }
        output.commit()?;
        let (out, count) = (self.out.display(), numbers.len());
        let text = format!(
            "{out}/{GROUP_FILE}: the group as it is then\n{out}/refresh-…: for each of {count} \
             members alone"
        );
        let json = json!({ "suite": C::NAME, "members": numbers, "out": self.out });
        Ok(Report { text, json })
    }
}

impl Step for AcceptArgs {
    fn run<C: Suite>(&self) -> Result<Report, Error> {
        let share = ShareFile::read::<C>(&self.share)?;
        let parcel = Parcel::read::<C>(&self.dealt, Kind::Refresh)?;
        let dealt = parcel.content::<C, _>(&self.dealt, DealtShare::deserialize)?;
        if parcel.to::<C>(&self.dealt)? != *share.identifier()
            || dealt.identifier() != share.identifier()
        {
            return Err(Error::field(&self.dealt, "to", "another member"));
        }
        let group = GroupFile::read::<C>(&self.group)?;
        let (mut output, name) = Output::single_secret(&self.out, Secret::FrostShare, self.force)?;
        let share = refresh::accept(dealt, &share, &group)?;
        write_secret(&mut output, &name, &ShareFile::new(&share)?)?;
        output.commit()?;
        // Whoever has the old share would have the new one with it.
        fs::remove_file(&self.dealt).map_err(Error::io(&self.dealt))?;
        let member = number::<C>(share.identifier())?;
        let text = format!("{}: member {member}'s new share", self.out.display());
        let json = json!({ "suite": C::NAME, "member": member, "out": self.out });
        Ok(Report { text, json })
    }
}
