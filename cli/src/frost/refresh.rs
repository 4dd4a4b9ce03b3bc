//! `muster frost refresh`.

use std::{fs, path::PathBuf, slice};

use clap::Subcommand;
use muster_schemes::decimal;
use rand::rngs::OsRng;
use serde_json::json;

use super::{
    args::{located, OutArgs},
    keygen::GROUP_FILE,
    rounds::{write_committed, write_key, write_shared, LastArgs, SecondArgs},
};
use crate::{
    files::frost::{
        open, open_single, read, read_all, write, Document, GroupFile, Parcel, ShareFile, GROUP,
        SHARE,
    },
    report::Report,
    Error,
};

/// Prefix of the files without a dealer.
const PREFIX: &str = "refresh";

/// Make new shares of the same key, which cannot be combined with old ones.
#[derive(Debug, clap::Args)]
#[command(after_help = "With a dealer, who may be anyone and does not learn the key:
  muster frost refresh deal --group group.json --out new
  muster frost refresh accept --share share-1.json --dealt new/refresh-1.json \\
      --group new/group.json --out new/share-1.json               (each member)

T old shares still give the key: remove them. Anyone who keeps what was dealt can turn an old share into
the new one, so the dealer must erase it. Without a dealer, it is enough that one member erases its part.
Each of three members, I, runs:
  muster frost refresh commit --share share-I.json --signers 3 --out .
  muster frost refresh share --share share-I.json --secret refresh-secret-I.json \\
      --commitments refresh-commitment-*.json --out .
  muster frost refresh finish --share share-I.json --group group.json --state refresh-state-I.json \\
      --commitments refresh-commitment-*.json --shares refresh-share-*-to-I.json --out new

Commitments go to everyone, refresh-share-I-to-J.json to member J in secret.

A member that is left out no longer has a share. All must have the same new group.json: compare it
before removing the old shares, then remove them and what was dealt. A dishonest dealer is
refused: the new group must have the old key and threshold, its public shares must lie on one
polynomial of the threshold's degree through the key, and the member's share must be its own.")]
pub(super) struct RefreshArgs {
    #[command(subcommand)]
    command: RefreshCommand,
}

#[derive(Debug, Subcommand)]
enum RefreshCommand {
    Deal(DealArgs),
    Accept(AcceptArgs),
    Commit(CommitArgs),
    Share(ShareArgs),
    Finish(FinishArgs),
}

/// Make what each member adds to its share, and the group's new file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost refresh deal --group group.json --out new")]
struct DealArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// Members who remain (default: all).
    #[arg(long, value_name = "I", num_args = 1.., value_parser = decimal::read::<u16>)]
    members: Vec<u16>,
    #[command(flatten)]
    out: OutArgs,
}

/// Add what was dealt to the member's share.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost refresh accept --share share-1.json --dealt new/refresh-1.json \\
      --group new/group.json --out new/share-1.json")]
struct AcceptArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// What was dealt to the member; it is removed.
    #[arg(long, value_name = "FILE")]
    dealt: PathBuf,
    /// The new group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// File for the new share.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace the file if it exists. A secret is replaced only by another of its kind.
    #[arg(long)]
    force: bool,
}

/// The first step without a dealer: commit to your own polynomial that is zero at zero.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost refresh commit --share share-1.json --signers 3 --out .")]
struct CommitArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// How many members take part.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u16>)]
    signers: u16,
    #[command(flatten)]
    out: OutArgs,
}

/// The second step: a secret share for each other member.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost refresh share --share share-1.json --secret refresh-secret-1.json \\
      --commitments refresh-commitment-*.json --out .")]
struct ShareArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    #[command(flatten)]
    step: SecondArgs,
}

/// The last step: check what has arrived, and add it to the member's share.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost refresh finish --share share-1.json --group group.json --state refresh-state-1.json \\
      --commitments refresh-commitment-*.json --shares refresh-share-*-to-1.json --out new")]
struct FinishArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    /// The group as it is now.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    step: LastArgs,
}

pub(super) fn run(args: &RefreshArgs) -> Result<Report, Error> {
    match &args.command {
        RefreshCommand::Deal(args) => deal(args),
        RefreshCommand::Accept(args) => accept(args),
        RefreshCommand::Commit(args) => commit(args),
        RefreshCommand::Share(args) => share(args),
        RefreshCommand::Finish(args) => finish(args),
    }
}

