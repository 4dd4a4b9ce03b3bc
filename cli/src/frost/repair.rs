//! `muster frost repair`.

use std::{path::PathBuf, slice};

use clap::Subcommand;
use muster_schemes::decimal;
use rand::rngs::OsRng;
use serde_json::json;

use super::{
    args::{located, OutArgs},
    rounds::write_parcels,
};
use crate::{
    files::frost::{
        open_single, read, read_all, write, Document, GroupFile, Kind, Parcel, ShareFile, SHARE,
    },
    report::Report,
    Error,
};

/// Recover a lost share. It takes as many helpers as a signature, and none of them learns the
/// share.
#[derive(Debug, clap::Args)]
#[command(after_help = "Member 2 has lost its share; helpers 1 and 3 recover it:
  muster frost repair split --share share-1.json --group group.json --helpers 1 3 --lost 2 \\
      --out .                                                                     (each helper)
  muster frost repair add --parts repair-*-to-1.json --out repair-sum-1.json      (each helper)
  muster frost repair finish --group group.json --sums repair-sum-*.json --lost 2 --out share-2.json

repair-I-to-J.json goes to helper J in secret, the sums to the member. Helpers must be sure who is asking:
all sums together give the share. Parts and sums from another repair, or from another run of this one,
are refused. Remove them at the end.")]
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

/// A helper's first step: make a part for each helper, including itself.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost repair split --share share-1.json --group group.json --helpers 1 3 --lost 2 --out .")]
struct SplitArgs {
    /// The helper's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// All helpers.
    #[arg(long, value_name = "I", required = true, num_args = 1.., value_parser = decimal::read::<u16>)]
    helpers: Vec<u16>,
    /// The member whose share is lost.
    #[arg(long, value_name = "I", value_parser = decimal::read::<u16>)]
    lost: u16,
    #[command(flatten)]
    out: OutArgs,
}

/// A helper's second step: add up the parts that all helpers made for it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost repair add --parts repair-*-to-1.json --out repair-sum-1.json")]
struct AddArgs {
    /// The parts for this helper.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    parts: Vec<PathBuf>,
    /// File for the sum, which only the member may see.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists. A secret is replaced only by another of its kind.
    #[arg(long)]
    force: bool,
}

/// The member's step: add up the sums of all helpers, and check the share.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost repair finish --group group.json --sums repair-sum-*.json --lost 2 --out share-2.json")]
struct FinishArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// The sums of all helpers.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    sums: Vec<PathBuf>,
    /// The member whose share was lost.
    #[arg(long, value_name = "I", value_parser = decimal::read::<u16>)]
    lost: u16,
    /// File for the share.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists. A secret is replaced only by another of its kind.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &RepairArgs) -> Result<Report, Error> {
    match &args.command {
        RepairCommand::Split(args) => split(args),
        RepairCommand::Add(args) => add(args),
        RepairCommand::Finish(args) => finish(args),
    }
}

fn split(args: &SplitArgs) -> Result<Report, Error> {
    let (share, group): (ShareFile, GroupFile) = (read(&args.share)?, read(&args.group)?);
    let (suite, member) = (share.suite(), share.member());
    let sources =
        [("share", slice::from_ref(&args.share)), ("group", slice::from_ref(&args.group))];
    let SplitArgs { helpers, lost, .. } = args;
    let parts = suite.ceremony().repair_split(&share, &group, helpers, *lost, &mut OsRng);
    let parts = parts.map_err(located(sources))?;
    let file = |part| {
        let to = Parcel::receiver(part).unwrap_or_default();
        (format!("repair-{member}-to-{to}.json"), part)
    };
    write_parcels(&parts.iter().map(file).collect::<Vec<_>>(), &args.out)?;
    let (out, count) = (&args.out.out, parts.len());
    let text = format!(
        "{}/repair-{member}-to-…: one for each of {count} helpers, in secret",
        out.display()
    );
    let json = json!({ "suite": suite, "member": member, "lost": lost, "out": out });
    Ok(Report { text, json })
}

fn add(args: &AddArgs) -> Result<Report, Error> {
    let parts: Vec<Parcel> = read_all(&args.parts)?;
    let suite = parts.first().map(Document::suite);
    let suite = suite.ok_or_else(|| Error::usage("--parts: none".into()))?;
    let (mut output, name) = open_single(&args.out, Kind::RepairSum.as_str(), args.force)?;
    let sum = suite.ceremony().repair_add(&parts);
    let sum = sum.map_err(located([("parts", args.parts.as_slice())]))?;
    write(&mut output, &name, &sum)?;
    output.commit()?;
    let text = format!("{}: the sum of {} parts", args.out.display(), parts.len());
    let json = json!({ "suite": suite, "member": sum.maker(), "out": args.out });
    Ok(Report { text, json })
}

fn finish(args: &FinishArgs) -> Result<Report, Error> {
    let group: GroupFile = read(&args.group)?;
    let sums = read_all(&args.sums)?;
    let (mut output, name) = open_single(&args.out, SHARE, args.force)?;
    let share = group.suite().ceremony().repair_finish(&group, &sums, args.lost);
    let sources = [("group", slice::from_ref(&args.group)), ("sums", args.sums.as_slice())];
    write(&mut output, &name, &share.map_err(located(sources))?)?;
    output.commit()?;
    let text = format!("{}: member {}'s share, made again", args.out.display(), args.lost);
    let json = json!({ "suite": group.suite(), "member": args.lost, "out": args.out });
    Ok(Report { text, json })
}
