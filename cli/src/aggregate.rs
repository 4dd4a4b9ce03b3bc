//! `muster aggregate`.

use std::path::PathBuf;

use muster_prover::{
    encoding::message_to_hex,
    files::{CommitteeFile, Gathered, SignaturesFile},
    output::Output,
    Error as ProverError,
};
use serde_json::json;

use crate::{
    files::write_pretty,
    options::{AdmissionArgs, InsecureKeys, SigningArgs, StrictArg},
    progress::Progress,
    report::{list, Report},
    Error,
};

/// Add up members' signatures into the one that check and prove take (BLS). Each is first verified
/// with its member's key.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  muster aggregate --committee beacon/committee.json first.json third.json --out signatures.json
  muster aggregate --committee seats/committee.json --seats signed.json --out signatures.json

A file of signatures is {\"message\": \"0x…\", \"signatures\": [{\"member\": 3, \"signature\": \"0x…\"}, …]}. All files
must have the same message. A key with several seats (--seats) signs for each of them: its signature appears once
for each seat that signs, with the seat's number. Whether a set can hold the keys is checked by root, check and prove.

Signatures that do not count (they do not hold, are by nobody in the committee, or are a second one by a
member) are left out of the sum and named. If none is left, nothing is written, and the exit status is 1.")]
pub(super) struct AggregateArgs {
    /// Files of members' signatures.
    #[arg(required = true, value_name = "SIGNATURES")]
    signatures: Vec<PathBuf>,
    /// The committee's file.
    #[arg(long, value_name = "FILE")]
    committee: PathBuf,
    #[command(flatten)]
    admission: AdmissionArgs,
    #[command(flatten)]
    strict: StrictArg,
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
    let file = CommitteeFile::read(&args.committee, args.admission.admission())?;
    let scheme = file.scheme;
    if !scheme.adds_keys() {
        let reason = format!(
            "signatures of {scheme} do not add up; `muster prove --signatures FILE` takes all of them, in one file"
        );
        return Err(Error::field(&args.committee, "scheme", reason));
    }
    let gathered = read(args, &file)?;
    let what = format!("verifying {} signatures", gathered.signers());
    let suite = args.signing.under(None, scheme, file.keys)?;
    // Without a form they are signed bytes of any length.
    let message = match args.signing.form() {
        Some(_) => suite.stated(gathered.message())?,
        None => gathered.message().clone(),
    };
    let sorted = Progress::new().run(&what, || gathered.sort_out_each(&suite, &file, &message));
    let (mut signed, dropped) = sorted?;
    args.strict.allows(&dropped)?;
    signed.sort_by_key(|(member, _)| *member);
    let made = suite.add_up(&file.committee, &message, &signed).map_err(ProverError::from);
    let signatures = SignaturesFile { scheme, message, signatures: dropped.named_in(made)? };
    output.write(&name, |file| write_pretty(file, &signatures.to_json()))?;
    output.commit()?;
    let (out, message) = (args.out.display(), message_to_hex(&signatures.message));
    let members = signatures.signatures.members();
    let insecure = InsecureKeys::of(&file);
    let text = format!("{insecure}{dropped}{out}: members {} signed {message}", list(&members));
    let json = json!({
        "scheme": scheme.name(),
        "message": message,
        "members": members,
        "dropped": dropped.to_json(),
        "insecure_keys": insecure.to_json(),
        "out": args.out,
    });
    Ok(Report { text, json })
}

/// The signatures in all files, on one message.
fn read(args: &AggregateArgs, committee: &CommitteeFile) -> Result<Gathered, Error> {
    let mut files = args.signatures.iter().map(|path| Gathered::read_each(path, committee));
    let missing = || Error::usage("SIGNATURES: no file given".into());
    let first = files.next().ok_or_else(missing)??;
    Ok(files.try_fold(first, |all, more| all.and(more?))?)
}
