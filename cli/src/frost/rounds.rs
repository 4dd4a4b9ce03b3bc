//! Three steps without a dealer: of a key generation, and of a refresh.

use std::{
    fs,
    path::{Path, PathBuf},
};

use muster_threshold::frost::{
    ceremony::{Committed, Shared},
    SuiteName,
};
use serde_json::json;

use super::{
    args::OutArgs,
    keygen::{share_file, GROUP_FILE},
};
use crate::{
    files::frost::{open, write, Document, GroupFile, Parcel, ShareFile, GROUP, SHARE},
    report::Report,
    spool::needs_file,
    Error,
};

/// What a second step reads, beside what is the protocol's own, and where its files go.
#[derive(Debug, clap::Args)]
pub(super) struct SecondArgs {
    /// The secret that the member kept; it is removed.
    #[arg(long, value_name = "FILE")]
    pub(super) secret: PathBuf,
    /// Everybody's commitments.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) commitments: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// The same for a last step.
#[derive(Debug, clap::Args)]
pub(super) struct LastArgs {
    /// The state that the member kept after the second step; it is removed.
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,
    /// Everybody's commitments.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) commitments: Vec<PathBuf>,
    /// The shares that the others made for this member.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) shares: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
}

/// Why secrets and states of earlier steps do not come through a pipe.
const REMOVED: &str = "the command removes it in the end";

/// Writes what a first step made. Its files are `dkg-…` or `refresh-…`.
pub(super) fn write_committed(
    prefix: &str,
    made: &Committed,
    to: &OutArgs,
) -> Result<Report, Error> {
    let (suite, member) = whose(&made.secret);
    let name = |what| format!("{prefix}-{what}-{member}.json");
    let files = [(name("commitment"), &made.commitment), (name("secret"), &made.secret)];
    write_parcels(&files, to)?;
    let what = "the first file is for everybody, the second is its secret";
    Ok(report(suite, member, &to.out, &files.map(|(name, _)| name), what))
}

/// Writes what a second step made, and removes the secret of the first.
pub(super) fn write_shared(
    prefix: &str,
    made: &Shared,
    SecondArgs { secret, out: to, .. }: &SecondArgs,
) -> Result<Report, Error> {
    needs_file(secret, REMOVED)?;
    let (suite, member) = whose(&made.state);
    let mut files = vec![(format!("{prefix}-state-{member}.json"), &made.state)];
    for share in &made.shares {
        let receiver = share.receiver().unwrap_or_default();
        files.push((format!("{prefix}-share-{member}-to-{receiver}.json"), share));
    }
    write_parcels(&files, to)?;
    // The polynomial is not needed any more, and whoever has it has everything.
    fs::remove_file(secret).map_err(Error::io(secret))?;
    let names: Vec<_> = files.into_iter().map(|(name, _)| name).collect();
    let what = "each share is only for its member; the member's secret has been removed";
    Ok(report(suite, member, &to.out, &names, what))
}

/// Writes what a last step made, and removes the state of the second.
pub(super) fn write_key(
    (group, share): &(GroupFile, ShareFile),
    LastArgs { state, out: to, .. }: &LastArgs,
) -> Result<Report, Error> {
    needs_file(state, REMOVED)?;
    let (suite, member) = (share.suite(), share.member());
    let names = [share_file(member), GROUP_FILE.to_owned()];
    let files = [(names[0].clone(), SHARE), (names[1].clone(), GROUP)];
    let mut output = open(&to.out, &files, to.force)?;
    write(&mut output, &names[0], share)?;
    write(&mut output, &names[1], group)?;
    output.commit()?;
    fs::remove_file(state).map_err(Error::io(state))?;
    let what = "its share, and the group, which must be the same for everybody";
    let mut report = report(suite, member, &to.out, &names, what);
    report.json["public_key"] = json!(muster_prover::encoding::to_hex(group.public_key().bytes()));
    Ok(report)
}

/// Writes parcels, each under its name.
pub(super) fn write_parcels(files: &[(String, &Parcel)], to: &OutArgs) -> Result<(), Error> {
    let kinds: Vec<_> =
        files.iter().map(|(name, parcel)| (name.clone(), parcel.kind().as_str())).collect();
    let mut output = open(&to.out, &kinds, to.force)?;
    files.iter().try_for_each(|(name, parcel)| write(&mut output, name, *parcel))?;
    Ok(output.commit()?)
}

fn whose(parcel: &Parcel) -> (SuiteName, u16) {
    (parcel.suite(), parcel.maker().unwrap_or_default())
}

fn report(suite: SuiteName, member: u16, out: &Path, names: &[String], what: &str) -> Report {
    let files: Vec<PathBuf> = names.iter().map(|name| out.join(name)).collect();
    let lines = files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join("\n");
    let json = json!({ "suite": suite, "member": member, "files": files });
    Report { text: format!("member {member}: {what}\n{lines}"), json }
}
