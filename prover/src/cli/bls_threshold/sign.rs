//! `muster bls-threshold sign`.

use std::path::PathBuf;

use muster_threshold::bls::Suite;
use serde_json::json;

use super::MessageArgs;
use crate::{
    cli::Report,
    encoding::to_hex,
    files::bls_threshold::{write_pretty, GroupFile, SecretFile, ShareFile, Task},
    output::Output,
    Error,
};

/// Make a signer's share of a signature.
#[derive(Debug, clap::Args)]
pub(super) struct SignArgs {
    /// The signer's secret.
    #[arg(long, value_name = "FILE")]
    secret: PathBuf,
    #[command(flatten)]
    message: MessageArgs,
    /// The group's file: checks that the secret is one of its signers'.
    #[arg(long, value_name = "FILE")]
    group: Option<PathBuf>,
    /// Replace the file if it is there already.
    #[arg(long)]
    force: bool,
    /// File for the share.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The secret's file is read: its suite is known.
struct Sign<'a> {
    args: &'a SignArgs,
    secret: SecretFile,
}

pub(super) fn run(args: &SignArgs) -> Result<Report, Error> {
    let secret = SecretFile::read(&args.secret)?;
    secret.suite.with(Sign { args, secret })
}

impl Task for Sign<'_> {
    type Output = Report;

    fn run<S: Suite>(self) -> Result<Report, Error> {
        let Self { args, secret } = self;
        let missing = || Error::Usage("--message or --message-file: missing".into());
        let message = args.message.read()?.ok_or_else(missing)?;
        let secret = secret.decode::<S>(&args.secret)?;
        if let Some(path) = &args.group {
            let group = GroupFile::read(path)?.decode::<S>(path)?;
            let checked = group.check_secret(&secret);
            checked.map_err(|fault| Error::file(&args.secret, fault.to_string()))?;
        }
        let (mut output, name) = Output::single(&args.out, args.force)?;
        let share = secret.sign(&message);
        let content = ShareFile::new(&message, &share);
        output.write(&name, |file| write_pretty(file, &content))?;
        output.commit()?;
        let (index, hex) = (share.index, to_hex(&share.signature.to_bytes()));
        let text = format!("{}: the share of signer {index}", args.out.display());
        let json = json!({
            "suite": S::NAME,
            "message": to_hex(&message),
            "signer": index,
            "signature": hex,
            "out": args.out,
        });
        Ok(Report { text, json })
    }
}
