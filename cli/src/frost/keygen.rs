//! A key from a dealer, and what it is worth: `muster frost keygen` and `check`.

use std::{path::PathBuf, slice};

use muster_prover::encoding::to_hex;
use muster_schemes::decimal;
use muster_threshold::frost::SuiteName;
use rand::rngs::OsRng;
use serde_json::json;

use super::args::{located, OutArgs};
use crate::{
    files::frost::{open, read, write, Document, GroupFile, ShareFile, GROUP, SHARE},
    report::Report,
    values::frost_suites,
    Error,
};

/// Name of the group's file.
pub(super) const GROUP_FILE: &str = "group.json";

/// Make a key and split it among members, as a dealer whom everyone trusts.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost keygen --suite babyjubjub --threshold 2 --signers 3 --out keys

Writes group.json, for everyone, and share-1.json and so on, each for one
member only. The dealer holds the key: it must be trusted, and must remove the shares after sending them.
Each member runs muster frost check with its share, and compares group.json with the others.

If there is no dealer whom everyone trusts, use muster frost dkg. Over secp256k1-tr a dealer's key is used
as it is; dkg tweaks its key with a script path that nobody can spend (BIP-341).")]
pub(super) struct KeygenArgs {
    /// The suite.
    #[arg(long, value_parser = frost_suites())]
    suite: SuiteName,
    /// How many members it takes to sign.
    #[arg(long, value_name = "T", value_parser = decimal::read::<u16>)]
    threshold: u16,
    /// Number of members of the group.
    #[arg(long, value_name = "N", value_parser = decimal::read::<u16>)]
    signers: u16,
    #[command(flatten)]
    out: OutArgs,
}

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

/// Name of a member's file.
pub(super) fn share_file(member: u16) -> String {
    format!("share-{member}.json")
}

pub(super) fn keygen(args: &KeygenArgs) -> Result<Report, Error> {
    let KeygenArgs { suite, threshold, signers, out: OutArgs { out, force } } = args;
    let dealt = suite.ceremony().deal(*threshold, *signers, &mut OsRng);
    let (group, shares) = dealt.map_err(located([]))?;
    let mut files: Vec<_> = (1..=*signers).map(|member| (share_file(member), SHARE)).collect();
    files.push((GROUP_FILE.to_owned(), GROUP));
    let mut output = open(out, &files, *force)?;
    write(&mut output, GROUP_FILE, &group)?;
    for share in &shares {
        write(&mut output, &share_file(share.member()), share)?;
    }
    output.commit()?;
    let key = to_hex(group.public_key().bytes());
    let dir = out.display();
    let text = format!(
        "{dir}/{GROUP_FILE}: any {threshold} of {signers} members sign, public key {key}\n\
         {dir}/share-1.json to share-{signers}.json: each one member's secret"
    );
    let json = json!({
        "suite": suite,
        "threshold": threshold,
        "signers": signers,
        "public_key": key,
        "group": out.join(GROUP_FILE),
    });
    Ok(Report { text, json })
}

pub(super) fn check(args: &CheckArgs) -> Result<Report, Error> {
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
