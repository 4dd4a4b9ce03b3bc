//! `muster frost verify`.

use std::{path::PathBuf, slice};

use muster_prover::encoding::to_hex;
use muster_threshold::frost::{ceremony::StepError, FrostError};
use serde_json::json;

use super::args::{located, MessageArgs};
use crate::{
    files::frost::{read, Document, GroupFile, SignatureFile},
    report::Report,
    Error,
};

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

pub(super) fn run(args: &VerifyArgs) -> Result<Report, Error> {
    let group: GroupFile = read(&args.group)?;
    let message = args.message.read(group.suite())?;
    let signature: SignatureFile = read(&args.file)?;
    let verdict = group.suite().ceremony().verify(&group, message, &signature);
    verdict.map_err(|error| match error {
        StepError::Field { input, field } if input.name == "signature" => {
            Error::BadThresholdSignature { path: args.file.clone(), reason: field.to_string() }
        }
        StepError::Frost(error @ FrostError::Signature) => {
            Error::BadThresholdSignature { path: args.file.clone(), reason: error.to_string() }
        }
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