fn deal(args: &DealArgs) -> Result<Report, Error> {
    let group: GroupFile = read(&args.group)?;
    let suite = group.suite();
    let members = if args.members.is_empty() { group.members() } else { args.members.clone() };
    let dealt = suite.ceremony().refresh_deal(&group, &members, &mut OsRng);
    let dealt = dealt.map_err(located([("group", slice::from_ref(&args.group))]));
    let (group, parcels) = dealt?;
    let numbers = group.members();
    let file = |member: &u16| format!("refresh-{member}.json");
    let kind = |parcel: &Parcel| parcel.kind().as_str();
    let mut files: Vec<_> =
        numbers.iter().zip(&parcels).map(|(member, dealt)| (file(member), kind(dealt))).collect();
    files.push((GROUP_FILE.to_owned(), GROUP));
    let mut output = open(&args.out.out, &files, args.out.force)?;
    write(&mut output, GROUP_FILE, &group)?;
    for (member, parcel) in numbers.iter().zip(&parcels) {
        write(&mut output, &file(member), parcel)?;
    }
    output.commit()?;
    let (out, count) = (args.out.out.display(), numbers.len());
    let text = format!(
        "{out}/{GROUP_FILE}: the new group\n{out}/refresh-…: one for each of {count} \
         members, in secret; remove them once they are sent"
    );
    let json = json!({ "suite": suite, "members": numbers, "out": args.out.out });
    Ok(Report { text, json })
}

fn accept(args: &AcceptArgs) -> Result<Report, Error> {
    let share: ShareFile = read(&args.share)?;
    let (dealt, group) = (read(&args.dealt)?, read(&args.group)?);
    let suite = share.suite();
    let (mut output, name) = open_single(&args.out, SHARE, args.force)?;
    let sources = [
        ("share", slice::from_ref(&args.share)),
        ("dealt", slice::from_ref(&args.dealt)),
        ("group", slice::from_ref(&args.group)),
    ];
    let share = suite.ceremony().refresh_accept(&share, &dealt, &group);
    let share = share.map_err(located(sources))?;
    write(&mut output, &name, &share)?;
    output.commit()?;
    // Whoever has the old share would have the new one with it.
    fs::remove_file(&args.dealt).map_err(Error::io(&args.dealt))?;
    let member = share.member();
    let text = format!("{}: member {member}'s new share", args.out.display());
    let json = json!({ "suite": suite, "member": member, "out": args.out });
    Ok(Report { text, json })
}

fn commit(args: &CommitArgs) -> Result<Report, Error> {
    let share: ShareFile = read(&args.share)?;
    let made = share.suite().ceremony().refresh_commit(&share, args.signers, &mut OsRng);
    let made = made.map_err(located([("share", slice::from_ref(&args.share))]))?;
    write_committed(PREFIX, &made, &args.out)
}

fn share(ShareArgs { share: path, step }: &ShareArgs) -> Result<Report, Error> {
    let share: ShareFile = read(path)?;
    let (secret, commitments) = (read(&step.secret)?, read_all(&step.commitments)?);
    let made = share.suite().ceremony().refresh_share(&share, &secret, &commitments);
    let sources = [
        ("share", slice::from_ref(path)),
        ("secret", slice::from_ref(&step.secret)),
        ("commitments", &step.commitments),
    ];
    write_shared(PREFIX, &made.map_err(located(sources))?, step)
}

fn finish(args: &FinishArgs) -> Result<Report, Error> {
    let (share, group): (ShareFile, GroupFile) = (read(&args.share)?, read(&args.group)?);
    let step = &args.step;
    let (state, commitments) = (read(&step.state)?, read_all(&step.commitments)?);
    let shares = read_all(&step.shares)?;
    let ceremony = share.suite().ceremony();
    let key = ceremony.refresh_finish(&share, &group, &state, &commitments, &shares);
    let sources = [
        ("share", slice::from_ref(&args.share)),
        ("group", slice::from_ref(&args.group)),
        ("state", slice::from_ref(&step.state)),
        ("commitments", &step.commitments),
        ("shares", &step.shares),
    ];
    write_key(&key.map_err(located(sources))?, step)
}
