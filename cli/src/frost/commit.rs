//! `muster frost commit`.

use std::{path::PathBuf, slice};

use rand::rngs::OsRng;
use serde_json::json;

use super::args::{located, OutArgs};
use crate::{
    files::frost::{open, read, write, Document, ShareFile, COMMITMENT, NONCES},
    report::Report,
    Error,
};

/// The first round of a signature: make two nonces, and commit to them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost commit --share keys/share-1.json --out .

Writes commitment-I.json, for the coordinator, and the secret nonces-I.json, for one
signature and never another.")]
pub(super) struct CommitArgs {
    /// The member's share.
    #[arg(long, value_name = "FILE")]
    share: PathBuf,
    #[command(flatten)]
    out: OutArgs,
}

pub(super) fn run(args: &CommitArgs) -> Result<Report, Error> {
    let share: ShareFile = read(&args.share)?;
    let (member, dir) = (share.member(), &args.out.out);
    let [public, secret] = [format!("commitment-{member}.json"), format!("nonces-{member}.json")];
    let files = [(public.clone(), COMMITMENT), (secret.clone(), NONCES)];
    let mut output = open(dir, &files, args.out.force)?;
    let made = share.suite().ceremony().commit(&share, &mut OsRng);
    let (nonces, commitment) = made.map_err(located([("share", slice::from_ref(&args.share))]))?;
    write(&mut output, &secret, &nonces)?;
    write(&mut output, &public, &commitment)?;
    output.commit()?;
    let out = dir.display();
    let text = format!(
        "{out}/{public}: member {member}'s commitment, for the coordinator\n{out}/{secret}: its \
         nonces, a secret"
    );
    let json = json!({
        "suite": share.suite(),
        "member": member,
        "commitment": dir.join(public),
        "nonces": dir.join(secret),
    });
    Ok(Report { text, json })
}
