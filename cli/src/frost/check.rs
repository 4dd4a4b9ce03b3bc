//! `muster frost check`.

use std::{path::PathBuf, slice};

use muster_prover::encoding::to_hex;
use serde_json::json;

use super::args::located;
use crate::{
    files::frost::{read, Document, GroupFile, ShareFile},
    report::Report,
    Error,
};

/// Check that a group can sign, and that a share belongs to one of its members.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost check --group keys/group.json --share keys/share-1.json

All public shares must lie on one polynomial of the threshold's degree through
the public key: then any T members can sign. Members should run this before they rely on a key that
someone else made. They must also compare group.json among themselves: this does not check that all have the same one.")]
pub(super) struct CheckArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    /// A member's share of the key.
    #[arg(long, value_name = "FILE")]
    share: Option<PathBuf>,
}

pub(super) fn run(args: &CheckArgs) -> Result<Report, Error> {
    let group: GroupFile = read(&args.group)?;
    let share: Option<ShareFile> = args.share.as_deref().map(read).transpose()?;
    let sources = [("group", slice::from_ref(&args.group)), ("share", args.share.as_slice())];
    let ceremony = group.suite().ceremony();
    ceremony.check(&group, share.as_ref()).map_err(located(sources))?;
    let (threshold, members) = (group.threshold(), group.members());
    let key = to_hex(group.public_key().bytes());
    let whose = share.as_ref().map(ShareFile::member);
    let mut text = format!(
        "{}: any {threshold} of {} members can sign as {key}",
        args.group.display(),
        members.len()
    );
    if let Some((path, member)) = args.share.as_ref().zip(whose) {
        text += &format!("\n{}: member {member}'s share of it", path.display());
    }
    let json = json!({
        "suite": group.suite(),
        "threshold": threshold,
        "members": members,
        "public_key": key,
        "member": whose,
    });
    Ok(Report { text, json })
}
