//! The group's signature: `muster frost aggregate` and `verify`.

use std::{path::PathBuf, slice};

use muster_prover::encoding::to_hex;
use muster_threshold::frost::{ceremony::StepError, FrostError};
use serde_json::json;

use super::args::{located, MessageArgs, PackageArgs};
use crate::{
    files::frost::{
        open_single, read, read_all, write, Document, GroupFile, SignatureFile, SIGNATURE,
    },
    report::Report,
    Error,
};

/// Add up the shares into the group's signature and verify it, or name the members whose shares are
/// bad.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost aggregate --group keys/group.json --commitments commitment-*.json \\
      --shares signature-share-*.json --message 0x… --out signature.json

Exit status 1 if shares do not verify: their members are named. Nobody is named
if the coordinator may be at fault: if a share is for another group, message or list of
commitments, or if the public shares in group.json do not make its public key.

Only the signature is verified: bad shares whose errors cancel out make a good signature, which is
accepted.")]
pub(super) struct AggregateArgs {
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    package: PackageArgs,
    /// Every signer's share of the signature.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    shares: Vec<PathBuf>,
    /// File for the signature (default: standard output).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists. A secret is never replaced.
    #[arg(long)]
    force: bool,
}

/// Verify a signature under the group's key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  muster frost verify signature.json --group keys/group.json --message 0x…

Give the group and the message that you expect: a file that holds another key or
another message is rejected.")]
pub(super) struct VerifyArgs {
    /// The signature's file, as aggregate writes it.
    file: PathBuf,
    /// The group.
    #[arg(long, value_name = "FILE")]
    group: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
}

pub(super) fn aggregate(args: &AggregateArgs) -> Result<Report, Error> {
    let open = |path: &PathBuf| open_single(path, SIGNATURE, args.force);
    let output = args.out.as_ref().map(open).transpose()?;
    let group: GroupFile = read(&args.group)?;
    let (commitments, message) = args.package.read(group.suite())?;
    let shares = read_all(&args.shares)?;
    let sources = [
        ("group", slice::from_ref(&args.group)),
        ("commitments", &args.package.commitments),
        ("shares", &args.shares),
    ];
    let ceremony = group.suite().ceremony();
    let made = ceremony.aggregate(&group, &commitments, &shares, message);
    let made = made.map_err(located(sources))?;
    let [key, signature] = [made.public_key(), made.signature()].map(|hex| to_hex(hex.bytes()));
    let accepted = format!("accepted: {} members signed as {key}", shares.len());
    let mut text = format!("{accepted}\n{signature}");
    let mut json = json!({
        "suite": group.suite(),
        "public_key": key,
        "message": to_hex(message),
        "signature": signature,
        "accepted": true,
    });
    if let Some(((mut output, name), path)) = output.zip(args.out.as_ref()) {
        write(&mut output, &name, &made)?;
        output.commit()?;
        text = format!("{}: {accepted}", path.display());
        json["out"] = json!(path);
    }
    Ok(Report { text, json })
}

pub(super) fn verify(args: &VerifyArgs) -> Result<Report, Error> {
    let group: GroupFile = read(&args.group)?;
    let message = args.message.read(group.suite())?;
    let signature: SignatureFile = read(&args.file)?;
    let verdict = group.suite().ceremony().verify(&group, message, &signature);
    verdict.map_err(|error| match error {
        StepError::Field { input, field } if input.name == "signature" => {
            Error::rejected(&args.file, field)
        }
        StepError::Frost(error @ FrostError::Signature) => Error::rejected(&args.file, error),
        error => located([("group", slice::from_ref(&args.group))])(error),
    })?;
    let key = to_hex(group.public_key().bytes());
    let text = format!("{}: accepted: signed as {key}", args.file.display());
    let json = json!({
        "suite": group.suite(),
        "public_key": key,
        "message": to_hex(message),
        "accepted": true,
    });
    Ok(Report { text, json })
}
