//! `muster aggregate`.

use std::{io::Write, path::PathBuf};

use muster_circuits::{Message, Signature};
use muster_prover::{
    encoding::message_to_hex,
    files::{CommitteeFile, SignaturesFile},
    output::Output,
};
use serde_json::json;

use super::{
    options::{SeatsArg, SigningArgs},
    report::Report,
};
use crate::{progress::Progress, Error};

/// Add up members' signatures into the one that check and prove take (BLS). Each is first verified
/// with its member's key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster aggregate --committee beacon/committee.json first.json third.json --out signatures.json
  muster aggregate --committee seats/committee.json --seats signed.json --out signatures.json

A file of signatures is {\"message\": \"0x…\", \"signatures\": [{\"member\": 3, \"signature\": \"0x…\"}, …]}. All files
must have the same message. A key with several seats (--seats) signs for each of them: its signature appears once
for each seat that signs, with the seat's number. Whether a set can hold the keys is checked by root, check and prove.

On exit status 1, the member with the bad signature is named, and nothing is written.")]
pub(super) struct AggregateArgs {
    /// Files of members' signatures.
    #[arg(required = true, value_name = "SIGNATURES")]
    signatures: Vec<PathBuf>,
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    #[command(flatten)]
    seats: SeatsArg,
    #[command(flatten)]
    signing: SigningArgs,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// File for the aggregate signature.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn run(args: &AggregateArgs) -> Result<Report, Error> {
    let (mut output, name) = Output::single(&args.out, args.force)?;
    let file = CommitteeFile::read(&args.committee, args.seats.seats())?;
    let scheme = file.scheme;
    if !scheme.adds_keys() {
        let reason = format!("signatures of {scheme} do not add up");
        return Err(Error::field(&args.committee, "scheme", reason));
    }
    let (message, signed) = read(args, &file)?;
    let what = format!("verifying {} signatures", signed.len());
    let suite = args.signing.under(None, scheme, file.keys)?;
    // Without a form they are signed bytes of any length.
    let message = match args.signing.form() {
        Some(_) => suite.stated(&message)?,
        None => message,
    };
    let made = Progress::new().run(&what, || suite.add_up(&file.committee, &message, &signed));
    let signatures = SignaturesFile { scheme, message, signatures: made? };
    output.write(&name, |file| {
        serde_json::to_writer_pretty(&mut *file, &signatures.to_json())?;
        file.write_all(b"\n")
    })?;
    output.commit()?;
    let (out, message) = (args.out.display(), message_to_hex(&signatures.message));
    let members = signatures.signatures.members();
    let list: Vec<_> = members.iter().map(usize::to_string).collect();
    let text = format!("{out}: members {} signed {message}", list.join(", "));
    let json = json!({
        "scheme": scheme.name(),
        "message": message,
        "members": members,
        "out": args.out,
    });
    Ok(Report { text, json })
}

/// The message that all files have, and the signatures of all.
fn read(
    args: &AggregateArgs,
    committee: &CommitteeFile,
) -> Result<(Message, Vec<(usize, Signature)>), Error> {
    let mut common: Option<Message> = None;
    let mut signed = vec![];
    for path in &args.signatures {
        let (message, list) = SignaturesFile::read_each(path, committee)?;
        if common.as_ref().is_some_and(|common| *common != message) {
            let reason = format!("not the message in {}", args.signatures[0].display());
            return Err(Error::field(path, "message", reason));
        }
        common = Some(message);
        signed.extend(list);
    }
    signed.sort_by_key(|(member, _)| *member);
    let missing = || Error::usage("SIGNATURES: no file given".into());
    Ok((common.ok_or_else(missing)?, signed))
}
